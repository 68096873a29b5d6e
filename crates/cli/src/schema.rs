//! The schemas of what commands print with `--json`: one type for each command, registered beside the command.

use deed_model::DiagnosticRecord;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

/// A command, as it is typed, and the type of its data.
pub(crate) struct Described {
    /// The command without `deed`, such as `runs show`.
    pub(crate) command: &'static str,
    describe: fn(&mut SchemaGenerator) -> Schema,
}

impl Described {
    /// Registers the type of a command's data.
    pub(crate) const fn of<D: JsonSchema>(command: &'static str) -> Self {
        Self { command, describe: |generator| generator.subschema_for::<D>() }
    }

    /// The name of the schema's file.
    pub(crate) fn file_name(&self) -> String {
        format!("{}.schema.json", self.command.replace(' ', "-"))
    }

    /// The schema of the whole document that the command prints with `--json`.
    pub(crate) fn schema(&self) -> Value {
        let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let data = (self.describe)(&mut generator);
        let diagnostic = generator.subschema_for::<DiagnosticRecord>();
        json!({
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
}
