//! The versions of the pack contract that this runtime reads.

use std::ops::RangeInclusive;

/// The major versions of the contract that this runtime reads. A later one may mean something else by the same words.
pub const CONTRACT_MAJORS: RangeInclusive<u64> = 1..=2;

/// Returns true if this runtime reads packs that follow a version of the contract.
pub fn reads_contract(version: &str) -> bool {
    semver::Version::parse(version).is_ok_and(|version| CONTRACT_MAJORS.contains(&version.major))
}
