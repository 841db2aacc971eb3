//! Which clusters are ours, where several operators divide a fleet.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::Name;

/// One of so many parts of all clusters, told by their names: each is in one of them, whoever counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    index: u32,
    of: u32,
}

impl Shard {
    /// Whether a cluster is in it.
    pub(crate) fn has(self, (namespace, name): &Name) -> bool {
        let digest = Sha256::digest(format!("{namespace}/{name}"));
        let number = digest.iter().take(8).fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
        number % u64::from(self.of) == u64::from(self.index)
    }

    /// What the names of leases end in, so that each part has its own; nothing where there is but one.
    pub(crate) fn suffix(self) -> String {
        if self.of == 1 { String::new() } else { format!("-{}-of-{}", self.index, self.of) }
    }
}

/// All of them.
impl Default for Shard {
    fn default() -> Self {
        Self { index: 0, of: 1 }
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not a part such as 0/4: the first of four");
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let (index, of) = (index.parse().map_err(|_| wrong())?, of.parse().map_err(|_| wrong())?);
        if index < of { Ok(Self { index, of }) } else { Err(wrong()) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cluster_is_in_one_part() {
        let parts: Vec<Shard> = (0..4).map(|index| format!("{index}/4").parse().unwrap()).collect();
        let mut counts = [0; 4];
        for number in 0..1_000 {
            let name = ("fleet".to_owned(), format!("c{number}"));
            let has: Vec<usize> = (0..4).filter(|at| parts[*at].has(&name)).collect();
            let [at] = has[..] else { panic!("{name:?} is in {has:?}") };
            counts[at] += 1;
        }
        assert!(counts.iter().all(|count| (200..300).contains(count)), "{counts:?}");
        assert!(Shard::default().has(&("any".into(), "c".into())));
    }

    #[test]
    fn parts_that_are_none_are_refused() {
        for text in ["", "1", "4/4", "-1/4", "0/0", "a/b", "1/2/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!("1/4".parse::<Shard>().map(Shard::suffix), Ok("-1-of-4".into()));
        assert_eq!("0/1".parse::<Shard>().map(Shard::suffix), Ok(String::new()));
    }
}
