//! Versions read and compared; the rows are those of chained-upgrades.md, 2.1 and 2.2.

use std::cmp::Ordering;

use super::Comparison::{Different, Equal, Greater, Less};
use super::*;

fn read(text: &str) -> KubeVersion {
    KubeVersion::parse(text).unwrap()
}

#[test]
fn ch_2_1_read_loosely() {
    let check = |text: &str, expect: Result<&str, &str>| {
        let told = KubeVersion::parse(text).map(|it| it.to_string()).map_err(|it| it.to_string());
        assert_eq!(told.as_ref().map(String::as_str).map_err(String::as_str), expect, "{text}");
    };
    check("v1.33.1", Ok("v1.33.1"));
    check("1.30", Ok("v1.30.0"));
    check("v1", Ok("v1.0.0"));
    check("v1.030.1", Ok("v1.30.1"));
    check("1.30.000", Ok("v1.30.0"));
    check("1.30.00-rc.1", Ok("v1.30.0-rc.1"));
    check(" \tv1.30.1\n", Ok("v1.30.1"));
    check("1.31.4+rke2r1", Ok("v1.31.4+rke2r1"));
    check("v1.31.4+k0s.0", Ok("v1.31.4+k0s.0"));
    check("v1.29.0-eks-5e0fdde", Ok("v1.29.0-eks-5e0fdde"));
    check("v1.29.1-gke.1425000", Ok("v1.29.1-gke.1425000"));
    check("v1.35.0-alpha.0.712+abc-d.e", Ok("v1.35.0-alpha.0.712+abc-d.e"));
    check("1.31.0+007", Ok("v1.31.0+007"));

    check("", Err("it is empty"));
    check("  ", Err("it is empty"));
    check("v", Err("it is empty"));
    check("foo", Err("`foo` is not a number"));
    check("V1.30.0", Err("`V1` is not a number"));
    check("vv1.30.0", Err("`v1` is not a number"));
    check("v 1.30.0", Err("` 1` is not a number"));
    check("1..0", Err("`` is not a number"));
    check("1.x\n.0", Err("`x\\n` is not a number"));
    check("1.٣.0", Err("`٣` is not a number"));
    check("+1.30.0", Err("`` is not a number"));
    check("1.30.0.1", Err("it has more than three numbers"));
    check("1.30-rc.1", Err("only a version of three numbers may have a pre-release or a build"));
    check("1.30+b", Err("only a version of three numbers may have a pre-release or a build"));
    check("1.30.0-", Err("nothing follows the `-`"));
    check("1.30.0+", Err("nothing follows the `+`"));
    check("1.30.0-rc.01", Err("what follows the `-` is not a pre-release"));
    check("1.30.0-a..b", Err("what follows the `-` is not a pre-release"));
    check("1.30.0+a_b", Err("what follows the `+` is not a build"));
    check("1.30.0+a+b", Err("what follows the `+` is not a build"));
    check("1.99999999999999999999.0", Err("the number 99999999999999999999 is too large"));
    let long = format!("v1.30.0-{}", "a".repeat(250));
    check(&long, Err("it is 258 bytes long, and a version has at most 256"));
}

#[test]
fn ch_2_1_read_strictly() {
    let check = |text: &str, expect: Result<&str, &str>| {
        let told = KubeVersion::parse_strict(text).map(|it| it.to_string()).map_err(|it| it.to_string());
        assert_eq!(told.as_ref().map(String::as_str).map_err(String::as_str), expect, "{text}");
    };
    check("v1.33.1", Ok("v1.33.1"));
    check("v1.33.0-rc.1+b", Ok("v1.33.0-rc.1+b"));
    check("", Err("it is empty"));
    check("1.33.1", Err("it does not begin with `v`"));
    check(" v1.33.1", Err("it does not begin with `v`"));
    check("v1.33.1 ", Err("`1 ` is not a number"));
    check("v1.33", Err("it is not three numbers such as v1.33.0"));
    check("v1.33.1.0", Err("it has more than three numbers"));
    check("v1.033.1", Err("the number 033 begins with a zero"));
    check("v1.33.0-", Err("nothing follows the `-`"));
}

