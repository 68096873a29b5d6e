//! Values that stand for a secret in documentation and templates.

/// Marks that stand for characters left out, in the case they are written in: in any case, one
/// long key in a few thousand would hold `xxxx` by accident.
const MARKS: &[&str] = &["xxxx", "XXXX", "****", "...."];

/// Words that no random value holds, in any case.
const WORDS: &[&str] = &[
    "example",
    "changeme",
    "change_me",
    "change-me",
    "placeholder",
    "redacted",
    "dummy",
    "sample",
    "insert_",
    "insert-",
    "replace_",
    "replace-",
    "replaceme",
    "not-a-real",
    "notareal",
    "your_",
    "your-",
    "yourkey",
    "yourapi",
    "yourtoken",
    "yoursecret",
    "yourpass",
    "my_secret",
    "my-secret",
    "mysecret",
    "<",
    "key_here",
    "key-here",
    "1234567890",
    "0123456789",
    "abcdefghij",
    "foobar",
    "deadbeef",
];

/// Values that are a word about secrets and nothing else.
const WHOLE: &[&str] = &[
    "password",
    "passwd",
    "pass",
    "pwd",
    "secret",
    "token",
    "user",
    "username",
    "none",
    "null",
    "true",
    "false",
    "undefined",
    "test",
    "testing",
    "hidden",
    "masked",
    "todo",
    "string",
    "required",
    "optional",
];

/// Brackets of template languages and shells that wrap a name instead of a value.
const WRAPPERS: &[(&str, &str)] =
    &[("${", "}"), ("{{", "}}"), ("$(", ")"), ("<", ">"), ("%", "%"), ("@", "@"), ("[", "]"), ("{", "}")];

/// The length from which a run of one character counts as filler.
const LONG_RUN: usize = 6;

/// Returns true if the value stands for a secret instead of being one.
pub(super) fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    // A block of key material is long enough to hold any short word by accident.
    let short = value.len() <= 512;
    let marked = MARKS.iter().any(|mark| value.contains(mark));
    let worded = WORDS.iter().any(|word| lower.contains(word));
    (short && (marked || worded))
        || WHOLE.contains(&lower.as_str())
        || is_wrapped(value)
        || is_variable(value)
        || is_repetitive(value)
}

fn is_wrapped(value: &str) -> bool {
    WRAPPERS.iter().any(|(open, close)| value.len() > open.len() && value.starts_with(open) && value.ends_with(close))
        || value.contains("${")
        || value.contains("{{")
        || value.contains("$(")
}

/// `$NAME` as shells write it: capitals only, so that a password that begins with `$` counts.
fn is_variable(value: &str) -> bool {
    value
        .strip_prefix('$')
        .is_some_and(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'))
}

/// Returns true if one character fills a quarter of the value in one run, as in `AKIA000000000000`.
fn is_repetitive(value: &str) -> bool {
    let mut longest = 0;
    let mut run = 0;
    let mut previous = None;
    for byte in value.bytes() {
        run = if previous == Some(byte) { run + 1 } else { 1 };
        previous = Some(byte);
        longest = longest.max(run);
    }
    longest == value.len() || (longest >= LONG_RUN && longest * 4 >= value.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_stands_for_a_secret() {
        for value in [
            "AKIAIOSFODNN7EXAMPLE",
            "your-api-key-here",
            "<API_KEY>",
            "${DB_PASSWORD}",
            "{{ secrets.token }}",
            "$(cat token)",
            "$TOKEN",
            "%TOKEN%",
            "changeme",
            "Password",
            "0000000000000000",
            "sk-xxxxxxxxxxxx",
            "prefix_aaaaaaaaaaaa",
        ] {
            assert!(is_placeholder(value), "{value}");
        }
    }

    #[test]
    fn leaves_random_values() {
        for value in ["hunter2hunter", "q8Zp2LwX0vR7", "$Rt9!kQ2z", "AbAAAAAb9fKq2LzX"] {
            assert!(!is_placeholder(value), "{value}");
        }
    }
}
