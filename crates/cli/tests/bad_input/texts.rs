//! Texts damaged at random: our own many times, those of others a few times each.

use headway_api::report::Outcome;

use super::chance::Chance;
use super::damage;
use super::judging::{check, judge, run};
use super::originals::{Original, shared, written};

/// How an original is judged while it is whole.
pub(super) fn whole(original: &Original) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let report = judge(&original.write(folder.path()));
    report.unwrap_or_else(|error| panic!("{}: {error}", original.name)).outcome
}

/// Damages an original in all ways, this many times each; runs the binary on every `sample`th. A number in
/// `HEADWAY_DAMAGE` multiplies the times, for whoever has some.
fn damage(original: &Original, times: usize, sample: usize) -> usize {
    let times = times * std::env::var("HEADWAY_DAMAGE").map_or(1, |more| more.parse().expect("a number"));
    let whole = whole(original);
    let mut chance = Chance::of(&original.name);
    let mut done = 0;
    for (name, damage) in damage::ALL {
        for _ in 0..times {
            let file = chance.below(original.files.len());
            let (place, text) = &original.files[file];
            // Large files are for the bench; damage to them is the same, only slower.
            if text.len() > 200_000 {
                continue;
            }
            let damage = damage(text, &mut chance);
            let tells_no_end = text.starts_with(&damage) && names_its_kind_first(text);
            let damaged = original.with(file, damage);
            let what = format!("{}, damage {done}: {name} in {place}", original.name);
            drop(check(&damaged, if tells_no_end { Outcome::NotUpdating } else { whole }, &what));
            if done % sample == 0 {
                run(&damaged, &what);
            }
            done += 1;
        }
    }
    done
}

/// Whether a list names its kind before its items, as people write by hand. Cut off between two of them it is a
/// shorter list, and only a pool's count of machines can tell that nodes are missing.
fn names_its_kind_first(text: &[u8]) -> bool {
    let at = |key: &[u8]| text.windows(key.len()).position(|window| window == key);
    at(b"\nkind: List\n").is_some_and(|kind| at(b"\nitems:").is_some_and(|items| kind < items))
}

#[test]
fn the_written_recordings_are_well() {
    let outcomes: Vec<Outcome> = written().iter().map(whole).collect();
    assert_eq!(outcomes, [Outcome::NotUpdating, Outcome::Updating, Outcome::Updating]);
}

#[test]
fn damage_to_our_recordings_is_never_success() {
    let done: usize = written().iter().map(|original| damage(original, 10, 60)).sum();
    assert!(done >= 3 * 10 * damage::ALL.len(), "{done}");
}

#[test]
fn damage_to_recordings_of_others_is_never_success() {
    let all = shared();
    let done: usize = all.iter().map(|original| damage(original, 1, 40)).sum();
    assert!(all.is_empty() || done > all.len() * 10, "{done} of {}", all.len());
}

#[test]
fn every_cut_between_lines_is_told() {
    // The most likely damage, and the hardest to see: every line that is left is well.
    for original in written() {
        let whole = whole(&original);
        for (file, (place, text)) in original.files.iter().enumerate() {
            let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
            for end in ends.filter(|end| *end < text.len()) {
                let what = format!("{}: {place} cut at byte {end}", original.name);
                let report = check(&original.with(file, text[..end].to_vec()), whole, &what);
                let is_list = place != "x-cv.yaml" && place != "x-alerts.json";
                let behind_kind = String::from_utf8_lossy(&text[..end]).contains("\nkind: List\n");
                if is_list && !behind_kind {
                    let gaps = report.map(|report| report.gaps).unwrap_or_default();
                    let told = gaps.iter().any(|gap| gap.kind.is_serious() && gap.place.contains(place));
                    assert!(told, "{what}: {gaps:#?}");
                }
            }
        }
    }
}
