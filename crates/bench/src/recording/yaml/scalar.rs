//! Writes one value without children: which text needs which quotes, by the rules of Go's YAML printer.

use serde_json::Value;

/// Writes a value and the end of its line; text of several lines becomes a block, two columns right of `parent`.
pub(super) fn write(out: &mut String, value: &Value, parent: usize) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::String(text) if text.contains('\n') && block_can_hold(text) => {
            return write_block(out, text, parent);
        }
        Value::String(text) => write_in_line(out, text),
        // The printer hands over collections only when they are empty.
        Value::Array(_) => out.push_str("[]"),
        Value::Object(_) => out.push_str("{}"),
    }
    out.push('\n');
}

/// Writes the name of a field, without its colon.
pub(super) fn write_key(out: &mut String, name: &str) {
    write_in_line(out, name);
}

fn write_in_line(out: &mut String, text: &str) {
    if needs_escapes(text) || reads_as_another_type(text) {
        write_double_quoted(out, text);
    } else if has_indicators(text) {
        out.push('\'');
        out.push_str(&text.replace('\'', "''"));
        out.push('\'');
    } else {
        out.push_str(text);
    }
}

/// A literal block: a bar, a digit when the text itself starts with a blank, and how the text ends.
fn write_block(out: &mut String, text: &str, parent: usize) {
    out.push('|');
    if text.starts_with([' ', '\n']) {
        out.push('2');
    }
    if !text.ends_with('\n') {
        out.push('-');
    } else if text.ends_with("\n\n") || text == "\n" {
        out.push('+');
    }
    out.push('\n');
    for line in text.split_inclusive('\n') {
        if line != "\n" {
            out.extend(std::iter::repeat_n(' ', parent + 2));
        }
        out.push_str(line);
    }
    if !text.ends_with('\n') {
        out.push('\n');
    }
}

fn write_double_quoted(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{85}' => out.push_str("\\N"),
            '\u{2028}' => out.push_str("\\L"),
            '\u{2029}' => out.push_str("\\P"),
            _ if is_printable(letter) => out.push(letter),
            _ if u32::from(letter) <= 0xff => out.push_str(&format!("\\x{:02X}", u32::from(letter))),
            _ if u32::from(letter) <= 0xffff => out.push_str(&format!("\\u{:04X}", u32::from(letter))),
            _ => out.push_str(&format!("\\U{:08X}", u32::from(letter))),
        }
    }
    out.push('"');
}

/// Whether a literal block gives the text back: nothing to escape, and no blank before the end of a line.
fn block_can_hold(text: &str) -> bool {
    let first_line_is_blank = text.trim_start_matches(' ').starts_with('\n') || text.trim().is_empty();
    !first_line_is_blank
        && !text.contains(" \n")
        && !text.ends_with(' ')
        && text.chars().all(|letter| letter == '\n' || is_printable(letter))
}

fn needs_escapes(text: &str) -> bool {
    !text.chars().all(is_printable)
}

/// What Go's printer leaves as it is; it escapes everything beyond the basic plane.
fn is_printable(letter: char) -> bool {
    matches!(letter, ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
        && !matches!(letter, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

/// Whether plain text would be taken for YAML's own signs.
fn has_indicators(text: &str) -> bool {
    let starts_badly = text
        .starts_with([',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`', ' '])
        || text.starts_with("---")
        || text.starts_with("...")
        || ['-', '?', ':']
            .iter()
            .any(|sign| text.strip_prefix(*sign).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')));
    starts_badly || text.ends_with([' ', ':']) || text.contains(": ") || text.contains(" #")
}

/// Whether plain text would be read as a number, a truth value, a time or nothing at all.
fn reads_as_another_type(text: &str) -> bool {
    const WORDS: [&str; 11] = ["", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    const SPECIAL: [&str; 6] = ["<<", ".nan", ".inf", "+.inf", "-.inf", "nan"];
    let lower = text.to_ascii_lowercase();
    if WORDS.contains(&lower.as_str()) || SPECIAL.contains(&lower.as_str()) {
        return true;
    }
    text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '.'))
        && (is_number(&lower) || is_date(text))
}

fn is_number(lower: &str) -> bool {
    let digits = lower.trim_start_matches(['+', '-']).replace('_', "");
    let in_base = |prefix: &str, radix: u32| {
        digits
            .strip_prefix(prefix)
            .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|digit| digit.is_digit(radix)))
    };
    // Hours and minutes were numbers to base 60 in YAML 1.1.
    let sixties = digits.contains(':')
        && digits
            .split(':')
            .all(|part| !part.is_empty() && part.chars().all(|digit| digit.is_ascii_digit() || digit == '.'));
    // Rust reads "1e30755" as infinite, so that it is quoted here; Go would leave it plain for some other reader to trip over.
    in_base("0x", 16)
        || in_base("0o", 8)
        || in_base("0b", 2)
        || sixties
        || (digits.contains(|digit: char| digit.is_ascii_digit()) && digits.parse::<f64>().is_ok())
}

fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let number = |part: Option<&str>, longest: usize| {
        part.is_some_and(|part| (1..=longest).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let (year, month, rest) = (parts.next(), parts.next(), parts.next());
    year.is_some_and(|year| year.len() == 4)
        && number(year, 4)
        && number(month, 2)
        && rest.is_some_and(|rest| {
            let day = rest.split(['T', 't', ' ']).next();
            number(day, 2)
        })
}
