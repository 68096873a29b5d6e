//! `deed schema`: the JSON Schema of what a command prints with `--json`.

mod types;

use super::outputs;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files::{self, Access, Existing};
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use schemars::{JsonSchema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;

/// Print the JSON Schema of what a command prints with --json.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed schema runs show
  deed schema --out schemas/cli
  deed schema --types schemas/typescript")]
pub(crate) struct Schema {
    /// Command, such as `runs show` [default: list all].
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Vec<String>,
    /// Folder to write the schemas of all commands to.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Folder to write TypeScript types to: of all contracts, and under `cli` of what all commands print.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "command"])]
    types: Option<PathBuf>,
}

/// The schema of a command, the commands that have one, or the files that were written.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Schemas {
    /// All commands.
    List {
        /// The commands.
        commands: Vec<String>,
    },
    /// The files, with `--out` or `--types`.
    Written {
        /// The files.
        written: Vec<String>,
    },
    /// One schema.
    One(CommandSchema),
}

/// The JSON Schema of one command.
#[derive(Debug, Serialize)]
pub(crate) struct CommandSchema(Value);

impl JsonSchema for CommandSchema {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CommandSchema".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
        json_schema!({
            "type": "object",
            "required": ["$schema", "$id", "title", "type", "required", "additionalProperties", "properties", "$defs"],
            "additionalProperties": false,
            "properties": {
                "$schema": { "const": "https://json-schema.org/draft/2020-12/schema" },
                "$id": { "type": "string" },
                "title": { "type": "string" },
                "type": { "const": "object" },
                "required": { "type": "array", "items": { "type": "string" } },
                "additionalProperties": { "const": false },
                "properties": { "type": "object", "additionalProperties": { "type": "object" } },
                "$defs": { "type": "object", "additionalProperties": { "type": ["object", "boolean"] } },
            },
        })
    }
}

impl Schema {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        if let Some(folder) = &self.out {
            let mut written = Vec::new();
            for described in outputs() {
                let path = folder.join(described.file_name());
                let text = format!("{:#}\n", described.schema());
                files::write(&path, text.as_bytes(), Existing::Replace, Access::Shared)?;
                written.push(path.display().to_string());
            }
            let text = written.iter().map(|path| format!("{path}\n")).collect::<String>();
            return Ok(Success::new(Schemas::Written { written }, text));
        }
        if let Some(folder) = &self.types {
            let written = types::write(folder)?;
            let text = written.iter().map(|path| format!("{path}\n")).collect::<String>();
            return Ok(Success::new(Schemas::Written { written }, text));
        }
        let mut commands: Vec<String> = outputs().map(|described| described.command.to_owned()).collect();
        commands.sort();
        if self.command.is_empty() {
            let text = commands.iter().map(|command| format!("{command}\n")).collect::<String>();
            return Ok(Success::new(Schemas::List { commands }, text));
        }
        let wanted = self.command.join(" ");
        let Some(described) = outputs().find(|described| described.command == wanted) else {
            let group = format!("{wanted} ");
            let of_group: Vec<&str> = commands.iter().filter_map(|command| command.strip_prefix(&group)).collect();
            let (message, help) = match of_group.as_slice() {
                [] => {
                    let help = did_you_mean(&wanted, commands.iter().map(String::as_str));
                    let help = help.unwrap_or_else(|| "`deed schema` lists the commands".to_owned());
                    (format!("there is no command {}", quote(&wanted)), help)
                }
                names => {
                    let message = format!("{} is a group: name one of its commands", quote(&wanted));
                    (message, format!("`deed schema {wanted} COMMAND` with one of: {}", names.join(", ")))
                }
            };
            let diagnostic = Diagnostic::error(codes::USAGE, message);
            return Err(AppError::usage(diagnostic.stage("usage").help(help)));
        };
        let schema = described.schema();
        let text = format!("{schema:#}\n");
        Ok(Success::new(Schemas::One(CommandSchema(schema)), text).document())
    }
}
