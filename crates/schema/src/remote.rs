//! Documents that a schema refers to and that are never fetched.
//!
//! A registry asks for every document that any of its references leads to, used or not. It is handed a stand-in for
//! each, so that a reference to another document matters only where it is reached.

use crate::refusal::{Reason, Refused};
use crate::validator;
use jsonschema::{Registry, Retrieve, Uri};
use referencing::{Resolved, Resolver};
use serde_json::{Value, json};
use std::error::Error;

/// The only key of a stand-in.
const STAND_IN: &str = "x-deed-remote";

/// Hands out stand-ins.
pub(crate) struct StandIns;

impl Retrieve for StandIns {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn Error + Send + Sync>> {
        Ok(json!({ STAND_IN: uri.as_str() }))
    }
}

/// A registry of one document.
pub(crate) fn registry(
    base: &'static str,
    document: Value,
    draft: jsonschema::Draft,
) -> Result<Registry<'static>, Refused> {
    Registry::new()
        .draft(draft)
        .retriever(StandIns)
        .add(base, document)
        .and_then(|builder| builder.prepare())
        .map_err(|error| validator::reference(&error))
}

/// Looks a reference up; one that leads to another document is refused.
pub(crate) fn lookup<'r>(resolver: &Resolver<'r>, reference: &str) -> Result<Resolved<'r>, Refused> {
    let (document, _) = reference.split_once('#').unwrap_or((reference, ""));
    if !document.is_empty() {
        let found = resolver.lookup(document).map_err(|error| validator::reference(&error))?;
        if found.contents().get(STAND_IN).is_some() {
            return Err(elsewhere(reference));
        }
    }
    resolver.lookup(reference).map_err(|error| validator::reference(&error))
}

/// The refusal of a reference to another document.
pub(crate) fn elsewhere(reference: &str) -> Refused {
    let reference: String = reference.chars().take(200).collect();
    let reference = reference.strip_prefix("deed:///").unwrap_or(&reference);
    Refused::new(Reason::RemoteReference, format!("`{reference}` is another document, and nothing is fetched"))
}
