//! The messages of violations.

use super::{Violation, ViolationKind};
use crate::shared::ALL_KEYWORDS;
use deed_canon::Pointer;
use deed_diag::{did_you_mean, nearest, quote};
use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::Value;

/// Values that a message lists.
const MOST_LISTED: usize = 12;

/// The kind, message and hint of a violation.
pub(super) type Wording = (ViolationKind, String, Option<String>);

/// Words an error that is about one value.
pub(super) fn plain(kind: &ValidationErrorKind, name: &str, value: &Value, error: &ValidationError<'_>) -> Wording {
    use ValidationErrorKind as K;
    let shown = || Some(format!("it is {}", quote(&text_of(value))));
    let bounds = |message: String| (ViolationKind::OutOfRange, message, None);
    let other = |message: String| (ViolationKind::Other, message, None);
    match kind {
        K::Type { kind } => {
            (ViolationKind::WrongType, format!("{name} must be {}, not {}", expected(kind), kind_of(value)), None)
        }
        K::Enum { options } => not_allowed(name, value, listed(options)),
        K::Constant { expected_value } => not_allowed(name, value, vec![text_of(expected_value)]),
        K::OneOfMultipleValid { .. } => (
            ViolationKind::NoVariant,
            format!("{name} fits several shapes of which it may fit only one"),
            Some("leave out what belongs to the other shape".to_owned()),
        ),
        K::Pattern { pattern } => {
            (ViolationKind::BadForm, format!("{name} does not match {}", quote(pattern)), shown())
        }
        K::Format { format } => (ViolationKind::BadForm, format!("{name} is not of the format `{format}`"), shown()),
        K::BacktrackLimitExceeded { .. } | K::RegexEngineFailure { .. } => (
            ViolationKind::BadForm,
            format!("{name} cannot be matched against its pattern within bounds"),
            Some("the pattern of the schema backtracks too much on this text".to_owned()),
        ),
        K::Minimum { limit } => bounds(format!("{name} is {value}, below {limit}")),
        K::Maximum { limit } => bounds(format!("{name} is {value}, above {limit}")),
        K::ExclusiveMinimum { limit } => bounds(format!("{name} is {value}, and must be above {limit}")),
        K::ExclusiveMaximum { limit } => bounds(format!("{name} is {value}, and must be below {limit}")),
        K::MultipleOf { multiple_of } => bounds(format!("{name} is {value}, not a multiple of {multiple_of}")),
        K::MinLength { limit } => bounds(format!("{name} has fewer than {}", many(*limit, "character"))),
        K::MaxLength { limit } => bounds(format!("{name} has more than {}", many(*limit, "character"))),
        K::MinItems { limit } => bounds(format!("{name} has fewer than {}", many(*limit, "item"))),
        K::MaxItems { limit } => bounds(format!("{name} has more than {}", many(*limit, "item"))),
        K::AdditionalItems { limit } => bounds(format!("{name} has more than {}", many(*limit as u64, "item"))),
        K::MinProperties { limit } => bounds(format!("{name} has fewer than {}", many(*limit, "key"))),
        K::MaxProperties { limit } => bounds(format!("{name} has more than {}", many(*limit, "key"))),
        K::UniqueItems => other(format!("{name} has the same item twice")),
        K::FalseSchema => other(format!("{name} must not be given")),
        K::Not { .. } => other(format!("{name} is what the schema rules out with `not`")),
        K::Contains => other(format!("{name} has no item of the kind it must contain")),
        K::PropertyNames { error } => bad_key(name, &error.to_string()),
        K::Custom { keyword, .. } if ALL_KEYWORDS.contains(&keyword.as_str()) => other(unsaid(name)),
        _ => other(format!("{name}: {}", cut(&error.to_string()))),
    }
}

/// Words a violation by the name of a key.
pub(super) fn bad_key(name: &str, why: &str) -> Wording {
    (ViolationKind::UnknownKey, format!("a key of {name} is not allowed: {}", cut(why)), None)
}

