//! The schema of an adapter: its capabilities, their arguments, and whether the bounds of the pack lie within theirs.

use super::document::hashed;
use super::{Checked, Found};
use deed_diag::{Code, Diagnostic, Place, Report, codes, did_you_mean, quote};
use deed_model::{AdapterSchema, ApprovalMode, ArgConstraint, Permission};
use deed_schema::{Api, Part, Schema};
use serde_json::Value;
use std::collections::BTreeMap;

/// The schema of an adapter as a caller read it: an OpenAPI description, or a document of ours.
#[derive(Debug)]
pub struct AdapterDescription {
    /// The adapter that it describes.
    pub adapter_id: String,
    /// The name of the file.
    pub file: String,
    /// The document.
    pub document: Value,
}

/// A capability as the description states it.
struct Described {
    mode: Option<ApprovalMode>,
    /// The schemas of its arguments, by name.
    arguments: BTreeMap<String, Value>,
    /// False if it also takes arguments that it does not name.
    closed: bool,
    /// The description, for references.
    root: Value,
}

pub(super) fn check(checked: &Checked<'_>, description: &AdapterDescription) -> Result<Found, Report> {
    let refused = |code: Code, message: String, help: Option<String>| {
        let found = Diagnostic::error(code, message).stage("recheck").at(Place::file(description.file.clone()));
        Err(Report::of(found.help_opt(help)))
    };
    let tooling = &checked.pack.tooling_layer;
    let known = tooling.adapter_registry.iter().position(|a| a.adapter_id == description.adapter_id);
    let Some(adapter) = known.and_then(|at| tooling.adapter_registry.get(at)) else {
        let names = tooling.adapter_registry.iter().map(|a| a.adapter_id.as_str());
        let help = did_you_mean(&description.adapter_id, names);
        let message = format!("the pack has no adapter {}", quote(&description.adapter_id));
        return refused(codes::DEPENDENCY_NOT_USED, message, help);
    };
    let described = match Api::looks_like(&description.document) {
        true => of_api(&description.document),
        false => of_schema(&description.document, &description.adapter_id),
    };
    let described = match described {
        Ok(described) => described,
        Err(why) => return refused(codes::DEPENDENCY_NOT_READABLE, why, None),
    };
    let document = &checked.bundle.document;
    let file = || Place::file(description.file.clone());
    let mut findings = Vec::new();
    for (at, permission) in tooling.permissions.iter().enumerate() {
        if permission.adapter_id != adapter.adapter_id || !permission.allow {
            continue;
        }
        let part = format!("/tooling_layer/permissions/{at}");
        let Some(now) = described.get(&permission.capability) else {
            let message = format!("{} has no capability {}", quote(&adapter.adapter_id), quote(&permission.capability));
            findings.push(
                Diagnostic::error(codes::OPERATION_MISSING, message)
                    .at(document.place(&format!("{part}/capability")))
                    .related(file(), "the changed description")
                    .help_opt(did_you_mean(&permission.capability, described.keys().map(String::as_str))),
            );
            continue;
        };
        let declared = adapter.capabilities.iter().find(|c| c.id() == permission.capability);
        if let (Some(declared), Some(mode)) = (declared.map(|c| c.declared_mode(adapter)), now.mode)
            && mode > declared
        {
            let message =
                format!("{} is `{mode}` now, and the pack declares `{declared}`", quote(&permission.capability));
            findings.push(
                Diagnostic::error(codes::ADAPTER_MODE_RAISED, message)
                    .at(document.place(&format!("{part}/capability")))
                    .related(file(), "the changed description")
                    .help("publish a version of the pack that declares the mode, with a gate for it"),
            );
        }
        for (name, message, code, help) in arguments(permission, now) {
            findings.push(
                Diagnostic::error(code, message)
                    .at(document
                        .place(&format!("{part}/arg_constraints/{}", name.replace('~', "~0").replace('/', "~1"))))
                    .related(file(), "the changed description")
                    .help_opt(help),
            );
        }
    }
    let hash = hashed(&description.document)?;
    Ok(Found { name: adapter.adapter_id.clone(), hash, findings, replaced: None })
}

