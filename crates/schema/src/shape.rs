//! Diagnostics, with locations, for documents that do not match a generated schema.

use deed_canon::Pointer;
use deed_diag::{Diagnostic, Document, Invariant, codes, did_you_mean, nearest, quote};
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

/// A generated schema that documents are checked against.
pub struct Shape {
    schema: Value,
    validator: Validator,
    /// True for packs, whose outermost keys are layers.
    layers: bool,
}

impl Shape {
    /// Compiles a schema (2020-12) that this program generated; one that does not compile is a defect.
    pub fn new(schema: Value) -> Self {
        let validator = jsonschema::draft202012::new(&schema).invariant("a generated schema compiles");
        Self { schema, validator, layers: false }
    }

    /// The schema of packs, whose outermost keys are layers.
    pub fn of_layers(schema: Value) -> Self {
        Self { layers: true, ..Self::new(schema) }
    }

    /// Checks a document and returns a diagnostic for each violation, in the order of the document.
    pub fn findings(&self, document: &Document) -> Vec<Diagnostic> {
        let errors = self.validator.iter_errors(document.value());
        let mut findings: Vec<Diagnostic> = errors.flat_map(|error| explain(document, self, &error)).collect();
        findings.sort_by_key(|d| d.place.as_ref().and_then(|p| p.span));
        findings
    }
}

/// The subschema that holds the keyword that failed.
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

fn explain(document: &Document, shape: &Shape, error: &ValidationError<'_>) -> Vec<Diagnostic> {
    let at = error.instance_path().as_str();
    let place = || document.place(at);
    let node = holder(&shape.schema, error);
    let subject = subject(at);
    let found = error.instance();
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            unexpected.iter().map(|key| unknown_key(document, shape, node, at, key)).collect()
        }
        ValidationErrorKind::Required { property } => {
            vec![missing(document, shape, node, at, &text_of(property))]
        }
        ValidationErrorKind::Type { kind } => {
            let expected = expected_types(kind);
            let help = match found.as_ref() {
                Value::Number(_) | Value::Bool(_) if expected == "string" => Some("put it in quotes".to_owned()),
                _ => described(node).or_else(|| Some(format!("write {} here", article(&expected)))),
            };
            vec![
                Diagnostic::error(
                    codes::WRONG_TYPE,
                    format!("{subject} must be {}, not {}", article(&expected), kind_of(found)),
                )
                .at(place())
                .help_opt(help),
            ]
        }
        ValidationErrorKind::Enum { options } => vec![not_allowed(document, at, found, options_of(options))],
        ValidationErrorKind::Constant { expected_value } => {
            vec![not_allowed(document, at, found, vec![text_of(expected_value)])]
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            one_of(document, shape, at, found, context)
        }
        ValidationErrorKind::Pattern { pattern } => {
            let is_version = pattern.contains(r"\.(0|[1-9]\d*)\.(0|[1-9]\d*)$");
            let text = quote(&text_of(found));
            let diagnostic = if is_version {
                Diagnostic::error(codes::BAD_VERSION, format!("{text} is not a version of three numbers"))
                    .help("write `1.0.0`: major, minor and patch, without a prerelease or a `v`")
            } else {
                Diagnostic::error(codes::BAD_FORM, format!("{text} does not have the form of {subject}"))
                    .help_opt(described(node))
            };
            vec![diagnostic.at(place())]
        }
        ValidationErrorKind::Minimum { .. }
        | ValidationErrorKind::Maximum { .. }
        | ValidationErrorKind::ExclusiveMinimum { .. }
        | ValidationErrorKind::ExclusiveMaximum { .. } => {
            vec![out_of_range(format!("{subject} is out of range: {error}"), document, at, node)]
        }
        ValidationErrorKind::MaxLength { limit } => {
            vec![out_of_range(format!("{subject} has more than {limit} characters"), document, at, node)]
        }
        ValidationErrorKind::MinLength { .. } => {
            vec![out_of_range(format!("{subject} must not be empty"), document, at, node)]
        }
        ValidationErrorKind::MinItems { limit } => {
            vec![out_of_range(format!("{subject} needs at least {limit} item"), document, at, node)]
        }
        _ => vec![
            Diagnostic::error(codes::SCHEMA_VIOLATION, error.to_string().to_lowercase())
                .at(place())
                .help_opt(described(node)),
        ],
    }
}

/// The value at a place, as messages name it.
fn subject(at: &str) -> String {
    Pointer::tokens(at).last().map_or_else(|| "the document".to_owned(), |name| format!("`{name}`"))
}

fn out_of_range(message: String, document: &Document, at: &str, node: Option<&Value>) -> Diagnostic {
    let help = described(node).unwrap_or_else(|| "write a value within these bounds".to_owned());
    Diagnostic::error(codes::OUT_OF_RANGE, message).at(document.place(at)).help(help)
}

fn unknown_key(document: &Document, shape: &Shape, node: Option<&Value>, at: &str, key: &str) -> Diagnostic {
    let known: Vec<&str> = node
        .and_then(|n| n.get("properties"))
        .and_then(Value::as_object)
        .map(|p| p.keys().map(String::as_str).collect())
        .unwrap_or_default();
    let place = document.key_place(&Pointer::push(at, key));
    let suggestion = did_you_mean(key, known.iter().copied());
    if at.is_empty() && shape.layers {
        let help = suggestion.unwrap_or_else(|| format!("the layers are {}", known.join(", ")));
        return Diagnostic::error(codes::UNKNOWN_LAYER, format!("{} is not a layer of a pack", quote(key)))
            .at(place)
            .help(help);
    }
    let help = suggestion.unwrap_or_else(|| format!("known here: {}", known.join(", ")));
    Diagnostic::error(codes::UNKNOWN_KEY, format!("unknown key {}", quote(key))).at(place).help(help)
}