/// The message for a violation that cannot be explained.
pub(super) fn unsaid(name: &str) -> String {
    format!("{name} is not valid, but its schema cannot say why")
}

fn many(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// An unknown key, with the keys that the schema lists.
pub(super) fn unknown_key(pointer: &str, key: &str, holder: Option<&Value>, value: &Value) -> Violation {
    let listed = holder.and_then(|holder| holder.get("properties")).and_then(Value::as_object);
    let mut known: Vec<&str> = listed.map(|listed| listed.keys().map(String::as_str).collect()).unwrap_or_default();
    known.sort_unstable();
    known.retain(|name| value.get(name).is_none());
    let help = did_you_mean(key, known.iter().copied()).or_else(|| {
        (!known.is_empty())
            .then(|| format!("it may have {}", list(known.iter().map(|name| (*name).to_owned()).collect())))
    });
    Violation {
        kind: ViolationKind::UnknownKey,
        pointer: Pointer::push(pointer, key),
        key: Some(key.to_owned()),
        message: format!("{} is not a key of {}", quote(key), name_of(pointer)),
        help,
    }
}

pub(super) fn missing(pointer: &str, key: &str, value: &Value) -> Violation {
    let present = value.as_object().map(|map| map.keys().map(String::as_str).collect::<Vec<_>>()).unwrap_or_default();
    Violation {
        kind: ViolationKind::Missing,
        pointer: pointer.to_owned(),
        key: Some(key.to_owned()),
        message: format!("{} needs {}", name_of(pointer), quote(key)),
        help: nearest(key, present).map(|near| format!("is {} meant?", quote(near))),
    }
}

fn not_allowed(name: &str, value: &Value, options: Vec<String>) -> Wording {
    let given = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    // Extra blanks are the likeliest slip, likelier than a wrong case.
    let trimmed = options.iter().find(|option| option.as_str() == given.trim());
    let near = trimmed.map(|option| format!("did you mean `{option}`?"));
    let near = near.or_else(|| did_you_mean(&given, options.iter().map(String::as_str)));
    let help = near.unwrap_or_else(|| format!("it is one of {}", list(options)));
    (ViolationKind::NotAllowed, format!("{name} may not be {}", quote(&given)), Some(help))
}

/// Names in backticks, a dozen at most.
fn list(names: Vec<String>) -> String {
    let more = names.len().saturating_sub(MOST_LISTED);
    let shown: Vec<String> = names.iter().take(MOST_LISTED).map(|name| quote(name)).collect();
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

fn listed(options: &Value) -> Vec<String> {
    match options {
        Value::Array(options) => options.iter().map(text_of).collect(),
        one => vec![text_of(one)],
    }
}

pub(super) fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

pub(super) fn name_of(pointer: &str) -> String {
    match pointer.rsplit_once('/') {
        None => "the payload".to_owned(),
        Some((parent, last)) if last.bytes().all(|b| b.is_ascii_digit()) => match parent.rsplit_once('/') {
            None => format!("item {last}"),
            Some((_, list)) => format!("item {last} of {}", quote(&Pointer::unescape(list))),
        },
        Some((_, last)) => quote(&Pointer::unescape(last)),
    }
}

fn expected(kind: &TypeKind) -> String {
    let names: Vec<String> = match kind {
        TypeKind::Single(one) => vec![one.to_string()],
        TypeKind::Multiple(many) => many.iter().map(|one| one.to_string()).collect(),
    };
    let with_article = |name: &String| match name.as_str() {
        "integer" | "array" | "object" => format!("an {name}"),
        "null" => "null".to_owned(),
        other => format!("a {other}"),
    };
    names.iter().map(with_article).collect::<Vec<_>>().join(" or ")
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn cut(text: &str) -> String {
    text.chars().take(120).collect()
}
