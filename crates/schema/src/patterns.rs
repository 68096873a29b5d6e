//! Patterns of JavaScript, translated for the engine of the validator.
//!
//! JSON Schema prescribes the regular expressions of ECMA-262, and most schemas are written without the `u` flag in
//! mind: `\-`, `\_` and `\a` are the characters themselves, a lone `]` or `{` is text, `[^]` is any character. The
//! engine knows the stricter syntax alone, so such patterns are translated. A pattern that only counts characters,
//! such as `^.{0,20000}$`, becomes a pattern without the count and bounds on the length: written out, the count alone
//! would take megabytes.

mod foreign;
mod translate;

use crate::refusal::{Reason, Refused};
use crate::subschemas::NAMED;
use foreign::foreign;
use jsonschema::{PatternOptions, ValidationOptions};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use translate::{Counted, counted, shrunk, translated};

/// The most backtracking steps before a text counts as not matching; a few milliseconds at most.
const BACKTRACK_LIMIT: usize = 50_000;
/// The largest compiled pattern, in bytes.
const LARGEST: usize = 32 << 20;
/// The same, in words.
const LARGEST_IN_WORDS: &str = "32 MiB";
/// Keywords that hold values and not schemas.
const VALUES: [&str; 5] = ["const", "enum", "default", "example", "examples"];

/// Sets the limits of every pattern.
pub(crate) fn limited(options: ValidationOptions<'_>) -> ValidationOptions<'_> {
    let limits = PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT).size_limit(LARGEST);
    options.with_pattern_options(limits)
}

/// Translates all patterns of a schema for the engine.
pub(crate) fn prepared(schema: &Value) -> Cow<'_, Value> {
    if needs_translation(schema, Holds::Schema) { Cow::Owned(schema_of(schema)) } else { Cow::Borrowed(schema) }
}

/// Refuses a schema with a pattern that JavaScript does not allow, although the engine may: flags within a pattern,
/// groups of other languages, and repetition of a repetition.
pub(crate) fn check(schema: &Value) -> Result<(), Refused> {
    checked(schema, Holds::Schema, &mut String::new())
}

