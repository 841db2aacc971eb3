//! Label selectors as kubectl's `-l` has them: `env=prod,tier notin (a,b),!old`.

use headway_api::meta::{LabelRequirement, LabelSelector, Labels};
use headway_api::quoted::Quoted;

/// A label selector that was written down.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector(LabelSelector);

/// Why a text is not a label selector.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectorError {
    /// Something stands where the key of a label should.
    #[error("{} is not the key of a label, which is a name such as env, perhaps with a domain before it: example.com/env", Quoted(.0))]
    NoKey(String),
    /// Something stands where the value of a label should.
    #[error("{} is not the value of a label: letters, digits, `-`, `_` and `.`, at most 63 in all", Quoted(.0))]
    NoValue(String),
    /// An operator that does not come with a list of values.
    #[error("after \"{key} {operator}\" comes a list of values such as (a, b)")]
    NoList {
        /// The key before it.
        key: String,
        /// `in` or `notin`.
        operator: &'static str,
    },
    /// A list of values without its end.
    #[error("the list of values of {0} has no end: a `)` is missing")]
    OpenList(String),
    /// Something after a requirement that does not belong there.
    #[error("{} after {key}: what may follow are =, ==, !=, in (…), notin (…), or a comma", Quoted(found))]
    Stray {
        /// The key before it.
        key: String,
        /// What was found.
        found: String,
    },
}

impl Selector {
    /// Whether it asks for nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.match_expressions.is_empty()
    }

    /// Whether it holds for these labels. An empty one holds for all.
    #[must_use]
    pub fn matches(&self, labels: &Labels) -> bool {
        self.0.matches(labels)
    }
}

impl std::str::FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        let mut rest = Tokens(text);
        let mut requirements = Vec::new();
        while rest.peek() != Token::End {
            requirements.push(requirement(&mut rest)?);
            match rest.next() {
                Token::End => break,
                // A comma at the end is let through, as kubectl does.
                Token::Comma => {}
                other => {
                    let key = requirements.last().map(|it| it.key.clone()).unwrap_or_default();
                    return Err(SelectorError::Stray { key, found: other.text().to_owned() });
                }
            }
        }
        Ok(Self(LabelSelector { match_expressions: requirements, ..LabelSelector::default() }))
    }
}

fn requirement(rest: &mut Tokens<'_>) -> Result<LabelRequirement, SelectorError> {
    let of = |key: &str, operator: &str, values: Vec<String>| LabelRequirement {
        key: key.to_owned(),
        operator: operator.to_owned(),
        values,
    };
    let key = match rest.next() {
        Token::Not => {
            let key = key_of(&rest.next())?;
            return Ok(of(key, "DoesNotExist", Vec::new()));
        }
        token => key_of(&token)?,
    };
    match rest.peek() {
        Token::Equal => {
            rest.next();
            Ok(of(key, "In", vec![value(rest)?]))
        }
        Token::NotEqual => {
            rest.next();
            Ok(of(key, "NotIn", vec![value(rest)?]))
        }
        Token::Word("in") => {
            rest.next();
            Ok(of(key, "In", list(rest, key, "in")?))
        }
        Token::Word("notin") => {
            rest.next();
            Ok(of(key, "NotIn", list(rest, key, "notin")?))
        }
        Token::Comma | Token::End => Ok(of(key, "Exists", Vec::new())),
        Token::Word(_) | Token::Not | Token::Open | Token::Close | Token::Other(_) => {
            Err(SelectorError::Stray { key: key.to_owned(), found: rest.next().text().to_owned() })
        }
    }
}

fn key_of<'a>(token: &Token<'a>) -> Result<&'a str, SelectorError> {
    let no_key = || SelectorError::NoKey(token.text().to_owned());
    let Token::Word(key) = token else { return Err(no_key()) };
    let (domain, name) = key.split_once('/').unwrap_or(("a", key));
    let is_domain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
    let fits = !domain.is_empty() && domain.len() <= 253 && domain.chars().all(is_domain) && is_label_word(name);
    if fits && !name.is_empty() { Ok(key) } else { Err(no_key()) }
}

/// A single value, which may be empty.
fn value(rest: &mut Tokens<'_>) -> Result<String, SelectorError> {
    match rest.peek() {
        Token::Comma | Token::End => Ok(String::new()),
        _ => value_of(&rest.next()),
    }
}

fn value_of(token: &Token<'_>) -> Result<String, SelectorError> {
    match token {
        Token::Word(value) if is_label_word(value) => Ok((*value).to_owned()),
        other => Err(SelectorError::NoValue(other.text().to_owned())),
    }
}