#[test]
fn ch_2_2_the_four_results() {
    // Build-aware, plain, the numbers alone: as the columns of the table.
    let check = |a: &str, b: &str, aware: Comparison, plain: Comparison, numbers: Ordering| {
        let (a, b) = (read(a), read(b));
        assert_eq!((a.compare(&b), a.compare_plain(&b), a.compare_numbers(&b)), (aware, plain, numbers), "{a} {b}");
        let back = match aware {
            Less => Greater,
            Greater => Less,
            Equal | Different => aware,
        };
        assert_eq!(b.compare(&a), back, "{b} {a}");
        assert_eq!(a == b, aware == Equal, "{a} {b}");
    };
    let same = Ordering::Equal;
    check("1.31.0-alpha.1", "1.31.0", Less, Less, same);
    check("1.31.0-alpha.2", "1.31.0-alpha.10", Less, Less, same);
    check("1.31.0+1", "1.31.0+2", Less, Equal, same);
    check("1.31.0+2", "1.31.0+1", Greater, Equal, same);
    check("1.31.0+a", "1.31.0+b", Different, Equal, same);
    check("1.31.0+a", "1.31.0+a", Equal, Equal, same);
    check("1.31.0+1", "1.31.0+a", Less, Equal, same);
    check("1.31.0", "1.31.0+a", Less, Equal, same);
    check("1.31.0+a.1", "1.31.0+a.2", Less, Equal, same);
    check("1.31.0+a.1", "1.31.0+a", Greater, Equal, same);
    check("1.31.0+007", "1.31.0+7", Equal, Equal, same);
    check("1.31.0+rke2r1", "1.31.0+rke2r2", Different, Equal, same);
    check("1.31.0+k0s.0", "1.31.0+k0s.1", Less, Equal, same);
    check("1.31.1+a", "1.31.0+b", Greater, Greater, Ordering::Greater);
    check("1.31.0-rc.1+b", "1.31.0-rc.1+a", Different, Equal, same);
    check("1.31.0+9999999999999999999999", "1.31.0+1", Greater, Equal, same);
    // Beyond the table: the peer, which counts to 2^64, takes these two for the same.
    check("1.31.0+9999999999999999999999", "1.31.0+9999999999999999999998", Greater, Equal, same);
    check("1.31.0+0", "1.31.0", Greater, Equal, same);
    check("2.31.0", "1.99.9", Greater, Greater, Ordering::Greater);
    check("v1.30", "1.30.0", Equal, Equal, same);
}

#[test]
fn revisions_of_distributions() {
    let check = |a: &str, b: &str, expect: Comparison| assert_eq!(read(a).compare(&read(b)), expect, "{a} {b}");
    check("1.31.4+k0s.0", "1.31.4+k0s.10", Less);
    check("1.31.4+k3s1", "1.31.4+k3s2", Different);
    check("1.31.4+rke2r2", "1.31.5+rke2r1", Less);
    check("1.29.1-gke.1425000", "1.29.1-gke.999", Greater);
    check("1.29.0-eks-1-29-3", "1.29.0-eks-1-29-10", Less);
    check("1.29.0-eks-1-29-10", "1.29.0-eks-1-29-3", Greater);
    check("1.29.0-eks-1-29-3", "1.29.0-eks-1-29-3", Equal);
    check("1.29.0-eks-5e0fdde", "1.29.0-eks-a5ec690", Different);
    check("1.29.0-eks-1-29-3", "1.29.0-eks-a5ec690", Different);
    check("1.29.0-eks-1-29-3", "1.29.1-eks-1-29-2", Less);
    check("1.29.0-eks-1-29-3", "1.29.0", Less);
    check("1.29.0-eks-1-29-3.1", "1.29.0-eks-1-29-3.2", Less);
    check("1.29.0-eks-a5ec690", "1.29.0-rc.1", Less);
    check("1.29.0-eks-a5ec690", "1.29.0-alpha.1", Greater);
}

#[test]
fn the_order_is_a_partial_one() {
    let texts = [
        "1.31.0",
        "1.31.0+1",
        "1.31.0+2",
        "1.31.0+a",
        "1.31.0+b",
        "1.31.0+a.1",
        "1.31.0+a.2",
        "1.31.0+a.b",
        "1.31.0+01",
        "1.31.0-rc.1",
        "1.31.0-rc.1+a",
        "1.31.0-eks-1-31-3",
        "1.31.0-eks-1-31-10",
        "1.31.0-eks-1-31-010",
        "1.31.0-eks-abc",
        "1.31.0-eks-abd.1",
        "1.31.0-eks",
        "1.31.0-eks0",
        "1.31.0-eks.1",
        "1.31.0-f",
        "1.31.0-1",
    ];
    let all: Vec<KubeVersion> = texts.iter().map(|text| read(text)).collect();
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        for c in &all {
            if a.compare(b) == Less && b.compare(c) == Less {
                assert_eq!(a.compare(c), Less, "{a} {b} {c}");
            }
            if a == b {
                assert_eq!(a.compare(c), b.compare(c), "{a} {b} {c}");
            }
        }
    }
}
