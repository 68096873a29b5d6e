//! What is wrong with a value, in words: where the validator says no, this says why and what to do.

use crate::refusal::Refused;
use crate::schema::Schema;
use crate::shared::{REFERENCE, Targets};
use crate::spot::Spot;
use deed_canon::Pointer;
use deed_diag::{did_you_mean, nearest, quote};
use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::Value;
use std::sync::Arc;

/// What a violation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ViolationKind {
    /// A key that must be there is not.
    Missing,
    /// A key that may not be there is.
    UnknownKey,
    /// A value of another type.
    WrongType,
    /// A value that is not one of those allowed.
    NotAllowed,
    /// A number, a length or a count out of its bounds.
    OutOfRange,
    /// A text without the form it must have.
    BadForm,
    /// A value that fits none of several shapes, or too many.
    NoVariant,
    /// Anything else that the schema rules out.
    Other,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// What it is about.
    pub kind: ViolationKind,
    /// The JSON pointer of the value; of the object for a missing key, of the key itself for an unknown one.
    pub pointer: String,
    /// The key that is missing or unknown.
    pub key: Option<String>,
    /// What is wrong: lowercase, no final stop.
    pub message: String,
    /// The way out.
    pub help: Option<String>,
}

/// Variants of a union whose faults are looked into.
const DEEPEST_UNION: usize = 4;
/// References that are followed from one error.
const DEEPEST_REFERENCE: usize = 200;
/// Violations beyond this are one more sentence and not one more item.
const MOST: usize = 1_000;
/// Values that a message lists.
const MOST_LISTED: usize = 12;

impl Schema {
    /// Everything that is wrong with a value, in the order of places; the error says that the schema cannot judge.
    pub fn violations(&self, value: &Value) -> Result<Vec<Violation>, Refused> {
        self.violations_up_to(value, MOST)
    }

    /// The same, for so many of them.
    pub fn violations_up_to(&self, value: &Value, most: usize) -> Result<Vec<Violation>, Refused> {
        self.sound()?;
        let judge = self.judge()?;
        let mut explainer = Explainer { root: self.root().ok(), targets: judge.targets.as_ref(), found: Vec::new() };
        // The same may be said twice, so what was found is counted once it is in order.
        let (mut room, mut cut) = (most, false);
        for error in judge.validator.iter_errors(value) {
            explainer.one("", &error, 0);
            if explainer.found.len() > room {
                in_order(&mut explainer.found);
                cut = explainer.found.len() > most;
                if cut {
                    break;
                }
                room = explainer.found.len() + most;
            }
        }
        let mut found = explainer.found;
        in_order(&mut found);
        if cut || found.len() > most {
            found.truncate(most);
            found.push(Violation {
                kind: ViolationKind::Other,
                pointer: String::new(),
                key: None,
                message: format!("more than {most} things are wrong, and the rest is not listed"),
                help: None,
            });
            in_order(&mut found);
        }
        Ok(found)
    }
}

/// By place, each once.
fn in_order(found: &mut Vec<Violation>) {
    found.sort_by(|a, b| (&a.pointer, a.kind, &a.message).cmp(&(&b.pointer, b.kind, &b.message)));
    found.dedup();
}

/// An error and where the value it speaks of stands.
struct Fault<'e> {
    base: String,
    error: Held<'e>,
}

enum Held<'e> {
    Own(Box<ValidationError<'static>>),
    Lent(&'e ValidationError<'static>),
}

impl Fault<'_> {
    fn error(&self) -> &ValidationError<'static> {
        match &self.error {
            Held::Own(error) => error,
            Held::Lent(error) => error,
        }
    }

    fn pointer(&self) -> String {
        format!("{}{}", self.base, self.error().instance_path().as_str())
    }
}

struct Explainer<'s> {
    root: Option<Spot<'s>>,
    targets: Option<&'s Arc<Targets>>,
    found: Vec<Violation>,
}

