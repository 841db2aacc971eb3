//! From text to version, loosely and strictly (chained-upgrades.md, 2.1).

use semver::{BuildMetadata, Prerelease, Version};

use super::{KubeVersion, VersionError};

pub(super) fn loosely(text: &str) -> Result<Version, VersionError> {
    let text = text.trim();
    let (numbers, suffix) = split(text.strip_prefix('v').unwrap_or(text), text.len())?;
    let mut parts = numbers.split('.');
    let major = number(parts.next().unwrap_or_default())?;
    let minor = parts.next().map(number).transpose()?;
    let patch = parts.next().map(number).transpose()?;
    if parts.next().is_some() {
        return Err(VersionError::TooManyNumbers);
    }
    if patch.is_none() && !suffix.is_empty() {
        return Err(VersionError::ShortWithSuffix);
    }
    whole([major, minor.unwrap_or(0), patch.unwrap_or(0)], suffix)
}

pub(super) fn strictly(text: &str) -> Result<Version, VersionError> {
    let Some(bare) = text.strip_prefix('v') else {
        return Err(if text.is_empty() { VersionError::Empty } else { VersionError::NoV });
    };
    let (numbers, suffix) = split(bare, text.len())?;
    let parts: Vec<&str> = numbers.split('.').take(4).collect();
    let [major, minor, patch] = parts[..] else {
        return Err(if parts.len() > 3 { VersionError::TooManyNumbers } else { VersionError::Short });
    };
    whole([without_zeros(major)?, without_zeros(minor)?, without_zeros(patch)?], suffix)
}

/// The numbers, and what follows them with its sign.
fn split(bare: &str, bytes: usize) -> Result<(&str, &str), VersionError> {
    if bytes > KubeVersion::MAX_BYTES {
        return Err(VersionError::TooLong { bytes });
    }
    if bare.is_empty() {
        return Err(VersionError::Empty);
    }
    Ok(bare.split_at(bare.find(['-', '+']).unwrap_or(bare.len())))
}

fn number(part: &str) -> Result<u64, VersionError> {
    if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(VersionError::NotANumber { part: part.escape_debug().to_string() });
    }
    part.parse().map_err(|_| VersionError::TooLarge { part: part.to_owned() })
}

fn without_zeros(part: &str) -> Result<u64, VersionError> {
    let read = number(part)?;
    if part.len() > 1 && part.starts_with('0') {
        return Err(VersionError::LeadingZero { part: part.to_owned() });
    }
    Ok(read)
}

fn whole([major, minor, patch]: [u64; 3], suffix: &str) -> Result<Version, VersionError> {
    let (pre, build) = match suffix.split_once('+') {
        Some((pre, build)) => (pre, Some(build)),
        None => (suffix, None),
    };
    let pre = match pre.strip_prefix('-') {
        // The crate takes an empty text for no pre-release; behind the sign it is a mistake. So with builds below.
        Some("") => return Err(VersionError::NothingAfter { sign: '-' }),
        Some(pre) => Prerelease::new(pre).map_err(|cause| VersionError::Prerelease { cause })?,
        None => Prerelease::EMPTY,
    };
    let build = match build {
        Some("") => return Err(VersionError::NothingAfter { sign: '+' }),
        Some(build) => BuildMetadata::new(build).map_err(|cause| VersionError::Build { cause })?,
        None => BuildMetadata::EMPTY,
    };
    Ok(Version { major, minor, patch, pre, build })
}
