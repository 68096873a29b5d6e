//! TypeScript types of contracts and of what commands print.

use super::super::outputs;
use deed_app::AppError;
use deed_app::files::{self, Access, Existing};
use deed_schema::{TypesError, typescript};
use serde_json::Value;
use std::path::Path;

/// Writes a module for each schema, and returns their paths.
pub(super) fn write(folder: &Path) -> Result<Vec<String>, AppError> {
    let mut modules = Vec::new();
    for (file, schema) in deed_contracts::documents() {
        let stem = file.trim_end_matches(".schema.json");
        let name = stem.split('.').next().unwrap_or(stem);
        let text = module(&format!("schemas/{file}"), &schema, &pascal(name))?;
        modules.push((folder.join(format!("{stem}.d.ts")), text));
    }
    for described in outputs() {
        let name = format!("{}Output", pascal(described.command));
        let text = module(&format!("schemas/cli/{}", described.file_name()), &described.schema(), &name)?;
        let file = described.file_name().replace(".schema.json", ".d.ts");
        modules.push((folder.join("cli").join(file), text));
    }
    let mut written = Vec::new();
    for (path, text) in modules {
        files::write(&path, text.as_bytes(), Existing::Replace, Access::Shared)?;
        written.push(path.display().to_string());
    }
    Ok(written)
}

/// A module. Where a definition has the name of the whole, the whole is called a document.
fn module(source: &str, schema: &Value, name: &str) -> Result<String, AppError> {
    let types = match typescript(schema, name) {
        Err(TypesError::Name(taken)) if taken == name => typescript(schema, &format!("{name}Document")),
        other => other,
    };
    let types = types.map_err(|error| AppError::internal(format!("{source}: {error}")))?;
    Ok(format!("// Generated from {source} by `make schemas`.\n\n{types}"))
}

/// Words in capitals, joined.
fn pascal(words: &str) -> String {
    let words = words.split(['-', ' ']);
    words.flat_map(|word| word.char_indices().map(|(at, c)| if at == 0 { c.to_ascii_uppercase() } else { c })).collect()
}
