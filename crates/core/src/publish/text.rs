//! Texts within the limits of the API: what is too long ends in `…`, what is no name is none.
//!
//! The API server checks all of this too, but by refusing the whole object.

use headway_api::insight;
use headway_api::update::limit;
use headway_api::update::reference::ResourceRef;

/// What stands for the rest of a text that was cut.
pub const CUT: char = '…';

/// A text of at most so many characters. What would only move a cursor is a space: it is shown as one anyway, and takes
/// six bytes as JSON.
pub(crate) fn clip(text: &str, most: usize) -> String {
    let plain = |c: char| if c.is_control() && !matches!(c, '\n' | '\r' | '\t') { ' ' } else { c };
    let mut chars = text.chars().map(plain);
    let mut out: String = chars.by_ref().take(most).collect();
    if chars.next().is_some() {
        out.pop();
        out.push(CUT);
    }
    out
}

/// A text within a limit of the API; none where there is nothing to say.
pub(super) fn some(text: &str, most: usize) -> Option<String> {
    (!text.is_empty()).then(|| clip(text, most))
}

/// A limit of the API as a length.
pub(crate) fn length(limit: u32) -> usize {
    // A u32 fits: nothing of ours runs where a usize has 16 bits.
    limit as usize
}

/// A number as the API has it.
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A number of nodes as the API has it.
pub(super) fn nodes(count: usize) -> u32 {
    number(count).min(limit::COUNT)
}

/// Whether a text is a DNS subdomain, as names of objects are ([`limit::SUBDOMAIN_PATTERN`]).
pub(super) fn is_subdomain(text: &str) -> bool {
    text.len() <= length(limit::NAME) && text.split('.').all(is_word)
}

/// Whether a text is a DNS label, as namespaces are ([`limit::LABEL_PATTERN`]).
pub(super) fn is_label(text: &str) -> bool {
    text.len() <= length(limit::NAME) && is_word(text)
}

fn is_word(text: &str) -> bool {
    let ends = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.starts_with(ends) && text.ends_with(ends) && text.chars().all(|c| ends(c) || c == '-')
}

/// Whether a text is a version ([`limit::VERSION_PATTERN`]).
pub(super) fn is_version(text: &str) -> bool {
    let number = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()) && (text == "0" || !text.starts_with('0'))
    };
    let identifiers = |text: &str| {
        text.split('.').all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))
    };
    let numbered = text.strip_prefix('v').unwrap_or(text);
    let (rest, build) = numbered.split_once('+').map_or((numbered, None), |(rest, build)| (rest, Some(build)));
    let (core, pre) = rest.split_once('-').map_or((rest, None), |(core, pre)| (core, Some(pre)));
    let numbers: Vec<&str> = core.split('.').collect();
    text.len() <= length(limit::VERSION)
        && numbers.len() == 3
        && numbers.into_iter().all(number)
        && pre.is_none_or(identifiers)
        && build.is_none_or(identifiers)
}

/// Whether a text is a link ([`limit::URL_PATTERN`]) of a length that can be told.
pub(super) fn is_link(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let host = |rest: &str| !rest.starts_with(['/', '?', '#']) && !rest.is_empty();
    // Where the pattern says white space it means that of ASCII.
    let is_blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}');
    rest.is_some_and(host) && !text.contains(is_blank) && text.chars().count() <= length(limit::URL)
}

/// A reason as conditions have it ([`limit::REASON_PATTERN`]): what does not belong is left out.
pub(super) fn reason(text: &str) -> String {
    let belongs = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | ',' | ':');
    let word: String = text.chars().filter(belongs).skip_while(|c| !c.is_ascii_alphabetic()).take(256).collect();
    let word = word.trim_end_matches([',', ':']);
    if word.is_empty() { "Unknown".into() } else { word.into() }
}

/// A reference; none where the API could not hold it.
pub(super) fn reference(resource: &insight::ResourceRef) -> Option<ResourceRef> {
    let insight::ResourceRef { group, resource, namespace, name } = resource;
    let fits = (group.is_empty() || is_subdomain(group))
        && is_subdomain(resource)
        && is_subdomain(name)
        && (namespace.is_empty() || is_label(namespace));
    let present = |text: &String| (!text.is_empty()).then(|| text.clone());
    fits.then(|| ResourceRef {
        group: present(group),
        resource: resource.clone(),
        name: name.clone(),
        namespace: present(namespace),
        cluster: None,
    })
}

/// A reference to a cluster-scoped object whose name is known to be one.
pub(super) fn object(group: &str, resource: &str, name: &str) -> ResourceRef {
    ResourceRef {
        group: (!group.is_empty()).then(|| group.to_owned()),
        resource: resource.to_owned(),
        name: name.to_owned(),
        namespace: None,
        cluster: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_end_in_an_ellipsis() {
        let check = |text: &str, most: usize, expect: &str| assert_eq!(clip(text, most), expect);
        check("short", 5, "short");
        check("longer", 5, "long…");
        check("ünïcödé", 7, "ünïcödé");
        check("ünïcödé", 6, "ünïcö…");
        check("a\u{1b}[31m\u{0}b\nc\td", 20, "a [31m b\nc\td");
        check("", 5, "");
    }

    #[test]
    fn us_2_1_reasons_keep_the_pattern_of_conditions() {
        let check = |text: &str, expect: &str| assert_eq!(reason(text), expect);
        check("AsExpected", "AsExpected");
        check("Not ready", "Notready");
        check(
            "NodeInstaller_InstallerPodFailed::StaticPods_Error",
            "NodeInstaller_InstallerPodFailed::StaticPods_Error",
        );
        check("3Rounds:", "Rounds");
        check("ünï", "n");
        check("", "Unknown");
        check(" :,", "Unknown");
    }

    #[test]
    fn names_versions_and_links_are_told_from_other_texts() {
        for (name, expect) in [("worker", true), ("w-1.example.com", true), ("a..b", false), ("-a", false), ("", false)]
        {
            assert_eq!(is_subdomain(name), expect, "{name}");
        }
        assert!(!is_subdomain("Worker") && !is_subdomain("a_b") && !is_subdomain(&"a".repeat(254)));
        assert!(is_label("openshift-etcd") && !is_label("a.b"));
        for version in [
            "4.17.20",
            "4.16.0-ec.2",
            "4.19.0-okd-scos.0",
            "1.0.0-x.7.z.92+build.5",
            "0.0.1",
            "v1.34.2",
            "v1.33.5+rke2r1",
        ] {
            assert!(is_version(version), "{version}");
        }
        for text in [
            "",
            "4.17",
            "v4.17",
            "vv4.17.20",
            "V4.17.20",
            "4.17.020",
            "4.17.20-",
            "4.17.20-a..b",
            "<none>",
            "4.17.20+",
            "4.a.1",
        ] {
            assert!(!is_version(text), "{text}");
        }
        for link in ["https://example.com", "http://example.com/a?b#c", "https://h?q"] {
            assert!(is_link(link), "{link}");
        }
        for text in [
            "",
            "example.com",
            "https://",
            "https:///path",
            "https://a b",
            "ftp://example.com",
            "<alert does not have a runbook_url>",
        ] {
            assert!(!is_link(text), "{text}");
        }
    }
}
