//! TypeScript types of a JSON Schema.
//!
//! Enters: a schema that is complete in itself. Leaves: a module of declarations, one for the schema and one for each of
//! its definitions. Must prove: a value that is valid under the schema has the type. What a type cannot say (bounds,
//! patterns, counts, conditions) is left to validation.

mod comment;
mod expression;
mod name;

use comment::comment;
use expression::Writer;
use name::identifier;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use thiserror::Error;

/// The reason why a schema has no TypeScript types.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TypesError {
    /// A reference leads to nothing in the schema.
    #[error("the reference `{0}` leads to no definition of the schema")]
    Reference(String),
    /// Two definitions, or a definition and the schema itself, would have one name.
    #[error("two types would be called `{0}`")]
    Name(String),
}

/// Returns the declarations of a schema, in which the schema itself has the given name.
///
/// # Errors
/// A reference leads out of the schema, or two types would have the same name.
pub fn typescript(schema: &Value, root: &str) -> Result<String, TypesError> {
    let definitions = schema.get("$defs").and_then(Value::as_object);
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    let mut taken = vec![root.to_owned()];
    for key in definitions.into_iter().flat_map(|defs| defs.keys()) {
        let name = identifier(key);
        if taken.contains(&name) {
            return Err(TypesError::Name(name));
        }
        taken.push(name.clone());
        names.insert(key, name);
    }
    let writer = Writer::new(root, &names);
    let mut out = String::new();
    declare(&mut out, &writer, root, schema)?;
    for (key, name) in &names {
        if let Some(definition) = definitions.and_then(|defs| defs.get(*key)) {
            declare(&mut out, &writer, name, definition)?;
        }
    }
    Ok(out)
}

fn declare(out: &mut String, writer: &Writer<'_>, name: &str, schema: &Value) -> Result<(), TypesError> {
    let description = schema.get("description").and_then(Value::as_str);
    let written = writer.expression(schema, 0)?;
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(&comment(description, 0));
    // Writing to a string does not fail.
    let _ = writeln!(out, "export type {name} = {};", written.text);
    Ok(())
}