fn checked(value: &Value, holds: Holds, at: &mut String) -> Result<(), Refused> {
    let length = at.len();
    match value {
        Value::Object(map) => {
            for (key, child) in map {
                at.push('/');
                at.push_str(&key.replace('~', "~0").replace('/', "~1"));
                match holds {
                    Holds::Patterns => {
                        of_javascript(key, at)?;
                        checked(child, Holds::Schema, at)?;
                    }
                    Holds::Named => checked(child, Holds::Schema, at)?,
                    Holds::Schema if VALUES.contains(&key.as_str()) => {}
                    Holds::Schema => match child.as_str().filter(|_| key == "pattern") {
                        Some(pattern) => of_javascript(pattern, at)?,
                        None => checked(child, Holds::of(key), at)?,
                    },
                }
                at.truncate(length);
            }
            Ok(())
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                at.push_str(&format!("/{index}"));
                checked(item, Holds::Schema, at)?;
                at.truncate(length);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn of_javascript(pattern: &str, at: &str) -> Result<(), Refused> {
    let Some(part) = foreign(pattern) else { return Ok(()) };
    let shown: String = pattern.chars().take(80).collect();
    let words = format!(
        "`{shown}` is not a regular expression: JSON Schema patterns are JavaScript's, which has no `{part}` there"
    );
    Err(Refused::new(Reason::BadPattern, words).at(at.to_owned()))
}

/// The content of a value within a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Schema,
    /// Schemas by name.
    Named,
    /// Schemas by pattern.
    Patterns,
}

impl Holds {
    fn of(keyword: &str) -> Self {
        match keyword {
            "patternProperties" => Self::Patterns,
            _ if NAMED.contains(&keyword) || matches!(keyword, "$defs" | "definitions") => Self::Named,
            _ => Self::Schema,
        }
    }
}

fn needs_translation(value: &Value, holds: Holds) -> bool {
    match value {
        Value::Object(map) => map.iter().any(|(key, child)| match holds {
            Holds::Patterns if translated(key) != *key => true,
            Holds::Patterns | Holds::Named => needs_translation(child, Holds::Schema),
            Holds::Schema if VALUES.contains(&key.as_str()) => false,
            Holds::Schema => match child.as_str().filter(|_| key == "pattern") {
                Some(pattern) => counted(pattern).is_some() || translated(pattern) != pattern,
                None => needs_translation(child, Holds::of(key)),
            },
        }),
        Value::Array(items) => items.iter().any(|item| needs_translation(item, Holds::Schema)),
        _ => false,
    }
}

fn schema_of(value: &Value) -> Value {
    match value {
        Value::Object(map) => object_of(map),
        Value::Array(items) => Value::Array(items.iter().map(schema_of).collect()),
        other => other.clone(),
    }
}

fn object_of(map: &Map<String, Value>) -> Value {
    let mut out = Map::new();
    let mut bounds = None;
    for (key, child) in map {
        let child = match (Holds::of(key), child) {
            (_, child) if VALUES.contains(&key.as_str()) => child.clone(),
            (Holds::Patterns, Value::Object(named)) => {
                named.iter().map(|(pattern, child)| (translated(pattern), schema_of(child))).collect()
            }
            (Holds::Named, Value::Object(named)) => {
                named.iter().map(|(name, child)| (name.clone(), schema_of(child))).collect()
            }
            (Holds::Schema, Value::String(pattern)) if key == "pattern" => match counted(pattern) {
                Some(Counted { pattern, least, most }) => {
                    bounds = Some((least, most));
                    Value::String(pattern)
                }
                None => Value::String(translated(pattern)),
            },
            (Holds::Schema, Value::String(address)) if key == "$ref" => Value::String(reference(address)),
            (_, child) => schema_of(child),
        };
        out.insert(key.clone(), child);
    }
    if let Some((least, most)) = bounds {
        let number = |map: &Map<String, Value>, key: &str| map.get(key).and_then(Value::as_u64);
        let least = number(&out, "minLength").map_or(least, |known| known.max(least));
        out.insert("minLength".to_owned(), json!(least));
        let most = match (number(&out, "maxLength"), most) {
            (Some(known), Some(most)) => Some(known.min(most)),
            (known, most) => known.or(most),
        };
        out.extend(most.map(|most| ("maxLength".to_owned(), json!(most))));
    }
    Value::Object(out)
}

/// Translates the patterns within an address, as the keys that they name were.
fn reference(address: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    for segment in address.split('/') {
        let is_pattern = out.last().is_some_and(|before| before == "patternProperties");
        let pattern = is_pattern.then(|| decoded(segment));
        let other = pattern.as_ref().map(|pattern| translated(pattern)).filter(|other| Some(other) != pattern.as_ref());
        out.push(other.map_or_else(|| segment.to_owned(), |other| encoded(&other)));
    }
    out.join("/")
}

/// A segment of an address as the key that it names.
fn decoded(segment: &str) -> String {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment;
    while let Some(first) = rest.as_bytes().first() {
        let code = rest.strip_prefix('%').and_then(|tail| u8::from_str_radix(tail.get(..2)?, 16).ok());
        bytes.push(code.unwrap_or(*first));
        let taken = if code.is_some() { 3 } else { 1 };
        rest = match rest.get(taken..) {
            Some(tail) => tail,
            None => {
                // The rest of a character of several bytes.
                bytes.extend(rest.as_bytes().iter().skip(1));
                ""
            }
        };
    }
    String::from_utf8_lossy(&bytes).replace("~1", "/").replace("~0", "~")
}

/// A key as a segment of an address.
fn encoded(key: &str) -> String {
    let escaped = key.replace('~', "~0").replace('/', "~1");
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    escaped
        .bytes()
        .map(|byte| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// The refusal of a pattern that the engine does not accept, with the actual reason: too large, or malformed.
pub(crate) fn refused(pattern: &str) -> Refused {
    let shown: String = pattern.chars().take(80).collect();
    let small = shrunk(&translated(pattern));
    let (reason, words) = if small != translated(pattern) && compiles(&small) {
        (Reason::TooLarge, format!("the pattern `{shown}` repeats so much that it takes more than {LARGEST_IN_WORDS}"))
    } else {
        (Reason::BadPattern, format!("`{shown}` is not a regular expression"))
    };
    Refused::new(reason, words)
}

fn compiles(pattern: &str) -> bool {
    limited(jsonschema::options()).build(&json!({ "pattern": pattern })).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn matches(pattern: &str, yes: &[&str], no: &[&str]) {
        let schema = prepared(&json!({ "pattern": pattern })).into_owned();
        let validator = limited(jsonschema::options()).build(&schema);
        let validator = validator.unwrap_or_else(|error| panic!("{pattern} as {schema}: {error}"));
        for text in yes {
            assert!(validator.is_valid(&json!(text)), "{pattern} as {schema} on {text:?}");
        }
        for text in no {
            assert!(!validator.is_valid(&json!(text)), "{pattern} as {schema} on {text:?}");
        }
    }

    #[test]
    fn patterns_mean_what_they_mean_in_javascript_without_the_u_flag() {
        matches(r"^[\w\-\_\.]+$", &["a-b_c.d"], &["a b"]);
        matches(r"^\-\_\/\a\i$", &["-_/ai"], &["x"]);
        matches(r"^a]b}c{d$", &["a]b}c{d"], &["ab"]);
        matches(r"^a{,5}$", &["a{,5}"], &["aaa"]);
        matches(r"^a{2}$", &["aa"], &["a", "a{2}"]);
        matches(r"^\cJ\x41\u0042\0$", &["\nAB\0"], &["J"]);
        matches(r"^\c$", &["\\c"], &["c"]);
        matches(r"^\101\60$", &["A0"], &["101"]);
        matches(r"^[\101\b]+$", &["A\u{8}"], &["b"]);
        matches(r"^[^]$", &["a", "\n"], &["", "ab"]);
        matches(r"^a[]$", &[], &["a", "a[]"]);
        matches(r"^[\w-.]+$", &["a-.b"], &["a b"]);
        matches(r"^[\d-x]+$", &["1-x"], &["w"]);
        matches(r"^[a-z&&b]+$", &["a&b"], &["A"]);
        matches(r"^[[]$", &["["], &["a"]);
        matches(r"^(?=.*\d)(?!.*x)[a-z\d]+$", &["a1"], &["ax1", "a"]);
        matches(r"^(a|b)\1$", &["aa", "bb"], &["ab"]);
        matches(r"^(?<q>['\x22]).*\k<q>$", &["'a'"], &["'a\""]);
        matches(r"^\k$", &["k"], &["x"]);
        matches(r"^(?<!a)b$", &["b"], &["ab"]);
        matches(r"^\uD83D\uDE00$", &["😀"], &["a"]);
        matches(r"^[\uD800-\uDBFF][\uDC00-\uDFFF]$", &["😀"], &["a"]);
        matches(r"^[\u0000-\uD7FF\uE000-\uFFFF]$", &["a", "\u{fffd}"], &["😀"]);
        matches(r"^\p{L}+\p$", &["äbp"], &["1p"]);
        matches(r"^\u{2}$", &["\u{2}"], &["u"]);
    }

    #[test]
    fn characters_and_boundaries_are_those_of_javascript() {
        matches("^.$", &["a", "\u{85}", "é"], &["\n", "\r", "\u{2028}", "\u{2029}"]);
        matches("^a.*b$", &["ab", "a b"], &["a\rb"]);
        matches(r"^\bé", &[], &["é"]);
        matches(r"a\bé", &["aé"], &[]);
        matches(r"é\Bé", &["éé"], &[]);
        matches(r"^\w+$", &["a_1"], &["é", "\u{661}"]);
        matches(r"^\W$", &["é"], &["a"]);
        matches(r"^\d$", &["1"], &["\u{661}"]);
        matches(r"^\D$", &["\u{661}"], &["1"]);
        matches(r"^\s$", &[" ", "\u{feff}", "\u{a0}", "\u{2028}"], &["\u{85}", "\u{180e}"]);
        matches(r"^\S$", &["\u{85}"], &["\u{feff}", " "]);
        matches(r"^[\s\d]$", &["\u{feff}", "1"], &["\u{85}", "\u{661}"]);
        matches(r"^[^\s]$", &["\u{85}"], &["\u{feff}"]);
        matches(r"^[\S]$", &["\u{85}"], &["\u{feff}"]);
        matches("^a$", &["a"], &["a\n"]);
        matches("^[+--]$", &["+", ",", "-"], &["."]);
        matches("^[a~~b]$", &["a", "~", "b"], &["c"]);
        matches("^[.]$", &["."], &["a"]);
        matches(r"^(?<year>\d{4})$", &["2026"], &["26"]);
        matches("^a+?b*?c??$", &["aab"], &["b"]);
    }

    #[test]
    fn patterns_that_javascript_refuses_are_refused() {
        for pattern in [
            "(?i)abc",
            "(?P<n>a)",
            "(?P=n)",
            "a++",
            "a*+",
            "a?+",
            "x{2}{3}",
            "a**",
            "(?#note)a",
            "(?>a)",
            "(?x) a",
            "*a",
            "a|*",
            "(?s:.)",
            "(*a)",
            "a+?+",
        ] {
            let schema = json!({ "type": "string", "pattern": pattern });
            let error = crate::Schema::new(schema).map(|_| ()).unwrap_err();
            assert_eq!(
                (error.reason, error.pointer.as_str()),
                (Reason::BadPattern, "/pattern"),
                "{pattern}: {error:?}"
            );
        }
    }

    #[test]
    fn patterns_that_only_count_are_counted() {
        matches("^.{0,20000}$", &["", "abc", &"ü".repeat(20_000)], &[&"a".repeat(20_001)]);
        matches("^[a-z]{3000,}$", &[&"a".repeat(3_000)], &["a", &"A".repeat(3_000)]);
        matches(r"^(?:[\s\S]{1,65535})$", &["a\n"], &["", &"a".repeat(65_536)]);
        let schema = json!({ "pattern": "^.{5,20000}$", "minLength": 9, "maxLength": 30000 });
        let prepared = prepared(&schema).into_owned();
        assert_eq!((&prepared["minLength"], &prepared["maxLength"]), (&json!(9), &json!(20_000)));
        // Small counts are left where they are.
        assert!(matches!(super::prepared(&json!({ "pattern": "^a{1,20}$" })), Cow::Borrowed(_)));
    }

    #[test]
    fn large_counts_within_other_patterns_fit_in() {
        matches("^[a-z]{1,5000}-.{0,9000}$", &["a-", &format!("{}-x", "a".repeat(5_000))], &["-"]);
    }

    #[test]
    fn a_refusal_says_what_is_wrong() {
        assert_eq!(refused("^[a-z").reason, Reason::BadPattern);
        assert_eq!(refused("(a").reason, Reason::BadPattern);
        assert_eq!(refused(r"^((\w{1000}){1000}x){9}$").reason, Reason::TooLarge);
    }

    #[test]
    fn references_to_what_a_pattern_names_are_kept() {
        let schema = json!({
            "type": "object",
            "patternProperties": { "^a.b$": { "type": "integer" } },
            "properties": { "n": { "$ref": "#/patternProperties/%5Ea.b%24" } },
        });
        let schema = crate::Schema::new(schema).unwrap();
        assert!(schema.is_valid(&json!({ "n": 1, "axb": 2 })).unwrap());
        assert!(!schema.is_valid(&json!({ "n": "x" })).unwrap());
        assert!(schema.is_valid(&json!({ "a\rb": "x" })).unwrap());
    }

    #[test]
    fn names_that_look_like_keywords_are_left_alone() {
        let schema =
            json!({ "properties": { "pattern": { "enum": ["\\_"] }, "a\\_": { "const": { "pattern": "\\_" } } } });
        assert!(matches!(prepared(&schema), Cow::Borrowed(_)));
    }
}
