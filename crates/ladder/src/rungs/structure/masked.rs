//! Values that a logger or a person masked: `********`, `••••`, `[REDACTED]`, `<masked>`, `***REMOVED***`.
//!
//! A mask says that there is a value and not what it is, so it is no value. One with a part of the value left, such as
//! `**** 4242`, is often all that a source shows, and stays.

/// The shortest run of signs that masks something; two stars are a pattern of paths, and one is a field of cron.
const SHORTEST: usize = 3;
/// Words by which a mask says that it is one.
const MASKS: [&str; 16] = [
    "redacted",
    "masked",
    "hidden",
    "removed",
    "censored",
    "withheld",
    "obfuscated",
    "filtered",
    "scrubbed",
    "suppressed",
    "sanitized",
    "sanitised",
    "anonymized",
    "anonymised",
    "obscured",
    "secret",
];
/// Words that name what was masked.
const WHAT: [&str; 24] = [
    "value",
    "values",
    "secret",
    "secrets",
    "data",
    "password",
    "key",
    "token",
    "name",
    "email",
    "field",
    "content",
    "number",
    "info",
    "information",
    "details",
    "personal",
    "sensitive",
    "pii",
    "credential",
    "credentials",
    "hash",
    "address",
    "phone",
];
/// Words that say why.
const REASONS: [&str; 9] = ["for", "privacy", "security", "reasons", "safety", "by", "due", "to", "confidentiality"];
/// Words of a name or description that let a field hold signs of this sort.
const HOLDS_MASKS: [&str; 26] = [
    "mask",
    "masked",
    "redacted",
    "redaction",
    "hidden",
    "display",
    "stars",
    "star",
    "rating",
    "score",
    "review",
    "grade",
    "rank",
    "bar",
    "progress",
    "separator",
    "divider",
    "delimiter",
    "pattern",
    "glob",
    "symbol",
    "symbols",
    "bullet",
    "marker",
    "ornament",
    "censored",
];

/// Returns whether a text is a mask and nothing else.
pub(super) fn is_masked(text: &str) -> bool {
    is_run(text) || is_word(text)
}

/// Returns whether one of the words for a field lets it hold masks.
pub(super) fn holds_masks(word: &str) -> bool {
    HOLDS_MASKS.contains(&word)
}

/// `********`, `•••• ••••`, `***-**-****`: runs of one sign, in groups or not.
fn is_run(text: &str) -> bool {
    let is_between = |c: char| matches!(c, ' ' | '-' | '.' | '@' | '/');
    let Some(sign) = text.chars().find(|c| !is_between(*c)) else { return false };
    let is_sign = matches!(sign, '*' | '•' | '●' | '█' | '■' | '▪' | '∗' | '＊');
    let longest = text.split(is_between).map(|group| group.chars().count()).max().unwrap_or(0);
    is_sign && longest >= SHORTEST && text.chars().all(|c| c == sign || is_between(c))
}

/// `[REDACTED]`, `***REMOVED***`, `(value hidden for privacy)`, `REDACTED`.
fn is_word(text: &str) -> bool {
    let text = ["Bearer ", "Basic ", "Token "].iter().find_map(|scheme| text.strip_prefix(scheme)).unwrap_or(text);
    let pairs = [('[', ']'), ('<', '>'), ('(', ')'), ('{', '}')];
    let bracketed = pairs.iter().find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close));
    let signs = |c: char| matches!(c, '*' | '#' | '-' | '_' | '=' | '█');
    let signed = Some(text.trim_matches(signs)).filter(|inner| text.len() - inner.len() >= 2 * SHORTEST - 2);
    let words = |inner: &str| -> Vec<String> {
        inner.split([' ', '_', '-', ':']).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    match bracketed.or(signed) {
        Some(inner) => is_phrase(&words(inner.trim_matches(signs)), bracketed.is_some()),
        // Without marks only capitals tell a mask from a word: a status may be `redacted`.
        None => ["REDACTED", "MASKED", "CENSORED", "WITHHELD"].contains(&text),
    }
}

/// One word for masking, with words for what was masked before it and for the reason behind it.
fn is_phrase(words: &[String], bracketed: bool) -> bool {
    let is_mask = |word: &String| MASKS.contains(&word.as_str());
    let Some(at) = words.iter().rposition(is_mask) else { return false };
    let (before, behind) = words.split_at(at);
    // `[removed]` is what some sources write for a text that its author took down, and `[secret]` may be a title.
    let is_own = bracketed && words.len() == 1 && ["removed", "secret", "suppressed"].iter().any(|own| words == [*own]);
    let named = before.iter().all(|word| WHAT.contains(&word.as_str()) || is_mask(word));
    named && behind.iter().skip(1).all(|word| REASONS.contains(&word.as_str())) && !is_own
}

#[cfg(test)]
mod tests {
    use super::is_masked;

    #[test]
    fn masks_are_told_from_content() {
        for text in [
            "********",
            "***",
            "••••",
            "•••• •••• ••••",
            "***-**-****",
            "█████",
            "[REDACTED]",
            "[redacted]",
            "<masked>",
            "(hidden)",
            "***REMOVED***",
            "**REDACTED**",
            "---HIDDEN---",
            "[PASSWORD REDACTED]",
            "<secret hidden>",
            "[removed for privacy]",
            "[value_masked]",
            "REDACTED",
            "Bearer [REDACTED]",
        ] {
            assert!(is_masked(text), "{text}");
        }
        for text in [
            "* * * * *",
            "**",
            "**/*.rs",
            "**** 4242",
            "(Hidden Track)",
            "hidden",
            "redacted",
            "[removed]",
            "a hidden cost",
            "---",
            "The name was [REDACTED] by the court",
            "*",
            "",
        ] {
            assert!(!is_masked(text), "{text}");
        }
    }
}
