//! Reasons without what differs from node to node.

/// A reason as it would read on any node: the node's name, numbers, digests, and with them addresses, ports, times and
/// durations, are marks.
#[must_use]
pub fn normalized(text: &str, name: &str) -> String {
    let text = if name.is_empty() { text.to_owned() } else { text.replace(name, "<node>") };
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars().chain(std::iter::once('\n')) {
        if c.is_ascii_alphanumeric() {
            word.push(c);
            continue;
        }
        if is_digest(&word) {
            out.push('#');
        } else {
            mark_numbers(&word, &mut out);
        }
        word.clear();
        out.push(c);
    }
    out.pop();
    out
}

/// A word of hexadecimal digits that is no word of any language: long, with both digits and letters.
fn is_digest(word: &str) -> bool {
    word.len() >= 8 && word.chars().all(|c| c.is_ascii_hexdigit()) && word.chars().any(|c| c.is_ascii_digit())
}

/// A word with a mark for each of its numbers.
fn mark_numbers(word: &str, out: &mut String) {
    let mut in_number = false;
    for c in word.chars() {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !in_number {
            out.push('#');
        }
        in_number = c.is_ascii_digit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_equal_but_for_what_differs_by_node() {
        let check = |name: &str, text: &str, expect: &str| assert_eq!(normalized(text, name), expect);
        check("w-1", "failed to drain node: w-1 after 1h0m5s", "failed to drain node: <node> after #h#m#s");
        check("w-1", "pull sha256:56bab0cd6a692bb702 failed", "pull sha#:# failed");
        check("w-1", "udp 10.0.0.6:40349 at 2025-08-19T09:00:00Z", "udp #.#.#.#:# at #-#-#T#:#:#Z");
        check("w-1", "defaced facade", "defaced facade");
        check("", "line\nline", "line\nline");
        check("w-1", "", "");
    }
}
