//! The log: structured lines on standard error, `info` and above unless `RUST_LOG` says otherwise.

use tracing_subscriber::EnvFilter;

use crate::args::LogFormat;

/// Begins to log.
pub(crate) fn begin(format: LogFormat) {
    let filter = EnvFilter::builder().with_default_directive(tracing::Level::INFO.into()).from_env_lossy();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        LogFormat::Json => log.json().flatten_event(true).init(),
        LogFormat::Text => log.init(),
    }
}
