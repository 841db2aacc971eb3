//! Chance that repeats itself: xorshift with a fixed seed.

/// The generator.
pub(super) struct Chance(u64);

impl Chance {
    /// A generator of its own for a name, so that one test more does not change the others.
    pub(super) fn of(name: &str) -> Self {
        // FNV-1a.
        let seed = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Self(seed | 1)
    }

    /// A number below a bound, which must not be zero.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let bound = u64::try_from(bound).unwrap();
        usize::try_from(self.0 % bound).unwrap()
    }
}
