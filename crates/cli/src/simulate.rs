//! `headway simulate`: read a script, rehearse, print the transcript.

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use headway_sim::{Script, rehearse};
use jiff::Timestamp;

use crate::args::Simulate;
use crate::failure::Failure;
use crate::output;

/// No script that a person wrote is longer.
const LONGEST: u64 = 1 << 20;

/// A rehearsal begins at the same moment always, so that the same script gives the same transcript.
const BEGIN: Timestamp = Timestamp::constant(1_767_225_600, 0);

/// Reads, plays and prints.
pub(crate) fn run(args: &Simulate) -> Result<ExitCode, Failure> {
    let text = match (&args.script, args.example) {
        (_, Some(example)) => example.text().to_owned(),
        (Some(path), None) => read(path)?,
        (None, None) => return Err(anyhow::anyhow!("name a script, or one that is built in with --example").into()),
    };
    if args.print_script {
        output::write(text.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let script = Script::read(&text).map_err(anyhow::Error::new)?;
    let mut transcript = String::new();
    let played = rehearse(&script, BEGIN, &mut transcript);
    output::write(transcript.as_bytes())?;
    let stage = played.map_err(anyhow::Error::new)?;
    Ok(ExitCode::from(if stage.is_done() { 0 } else { 4 }))
}

fn read(path: &Path) -> anyhow::Result<String> {
    let (name, source): (String, Box<dyn Read>) = if path == Path::new("-") {
        ("standard input".into(), Box::new(std::io::stdin().lock()))
    } else {
        let file = std::fs::File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        (path.display().to_string(), Box::new(file))
    };
    let mut bytes = Vec::new();
    source.take(LONGEST + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > LONGEST {
        bail!("{name} is larger than 1 MiB: that is no script");
    }
    String::from_utf8(bytes).with_context(|| format!("{name} is not text"))
}