fn list(rest: &mut Tokens<'_>, key: &str, operator: &'static str) -> Result<Vec<String>, SelectorError> {
    if rest.next() != Token::Open {
        return Err(SelectorError::NoList { key: key.to_owned(), operator });
    }
    let mut values = Vec::new();
    loop {
        // Between two commas, and in a list of none, there is the empty value.
        let value = match rest.peek() {
            Token::Comma | Token::Close => String::new(),
            Token::End => return Err(SelectorError::OpenList(key.to_owned())),
            _ => value_of(&rest.next())?,
        };
        values.push(value);
        match rest.next() {
            Token::Comma => {}
            Token::Close => return Ok(values),
            Token::End => return Err(SelectorError::OpenList(key.to_owned())),
            other => return Err(SelectorError::NoValue(other.text().to_owned())),
        }
    }
}

fn is_label_word(word: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_end = |c: Option<char>| c.is_none_or(|c| c.is_ascii_alphanumeric());
    word.len() <= 63 && word.chars().all(is_inner) && is_end(word.chars().next()) && is_end(word.chars().next_back())
}

/// What is left of the text.
struct Tokens<'a>(&'a str);

/// A piece of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Equal,
    NotEqual,
    Not,
    Open,
    Close,
    Comma,
    /// `>` and `<`, which no label of a cluster is compared by.
    Other(&'a str),
    End,
}

impl<'a> Token<'a> {
    fn text(&self) -> &'a str {
        match self {
            Self::Word(text) | Self::Other(text) => text,
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Not => "!",
            Self::Open => "(",
            Self::Close => ")",
            Self::Comma => ",",
            Self::End => "",
        }
    }
}

impl<'a> Tokens<'a> {
    fn peek(&self) -> Token<'a> {
        Tokens(self.0).next()
    }

    fn next(&mut self) -> Token<'a> {
        const SIGNS: [(&str, Token<'static>); 7] = [
            ("==", Token::Equal),
            ("=", Token::Equal),
            ("!=", Token::NotEqual),
            ("!", Token::Not),
            ("(", Token::Open),
            (")", Token::Close),
            (",", Token::Comma),
        ];
        self.0 = self.0.trim_start();
        if self.0.is_empty() {
            return Token::End;
        }
        for (sign, token) in SIGNS {
            if let Some(rest) = self.0.strip_prefix(sign) {
                self.0 = rest;
                return token;
            }
        }
        let is_sign = |c: char| matches!(c, '=' | '!' | '(' | ')' | ',' | '>' | '<') || c.is_whitespace();
        let end = match self.0.find(is_sign) {
            // A `>` or `<` is a piece of its own, and nothing else is left that begins with a sign.
            Some(0) => 1,
            Some(end) => end,
            None => self.0.len(),
        };
        let (piece, rest) = self.0.split_at(end);
        self.0 = rest;
        if piece.starts_with(['>', '<']) { Token::Other(piece) } else { Token::Word(piece) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_those_of_kubectl() {
        let labels: Labels = [("env", "prod"), ("example.com/tier", "web"), ("empty", "")].into_iter().collect();
        let check = |text: &str, expect: bool| {
            let selector: Selector = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(selector.matches(&labels), expect, "{text}");
        };
        check("", true);
        check("env=prod", true);
        check(" env == prod ", true);
        check("env=test", false);
        check("env!=prod", false);
        check("gone!=prod", true);
        check("env in (test, prod)", true);
        check("env in (test)", false);
        check("env notin (test,prod)", false);
        check("gone notin (a)", true);
        check("env", true);
        check("!env", false);
        check("!gone", true);
        check("gone", false);
        check("example.com/tier=web,env=prod", true);
        check("example.com/tier=web,env=test", false);
        check("env=prod,example.com/tier in (web,db),!gone", true);
        check("empty=", true);
        check("env=", false);
        check("empty in ()", true);
        check("env=prod,", true);
        // Words that are operators elsewhere.
        check("in", false);
        check("notin in (in)", false);
    }

    #[test]
    fn what_is_no_selector_is_named() {
        let check = |text: &str, expect: &str| {
            let error = text.parse::<Selector>().expect_err(text).to_string();
            assert!(error.contains(expect), "{text}: {error}");
        };
        check("=prod", "\"=\" is not the key of a label");
        check("!", "\"\" is not the key");
        check("-env", "\"-env\" is not the key");
        check("a/b/c=d", "\"a/b/c\" is not the key");
        check("env=pr od", "\"od\" after env");
        check("env=-prod", "\"-prod\" is not the value");
        check("env in test", "after \"env in\" comes a list of values");
        check("env in (a", "the list of values of env has no end");
        check("env in (a b)", "\"b\" is not the value");
        check("env>3", "\">\" after env");
        check("env=prod tier=web", "\"tier\" after env");
        check("env=a=b", "\"=\" after env");
        check(&format!("env={}", "x".repeat(64)), "is not the value");
        check("envé=1", "is not the key");
        check("env=prod\u{1b}[31m", "\\u{1b}");
    }
}
