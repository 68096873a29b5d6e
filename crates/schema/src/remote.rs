//! Other documents that a schema refers to. They are never fetched.
//!
//! A registry asks for every document that any of its references leads to, used or not. It gets a placeholder for
//! each, so that a reference to another document is refused only if it can be reached.

use crate::refusal::{Reason, Refused};
use crate::validator;
use jsonschema::{Registry, Retrieve, Uri};
use referencing::{Resolved, Resolver};
use serde_json::{Value, json};
use std::error::Error;

/// The only key of a placeholder.
const PLACEHOLDER: &str = "x-deed-remote";

/// Returns a placeholder for every document.
pub(crate) struct Placeholders;

impl Retrieve for Placeholders {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn Error + Send + Sync>> {
        Ok(json!({ PLACEHOLDER: uri.as_str() }))
    }
}

/// Makes a registry of one document.
pub(crate) fn registry(
    base: &'static str,
    document: Value,
    draft: jsonschema::Draft,
) -> Result<Registry<'static>, Refused> {
    Registry::new()
        .draft(draft)
        .retriever(Placeholders)
        .add(base, document)
        .and_then(|builder| builder.prepare())
        .map_err(|error| validator::reference(&error))
}

/// Resolves a reference; one that leads to another document is refused.
pub(crate) fn lookup<'r>(resolver: &Resolver<'r>, reference: &str) -> Result<Resolved<'r>, Refused> {
    let (document, _) = reference.split_once('#').unwrap_or((reference, ""));
    if !document.is_empty() {
        let found = resolver.lookup(document).map_err(|error| validator::reference(&error))?;
        if found.contents().get(PLACEHOLDER).is_some() {
            return Err(elsewhere(reference));
        }
    }
    resolver.lookup(reference).map_err(|error| validator::reference(&error))
}

/// Refuses a reference to another document.
pub(crate) fn elsewhere(reference: &str) -> Refused {
    let reference: String = reference.chars().take(200).collect();
    let reference = reference.strip_prefix("deed:///").unwrap_or(&reference);
    Refused::new(Reason::RemoteReference, format!("`{reference}` is another document, and nothing is fetched"))
}
