//! Gate 1, schema: ten layers, types, unknown keys.
//!
//! Enters: the document as a value. Leaves: every place where it is not what the generated schema says.
//! Must prove: a document without findings can be read as a typed pack.

use crate::bundle::Bundle;
use crate::lint::Typed;
use crate::pointer::join;
use deed_canon::Pointer;
use deed_diag::{Code, Diagnostic, did_you_mean, nearest, quote};
use deed_model::{ContextPack, PackRef, RefError, schema_for};
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::Value;
use std::sync::LazyLock;

const MISSING_LAYER: Code = Code::new("D0201");
const UNKNOWN_LAYER: Code = Code::new("D0202");
const UNKNOWN_KEY: Code = Code::new("D0203");
const WRONG_TYPE: Code = Code::new("D0204");
const MISSING_FIELD: Code = Code::new("D0205");
const NOT_ALLOWED: Code = Code::new("D0206");
const OUT_OF_RANGE: Code = Code::new("D0207");
const BAD_VERSION: Code = Code::new("D0208");
const BAD_FORM: Code = Code::new("D0209");
const OTHER: Code = Code::new("D0210");
const BAD_TIME: Code = Code::new("D0211");
const NOT_AN_OBJECT: Code = Code::new("D0212");

struct Compiled {
    schema: Value,
    validator: Option<Validator>,
}

static PACK_SCHEMA: LazyLock<Compiled> = LazyLock::new(|| {
    let schema = schema_for::<ContextPack>();
    let validator = jsonschema::draft202012::new(&schema).ok();
    Compiled { schema, validator }
});

pub(crate) fn check(bundle: &Bundle, typed: &Typed) -> Vec<Diagnostic> {
    let value = bundle.document.value();
    let compiled = &*PACK_SCHEMA;
    let Some(validator) = &compiled.validator else {
        return vec![Diagnostic::error(OTHER, "the built-in schema of packs cannot be used")];
    };
    if !value.is_object() {
        return vec![
            Diagnostic::error(NOT_AN_OBJECT, "a pack is an object with ten layers")
                .at(bundle.document.place(""))
                .help("`deed pack new` writes one to begin with"),
        ];
    }
    let mut findings: Vec<Diagnostic> =
        validator.iter_errors(value).flat_map(|error| explain(bundle, &compiled.schema, &error)).collect();
    findings.extend(bad_times(bundle));
    if findings.is_empty() {
        findings.extend(not_typed(bundle, typed));
    }
    findings.sort_by_key(|d| d.place.as_ref().and_then(|p| p.span));
    findings
}

/// The schema node that holds the keyword that failed.
fn holder<'a>(schema: &'a Value, error: &ValidationError<'_>) -> Option<&'a Value> {
    let path = error.schema_path().as_str();
    let (parent, _keyword) = path.rsplit_once('/')?;
    schema.pointer(parent)
}

fn described(schema: Option<&Value>) -> Option<String> {
    let text = schema?.get("description")?.as_str()?;
    let text = text.trim_end_matches('.').replace('\n', " ");
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect())
}