/// A finding about an argument: its name, the message, the code and the help.
type ArgumentFinding = (String, String, Code, Option<String>);

/// Compares the bounds of a permission with the arguments of the capability.
fn arguments(permission: &Permission, now: &Described) -> Vec<ArgumentFinding> {
    let mut found = Vec::new();
    for (name, bound) in &permission.arg_constraints {
        match now.arguments.get(name) {
            None if now.closed => {
                let message = format!("{} does not take the argument {}", quote(&permission.capability), quote(name));
                let help = did_you_mean(name, now.arguments.keys().map(String::as_str));
                found.push((name.clone(), message, codes::ARGUMENT_UNKNOWN, help));
            }
            None => {}
            Some(schema) => found.extend(misfits(bound, schema, &now.root).into_iter().map(|why| {
                let help = "publish a version of the pack whose bounds lie within those of the operation";
                (name.clone(), format!("{}: {why}", quote(name)), codes::BOUNDS_DO_NOT_FIT, Some(help.to_owned()))
            })),
        }
    }
    found
}

/// Returns how a bound admits what the schema refuses.
fn misfits(bound: &ArgConstraint, schema: &Value, root: &Value) -> Vec<String> {
    let schema = resolved(schema, root);
    let number = |key: &str| schema.get(key).and_then(Value::as_f64);
    let mut found = Vec::new();
    let own = |n: &Option<serde_json::Number>| n.as_ref().and_then(serde_json::Number::as_f64);
    let (min, max) = (own(&bound.min), own(&bound.max));
    let types = types(schema);
    let takes = |wanted: &[&str]| types.is_empty() || types.iter().any(|t| wanted.contains(&t.as_str()));
    if (min.is_some() || max.is_some()) && !takes(&["number", "integer"]) {
        found.push(format!("the pack bounds a number, and the operation takes `{}`", types.join("`, `")));
    }
    if (bound.pattern.is_some() || bound.max_length.is_some()) && !takes(&["string"]) {
        found.push(format!("the pack bounds a text, and the operation takes `{}`", types.join("`, `")));
    }
    for (key, exclusive) in [("minimum", false), ("exclusiveMinimum", true)] {
        if let (Some(min), Some(least)) = (min, number(key))
            && (min < least || (exclusive && min == least))
        {
            found.push(format!(
                "the pack admits {min}, and the operation asks for {} {least}",
                if exclusive { "more than" } else { "at least" }
            ));
        }
    }
    for (key, exclusive) in [("maximum", false), ("exclusiveMaximum", true)] {
        if let (Some(max), Some(most)) = (max, number(key))
            && (max > most || (exclusive && max == most))
        {
            found.push(format!(
                "the pack admits {max}, and the operation asks for {} {most}",
                if exclusive { "less than" } else { "at most" }
            ));
        }
    }
    if let (Some(own), Some(most)) = (bound.max_length, schema.get("maxLength").and_then(Value::as_u64))
        && own > most
    {
        found.push(format!("the pack admits {own} characters, and the operation takes at most {most}"));
    }
    if let Some(listed) = schema.get("enum").and_then(Value::as_array)
        && bound.allowed.is_empty()
        && (min.is_some() || max.is_some() || bound.pattern.is_some())
    {
        let listed: Vec<String> = listed.iter().map(ToString::to_string).collect();
        found.push(format!("the operation takes only {}", listed.join(", ")));
    }
    if let (Some(own), Some(theirs)) = (&bound.pattern, schema.get("pattern").and_then(Value::as_str))
        && own != theirs
    {
        found.push(format!("the operation has the pattern {}, and the pack another", quote(theirs)));
    }
    let compiled = match Schema::new(with_definitions(schema, root)) {
        Ok(compiled) => compiled,
        Err(refused) => {
            found.push(format!("the schema of the operation cannot be used: {refused}"));
            return found;
        }
    };
    for value in &bound.allowed {
        match compiled.is_valid(value) {
            Ok(true) => {}
            Ok(false) => found.push(format!("the pack admits {value}, and the operation does not")),
            Err(refused) => found.push(format!("it is not known whether the operation takes {value}: {refused}")),
        }
    }
    found
}

