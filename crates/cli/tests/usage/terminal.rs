//! Colours and widths: on a terminal only, and not when the user does not want them.

use super::command::{HEADWAY, Ran, ended, sealed, status, with};
use super::recording::{Recording, State, record, write};

#[test]
fn nothing_is_coloured_or_cut_in_a_pipe() {
    let recording = long();
    let path = recording.path.to_str().unwrap();
    let expect = status(&recording.path, &[]);
    assert!(!expect.out.contains('\u{1b}'));
    assert!(expect.out.contains(&"long ".repeat(30)), "{}", expect.out);
    for (name, value) in [("TERM", "xterm-256color"), ("CLICOLOR_FORCE", "1"), ("COLUMNS", "60"), ("NO_COLOR", "1")] {
        assert_eq!(ended(with(&["status", "--from", path]).env(name, value), b""), expect, "{name}={value}");
    }
}

/// An update with a node whose message is long.
fn long() -> Recording {
    let recording = record(State::NeedsAttention);
    let text = std::fs::read_to_string(&recording.path).unwrap();
    let reason = format!("state: Degraded\n    machineconfiguration.openshift.io/reason: {}", "long ".repeat(60));
    let text = text.replacen("state: Done", reason.trim_end(), 2);
    write(&recording.path, text.as_bytes());
    recording
}

/// Runs in a pseudo terminal of 80 columns; `None` where there is no `script` to make one.
fn in_terminal(arguments: &str) -> Option<Ran> {
    let script = ["/usr/bin/script", "/bin/script"].into_iter().find(|path| std::path::Path::new(path).exists());
    let Some(script) = script else {
        eprintln!("SKIPPED: there is no `script` here to make a pseudo terminal with");
        return None;
    };
    let line = format!("stty cols 80 rows 24; {arguments}");
    let mut command = sealed(script);
    command
        .args(["-qec", &line, "/dev/null"])
        .env("PATH", "/usr/bin:/bin")
        .env("TERM", "xterm")
        .env("SHELL", "/bin/sh");
    let ran = ended(&mut command, b"");
    Some(Ran { out: ran.out.replace("\r\n", "\n"), ..ran })
}

#[test]
fn a_terminal_gets_colours_and_lines_of_its_width() {
    let recording = long();
    let path = recording.path.display();
    let Some(ran) = in_terminal(&format!("'{HEADWAY}' status --from '{path}' 2>/dev/null")) else { return };
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert!(ran.out.contains("\u{1b}[1m= Control Plane =\u{1b}[0m"), "{:?}", ran.out);
    let plain = bare(&ran.out);
    let longest = plain.lines().filter(|line| !line.starts_with("Run with")).map(|line| line.chars().count()).max();
    assert_eq!(longest, Some(80), "{plain}");
    assert!(plain.lines().any(|line| line.ends_with("...")), "{plain}");
    // Only words are coloured: the text itself is that of a pipe, as far as it fits.
    let piped = status(&recording.path, &[]).out;
    for (shown, whole) in plain.lines().zip(piped.lines()) {
        let shown = shown.strip_suffix("...").unwrap_or(shown);
        assert!(whole.starts_with(shown), "{shown:?} is not the beginning of {whole:?}");
    }
}

#[test]
fn colours_can_be_refused() {
    let recording = long();
    let path = recording.path.display();
    for line in [
        format!("'{HEADWAY}' status --no-color --from '{path}' 2>/dev/null"),
        format!("NO_COLOR=1 '{HEADWAY}' status --from '{path}' 2>/dev/null"),
        format!("NO_COLOR=1 '{HEADWAY}' status --from nowhere"),
        format!("'{HEADWAY}' status --compat oc --from '{path}' 2>/dev/null"),
        format!("'{HEADWAY}' status -o json --from '{path}' 2>/dev/null"),
    ] {
        let Some(ran) = in_terminal(&line) else { return };
        assert!(!ran.out.contains('\u{1b}'), "{line}: {:?}", ran.out);
        assert!(!ran.out.is_empty(), "{line}");
    }
    // An empty NO_COLOR is none (no-color.org).
    let Some(ran) = in_terminal(&format!("NO_COLOR= '{HEADWAY}' status --from '{path}' 2>/dev/null")) else { return };
    assert!(ran.out.contains('\u{1b}'));
}

/// A text without the codes of colours.
fn bare(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            chars.find(|c| *c == 'm');
        } else {
            out.push(c);
        }
    }
    out
}
