//! Rust source cut into tokens, so that no check is fooled by a string or a comment.
//!
//! Just as much of the language as the checks ask about: words, single
//! punctuation marks, literals without a look inside, comments apart.

use std::ops::RangeInclusive;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// An identifier or keyword; a raw one without its `r#`.
    Word,
    /// A string, byte string or character, with its quotes.
    Literal,
    /// A number or a lifetime: nothing here asks about them.
    Other,
    /// One character of punctuation.
    Mark,
}

/// One token and the line it begins on, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) line: usize,
}

impl Token<'_> {
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }

    pub(super) fn is_mark(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text == mark
    }
}

/// A source file in tokens, and its comments with the line each begins on.
pub(super) struct Source<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) comments: Vec<(usize, &'a str)>,
}

impl<'a> Source<'a> {
    /// Cuts the text up. Text that is no Rust gives some tokens or other, never a panic.
    pub(super) fn new(text: &'a str) -> Self {
        let mut source = Self { tokens: Vec::new(), comments: Vec::new() };
        let (mut rest, mut line) = (text, 1);
        while let Some(first) = rest.chars().next() {
            let length = if first.is_whitespace() {
                first.len_utf8()
            } else if rest.starts_with("//") {
                let length = rest.find('\n').unwrap_or(rest.len());
                source.comments.push((line, &rest[..length]));
                length
            } else if rest.starts_with("/*") {
                let length = block_comment(rest);
                source.comments.push((line, &rest[..length]));
                length
            } else {
                let (kind, length) = token(rest, first);
                let text = rest[..length].trim_start_matches("r#");
                let text = if kind == Kind::Word { text } else { &rest[..length] };
                source.tokens.push(Token { kind, text, line });
                length
            };
            line += rest[..length].matches('\n').count();
            rest = &rest[length..];
        }
        source
    }

    /// The lines of items that only a test build compiles.
    pub(super) fn test_lines(&self) -> Vec<RangeInclusive<usize>> {
        let mut ranges = Vec::new();
        for (at, attribute) in self.attributes() {
            let words: Vec<&str> =
                attribute.iter().filter(|token| token.kind == Kind::Word).map(|token| token.text).collect();
            let is_test = words.first() == Some(&"cfg") && words.contains(&"test");
            if is_test && !words.contains(&"not") {
                let begin = self.tokens[at].line;
                let after = at + attribute.len() + 3;
                ranges.push(begin..=self.end_of_item(after).unwrap_or(begin));
            }
        }
        ranges
    }

