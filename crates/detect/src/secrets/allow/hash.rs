//! Content hashes and identifiers: random to look at, and no secret.

/// Names of hash functions that tag a digest, as in `sha256:…` or `sha512-…`.
const TAGS: &[&str] = &["sha1", "sha224", "sha256", "sha384", "sha512", "blake2b", "blake3", "md5"];

/// Returns true if the value is a digest that says so, such as `sha256:…`.
pub(super) fn is_tagged_hash(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    TAGS.iter().any(|tag| lower.strip_prefix(tag).is_some_and(|rest| rest.starts_with([':', '-', '=', '/', '_'])))
}

/// Returns true if the value has the length of a Git object id or a common digest, and is all hex.
pub(super) fn is_bare_hash(value: &str) -> bool {
    matches!(value.len(), 40 | 56 | 64 | 96 | 128) && value.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Returns true if the value is a UUID, with hyphens.
pub(super) fn is_uuid(value: &str) -> bool {
    let groups: Vec<&str> = value.trim_matches(['{', '}']).split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|group| group.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_digests_and_identifiers() {
        assert!(is_tagged_hash("sha256:0f1e2d3c"));
        assert!(is_tagged_hash("SHA512-Zm9vYmFy"));
        assert!(!is_tagged_hash("sha256"));
        assert!(is_bare_hash(&"0f".repeat(20)));
        assert!(!is_bare_hash(&"0f".repeat(16)));
        assert!(is_uuid("0b9d1c52-7f7e-4a0e-8f59-3f9a1a5f1b11"));
        assert!(!is_uuid("0b9d1c52-7f7e-4a0e-8f59-3f9a1a5f1b1z"));
    }
}