fn missing(document: &Document, shape: &Shape, node: Option<&Value>, at: &str, key: &str) -> Diagnostic {
    let property = node.and_then(|n| n.get("properties")).and_then(|p| p.get(key));
    let about = described(property);
    if at.is_empty() && shape.layers {
        // A misspelt layer is present under another name: point at that name rather than at the document.
        let keys = document.value().as_object().map(|o| o.keys().map(String::as_str).collect::<Vec<_>>());
        let near = nearest(key, keys.unwrap_or_default());
        let place = near.map_or_else(|| document.place(""), |n| document.key_place(&Pointer::push("", n)));
        let help = near.map(|n| format!("is it spelt `{n}` here?")).or(about);
        return Diagnostic::error(codes::MISSING_LAYER, format!("the layer `{key}` is missing"))
            .at(place)
            .help_opt(help);
    }
    let owner = owner(document, at);
    let message = match owner.as_str() {
        "" => format!("`{key}` is missing"),
        owner => format!("`{key}` is missing in `{owner}`"),
    };
    Diagnostic::error(codes::MISSING_FIELD, message).at(document.place(at)).help_opt(about)
}

/// The name of the object that lacks a key: its own key, or for an element of a list the list, its index and its name.
fn owner(document: &Document, at: &str) -> String {
    let tokens: Vec<String> = Pointer::tokens(at).collect();
    let Some(last) = tokens.last() else { return String::new() };
    let list = tokens.len().checked_sub(2).and_then(|before| tokens.get(before));
    let Some(list) = list.filter(|_| last.bytes().all(|b| b.is_ascii_digit())) else { return last.clone() };
    let element = document.value().pointer(at);
    let name = element.and_then(|element| element.get("id").or_else(|| element.get("name"))?.as_str());
    name.map_or_else(|| format!("{list}[{last}]"), |name| format!("{list}[{last}] ({name})"))
}

fn not_allowed(document: &Document, at: &str, found: &Value, options: Vec<String>) -> Diagnostic {
    let text = text_of(found);
    let list = options.iter().map(|o| format!("`{o}`")).collect::<Vec<_>>().join(", ");
    let help = match nearest(&text, options.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`? allowed are {list}"),
        None => format!("allowed are {list}"),
    };
    Diagnostic::error(codes::NOT_ALLOWED, format!("{} is not allowed here", quote(&text)))
        .at(document.place(at))
        .help(help)
}

/// Explains a mismatch with a union by the variant that the author most likely meant.
fn one_of(
    document: &Document,
    shape: &Shape,
    at: &str,
    found: &Value,
    context: &[Vec<ValidationError<'static>>],
) -> Vec<Diagnostic> {
    let is_type_error = |errors: &&Vec<ValidationError<'static>>| {
        errors.iter().any(|e| matches!(e.kind(), ValidationErrorKind::Type { .. }) && e.instance_path().as_str() == at)
    };
    // The keys of the value say which variant is meant, and only what they hold is wrong.
    let is_beneath = |errors: &&Vec<ValidationError<'static>>| {
        !errors.is_empty() && errors.iter().all(|e| e.instance_path().as_str().len() > at.len())
    };
    if let Some(errors) = context.iter().find(is_beneath) {
        return errors.iter().flat_map(|e| within(document, shape, e)).collect();
    }
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
        return vec![not_allowed(document, at, found, constants)];
    }
    match context.iter().find(|errors| !is_type_error(errors)) {
        Some(errors) => errors.iter().flat_map(|e| explain(document, shape, e)).collect(),
        None => {
            let shapes: Vec<String> = context
                .iter()
                .flatten()
                .filter_map(|e| match e.kind() {
                    ValidationErrorKind::Type { kind } => Some(article(&expected_types(kind))),
                    _ => None,
                })
                .collect();
            let message = format!("{} must be {}, not {}", subject(at), shapes.join(" or "), kind_of(found));
            vec![
                Diagnostic::error(codes::WRONG_TYPE, message)
                    .at(document.place(at))
                    .help(format!("write {}", shapes.join(" or "))),
            ]
        }
    }
}

/// Explains a mismatch within a variant. Where an object is expected, its required keys are shown.
fn within(document: &Document, shape: &Shape, error: &ValidationError<'_>) -> Vec<Diagnostic> {
    let explained = explain(document, shape, error);
    let node = holder(&shape.schema, error).filter(|_| matches!(error.kind(), ValidationErrorKind::Type { .. }));
    let required = node.and_then(|node| node.get("required")?.as_array());
    let keys: Vec<String> = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(|key| {
            let listed = node.and_then(|node| node.get("properties")?.get(key)?.get("type")?.as_str()) == Some("array");
            format!("{key}: {}", if listed { "[…]" } else { "…" })
        })
        .collect();
    match (keys.is_empty(), Pointer::tokens(error.instance_path().as_str()).last()) {
        (false, Some(name)) => {
            let help = format!("write `{{{name}: {{{}}}}}`", keys.join(", "));
            explained.into_iter().map(|diagnostic| diagnostic.help(help.clone())).collect()
        }
        _ => explained,
    }
}

fn options_of(options: &Value) -> Vec<String> {
    match options {
        Value::Array(options) => options.iter().map(text_of).collect(),
        one => vec![text_of(one)],
    }
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
