//! Conversion of documents and values to inputs.

use crate::refusal::Refusal;
use deed_diag::{Diagnostic, Document, Report, codes, did_you_mean, quote};
use deed_model::schema_for;
use deed_schema::Shape;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// An input of a compile.
pub trait ReadInput: Sized {
    /// The contract of its shape.
    type Shape: JsonSchema + for<'de> Deserialize<'de>;
    /// Its name in messages.
    const NAME: &'static str;

    /// Converts a value.
    ///
    /// # Errors
    /// If the value is not such an input, with a pointer and no place in a source.
    fn from_value(value: Value) -> Result<Self, Refusal>;

    /// Returns warnings about keys that are never read and probably misspelt. Empty if any key is allowed.
    fn unknown_keys(_document: &Document) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Converts a document. Warnings are returned beside the input.
    ///
    /// # Errors
    /// A report of all findings, with their places in the document.
    fn read(document: &Document) -> Result<(Self, Report), Report> {
        Self::read_as(document, document.value().clone())
    }

    /// Converts a value that is the document's own, apart from fields that the caller added. The document stays as its
    /// author wrote it, so that places are the author's and concealed parts stay concealed.
    ///
    /// # Errors
    /// A report of all findings, with their places in the document.
    fn read_as(document: &Document, value: Value) -> Result<(Self, Report), Report> {
        let mut report = Report::default();
        report.add_source(document.source().clone());
        match Self::from_value(value) {
            Ok(input) => {
                Self::unknown_keys(document).into_iter().for_each(|d| report.push(d));
                Ok((input, report))
            }
            Err(refusal) => {
                let mut findings = Shape::new(schema_for::<Self::Shape>()).findings(document);
                if findings.is_empty() {
                    let pointer = refusal.diagnostic.place.as_ref().and_then(|p| p.pointer.clone());
                    findings.push(refusal.diagnostic.at(document.place(pointer.as_deref().unwrap_or_default())));
                }
                findings.into_iter().for_each(|d| report.push(d.stage(Self::NAME)));
                Err(report)
            }
        }
    }
}

/// Deserializes a value, or returns a refusal.
pub(super) fn typed<T: for<'de> Deserialize<'de>>(name: &str, value: &Value) -> Result<T, Refusal> {
    T::deserialize(value).map_err(|error| {
        Refusal::before(codes::INPUT_SHAPE, format!("the {name} cannot be read: {error}")).place(name, "")
    })
}

pub(super) fn not_an_object(name: &str) -> Refusal {
    Refusal::before(codes::INPUT_SHAPE, format!("the {name} must be an object")).place(name, "")
}

/// Returns warnings about unknown keys of each item of a list.
pub(super) fn unknown_in_items(document: &Document, known: &[&str], what: &str) -> Vec<Diagnostic> {
    let items = document.value().as_array().map(Vec::as_slice).unwrap_or_default();
    let keys = items.iter().enumerate().flat_map(|(i, item)| {
        let keys = item.as_object().into_iter().flat_map(|o| o.keys());
        keys.filter(|key| !known.contains(&key.as_str())).map(move |key| (i, key))
    });
    keys.map(|(i, key)| {
        let pointer = deed_canon::Pointer::push(&deed_canon::Pointer::push("", &i.to_string()), key);
        Diagnostic::warning(codes::UNREAD_KEY, format!("unknown key {} of {what}", quote(key)))
            .stage("read")
            .at(document.key_place(&pointer))
            .help_opt(did_you_mean(key, known.iter().copied()))
    })
    .collect()
}

/// Returns warnings about keys of an object that resemble a known one. Other keys may be the caller's own.
pub(super) fn near_misses(document: &Document, at: &str, known: &[&str], what: &str) -> Vec<Diagnostic> {
    let fields = document.value().pointer(at).and_then(Value::as_object);
    let keys = fields.into_iter().flat_map(|fields| fields.keys()).filter(|key| !known.contains(&key.as_str()));
    keys.filter_map(|key| {
        let near = did_you_mean(key, known.iter().copied())?;
        let pointer = deed_canon::Pointer::push(at, key);
        let message = format!("unknown key {} of {what}, which only a rule could read", quote(key));
        Some(Diagnostic::warning(codes::UNREAD_KEY, message).stage("read").at(document.key_place(&pointer)).help(near))
    })
    .collect()
}
