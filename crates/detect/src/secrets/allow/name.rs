//! Names that sound like a secret's and are not, such as `token_type` or `public_key`.

use super::super::compiled::Candidate;
use crate::bytes::part_of;

/// The bytes before the matched word in which the rest of the name is looked for.
const LONGEST_NAME: usize = 64;

/// Words that, anywhere in a name, rule out a secret.
const NEVER: &[&str] = &[
    "public",
    "version",
    "pub",
    "page",
    "next",
    "prev",
    "continuation",
    "cursor",
    "max",
    "min",
    "num",
    "total",
    "budget",
    "tokens",
    "tokenizer",
    "tokenize",
    "count",
    "limit",
    "csrf",
    "sync",
    "resume",
    "pagination",
    "cancellation",
    "stop",
    "eos",
    "bos",
    "pad",
    "idempotency",
];

/// Words that, at the end of a name, say the value describes a secret instead of being one.
const DESCRIBES: &[&str] = &[
    "type",
    "name",
    "names",
    "ref",
    "refs",
    "path",
    "file",
    "dir",
    "url",
    "uri",
    "endpoint",
    "host",
    "hash",
    "digest",
    "fingerprint",
    "sha",
    "sha1",
    "sha256",
    "id",
    "ids",
    "ttl",
    "expiry",
    "expires",
    "expiration",
    "length",
    "size",
    "format",
    "policy",
    "rule",
    "rules",
    "version",
    "field",
    "env",
    "var",
    "variable",
    "header",
    "prefix",
    "suffix",
    "placeholder",
    "hint",
    "label",
    "description",
    "kind",
    "status",
    "schema",
    "class",
    "usage",
    "used",
    "scope",
    "scopes",
    "issuer",
    "audience",
    "algorithm",
    "alg",
    "provider",
    "store",
    "manager",
    "arn",
    "version_id",
    "regex",
    "pattern",
    "at",
    "date",
    "mode",
    "enabled",
    "required",
    "estimate",
    "updated",
    "changed",
    "created",
    "modified",
    "rotated",
    "expired",
    "reset",
    "age",
    "days",
    "time",
    "timestamp",
    "strength",
    "score",
];

/// Returns true if the whole name, of which the rule matched a part, announces a secret.
///
/// True for a rule without a name.
pub(super) fn is_telling(text: &str, candidate: &Candidate) -> bool {
    let Some(matched) = &candidate.name else {
        return true;
    };
    let from = text.floor_char_boundary(matched.start.saturating_sub(LONGEST_NAME));
    let before = part_of(text, from..matched.start);
    let lead_length = before.bytes().rev().take_while(|b| b.is_ascii_alphanumeric() || b"_-.".contains(b)).count();
    let name = part_of(text, matched.start - lead_length..matched.end);
    let words = words_of(name);
    let describes = words.last().is_some_and(|last| DESCRIBES.contains(&last.as_str()));
    !describes && !words.iter().any(|word| NEVER.contains(&word.as_str()))
}

/// The words of a name in snake, kebab, dotted or camel case, in lower case.
fn words_of(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut after_lower = false;
    for c in name.chars() {
        let splits = !c.is_ascii_alphanumeric() || (c.is_ascii_uppercase() && after_lower);
        if splits && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        }
        after_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn telling(name: &str, matched: &str) -> bool {
        let start = name.find(matched).unwrap();
        is_telling(name, &Candidate { secret: 0..0, name: Some(start..name.len()) })
    }

    #[test]
    fn splits_every_case() {
        assert_eq!(words_of("myApiKey_v2.token-type"), ["my", "api", "key", "v2", "token", "type"]);
    }

    #[test]
    fn doubts_names_that_only_describe() {
        assert!(telling("STRIPE_API_TOKEN", "TOKEN"));
        assert!(telling("clientSecret", "Secret"));
        assert!(!telling("token_type", "token"));
        assert!(!telling("publicApiKey", "ApiKey"));
        assert!(!telling("next_page_token", "token"));
        assert!(!telling("max_tokens", "token"));
        assert!(!telling("passwordLastUpdated", "password"));
        assert!(!telling("password_last_changed", "password"));
    }
}
