//! Values that say where a secret is kept.

/// The beginnings of references to vaults, environments and registries.
const LEADS: &[&str] = &[
    "internal://",
    "vault://",
    "vault:",
    "secret://",
    "secrets://",
    "secretref:",
    "env:",
    "env.",
    "env://",
    "op://",
    "ref:",
    "ref://",
    "ref+",
    "arn:",
    "aws-sm://",
    "gcp-sm://",
    "ssm:",
    "ssm://",
    "kms:",
    "kms://",
    "sops:",
    "enc[",
    "keyring:",
    "keychain:",
    "file:",
    "registry://",
    "registry:",
    "process.env",
    "os.environ",
    "os.getenv",
    "getenv",
    "secrets.",
    "vars.",
    "projects/",
    "data:",
    "urn:",
    "pack://",
    "ssh-rsa",
    "ssh-ed25519",
];

/// Returns true if the value refers to a secret kept elsewhere.
pub(super) fn is_reference(value: &str) -> bool {
    let bytes = value.as_bytes();
    LEADS.iter().any(|lead| bytes.get(..lead.len()).is_some_and(|start| start.eq_ignore_ascii_case(lead.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_references() {
        assert!(is_reference("internal://gateway/orders"));
        assert!(is_reference("VAULT://kv/stripe"));
        assert!(is_reference("env:STRIPE_KEY"));
        assert!(!is_reference("q8Zp2LwX0vR7"));
        assert!(!is_reference("é"));
    }
}
