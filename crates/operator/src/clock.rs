//! The one place where time enters.

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;

/// Who tells the time.
#[derive(Debug, Clone)]
pub(crate) enum Clock {
    /// The wall.
    Wall,
    /// A file with one RFC 3339 time, which a test moves on. While it cannot be read the wall stands in.
    File(PathBuf),
}

/// How often a clock in a file is looked at.
const GLANCE: Duration = Duration::from_millis(100);

impl Clock {
    /// Now.
    pub(crate) fn now(&self) -> Timestamp {
        match self {
            Self::Wall => Timestamp::now(),
            Self::File(path) => {
                let told = std::fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok());
                told.unwrap_or_else(Timestamp::now)
            }
        }
    }

    /// Waits until a moment, or for a while: a clock in a file may jump at any time.
    pub(crate) async fn wait_until(&self, moment: Timestamp) {
        let left = Duration::try_from(moment.duration_since(self.now())).unwrap_or(Duration::ZERO);
        // The wall's clock may be set meanwhile; nothing is lost by looking once a minute.
        let most = match self {
            Self::Wall => Duration::from_secs(60),
            Self::File(_) => GLANCE,
        };
        tokio::time::sleep(left.min(most)).await;
    }
}