    /// Each `#[...]`: where its `#` is, and the tokens between the brackets.
    pub(super) fn attributes(&self) -> Vec<(usize, &[Token<'a>])> {
        let mut found = Vec::new();
        for at in 0..self.tokens.len() {
            let opens = self.tokens[at].is_mark("#") && self.tokens.get(at + 1).is_some_and(|it| it.is_mark("["));
            if opens && let Some(end) = closing(&self.tokens, at + 1) {
                found.push((at, &self.tokens[at + 2..end]));
            }
        }
        found
    }

    /// The line of the `;` or `}` that ends the item beginning at a token.
    fn end_of_item(&self, begin: usize) -> Option<usize> {
        let mut at = begin;
        while let Some(token) = self.tokens.get(at) {
            match token.text {
                ";" if token.kind == Kind::Mark => return Some(token.line),
                "{" if token.kind == Kind::Mark => {
                    return closing(&self.tokens, at).map(|end| self.tokens[end].line);
                }
                "(" | "[" if token.kind == Kind::Mark => at = closing(&self.tokens, at)?,
                _ => {}
            }
            at += 1;
        }
        None
    }
}

/// Where the bracket closes that opens at a token.
fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.kind != Kind::Mark {
            continue;
        }
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

fn token(rest: &str, first: char) -> (Kind, usize) {
    if let Some(length) = literal(rest) {
        return (Kind::Literal, length);
    }
    if let Some(length) = lifetime(rest) {
        return (Kind::Other, length);
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let length_of_word = |text: &str| text.find(|c| !is_part(c)).unwrap_or(text.len());
    match first {
        _ if rest.starts_with("r#") => (Kind::Word, 2 + length_of_word(&rest[2..])),
        '0'..='9' => (Kind::Other, length_of_word(rest)),
        _ if is_part(first) => (Kind::Word, length_of_word(rest)),
        _ => (Kind::Mark, first.len_utf8()),
    }
}

/// The length of a string or character literal, if one begins here.
fn literal(rest: &str) -> Option<usize> {
    let body = rest.trim_start_matches(['b', 'c']);
    let prefix = rest.len() - body.len();
    if prefix > 1 {
        return None;
    }
    if let Some(raw) = body.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let inside = raw[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
        return Some(prefix + 1 + hashes + 1 + length);
    }
    if let Some(inside) = body.strip_prefix('"') {
        return Some(prefix + 1 + quoted(inside, '"'));
    }
    let inside = body.strip_prefix('\'')?;
    let mut characters = inside.chars();
    // `'a'` and `'\n'` are characters, `'a` is a lifetime.
    let is_character = match characters.next()? {
        '\\' => true,
        _ => characters.next() == Some('\''),
    };
    is_character.then(|| prefix + 1 + quoted(inside, '\''))
}

/// The length up to and with the closing quote, minding backslashes.
fn quoted(inside: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    inside.len()
}

fn lifetime(rest: &str) -> Option<usize> {
    let name = rest.strip_prefix('\'')?;
    let length = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    Some(1 + length)
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words and marks as they are, literals as `S`, the rest as `O`.
    fn check(text: &str, expect: &str) {
        let told: Vec<&str> = Source::new(text)
            .tokens
            .iter()
            .map(|token| match token.kind {
                Kind::Word | Kind::Mark => token.text,
                Kind::Literal => "S",
                Kind::Other => "O",
            })
            .collect();
        assert_eq!(told.join(" "), expect, "for {text}");
    }

    #[test]
    fn strings_and_comments_hide_what_they_hold() {
        check("a::b(\"c::d\")", "a : : b ( S )");
        check(r#"x = "a \" dbg!()";"#, "x = S ;");
        check("r#\"a \" b\"# y", "S y");
        check("br##\"a\"# b\"## y b'x' c\"z\"", "S y S S");
        check("a // b\nc /* d /* e */ f */ g", "a c g");
        check("'a' '\\'' '\\n' 'ä' z", "S S S S z");
        check("fn f<'a>(x: &'a str) {}", "fn f < O > ( x : & O str ) { }");
        check("r#type bread crumb r2", "type bread crumb r2");
        check("1.5e3 0xff_u8", "O . O O");
    }

    #[test]
    fn broken_source_is_cut_to_its_end() {
        for text in ["\"open", "/* open /*", "r#\"open", "'", "'\\", "ä/*ö", "b'", "r#"] {
            let _ = Source::new(text);
        }
        check("\"open", "S");
    }

    #[test]
    fn lines_are_counted_through_strings_and_comments() {
        let source = Source::new("/* a\n b */ x\n\"c\nd\" y\n// z");
        let lines: Vec<usize> = source.tokens.iter().map(|token| token.line).collect();
        assert_eq!(lines, [2, 3, 4]);
        assert_eq!(source.comments, [(1, "/* a\n b */"), (5, "// z")]);
    }

    #[test]
    fn test_items_are_found_to_their_end() {
        let lines = |text| Source::new(text).test_lines();
        assert_eq!(lines("fn a() {}\n#[cfg(test)]\nmod tests {\n  fn b() {}\n}\n"), [2..=5]);
        assert_eq!(lines("#[cfg(test)]\nuse a::b;\nfn c() {}"), [1..=2]);
        assert_eq!(lines("#[cfg(all(test, unix))]\nfn a(x: [u8; 2]) {\n}"), [1..=3]);
        assert_eq!(lines("#[cfg(not(test))]\nfn a() {}"), []);
        assert_eq!(lines("#[cfg(unix)]\nfn test() {}"), []);
    }
}
