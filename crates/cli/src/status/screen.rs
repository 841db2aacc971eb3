//! Where pictures are shown: drawn over each other on a terminal, one after another elsewhere.

use std::io::IsTerminal;

use terminal_size::{Height, terminal_size};

use super::picture::Picture;
use super::rendered;
use crate::args::{Output, Status};
use crate::failure::Failure;
use crate::output;

/// The screen or the pipe.
pub(super) struct Screen {
    kind: Kind,
    shown: Option<Picture>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Whoever looks sees the newest picture.
    Terminal,
    /// Whoever reads gets every picture that shows something new.
    Pipe,
}

/// The cursor goes to the first line; what is under the picture goes.
const HOME: &str = "\u{1b}[H";
const REST_OF_LINE: &str = "\u{1b}[K";
const REST_OF_SCREEN: &str = "\u{1b}[J";

impl Screen {
    pub(super) fn new() -> Self {
        let kind = if std::io::stdout().is_terminal() { Kind::Terminal } else { Kind::Pipe };
        Self { kind, shown: None }
    }

    /// Shows a picture, where it shows anything new.
    pub(super) fn show(&mut self, args: &Status, picture: Picture) -> Result<(), Failure> {
        let text = match self.kind {
            Kind::Terminal => drawn(args, &picture)?,
            Kind::Pipe => {
                let same = |shown: &Picture| picture.shows_same(shown, |report| rendered(args, report));
                if self.shown.as_ref().is_some_and(same) {
                    return Ok(());
                }
                appended(args, &picture, self.shown.is_none())?
            }
        };
        output::write(text.as_bytes())?;
        self.shown = Some(picture);
        Ok(())
    }
}

/// A picture over the one before. What does not fit is counted, so that the first lines stay.
fn drawn(args: &Status, picture: &Picture) -> anyhow::Result<String> {
    let text = format!("{}\n\n{}", picture.headline(), rendered(args, &picture.report)?);
    let rows = terminal_size().map_or(usize::MAX, |(_, Height(rows))| usize::from(rows));
    // The last row is for the cursor, the one above it for what is left out.
    let (room, all) = (rows.saturating_sub(2), text.lines().count());
    let mut drawn = String::from(HOME);
    let is_cut = all > rows.saturating_sub(1);
    for line in text.lines().take(if is_cut { room } else { all }) {
        drawn.push_str(line);
        drawn.push_str(REST_OF_LINE);
        drawn.push('\n');
    }
    if is_cut {
        drawn.push_str(&format!("({} more lines)", all - room));
        drawn.push_str(REST_OF_LINE);
        drawn.push('\n');
    }
    drawn.push_str(REST_OF_SCREEN);
    Ok(drawn)
}

/// A picture after the ones before.
fn appended(args: &Status, picture: &Picture, is_first: bool) -> anyhow::Result<String> {
    let text = rendered(args, &picture.report)?;
    Ok(match args.output {
        Output::Text | Output::Wide => {
            format!("{}--- {} ---\n{text}", if is_first { "" } else { "\n" }, picture.headline())
        }
        // Documents of a stream: each says itself of when it is.
        Output::Json => text,
        Output::Yaml => format!("---\n{text}"),
    })
}