fn explain(bundle: &Bundle, schema: &Value, error: &ValidationError<'_>) -> Vec<Diagnostic> {
    let at = error.instance_path().as_str();
    let place = || bundle.document.place(at);
    let node = holder(schema, error);
    let name = || Pointer::tokens(at).last().unwrap_or_default();
    let found = error.instance();
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            unexpected.iter().map(|key| unknown_key(bundle, node, at, key)).collect()
        }
        ValidationErrorKind::Required { property } => {
            let key = property.as_str().unwrap_or_default();
            vec![missing(bundle, node, at, key)]
        }
        ValidationErrorKind::Type { kind } => {
            let expected = expected_types(kind);
            let help = match found.as_ref() {
                Value::Number(_) | Value::Bool(_) if expected == "string" => Some("put it in quotes".to_owned()),
                _ => described(node),
            };
            vec![
                Diagnostic::error(
                    WRONG_TYPE,
                    format!("`{}` must be {}, not {}", name(), article(&expected), shape(found)),
                )
                .at(place())
                .help_opt(help),
            ]
        }
        ValidationErrorKind::Enum { options } => vec![not_allowed(bundle, at, found, options_of(options))],
        ValidationErrorKind::Constant { expected_value } => {
            vec![not_allowed(bundle, at, found, vec![text_of(expected_value)])]
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            one_of(bundle, schema, at, found, context)
        }
        ValidationErrorKind::Pattern { pattern } => {
            let is_version = pattern.contains(r"\.(0|[1-9]\d*)\.(0|[1-9]\d*)$");
            let text = quote(found.as_str().unwrap_or_default());
            let diagnostic = if is_version {
                Diagnostic::error(BAD_VERSION, format!("{text} is not a version of three numbers"))
                    .help("write `1.0.0`: major, minor and patch, without a prerelease or a `v`")
            } else {
                Diagnostic::error(BAD_FORM, format!("{text} does not have the form of `{}`", name()))
                    .help_opt(described(node))
            };
            vec![diagnostic.at(place())]
        }
        ValidationErrorKind::Minimum { .. }
        | ValidationErrorKind::Maximum { .. }
        | ValidationErrorKind::ExclusiveMinimum { .. }
        | ValidationErrorKind::ExclusiveMaximum { .. } => {
            vec![out_of_range(format!("`{}` is out of range: {error}", name()), bundle, at, node)]
        }
        ValidationErrorKind::MaxLength { limit } => {
            vec![out_of_range(format!("`{}` has more than {limit} characters", name()), bundle, at, node)]
        }
        ValidationErrorKind::MinLength { .. } => {
            vec![out_of_range(format!("`{}` must not be empty", name()), bundle, at, node)]
        }
        ValidationErrorKind::MinItems { limit } => {
            vec![out_of_range(format!("`{}` needs at least {limit} item", name()), bundle, at, node)]
        }
        _ => vec![Diagnostic::error(OTHER, error.to_string().to_lowercase()).at(place()).help_opt(described(node))],
    }
}

fn out_of_range(message: String, bundle: &Bundle, at: &str, node: Option<&Value>) -> Diagnostic {
    Diagnostic::error(OUT_OF_RANGE, message).at(bundle.document.place(at)).help_opt(described(node))
}

fn unknown_key(bundle: &Bundle, node: Option<&Value>, at: &str, key: &str) -> Diagnostic {
    let known: Vec<&str> = node
        .and_then(|n| n.get("properties"))
        .and_then(Value::as_object)
        .map(|p| p.keys().map(String::as_str).collect())
        .unwrap_or_default();
    let place = bundle.document.key_place(&Pointer::push(at, key));
    let suggestion = did_you_mean(key, known.iter().copied());
    if at.is_empty() {
        let help = suggestion.unwrap_or_else(|| format!("the layers are {}", known.join(", ")));
        return Diagnostic::error(UNKNOWN_LAYER, format!("{} is not a layer of a pack", quote(key)))
            .at(place)
            .help(help);
    }
    let help = suggestion.unwrap_or_else(|| format!("known here: {}", known.join(", ")));
    Diagnostic::error(UNKNOWN_KEY, format!("unknown key {}", quote(key))).at(place).help(help)
}

fn missing(bundle: &Bundle, node: Option<&Value>, at: &str, key: &str) -> Diagnostic {
    let property = node.and_then(|n| n.get("properties")).and_then(|p| p.get(key));
    let about = described(property);
    if at.is_empty() {
        // Misspelt layers are there, under another name: point at the name rather than at the document.
        let keys = bundle.document.value().as_object().map(|o| o.keys().map(String::as_str).collect::<Vec<_>>());
        let near = nearest(key, keys.unwrap_or_default());
        let place =
            near.map_or_else(|| bundle.document.place(""), |n| bundle.document.key_place(&Pointer::push("", n)));
        let help = near.map(|n| format!("is it spelt `{n}` here?")).or(about);
        return Diagnostic::error(MISSING_LAYER, format!("the layer `{key}` is missing")).at(place).help_opt(help);
    }
    let owner = Pointer::tokens(at).last().unwrap_or_default();
    Diagnostic::error(MISSING_FIELD, format!("`{key}` is missing in `{owner}`"))
        .at(bundle.document.place(at))
        .help_opt(about)
}

