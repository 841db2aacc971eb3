//! Quoting as Go's `%q` does it, which the peer's texts have (status-openshift.md, 10.5).

/// The text in double quotes, with what is not printable escaped.
pub(super) fn go(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            c if is_printable(c) => out.push(c),
            c => out.push_str(&escape(u32::from(c))),
        }
    }
    out.push('"');
    out
}

fn escape(code: u32) -> String {
    match code {
        ..0x20 | 0x7f => format!("\\x{code:02x}"),
        ..=0xffff => format!("\\u{code:04x}"),
        _ => format!("\\U{code:08x}"),
    }
}

/// Whether a character is a letter, mark, number, sign or the plain space.
fn is_printable(c: char) -> bool {
    // `escape_debug` escapes the same characters, and the apostrophe, save a mark that has nothing to stand on: so give it a letter.
    c == '\'' || format!("a{c}").escape_debug().nth(1) == Some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oc_10_5_quotes_as_go() {
        let check = |text: &str, expect: &str| assert_eq!(go(text), expect);
        check("", r#""""#);
        check("kubelet's \"x\"", r#""kubelet's \"x\"""#);
        check("a\\b\n\t\r\u{7}\u{8}\u{b}\u{c}", r#""a\\b\n\t\r\a\b\v\f""#);
        check("\u{1}\u{7f}", r#""\x01\x7f""#);
        check("\u{85}\u{a0}\u{2028}", r#""\u0085\u00a0\u2028""#);
        check("é日本e\u{301}", "\"é日本e\u{301}\"");
        check("\u{1f600}\u{e0001}", "\"\u{1f600}\\U000e0001\"");
    }
}
