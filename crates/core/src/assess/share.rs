//! Shares in percent, alike for every form of cluster.

/// A share in whole percent, rounded half up; absent where there is nothing to share.
///
/// It stays below 100 as long as some are not done, and never exceeds `most`, which holds it below 100 while something
/// is left to do that is not counted.
pub(super) fn percent(done: usize, total: usize, most: u8) -> Option<u8> {
    let rounded = (done.saturating_mul(200).saturating_add(total)).checked_div(total.saturating_mul(2))?;
    let most = if done < total { most.min(99) } else { most };
    Some(u8::try_from(rounded).map_or(most, |rounded| rounded.min(most)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_half_up_and_stop_before_the_end() {
        let check = |done: usize, total: usize, most: u8, expect: Option<u8>| {
            assert_eq!(percent(done, total, most), expect, "{done}/{total} up to {most}");
        };
        check(0, 0, 100, None);
        check(1, 8, 100, Some(13));
        check(1, 200, 100, Some(1));
        check(1, 201, 100, Some(0));
        check(2, 3, 100, Some(67));
        check(299, 300, 100, Some(99));
        check(300, 300, 100, Some(100));
        check(300, 300, 99, Some(99));
        check(5, 3, 100, Some(100));
    }
}
