//! The schemas of what commands print with `--json`: one type for each command, registered beside the command.
//!
//! A development build describes the types. A release reads what was described from its archive, because the code that
//! describes them takes megabytes. A test compares the two.

use schemars::JsonSchema;
use serde_json::Value;

/// A command, as it is typed, and the type of its data.
pub(crate) struct Described {
    /// The command without `deed`, such as `runs show`.
    pub(crate) command: &'static str,
    #[cfg(debug_assertions)]
    describe: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
}

impl Described {
    /// Registers the type of a command's data.
    pub(crate) const fn of<D: JsonSchema>(command: &'static str) -> Self {
        Self {
            command,
            #[cfg(debug_assertions)]
            describe: |generator| generator.subschema_for::<D>(),
        }
    }

    /// The name of the schema's file.
    pub(crate) fn file_name(&self) -> String {
        format!("{}.schema.json", self.command.replace(' ', "-"))
    }

    /// The schema of the whole document that the command prints with `--json`.
    #[cfg(not(debug_assertions))]
    pub(crate) fn schema(&self) -> Value {
        self.archived()
    }

    /// The schema of the whole document that the command prints with `--json`.
    #[cfg(debug_assertions)]
    pub(crate) fn schema(&self) -> Value {
        use schemars::generate::SchemaSettings;
        let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let data = (self.describe)(&mut generator);
        let diagnostic = generator.subschema_for::<deed_model::DiagnosticRecord>();
        serde_json::json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": format!("urn:deed:cli:{}:v1", self.command.replace(' ', "-")),
            "title": format!("deed {} --json", self.command),
            "type": "object",
            "required": ["version", "ok", "data", "diagnostics"],
            "additionalProperties": false,
            "properties": {
                "version": { "const": crate::output::ENVELOPE, "description": "Version of this form." },
                "ok": { "type": "boolean", "description": "False where something was found or refused." },
                "data": { "anyOf": [data, { "type": "null" }], "description": "Null where the command was refused." },
                "diagnostics": {
                    "type": "array",
                    "items": diagnostic,
                    "description": "Findings, as in schemas/diagnostic.v1.schema.json.",
                },
            },
            "$defs": generator.take_definitions(true),
        })
    }

    /// The schema as the files of the repository have it.
    #[cfg(any(test, not(debug_assertions)))]
    fn archived(&self) -> Value {
        use deed_diag::Invariant;
        deed_contracts::commands()
            .remove(&self.file_name())
            .invariant("`make verify` compares the files with the commands")
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use crate::commands::outputs;

    #[test]
    fn a_release_prints_the_schemas_of_the_types() {
        for described in outputs() {
            assert!(described.archived() == described.schema(), "{}: run `make schemas`", described.command);
        }
    }
}