fn not_allowed(bundle: &Bundle, at: &str, found: &Value, options: Vec<String>) -> Diagnostic {
    let text = text_of(found);
    let list = options.iter().map(|o| format!("`{o}`")).collect::<Vec<_>>().join(", ");
    let help = match nearest(&text, options.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`? allowed are {list}"),
        None => format!("allowed are {list}"),
    };
    Diagnostic::error(NOT_ALLOWED, format!("{} is not allowed here", quote(&text)))
        .at(bundle.document.place(at))
        .help(help)
}

/// Of several shapes that were all missed, speaks of the one that the author was trying for.
fn one_of(
    bundle: &Bundle,
    schema: &Value,
    at: &str,
    found: &Value,
    context: &[Vec<ValidationError<'static>>],
) -> Vec<Diagnostic> {
    let is_type_error = |errors: &&Vec<ValidationError<'static>>| {
        errors.iter().any(|e| matches!(e.kind(), ValidationErrorKind::Type { .. }) && e.instance_path().as_str() == at)
    };
    let constants: Vec<String> = context
        .iter()
        .flatten()
        .filter(|e| e.instance_path().as_str() == at)
        .flat_map(|e| match e.kind() {
            ValidationErrorKind::Constant { expected_value } => vec![text_of(expected_value)],
            ValidationErrorKind::Enum { options } => options_of(options),
            _ => Vec::new(),
        })
        .collect();
    if !constants.is_empty() {
        return vec![not_allowed(bundle, at, found, constants)];
    }
    match context.iter().find(|errors| !is_type_error(errors)) {
        Some(errors) => errors.iter().flat_map(|e| explain(bundle, schema, e)).collect(),
        None => {
            let shapes: Vec<String> = context
                .iter()
                .flatten()
                .filter_map(|e| match e.kind() {
                    ValidationErrorKind::Type { kind } => Some(article(&expected_types(kind))),
                    _ => None,
                })
                .collect();
            let name = Pointer::tokens(at).last().unwrap_or_default();
            let message = format!("`{name}` must be {}, not {}", shapes.join(" or "), shape(found));
            vec![Diagnostic::error(WRONG_TYPE, message).at(bundle.document.place(at))]
        }
    }
}

fn bad_times(bundle: &Bundle) -> Option<Diagnostic> {
    let at = "/contract_meta/created_at";
    let text = bundle.document.value().pointer(at)?.as_str()?;
    if is_rfc_3339(text) && text.parse::<jiff::Timestamp>().is_ok() {
        return None;
    }
    let message = format!("{} is not an RFC 3339 time", quote(text));
    Some(
        Diagnostic::error(BAD_TIME, message)
            .at(bundle.document.place(&join("", at)))
            .help("write `2026-05-09T00:00:00Z`"),
    )
}

/// The form alone; whether there is such a day is for the time library to say.
fn is_rfc_3339(text: &str) -> bool {
    let at = |i: usize, wanted: &[u8]| text.as_bytes().get(i).is_some_and(|b| wanted.contains(b));
    let zone = text.get(19..).unwrap_or_default().trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    let offset = zone.len() == 6 && zone.starts_with(['+', '-']) && zone.get(3..4) == Some(":");
    at(4, b"-") && at(7, b"-") && at(10, b"Tt") && at(13, b":") && at(16, b":") && (matches!(zone, "Z" | "z") || offset)
}

/// What a JSON Schema cannot say: numbers that fit their type, and an id and version that make a reference.
fn not_typed(bundle: &Bundle, typed: &Typed) -> Option<Diagnostic> {
    let pack = match typed {
        Ok(pack) => pack,
        Err(error) => {
            let message = format!("the document cannot be read as a pack: {error}");
            return Some(Diagnostic::error(OTHER, message).at(bundle.document.place("")));
        }
    };
    let error = PackRef::of(&pack.pack_meta.pack_id, &pack.pack_meta.pack_version).err()?;
    let (code, at) = match &error {
        RefError::Version(_) => (BAD_VERSION, "/pack_meta/pack_version"),
        RefError::Unpinned(_) | RefError::Id(_) => (BAD_FORM, "/pack_meta/pack_id"),
    };
    Some(Diagnostic::error(code, error.to_string()).at(bundle.document.place(at)))
}

fn options_of(options: &Value) -> Vec<String> {
    options.as_array().map(|o| o.iter().map(text_of).collect()).unwrap_or_default()
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn expected_types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(t) => t.to_string(),
        TypeKind::Multiple(types) => {
            let names: Vec<String> = types.iter().map(|t| t.to_string()).filter(|t| t != "null").collect();
            names.join(" or ")
        }
    }
}

fn article(kind: &str) -> String {
    let one = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{one} {kind}")
}

fn shape(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