/// A part of a description as a schema of its own: with the definitions that its references lead to, and the dialect.
fn with_definitions(schema: &Value, root: &Value) -> Value {
    let mut alone = schema.clone();
    if let (Some(own), Some(root)) = (alone.as_object_mut(), root.as_object()) {
        for key in ["$schema", "$defs", "definitions"] {
            if let Some(part) = root.get(key) {
                own.entry(key).or_insert_with(|| part.clone());
            }
        }
    }
    alone
}

fn types(schema: &Value) -> Vec<String> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// Follows references within a description, as far as they lead.
fn resolved<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
    const DEEPEST: usize = 16;
    let mut at = schema;
    for _ in 0..DEEPEST {
        let pointer = at.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix('#'));
        match pointer.and_then(|pointer| root.pointer(pointer)) {
            Some(next) => at = next,
            None => break,
        }
    }
    at
}

/// Reads the operations of an OpenAPI description as capabilities, by their ids. The parts of a request are arguments alike.
fn of_api(document: &Value) -> Result<BTreeMap<String, Described>, String> {
    let api = Api::new(document.clone()).map_err(|refused| format!("the description cannot be read: {refused}"))?;
    let mut described = BTreeMap::new();
    for operation in api.operations() {
        let mut arguments = BTreeMap::new();
        let mut closed = true;
        let root = match api.standalone(&operation, Part::Request) {
            None => Value::Null,
            Some(Err(refused)) => return Err(format!("{}: {refused}", operation.id)),
            Some(Ok(root)) => root,
        };
        let parts = root.get("properties").and_then(Value::as_object);
        for (part, schema) in parts.into_iter().flatten() {
            let schema = resolved(schema, &root);
            match schema.get("properties").and_then(Value::as_object) {
                Some(properties) => {
                    arguments.extend(properties.iter().map(|(name, schema)| (name.clone(), schema.clone())));
                    // Undeclared properties of a body are taken unless it says otherwise; a rename is found all the same.
                    closed = closed && (part != "body" || !takes_any(schema));
                }
                None => drop(arguments.insert(part.clone(), schema.clone())),
            }
        }
        described.insert(operation.id.clone(), Described { mode: None, arguments, closed, root });
    }
    Ok(described)
}

/// Returns true if an object states that it takes properties that it does not name.
fn takes_any(schema: &Value) -> bool {
    matches!(schema.get("additionalProperties"), Some(Value::Bool(true) | Value::Object(_)))
}

/// Reads a document of ours.
fn of_schema(document: &Value, adapter_id: &str) -> Result<BTreeMap<String, Described>, String> {
    let schema: AdapterSchema = serde_json::from_value(document.clone()).map_err(|error| {
        format!("it is neither an OpenAPI description nor a `deed/adapter-schema/v1` document: {error}")
    })?;
    if schema.format != "deed/adapter-schema/v1" {
        return Err(format!("the format {} is not known", quote(&schema.format)));
    }
    if schema.adapter_id != adapter_id {
        return Err(format!("it describes {}, and not {}", quote(&schema.adapter_id), quote(adapter_id)));
    }
    let described = schema.capabilities.into_iter().map(|capability| {
        let arguments = match capability.arguments.get("properties") {
            None => BTreeMap::new(),
            Some(Value::Object(properties)) => {
                properties.iter().map(|(name, schema)| (name.clone(), schema.clone())).collect()
            }
            Some(_) => return Err(format!("the arguments of {} are no object", quote(&capability.id))),
        };
        let root = Value::Object(capability.arguments);
        let closed = !takes_any(&root);
        Ok((capability.id, Described { mode: capability.approval_mode, arguments, closed, root }))
    });
    described.collect()
}
