//! Secrets that a receipt must not repeat: receipts are kept and shown also where the artifact is not.

use crate::bytes::head;
use crate::context::cut_bytes;
use deed_detect::SecretScanner;
use deed_model::{ColumnSummary, ColumnType, ContentSummary, Inspection};

/// The replacement of a secret.
pub(crate) const CONCEALED: &str = "[secret]";
/// The number of bytes of a name that are scanned.
const SCANNED: usize = 4096;

/// Words that name a secret anywhere in a name.
const SECRET: [&str; 9] =
    ["password", "passwords", "passwort", "passwd", "pwd", "passphrase", "secret", "secrets", "credentials"];
/// The same for two words, one after the other.
const SECRET_PAIRS: [(&str, &str); 3] = [("api", "key"), ("private", "key"), ("access", "key")];
/// Words that name a secret at the end of a name: `access_token` does, and `token_count` does not.
const SECRET_LAST: [&str; 5] = ["token", "pin", "cvv", "cvc", "apikey"];
/// Last words of names that are about a secret without being one.
const ABOUT: [&str; 12] =
    ["at", "count", "hint", "expires", "expiry", "date", "days", "length", "policy", "status", "id", "name"];

/// The displayed form of a name: shortened, and concealed if it is a secret itself.
pub(crate) fn named(name: &[u8], most: usize) -> String {
    let whole = String::from_utf8_lossy(head(name, SCANNED));
    if SecretScanner::standard().scan(&whole).is_empty() { cut_bytes(name, most) } else { CONCEALED.to_owned() }
}

/// Removes the smallest and largest value of a column whose name says that it has secrets, whatever they look like. Dates
/// and booleans are never secrets.
pub(crate) fn conceal(column: &mut ColumnSummary) {
    let plain = matches!(column.inferred, ColumnType::Boolean | ColumnType::Date | ColumnType::Timestamp);
    if !plain && names_a_secret(&column.name) {
        (column.min, column.max) = (None, None);
    }
}

/// Conceals secrets in an inspection that was made before the present rules, as it would be made today.
pub fn concealed(mut inspection: Inspection) -> Inspection {
    match &mut inspection.summary {
        ContentSummary::Table(table) => {
            for column in &mut table.columns {
                column.name = named(column.name.as_bytes(), usize::MAX / 8);
                conceal(column);
            }
        }
        ContentSummary::Document(document) => {
            let keys = std::mem::take(&mut document.keys).into_iter();
            document.keys = keys.map(|(key, of)| (named(key.as_bytes(), usize::MAX / 8), of)).collect();
        }
        ContentSummary::Opaque
        | ContentSummary::Text(_)
        | ContentSummary::Html(_)
        | ContentSummary::Zip(_)
        | ContentSummary::Pdf(_) => {}
    }
    inspection
}

/// Returns whether the name of a column says that it has secrets.
fn names_a_secret(name: &str) -> bool {
    let words = words(name);
    let last = words.last().map(String::as_str).unwrap_or_default();
    if ABOUT.contains(&last) {
        return false;
    }
    let pair = |pair: &[String]| match pair {
        [one, other] => SECRET_PAIRS.contains(&(one.as_str(), other.as_str())),
        _ => false,
    };
    words.iter().any(|word| SECRET.contains(&word.as_str()))
        || words.windows(2).any(pair)
        || SECRET_LAST.contains(&last)
}

/// The words of a name, however it joins them: `userPIN`, `user_pin`, `User-Pin`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let letters: Vec<char> = name.chars().take(SCANNED).collect();
    for (at, letter) in letters.iter().enumerate() {
        let after =
            at.checked_sub(1).and_then(|before| letters.get(before)).is_some_and(|before| before.is_lowercase());
        let before = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let begins = letter.is_uppercase() && (after || before);
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_alphanumeric() {
            words.last_mut().into_iter().for_each(|word| word.extend(letter.to_lowercase()));
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_recognised_by_name() {
        for name in [
            "password",
            "Passwort",
            "user_password",
            "api_key",
            "apiKey",
            "API-Key",
            "accessToken",
            "access-token",
            "accessTOKEN",
            "PIN",
            "userPIN",
            "cardCVV",
            "pin",
            "client_secret",
            "DB_PWD",
            "apikey",
        ] {
            assert!(names_a_secret(name), "{name}");
        }
        for name in [
            "token_count",
            "tokens",
            "pinned",
            "spin",
            "key",
            "author",
            "secretary",
            "password_changed_at",
            "failed_password_count",
            "credential_expires",
            "secret_id",
            "",
            "_",
            "PINs",
        ] {
            assert!(!names_a_secret(name), "{name}");
        }
    }

    #[test]
    fn a_name_that_is_a_secret_is_not_shown_however_long_it_is() {
        let token = format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
        assert_eq!(named(token.as_bytes(), 128), CONCEALED);
        assert_eq!(named(format!("{} {token}", "x".repeat(96)).as_bytes(), 128), CONCEALED);
        assert_eq!(named(b"amount", 128), "amount");
        assert_eq!(named(&[0xff, b'a'], 128), "\u{fffd}a");
    }
}
