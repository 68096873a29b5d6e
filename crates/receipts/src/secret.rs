//! What is not repeated in a receipt: it is kept and shown, also where the artifact is not.

use deed_detect::SecretScanner;

/// Words of a name that stand for secrets wherever they come in it.
const WITHIN: [&str; 9] =
    ["password", "passwort", "passwd", "passphrase", "secret", "apikey", "privatekey", "accesskey", "credential"];
/// Words that stand for secrets where a name ends with them: an `access_token` is one, and a `token_count` none.
const LAST: [&str; 5] = ["token", "pwd", "pin", "cvv", "authorization"];

/// Whether a column or member of this name has secrets, whatever its values look like.
pub(crate) fn names_a_secret(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let last = name.rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
    let last =
        last.rfind(char::is_uppercase).and_then(|at| last.get(at..)).filter(|word| word.len() > 1).unwrap_or(last);
    WITHIN.iter().any(|word| plain.contains(word)) || LAST.iter().any(|word| last.eq_ignore_ascii_case(word))
}

/// A name as it is shown: one that is itself a secret is not.
pub(crate) fn shown(name: String) -> String {
    if SecretScanner::standard().scan_value(None, &name).is_empty() { name } else { "[secret]".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_a_secret() {
        for name in
            ["password", "Passwort", "user_password_hash", "api_key", "apiKey", "accessToken", "access-token", "PIN"]
        {
            assert!(names_a_secret(name), "{name}");
        }
        for name in ["token_count", "tokens", "pinned", "spin", "key", "author"] {
            assert!(!names_a_secret(name), "{name}");
        }
    }
}
