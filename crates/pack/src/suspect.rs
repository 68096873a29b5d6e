//! Values that have no place in a pack, though elsewhere they may be anything.
//!
//! The detectors of secrets and personal data are made for every text that Deed reads, and are silent where a value may
//! be harmless. A pack is reviewed and distributed, and its texts are short: here a doubt is worth a look.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use deed_detect::{CustomPattern, Finding, Kind, PersonalKind, SecretScanner, scan_personal};
use deed_diag::Invariant as _;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

/// A password that a text states, however short.
static ASSIGNED: LazyLock<CustomPattern> = LazyLock::new(|| {
    pattern(
        "assigned-password",
        r#"(?i)\b(?:password|passwd|passphrase|pwd)\s*=\s*["']?(?P<value>[^\s"'<>{}$*]{4,128})"#,
    )
});

/// A date of birth, by the words before it.
static BIRTHDAY: LazyLock<CustomPattern> = LazyLock::new(|| {
    let words = r"\b(?:born(?:\s+on)?|birthday|birthdate|date\s+of\s+birth|dob)\b[\s:=,]{0,4}";
    let day = r"(?:(?:19|20)\d\d[-/.][01]?\d[-/.][0-3]?\d|[0-3]?\d[-/.][01]?\d[-/.](?:19|20)\d\d)";
    pattern("date-of-birth", &format!(r"(?i){words}(?P<value>{day})"))
});

/// A passport number, by the word before it.
static PASSPORT: LazyLock<CustomPattern> = LazyLock::new(|| {
    pattern("passport", r"(?i)\bpassport(?:\s+(?:no|number))?[\s.:=#]{0,4}(?P<value>[A-Z]{0,2}\d{6,9})\b")
});

fn pattern(name: &str, pattern: &str) -> CustomPattern {
    CustomPattern::new(name, pattern).invariant("a pattern of ours compiles")
}

/// Returns secrets that only a pack must not have: a stated password, a long random word, an encoded token.
pub(crate) fn secrets(text: &str) -> Vec<Finding> {
    let mut found: Vec<Finding> =
        ASSIGNED.scan(text).into_iter().map(|f| secret(f.range, "a stated password")).collect();
    for (range, word) in words(text) {
        if hides_token(word) {
            found.push(secret(range, "an encoded token"));
        } else if is_random(word) {
            found.push(secret(range, "a long random word"));
        }
    }
    found
}

/// Returns personal data that only a pack must not have: dates of birth, passports, card numbers grouped by dots.
pub(crate) fn personal(text: &str) -> Vec<Finding> {
    let titled = |title: &'static str| move |f: Finding| Finding { title: title.into(), kind: Kind::Personal, ..f };
    let mut found: Vec<Finding> = BIRTHDAY.scan(text).into_iter().map(titled("a date of birth")).collect();
    found.extend(PASSPORT.scan(text).into_iter().map(titled("a passport number")));
    if text.contains('.') {
        // A dot and a dash have one byte each, so the ranges stay.
        let dashed = text.replace('.', "-");
        found.extend(scan_personal(&dashed, &[PersonalKind::CreditCard]));
    }
    found
}

fn secret(range: Range<usize>, title: &'static str) -> Finding {
    Finding { rule_id: title.replace(' ', "-").into(), title: title.into(), range, kind: Kind::Secret }
}

/// Iterates over the words of a text: runs of characters that tokens are made of.
fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '/' | '=');
    text.split(move |c| !part(c)).filter(|word| (32..=512).contains(&word.len())).map(move |word| {
        let start = word.as_ptr().addr() - text.as_ptr().addr();
        (start..start + word.len(), word)
    })
}

/// Returns true for a word of 40 letters and digits or more without an order in them: capitals, small letters and digits
/// mixed, and hardly any repeated. A hash has no capitals, a path has slashes, a name has few digits.
fn is_random(word: &str) -> bool {
    let count = |holds: fn(&u8) -> bool| word.bytes().filter(holds).count();
    let (upper, lower, digit) =
        (count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase), count(u8::is_ascii_digit));
    let distinct: BTreeSet<u8> = word.bytes().collect();
    word.len() >= 40
        && word.len() <= 128
        && word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
        && upper >= 5
        && lower >= 5
        && digit >= 3
        && distinct.len() >= 20
}

/// Returns true if a word is the Base64 form of a text that holds a secret.
fn hides_token(word: &str) -> bool {
    let bare = word.trim_end_matches('=');
    let decoded = STANDARD_NO_PAD.decode(bare).or_else(|_| URL_SAFE_NO_PAD.decode(bare));
    let text = decoded.ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.is_some_and(|text| {
        text.chars().all(|c| !c.is_control() || c.is_ascii_whitespace())
            && !SecretScanner::standard().scan(&text).is_empty()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::engine::general_purpose::STANDARD;

    fn token() -> String {
        let sample = deed_detect::sample("github-classic-token", 7).unwrap();
        sample.text.get(sample.secret).unwrap().to_owned()
    }

    #[test]
    fn what_only_a_pack_must_not_have() {
        let encoded = STANDARD.encode(token());
        let random = format!("{}{}", "kT9vQ2mZx8LbR4nYw7Hs", "Jd3Fg6Pc1Ve5Ua0Xo2Mi");
        for text in ["log in with password=hunter2", "pwd = 'abcd'", encoded.as_str(), random.as_str()] {
            assert_eq!(secrets(text).len(), 1, "{text}");
        }
        for text in ["born on 1980-05-09", "DOB: 09/05/1980", "passport no. K1234567", "4111.1111.1111.1111"] {
            assert_eq!(personal(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn what_a_pack_may_say() {
        for text in [
            "never ask for a password",
            "password=<from the vault>",
            "password=${PASSWORD}",
            "reset the password: it has expired",
            "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "schema://decision.support.refund.execute.outputs.v1",
            "R_HIGH_VALUE_REFUNDS_REQUIRE_APPROVAL_BY_FINANCE_2026",
            "4111.1111.1111.1112",
            "the passport is checked by the border agency",
            "born in 1980",
            "version 1.2.3 of 2026.05.09",
        ] {
            assert!(secrets(text).is_empty() && personal(text).is_empty(), "{text}");
        }
    }
}
