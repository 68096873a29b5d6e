//! The schema of an adapter: its capabilities, their arguments, and whether the bounds of the pack lie within theirs.

mod probe;
mod samples;

use super::document::hashed;
use super::{Checked, Found};
use deed_diag::{Code, Diagnostic, Place, Report, Severity, codes, did_you_mean, quote};
use deed_model::{AdapterSchema, ApprovalMode, ArgConstraint, Permission};
use deed_schema::{Api, ForeignKeyword, Part};
use probe::Misfit;
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
    /// The method of an operation that changes something, or may.
    method: Option<Method>,
    /// The schemas of its arguments, by name.
    arguments: BTreeMap<String, Value>,
    /// False if it also takes arguments that it does not name.
    closed: bool,
    /// The description, for references.
    root: Value,
    /// Keywords of its schemas that the version of the description does not have.
    foreign: Vec<ForeignKeyword>,
}

/// A method of an operation that does not only read.
struct Method {
    /// The method, in capitals.
    name: String,
    /// False for `POST`, which searches use too.
    writes: bool,
}

impl Method {
    fn of(name: &str) -> Option<Self> {
        let reads = matches!(name, "get" | "head" | "options" | "trace");
        (!reads).then(|| Self { name: name.to_ascii_uppercase(), writes: name != "post" })
    }
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
        if let (Some(declared), Some(method)) = (declared, &now.method)
            && declared.declared_mode(adapter) == ApprovalMode::ReadOnly
        {
            let severity = if method.writes { Severity::Error } else { Severity::Warning };
            let name = quote(&permission.capability);
            let message = format!("{name} is a `{}` now, and the pack declares `read_only`", method.name);
            findings.push(
                Diagnostic::new(severity, codes::ADAPTER_MODE_RAISED, message)
                    .at(document.place(&format!("{part}/capability")))
                    .related(file(), "the changed description")
                    .help("publish a version of the pack that declares what the operation does"),
            );
        }
        findings.extend(foreign(now, &permission.capability, description));
        for (name, severity, message, code, help) in arguments(checked, permission, now) {
            findings.push(
                Diagnostic::new(severity, code, message)
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

/// Warns of keywords that read as if they bounded an argument, and do not.
fn foreign<'f>(
    now: &'f Described,
    capability: &'f str,
    description: &'f AdapterDescription,
) -> impl Iterator<Item = Diagnostic> + 'f {
    let version = ["openapi", "swagger"].into_iter().find_map(|key| description.document.get(key)?.as_str());
    let version = version.unwrap_or_default();
    now.foreign.iter().map(move |found| {
        let (keyword, capability) = (quote(&found.keyword), quote(capability));
        let message = format!("OpenAPI {version} has no keyword {keyword}: no argument of {capability} is held to it");
        let place = Place { source: description.file.clone(), pointer: Some(found.pointer.clone()), span: None };
        let help = match found.keyword.as_str() {
            "const" => "write an `enum` with one value, or describe the service with OpenAPI 3.1",
            _ => "write it with keywords of the version, or describe the service with OpenAPI 3.1",
        };
        Diagnostic::warning(codes::KEYWORD_NOT_OF_OPENAPI, message).at(place).help(help)
    })
}

/// A finding about an argument: its name, the severity, the message, the code and the help.
type ArgumentFinding = (String, Severity, String, Code, Option<String>);

/// Compares the bounds of a permission with the arguments of the capability.
fn arguments(checked: &Checked<'_>, permission: &Permission, now: &Described) -> Vec<ArgumentFinding> {
    let mut found = Vec::new();
    for (name, bound) in &permission.arg_constraints {
        match now.arguments.get(name) {
            None if now.closed => {
                let message = format!("{} does not take the argument {}", quote(&permission.capability), quote(name));
                let help = did_you_mean(name, now.arguments.keys().map(String::as_str));
                found.push((name.clone(), Severity::Error, message, codes::ARGUMENT_UNKNOWN, help));
            }
            None => {}
            Some(schema) => {
                let seen = tied_values(checked, bound);
                let misfits = probe::misfits(name, bound, &seen, with_definitions(schema, &now.root));
                found.extend(misfits.into_iter().map(|misfit| {
                    let (severity, why) = match misfit {
                        Misfit::Refused(why) => (Severity::Error, why),
                        Misfit::Narrower(why) => (Severity::Warning, why),
                    };
                    let help = "publish a version of the pack whose bounds lie within those of the operation";
                    let message = format!("{}: {why}", quote(name));
                    (name.clone(), severity, message, codes::BOUNDS_DO_NOT_FIT, Some(help.to_owned()))
                }));
            }
        }
    }
    found
}

/// Returns the values that golden cases give to the part of the request that an argument is tied to.
fn tied_values(checked: &Checked<'_>, bound: &ArgConstraint) -> Vec<Value> {
    let path = bound.equals.as_ref().and_then(|tied| tied.get("var")).and_then(Value::as_str);
    let Some(path) = path.and_then(|path| path.strip_prefix("request.context.")) else { return Vec::new() };
    let pointer = format!("/request/input/context/{}", path.replace('.', "/"));
    let cases = checked.bundle.golden.iter();
    cases.filter_map(|case| case.value().pointer(&pointer).cloned()).collect()
}

/// A part of a description as a schema of its own: with the definitions that its references lead to, and the dialect.
fn with_definitions(schema: &Value, root: &Value) -> Value {
    let mut alone = schema.clone();
    if let (Some(own), Some(root)) = (alone.as_object_mut(), root.as_object()) {
        for key in ["$schema", "$defs", "definitions", "components"] {
            if let Some(part) = root.get(key) {
                own.entry(key).or_insert_with(|| part.clone());
            }
        }
    }
    alone
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
        described.insert(
            operation.id.clone(),
            Described {
                mode: None,
                method: Method::of(&operation.method),
                arguments,
                closed,
                root,
                foreign: api.foreign_keywords(&operation),
            },
        );
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
        Ok((
            capability.id,
            Described { mode: capability.approval_mode, method: None, arguments, closed, root, foreign: Vec::new() },
        ))
    });
    described.collect()
}
