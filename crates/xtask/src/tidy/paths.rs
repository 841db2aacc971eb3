//! The paths that a source file names, with every `use` tree spread out.

use super::tokens::{Kind, Source, Token};

/// A path such as `std::fs::read`, as far as it is written out.
#[derive(Debug, PartialEq)]
pub(super) struct Named<'a> {
    pub(super) segments: Vec<&'a str>,
    pub(super) line: usize,
    /// Whether it is called with a `!`.
    pub(super) is_macro: bool,
}

impl Named<'_> {
    /// Whether these segments occur in it one after the other. An empty one
    /// stands for any: `rand::` is a path into `rand`, not a variable of that name.
    pub(super) fn holds(&self, pattern: &str) -> bool {
        let wanted: Vec<&str> = pattern.split("::").collect();
        self.segments
            .windows(wanted.len())
            .any(|window| window.iter().zip(&wanted).all(|(segment, wanted)| wanted.is_empty() || segment == wanted))
    }
}

/// All of them, in order. A keyword alone is a path of one segment here.
pub(super) fn named<'a>(source: &Source<'a>) -> Vec<Named<'a>> {
    let tokens = source.tokens.as_slice();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if token.kind != Kind::Word {
            at += 1;
            continue;
        }
        let is_use = token.text == "use" && !tokens.get(at + 1).is_some_and(|it| it.is_mark("<"));
        at = if is_use { use_tree(tokens, at + 1, &[], &mut found) } else { plain(tokens, at, &mut found) };
    }
    found
}

fn plain<'a>(tokens: &[Token<'a>], begin: usize, found: &mut Vec<Named<'a>>) -> usize {
    let mut segments = vec![tokens[begin].text];
    let mut at = begin + 1;
    while is_separator(tokens, at)
        && let Some(next) = tokens.get(at + 2)
        && next.kind == Kind::Word
    {
        segments.push(next.text);
        at += 3;
    }
    let mark = |at: usize, mark| tokens.get(at).is_some_and(|token| token.is_mark(mark));
    found.push(Named { segments, line: tokens[begin].line, is_macro: mark(at, "!") && !mark(at + 1, "=") });
    at
}

/// Reads one tree of a `use`, and gives the place after it.
fn use_tree<'a>(tokens: &[Token<'a>], begin: usize, prefix: &[&'a str], found: &mut Vec<Named<'a>>) -> usize {
    let mut segments = prefix.to_vec();
    let mut at = begin;
    let mut line = tokens.get(begin).map_or(0, |token| token.line);
    while let Some(token) = tokens.get(at) {
        if is_separator(tokens, at) {
            at += 2;
        } else if token.is_mark("{") {
            at += 1;
            while tokens.get(at).is_some_and(|token| !token.is_mark("}")) {
                let after = use_tree(tokens, at, &segments, found);
                // A tree that reads nothing is no Rust: step over it.
                at = after.max(at + 1);
                if tokens.get(at).is_some_and(|token| token.is_mark(",")) {
                    at += 1;
                }
            }
            return at + 1;
        } else if token.is_word("as") {
            at += 2;
        } else if token.kind == Kind::Word || token.is_mark("*") {
            if token.text != "self" || segments.is_empty() {
                segments.push(token.text);
            }
            line = token.line;
            at += 1;
        } else {
            break;
        }
    }
    found.push(Named { segments, line, is_macro: false });
    at
}

fn is_separator(tokens: &[Token<'_>], at: usize) -> bool {
    [at, at + 1].iter().all(|at| tokens.get(*at).is_some_and(|token| token.is_mark(":")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        let told: Vec<String> = named(&Source::new(text))
            .iter()
            .map(|path| {
                let mark = if path.is_macro { "!" } else { "" };
                format!("{}{mark}", path.segments.join("::"))
            })
            .collect();
        assert_eq!(told.join(" "), expect, "for {text}");
    }

    #[test]
    fn paths_are_read_as_far_as_they_are_written() {
        check("a::b::c(d, e.f)", "a::b::c d e f");
        check("::std::fs::read(x)", "std::fs::read x");
        check("HashMap::<K, V>::new()", "HashMap K V new");
        check("println!(\"a\"); if a != b {}", "println! if a b");
        check("std::println!()", "std::println!");
    }

    #[test]
    fn a_use_is_spread_out() {
        check("use a::b;", "a::b");
        check("use a::{b, c::d as e, self};", "a::b a::c::d a");
        check("pub use std::{fs::{self, File}, env,};", "pub std::fs std::fs::File std::env");
        check("use a::*; x", "a::* x");
        check("fn f() -> impl X + use<'a> {}", "fn f impl X use");
    }

    #[test]
    fn a_broken_use_ends() {
        for text in ["use", "use {", "use a::{b", "use a::{(}", "use {{{", "use a as"] {
            let _ = named(&Source::new(text));
        }
    }

    #[test]
    fn lines_of_a_spread_use_are_those_of_its_names() {
        let lines: Vec<usize> = named(&Source::new("use a::{\n  b,\n  c,\n};")).iter().map(|path| path.line).collect();
        assert_eq!(lines, [2, 3]);
    }

    #[test]
    fn patterns_match_whole_segments_in_a_row() {
        let holds = |path: &str, pattern: &str| {
            let segments = path.split("::").collect();
            let (line, is_macro) = (1, false);
            Named { segments, line, is_macro }.holds(pattern)
        };
        assert!(holds("std::fs::read", "std::fs"));
        assert!(holds("jiff::Timestamp::now", "Timestamp::now"));
        assert!(holds("rand::random", "rand::"));
        assert!(!holds("rand", "rand::"));
        assert!(!holds("std::fsx", "std::fs"));
        assert!(!holds("std::x::fs", "std::fs"));
    }
}