impl Explainer<'_> {
    /// What the target of a reference says, if the error only says that it says no.
    fn behind(&self, base: &str, error: &ValidationError<'_>) -> Option<Vec<Fault<'static>>> {
        let ValidationErrorKind::Custom { keyword, message } = error.kind() else { return None };
        if keyword != REFERENCE {
            return None;
        }
        let target = self.targets?.target(message)?;
        let validator = target.validator().ok()?;
        let base = format!("{base}{}", error.instance_path().as_str());
        let value = error.instance();
        Some(
            validator
                .iter_errors(value)
                .map(|error| Fault { base: base.clone(), error: Held::Own(Box::new(error.to_owned())) })
                .collect(),
        )
    }

    /// The errors of a variant, with those of references in their place.
    fn opened<'e>(&self, base: &str, errors: &'e [ValidationError<'static>], depth: usize) -> Vec<Fault<'e>> {
        let mut opened = Vec::new();
        for error in errors {
            match self.behind(base, error) {
                Some(faults) if depth < DEEPEST_UNION => {
                    for fault in faults {
                        let inner = self.behind(&fault.base, fault.error());
                        opened.extend(inner.unwrap_or_else(|| vec![fault]));
                    }
                }
                _ => opened.push(Fault { base: base.to_owned(), error: Held::Lent(error) }),
            }
        }
        opened
    }

    fn one(&mut self, base: &str, error: &ValidationError<'_>, depth: usize) {
        if let Some(faults) = self.behind(base, error).filter(|_| depth < DEEPEST_REFERENCE) {
            for fault in faults {
                self.one(&fault.base, fault.error(), depth + 1);
            }
            return;
        }
        let pointer = format!("{base}{}", error.instance_path().as_str());
        let value = error.instance();
        let name = name_of(&pointer);
        let holder =
            self.root.as_ref().filter(|_| base.is_empty()).and_then(|root| root.along(error.schema_path().as_str()));
        match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected }
            | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
                self.found.extend(unexpected.iter().map(|key| unknown_key(&pointer, key, holder.as_ref(), value)));
            }
            ValidationErrorKind::Required { property } => {
                self.found.push(missing(&pointer, property.as_str().unwrap_or_default(), value));
            }
            ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
                self.union(base, &pointer, context, depth);
            }
            kind => {
                let (kind, message, help) = plain(kind, &name, value, error);
                self.found.push(Violation { kind, pointer, key: None, message, help });
            }
        }
    }

    fn union(&mut self, base: &str, pointer: &str, context: &[Vec<ValidationError<'static>>], depth: usize) {
        let variants: Vec<Vec<Fault<'_>>> = context.iter().map(|errors| self.opened(base, errors, depth)).collect();
        match closest(&variants, pointer) {
            Some((variant, true)) if depth < DEEPEST_UNION => {
                for fault in variant {
                    self.one(&fault.base, fault.error(), depth + 1);
                }
            }
            other => {
                let before = self.found.len();
                if let Some(fault) = other.and_then(|(variant, _)| variant.first()).filter(|_| depth < DEEPEST_UNION) {
                    self.one(&fault.base, fault.error(), DEEPEST_UNION);
                }
                let said = self.found.drain(before..).next();
                let help = said.map(|violation| format!("the nearest of them says: {}", violation.message));
                let message = format!("{} fits none of {} shapes", name_of(pointer), context.len());
                let pointer = pointer.to_owned();
                self.found.push(Violation { kind: ViolationKind::NoVariant, pointer, key: None, message, help });
            }
        }
    }
}

type Said = (ViolationKind, String, Option<String>);

/// The words for an error that speaks of one value alone.
fn plain(kind: &ValidationErrorKind, name: &str, value: &Value, error: &ValidationError<'_>) -> Said {
    use ValidationErrorKind as K;
    let shown = || Some(format!("it is {}", quote(value.as_str().unwrap_or_default())));
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
        K::PropertyNames { error } => {
            (ViolationKind::UnknownKey, format!("a key of {name} is not allowed: {}", cut(&error.to_string())), None)
        }
        K::Custom { keyword, .. } if keyword == REFERENCE => {
            other(format!("{name} is not valid, and its schema cannot say why"))
        }
        _ => other(format!("{name}: {}", cut(&error.to_string()))),
    }
}

fn many(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// The variant that a value comes nearest to, and whether it is the only one of the value's own kind.
fn closest<'e, 'f>(variants: &'e [Vec<Fault<'f>>], pointer: &str) -> Option<(&'e Vec<Fault<'f>>, bool)> {
    let depth = |pointer: &str| pointer.matches('/').count();
    let other_type = |variant: &Vec<Fault<'_>>| {
        variant
            .iter()
            .any(|fault| matches!(fault.error().kind(), ValidationErrorKind::Type { .. }) && fault.pointer() == pointer)
    };
    let other_kind = |variant: &Vec<Fault<'_>>| {
        variant.iter().any(|fault| {
            let kind = fault.error().kind();
            let discriminates = matches!(kind, ValidationErrorKind::Constant { .. } | ValidationErrorKind::Enum { .. });
            discriminates && depth(&fault.pointer()) <= depth(pointer) + 1
        })
    };
    let of_type: Vec<_> = variants.iter().filter(|variant| !other_type(variant)).collect();
    let of_kind: Vec<_> = of_type.iter().copied().filter(|variant| !other_kind(variant)).collect();
    match (of_kind.as_slice(), of_type.as_slice()) {
        ([only], _) | ([], [only]) => Some((*only, true)),
        _ => {
            let pool = if of_kind.is_empty() { of_type } else { of_kind };
            let pool = if pool.is_empty() { variants.iter().collect() } else { pool };
            pool.into_iter().min_by_key(|variant| variant.len()).map(|variant| (variant, false))
        }
    }
}

fn unknown_key(pointer: &str, key: &str, holder: Option<&Spot<'_>>, value: &Value) -> Violation {
    let mut known: Vec<&str> =
        holder.map(|spot| spot.named("properties").into_iter().map(|(name, _)| name).collect()).unwrap_or_default();
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

fn missing(pointer: &str, key: &str, value: &Value) -> Violation {
    let present = value.as_object().map(|map| map.keys().map(String::as_str).collect::<Vec<_>>()).unwrap_or_default();
    Violation {
        kind: ViolationKind::Missing,
        pointer: pointer.to_owned(),
        key: Some(key.to_owned()),
        message: format!("{} needs {}", name_of(pointer), quote(key)),
        help: nearest(key, present).map(|near| format!("is {} meant?", quote(near))),
    }
}

fn not_allowed(name: &str, value: &Value, options: Vec<String>) -> Said {
    let given = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let near = did_you_mean(&given, options.iter().map(String::as_str));
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
    options.as_array().map(|list| list.iter().map(text_of).collect()).unwrap_or_default()
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn name_of(pointer: &str) -> String {
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
