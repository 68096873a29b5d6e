//! `deed sandbox plan`: the sandbox that a step would get, down to the last mount.

use crate::args::Global;
use crate::commands::catalog::types::TypeArgs;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::sandboxes::{self, StepSource};
use deed_diag::Invariant as _;
use deed_model::{IsolationLevel, SandboxLimits, SandboxReport};
use deed_sandbox::{SandboxPlan, ToolPaths};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Print the sandbox that a step would get: mounts, limits, rules, system calls.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed sandbox plan plan.yaml fetch")]
pub(crate) struct Plan {
    /// Plan (YAML or JSON).
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Step of the plan.
    #[arg(value_name = "STEP")]
    step: String,
    #[command(flatten)]
    types: TypeArgs,
}

/// The sandbox of a step. Its form is the one that is handed to the first process inside.
#[derive(Debug, Serialize)]
pub(crate) struct PlannedSandbox(SandboxPlan);

impl JsonSchema for PlannedSandbox {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SandboxPlan".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let texts = || json!({ "type": "array", "items": text() });
        let plan = object(&[
            ("version", json!({ "type": "integer", "description": "Version of this form." })),
            ("level", json!(generator.subschema_for::<IsolationLevel>())),
            ("bwrap", json!({ "type": ["string", "null"], "description": "Path of bubblewrap." })),
            ("namespaces", texts()),
            ("user", one_of("User that the code runs as.", &["same"], &[("ordinary", integer())])),
            ("program", text()),
            ("args", texts()),
            ("cwd", text()),
            ("env", json!({ "type": "object", "additionalProperties": text() })),
            ("mounts", list(&[("inside", text()), ("kind", mount_kind()), ("private", boolean())])),
            ("writable", texts()),
            ("own_folder", optional(text())),
            ("sockets", texts()),
            ("rlimits", list(&[("resource", text()), ("value", integer())])),
            ("groups", list(&group())),
            ("landlock", optional(object(&landlock()))),
            ("syscalls", optional(object(&syscalls()))),
            ("forward", optional(object(&[("port", integer()), ("socket", text())]))),
            ("limits", json!(generator.subschema_for::<SandboxLimits>())),
            ("notes", texts()),
            ("report", json!(generator.subschema_for::<SandboxReport>())),
            ("tools", json!(generator.subschema_for::<ToolPaths>())),
        ]);
        Schema::try_from(plan).invariant("an object is a schema")
    }
}

fn group() -> [(&'static str, Value); 4] {
    let setting = [("file", text()), ("value", text()), ("optional", boolean())];
    let controllers = json!({ "type": "array", "items": text() });
    [("version", integer()), ("controllers", controllers), ("parent", text()), ("settings", list(&setting))]
}

fn landlock() -> [(&'static str, Value); 2] {
    let ports = json!({ "type": "array", "items": integer() });
    [("paths", list(&[("path", text()), ("access", text())])), ("connect", ports)]
}

fn syscalls() -> [(&'static str, Value); 4] {
    let names = || json!({ "type": "array", "items": text() });
    [("sockets", text()), ("allowed", names()), ("conditional", names()), ("unknown", names())]
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn integer() -> Value {
    json!({ "type": "integer" })
}

fn boolean() -> Value {
    json!({ "type": "boolean" })
}

/// The schema of an object with exactly these members.
fn object(members: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> =
        members.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({ "type": "object", "required": names, "additionalProperties": false, "properties": properties })
}

/// The schema of a list of such objects.
fn list(members: &[(&str, Value)]) -> Value {
    json!({ "type": "array", "items": object(members) })
}

fn optional(schema: Value) -> Value {
    json!({ "anyOf": [schema, { "type": "null" }] })
}

/// The schema of an enum: names alone, or an object with one name and its content.
fn one_of(description: &str, names: &[&str], contents: &[(&str, Value)]) -> Value {
    let objects = contents.iter().map(|content| object(std::slice::from_ref(content)));
    let variants: Vec<Value> = std::iter::once(json!({ "enum": names })).chain(objects).collect();
    json!({ "anyOf": variants, "description": description })
}

fn mount_kind() -> Value {
    let contents =
        [("read_only", text()), ("writable", text()), ("device", text()), ("link", text()), ("memory", integer())];
    one_of("Kind of the mount, with the path on the host or a size.", &["processes", "folder", "sealed"], &contents)
}

impl Plan {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let source = StepSource {
            plan: self.plan.clone(),
            step: self.step.clone(),
            catalog_folders: self.types.folders.clone(),
        };
        let planned = sandboxes::plan(&global.session(), &source)?;
        let text = planned.to_string();
        Ok(Success::new(PlannedSandbox(planned), text))
    }
}
