//! OpenAPI 2.0, 3.0 and 3.1: a schema for the request of each operation.
//!
//! The description is walked as the raw value it is. A request is one object of up to five parts (`path`,
//! `query`, `header`, `cookie`, `body`); each part refers into the description, so that nothing is copied and
//! nothing is lost.

mod foreign;
mod moved;
mod operation;
mod plain;
mod request;
mod standalone;

pub use foreign::ForeignKeyword;
pub(crate) use moved::Moved;
pub use operation::{Operation, Part};

use crate::dialect::Dialect;
use crate::patterns;
use crate::references::{escaped, escaped_references};
use crate::refusal::{Reason, Refused};
use crate::remote;
use crate::schema::{Schema, nesting};
use crate::shared::Targets;
use deed_canon::Pointer;
use jsonschema::Registry;
use serde_json::Value;
use std::sync::{Arc, OnceLock};

/// The address of a description.
pub(crate) const BASE: &str = "deed:///api";
/// Levels that a description may be nested; schemas are translated by recursion.
const DEEPEST: usize = 300;

/// An API description, read once.
pub struct Api {
    document: Value,
    dialect: Dialect,
    registry: Arc<Registry<'static>>,
    plain: OnceLock<Result<Arc<Targets>, Refused>>,
}

impl Api {
    /// Returns true if a document declares itself an API description.
    pub fn looks_like(document: &Value) -> bool {
        document.get("openapi").is_some() || document.get("swagger").is_some()
    }

    /// Reads a description.
    ///
    /// # Errors
    /// If its version is not 2.0, 3.0 or 3.1, or it is nested too deeply.
    pub fn new(document: Value) -> Result<Self, Refused> {
        if nesting(&document) > DEEPEST {
            return Err(Refused::new(Reason::TooLarge, format!("it is nested deeper than {DEEPEST} levels")));
        }
        let dialect = version(&document)?;
        let document = escaped_references(document);
        let registry = Arc::new(remote::registry(BASE, document.clone(), dialect.draft())?);
        Ok(Self { document, dialect, registry, plain: OnceLock::new() })
    }

    /// The dialect its schemas are written in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The description as it is written.
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// Every operation, by path and then by method.
    pub fn operations(&self) -> Vec<Operation> {
        operation::all(&self.document, self.dialect)
    }

    /// Returns the keywords in the schemas of an operation's request that the version of the description does not have, so
    /// that nothing holds a value to them.
    pub fn foreign_keywords(&self, operation: &Operation) -> Vec<ForeignKeyword> {
        foreign::of_request(&self.document, self.dialect, operation)
    }

    /// The refusals of paths whose operations are described elsewhere or nowhere, and so are not listed.
    pub fn unread_paths(&self) -> Vec<Refused> {
        operation::unread(&self.document)
    }

    /// The schema of the request of an operation, or of its body alone; `None` if it takes nothing. The schema is
    /// refused if a part of it is described in another document or nowhere.
    pub fn schema(&self, operation: &Operation, part: Part) -> Option<Result<Schema, Refused>> {
        if let Some(refused) = operation.broken.as_ref().filter(|broken| part == Part::Request || broken.in_body) {
            return Some(Err(refused.refused.clone()));
        }
        let value = request::schema(&self.document, self.dialect, operation, part).transpose()?;
        Some(value.and_then(|value| {
            let schema = Schema::among(value, self.dialect, BASE, Arc::clone(&self.registry), self.plain()?);
            schema.check_references()?;
            Ok(schema)
        }))
    }

    /// The same as JSON Schema that needs no description beside it: what it refers to is copied into its definitions.
    pub fn standalone(&self, operation: &Operation, part: Part) -> Option<Result<Value, Refused>> {
        let schema = self.schema(operation, part)?;
        Some(schema.and_then(|schema| {
            let (plain, moved) = plain::translate(&self.document, self.dialect);
            standalone::standalone(schema.value().clone(), &plain, &moved, self.dialect)
        }))
    }

    /// The description with the keywords of OpenAPI translated to JSON Schema, for the validator.
    fn plain(&self) -> Result<Arc<Targets>, Refused> {
        let built = self.plain.get_or_init(|| {
            let (plain, moved) = plain::translate(&self.document, self.dialect);
            let plain = patterns::prepared(&plain).into_owned();
            let plain = Arc::new(remote::registry(BASE, plain, self.dialect.draft())?);
            Ok(Targets::of_api(plain, BASE, self.dialect, moved))
        });
        built.clone()
    }
}

fn version(document: &Value) -> Result<Dialect, Refused> {
    let text = |key: &str| match document.get(key) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let unknown = |version: String| {
        let message = format!("OpenAPI `{version}` is not supported; use 2.0, 3.0 or 3.1");
        Err(Refused::new(Reason::UnknownDialect, message))
    };
    if let Some(version) = text("swagger") {
        return if version == "2.0" || version == "2" { Ok(Dialect::OpenApi20) } else { unknown(version) };
    }
    match text("openapi") {
        Some(version) if version.starts_with("3.0") => Ok(Dialect::OpenApi30),
        Some(version) if version.starts_with("3.1") => Ok(Dialect::OpenApi31),
        Some(version) => unknown(version),
        None => Err(Refused::new(Reason::UnknownDialect, "it has neither `openapi` nor `swagger`")),
    }
}

/// As [`follow`], for parts that must not be lost: a reference to another document or to nothing is refused. `None` if
/// there is nothing at the pointer.
fn follow_or_refuse(document: &Value, pointer: String) -> Option<Result<(String, &Value), Refused>> {
    let start = document.pointer(&pointer)?;
    let Some(reference) = start.get("$ref").and_then(Value::as_str) else {
        return Some(Ok((pointer, start)));
    };
    let refused = || {
        let refused = if reference.starts_with('#') {
            Refused::new(Reason::MissingReference, format!("it refers to `{reference}`, which it does not have"))
        } else {
            remote::elsewhere(reference)
        };
        refused.at(Pointer::push(&pointer, "$ref"))
    };
    Some(follow(document, pointer.clone()).ok_or_else(refused))
}

/// Follows references of the description itself (to parameters, bodies, path items), a few steps at most.
fn follow(document: &Value, mut pointer: String) -> Option<(String, &Value)> {
    for _ in 0..16 {
        let found = document.pointer(&pointer)?;
        match found.get("$ref").and_then(Value::as_str) {
            Some(reference) => pointer = unescaped(reference.strip_prefix('#')?),
            None => return Some((pointer, found)),
        }
    }
    None
}

/// Percent-decodes a fragment.
pub(crate) fn unescaped(fragment: &str) -> String {
    if !fragment.contains('%') {
        return fragment.to_owned();
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        let ahead = rest.clone().take(2).map(char::from).collect::<String>();
        match (byte, u8::from_str_radix(&ahead, 16)) {
            (b'%', Ok(read)) if ahead.len() == 2 => {
                bytes.push(read);
                rest.next();
                rest.next();
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A pointer as a reference into the description.
fn reference(pointer: &str) -> Value {
    // A percent sign of a name is a character like any other here.
    serde_json::json!({ "$ref": format!("{BASE}#{}", escaped(&pointer.replace('%', "%25"))) })
}
