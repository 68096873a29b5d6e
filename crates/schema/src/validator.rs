//! Validators, built so that no input can keep them busy for long.

use crate::dialect::Dialect;
use crate::formats;
use crate::patterns;
use crate::refusal::{Reason, Refused};
use crate::remote::Placeholders;
use crate::shared::{ANY, Chooses, ONE, REFERENCE, Refers, Targets, held};
use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, Registry, ValidationError, ValidationOptions, Validator};
use serde_json::Value;
use std::sync::Weak;

fn options<'i>(dialect: Dialect) -> ValidationOptions<'i> {
    let options = jsonschema::options().with_draft(dialect.draft()).with_retriever(Placeholders);
    formats::assert_all(patterns::limited(options), dialect)
}

/// Builds the validator of a schema without other documents.
pub(crate) fn alone(schema: &Value, dialect: Dialect) -> Result<Validator, Refused> {
    options(dialect).build(&patterns::prepared(schema)).map_err(|error| refused(&error))
}

/// Builds the validator of a schema that refers to the documents of a registry; the targets are copied.
pub(crate) fn within(schema: &Value, dialect: Dialect, registry: &Registry<'_>) -> Result<Validator, Refused> {
    options(dialect).with_registry(registry).build(&patterns::prepared(schema)).map_err(|error| refused(&error))
}

/// Builds a validator that asks other validators about its references, and about unions that are separate.
pub(crate) fn sharing(schema: &Value, dialect: Dialect, targets: &Weak<Targets>) -> Result<Validator, Refused> {
    let known = targets.clone();
    let mut sharing = options(dialect).with_keyword(REFERENCE, move |_, value, _| {
        let address = text_of(value);
        Ok(Box::new(Refers { target: held(&known).target(&address), address }))
    });
    for keyword in [ANY, ONE] {
        let known = targets.clone();
        sharing = sharing.with_keyword(keyword, move |_, value, _| {
            let address = text_of(value);
            let unknown = || ValidationError::custom(format!("`{address}` is not a union of the schema"));
            let union = held(&known).union(&address).ok_or_else(unknown)?;
            Ok(Box::new(Chooses { union, address }))
        });
    }
    sharing.build(&patterns::prepared(schema)).map_err(|error| refused(&error))
}

/// Refuses a schema that is not valid in its dialect.
pub(crate) fn meta(schema: &Value, dialect: Dialect) -> Result<(), Refused> {
    patterns::check(schema)?;
    let schema = &*patterns::prepared(schema);
    let checked = match dialect.draft() {
        Draft::Draft4 => jsonschema::draft4::meta::validate(schema),
        Draft::Draft6 => jsonschema::draft6::meta::validate(schema),
        Draft::Draft7 => jsonschema::draft7::meta::validate(schema),
        Draft::Draft201909 => jsonschema::draft201909::meta::validate(schema),
        _ => jsonschema::draft202012::meta::validate(schema),
    };
    checked.map_err(|error| refused(&error))
}

/// Turns an error of the validator's builder into a refusal.
pub(crate) fn refused(error: &ValidationError<'_>) -> Refused {
    let pointer = error.instance_path().as_str().to_owned();
    match error.kind() {
        ValidationErrorKind::Referencing(error) => reference(error),
        ValidationErrorKind::Format { format } if format == "regex" => {
            patterns::refused(&text_of(error.instance())).at(pointer)
        }
        // The keyword allows schemas of several forms, and the one that is meant fails by its pattern.
        ValidationErrorKind::AnyOf { context } if context.iter().flatten().any(is_about_a_pattern) => {
            let inner = context.iter().flatten().find(|error| is_about_a_pattern(error));
            inner.map_or_else(|| Refused::new(Reason::BadPattern, "a pattern is not a regular expression"), refused)
        }
        ValidationErrorKind::PropertyNames { error } if is_about_a_pattern(error) => refused(error),
        _ => {
            let words: String = error.to_string().chars().take(160).collect();
            Refused::new(Reason::InvalidSchema, format!("it is not valid in its dialect: {words}")).at(pointer)
        }
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn is_about_a_pattern(error: &ValidationError<'_>) -> bool {
    match error.kind() {
        ValidationErrorKind::Format { format } => format == "regex",
        ValidationErrorKind::AnyOf { context } => context.iter().flatten().any(is_about_a_pattern),
        ValidationErrorKind::PropertyNames { error } => is_about_a_pattern(error),
        _ => false,
    }
}

/// Turns an error of reference resolution into a refusal.
pub(crate) fn reference(error: &referencing::Error) -> Refused {
    match error {
        referencing::Error::Unretrievable { uri, .. } => {
            let uri = uri.strip_prefix("deed:///").unwrap_or(uri);
            Refused::new(Reason::RemoteReference, format!("`{uri}` is another document, and nothing is fetched"))
        }
        referencing::Error::UnknownSpecification { specification } => {
            Refused::new(Reason::UnknownDialect, format!("unknown dialect `{specification}`"))
        }
        referencing::Error::PointerToNowhere { pointer } => {
            Refused::new(Reason::MissingReference, format!("it refers to `{pointer}`, which it does not have"))
        }
        referencing::Error::NoSuchAnchor { anchor } | referencing::Error::InvalidAnchor { anchor } => Refused::new(
            Reason::MissingReference,
            format!("it refers to the anchor `{anchor}`, which it does not have"),
        ),
        other => Refused::new(Reason::MissingReference, format!("a reference cannot be read: {other}")),
    }
}
