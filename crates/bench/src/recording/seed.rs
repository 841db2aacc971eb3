//! Invented names and digests: the same ones on every run, without a random source.
//!
//! A [`Seed`] is a topic and an index folded into one number; text is spun out of it by mixing.

/// The start of a reproducible stream of made-up text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seed(u64);

impl Seed {
    /// The seed of a topic, such as `"node"`.
    pub(crate) fn of(topic: &str) -> Self {
        Self(topic.bytes().fold(0, |sum, byte| mix(sum ^ u64::from(byte))))
    }

    /// The seed of the `index`th thing below this one.
    pub(crate) fn at(self, index: impl Into<u64>) -> Self {
        Self(mix(self.0.wrapping_add(1) ^ mix(index.into())))
    }

    /// The seed of something named below this one, such as a version.
    pub(crate) fn under(self, name: &str) -> Self {
        Self(name.bytes().fold(self.0, |sum, byte| mix(sum ^ u64::from(byte))))
    }

    /// A number below `limit`, which must not be 0.
    pub(crate) fn below(self, limit: u32) -> u32 {
        // A remainder by a u32 fits a u32.
        u32::try_from(mix(self.0) % u64::from(limit)).unwrap_or(0)
    }

    /// `length` hexadecimal digits.
    pub(crate) fn hex(self, length: usize) -> String {
        self.spell(b"0123456789abcdef", length)
    }

    /// `length` characters that look like encoded file contents.
    pub(crate) fn base64(self, length: usize) -> String {
        self.spell(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", length)
    }

    /// An identifier in the shape of a version 4 UUID.
    pub(crate) fn uuid(self) -> String {
        let digits = self.hex(30);
        format!("{}-{}-4{}-a{}-{}", &digits[..8], &digits[8..12], &digits[12..15], &digits[15..18], &digits[18..])
    }

    /// A resource version: a number in text.
    pub(crate) fn resource_version(self) -> String {
        (400_000_000 + self.below(90_000_000)).to_string()
    }

    /// Writes `length` letters of an alphabet, eight for each mixed word.
    fn spell(self, alphabet: &[u8], length: usize) -> String {
        let mut text = String::with_capacity(length);
        let mut word = self.0;
        while text.len() < length {
            word = mix(word);
            for byte in word.to_le_bytes().into_iter().take(length - text.len()) {
                text.push(char::from(alphabet[usize::from(byte) % alphabet.len()]));
            }
        }
        text
    }
}

/// Spreads a number over all 64 bits: two rounds of multiply and shift.
/// The constants are odd and have no pattern; quality beyond "looks like a digest" is not needed.
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9d39_247e_3377_6d41);
    let number = (number ^ (number >> 31)).wrapping_mul(0xb5ad_4ece_da1c_e2a9);
    let number = (number ^ (number >> 29)).wrapping_mul(0x2127_599b_f432_5c37);
    number ^ (number >> 32)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Seed;

    #[test]
    fn text_is_as_long_as_asked_and_differs_by_index() {
        let digests: BTreeSet<_> = (0_u32..10_000).map(|index| Seed::of("image").at(index).hex(64)).collect();
        assert_eq!(digests.len(), 10_000);
        assert!(digests.iter().all(|digest| digest.len() == 64));
        assert_ne!(Seed::of("image").hex(64), Seed::of("layer").hex(64));
    }

    #[test]
    fn a_uuid_has_its_shape() {
        let uuid = Seed::of("node").at(7_u32).uuid();
        let lengths: Vec<_> = uuid.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12], "{uuid}");
    }
}
