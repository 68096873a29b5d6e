//! The operations of a description.

use super::{follow, follow_or_refuse};
use crate::dialect::Dialect;
use crate::refusal::Refused;
use deed_canon::Pointer;
use deed_diag::Invariant;
use serde_json::{Map, Value};

const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// The part of a request that a schema is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Path, query, header, cookie and body, each under its own key.
    Request,
    /// The body alone.
    Body,
}

/// One operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Its `operationId`, or method and path.
    pub id: String,
    /// The method, in lowercase.
    pub method: String,
    /// The path as written.
    pub path: String,
    /// Its summary, or the first line of its description.
    pub summary: String,
    /// The media type its body is taken in, if it has a body.
    pub media_type: Option<String>,
    /// True if the body is required.
    pub body_required: bool,
    /// Places of a request, as JSON pointers, that go over the wire as JSON text.
    pub serialized: Vec<String>,
    /// Its pointer into the description.
    pub(crate) pointer: String,
    /// The pointers of its parameters.
    pub(crate) parameters: Vec<String>,
    /// The pointer of the schema of its body.
    pub(crate) body: Option<String>,
    /// A reference to a parameter or a body that leads out of the description or nowhere.
    pub(crate) broken: Option<Broken>,
}

/// A part of a request that is described elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Broken {
    pub(crate) refused: Refused,
    /// True if it may be the body, or a part of it.
    pub(crate) in_body: bool,
}

pub(crate) fn all(document: &Value, dialect: Dialect) -> Vec<Operation> {
    let Some(paths) = document.get("paths").and_then(Value::as_object) else {
        return Vec::new();
    };
    let mut names: Vec<&String> = paths.keys().collect();
    names.sort();
    names.iter().flat_map(|path| of_path(document, dialect, path)).collect()
}

/// The refusals of path items that refer to another document or to nothing, in the order of their paths.
pub(crate) fn unread(document: &Value) -> Vec<Refused> {
    let mut names: Vec<&String> =
        document.get("paths").and_then(Value::as_object).into_iter().flat_map(Map::keys).collect();
    names.sort();
    let refused = |path: &&String| follow_or_refuse(document, Pointer::push("/paths", path))?.err();
    names.iter().filter_map(refused).collect()
}

fn of_path(document: &Value, dialect: Dialect, path: &str) -> Vec<Operation> {
    // A path item that does not resolve is one of the `unread`.
    let Some((pointer, item)) = follow(document, Pointer::push("/paths", path)) else {
        return Vec::new();
    };
    let one = |method: &&str| {
        let operation = item.get(*method).filter(|o| o.is_object())?;
        Some(read(document, dialect, path, method, &pointer, operation))
    };
    METHODS.iter().filter_map(one).collect()
}

fn read(
    document: &Value,
    dialect: Dialect,
    path: &str,
    method: &str,
    item_pointer: &str,
    operation: &Value,
) -> Operation {
    let text = |key: &str| operation.get(key).and_then(Value::as_str);
    let pointer = Pointer::push(item_pointer, method);
    let id = text("operationId").map_or_else(|| format!("{method} {path}"), str::to_owned);
    let summary = text("summary").or_else(|| text("description")).unwrap_or_default();
    let (parameters, broken) = parameters(document, item_pointer, &pointer);
    // In Swagger 2.0 the body is one of the parameters.
    let broken = broken.map(|refused| Broken { refused, in_body: dialect == Dialect::OpenApi20 });
    let mut found = Operation {
        id,
        method: method.to_owned(),
        path: path.to_owned(),
        summary: summary.lines().next().unwrap_or_default().trim().to_owned(),
        media_type: None,
        body_required: false,
        serialized: Vec::new(),
        parameters,
        body: None,
        broken,
        pointer,
    };
    match dialect {
        Dialect::OpenApi20 => body_of_two(document, operation, &mut found),
        _ => body_of_three(document, &mut found),
    }
    found
}

/// The pointers of the parameters: those of the path, overridden by those of the operation with the same name and `in`.
fn parameters(document: &Value, item: &str, operation: &str) -> (Vec<String>, Option<Refused>) {
    let mut found: Vec<([Option<&str>; 2], String)> = Vec::new();
    let mut broken = None;
    for holder in [item, operation] {
        let list = Pointer::push(holder, "parameters");
        let count = document.pointer(&list).and_then(Value::as_array).map_or(0, Vec::len);
        for index in 0..count {
            let (pointer, parameter) = match follow_or_refuse(document, format!("{list}/{index}")) {
                Some(Ok(found)) => found,
                Some(Err(refused)) => {
                    broken.get_or_insert(refused);
                    continue;
                }
                None => continue,
            };
            let key = ["in", "name"].map(|key| parameter.get(key).and_then(Value::as_str));
            match found.iter_mut().find(|(known, _)| *known == key) {
                Some(known) => known.1 = pointer,
                None => found.push((key, pointer)),
            }
        }
    }
    (found.into_iter().map(|(_, pointer)| pointer).collect(), broken)
}

fn body_of_two(document: &Value, operation: &Value, found: &mut Operation) {
    for pointer in &found.parameters {
        let parameter = document.pointer(pointer).invariant("a parameter stands where it was found");
        let required = parameter.get("required").and_then(Value::as_bool) == Some(true);
        let default = match parameter.get("in").and_then(Value::as_str) {
            Some("body") => {
                found.body = Some(Pointer::push(pointer, "schema"));
                found.body_required = required;
                "application/json"
            }
            Some("formData") => {
                found.body_required |= required;
                "application/x-www-form-urlencoded"
            }
            _ => continue,
        };
        let consumes = operation.get("consumes").or_else(|| document.get("consumes"));
        let first = consumes.and_then(|c| c.get(0)).and_then(Value::as_str);
        found.media_type = Some(first.unwrap_or(default).to_owned());
    }
}

fn body_of_three(document: &Value, found: &mut Operation) {
    let (pointer, body) = match follow_or_refuse(document, Pointer::push(&found.pointer, "requestBody")) {
        Some(Ok(body)) => body,
        Some(Err(refused)) => {
            found.broken = Some(Broken { refused, in_body: true });
            return;
        }
        None => return,
    };
    found.body_required = body.get("required").and_then(Value::as_bool) == Some(true);
    // A body without content has no media type and no schema.
    let Some(content) = body.get("content").and_then(Value::as_object) else { return };
    let Some((media_type, described)) = preferred(content) else { return };
    let media = Pointer::push(&Pointer::push(&pointer, "content"), media_type);
    found.media_type = Some(media_type.to_owned());
    if described.get("schema").is_some() {
        found.serialized = serialized(document, &media, media_type, described);
        found.body = Some(Pointer::push(&media, "schema"));
    }
}

/// JSON before forms before the rest, each in the order of names.
fn preferred(content: &Map<String, Value>) -> Option<(&str, &Value)> {
    let rank = |name: &str| match name.split_once(';').map_or(name, |(essence, _)| essence).trim() {
        "application/json" => 0,
        other if other.ends_with("+json") => 1,
        "application/x-www-form-urlencoded" => 2,
        "multipart/form-data" => 3,
        _ => 4,
    };
    let types = content.iter().map(|(name, described)| (name.as_str(), described));
    types.min_by_key(|(name, _)| (rank(name), *name))
}

/// Properties of a form that are sent as JSON text: those whose encoding says so, and in a multipart form
/// every object, as OpenAPI lays down.
fn serialized(document: &Value, media: &str, media_type: &str, described: &Value) -> Vec<String> {
    let multipart = media_type.starts_with("multipart/");
    if !multipart && !media_type.starts_with("application/x-www-form-urlencoded") {
        return Vec::new();
    }
    // A schema that does not resolve is refused when it is asked for.
    let Some((_, schema)) = follow(document, Pointer::push(media, "schema")) else { return Vec::new() };
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return Vec::new() };
    let is_json = |name: &str| {
        let said = described.get("encoding").and_then(|e| e.get(name)).and_then(|e| e.get("contentType"));
        said.and_then(Value::as_str).map(|text| text.contains("json"))
    };
    let is_object = |property: &Value| {
        let property = match property.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix('#')) {
            Some(pointer) => follow(document, pointer.to_owned()).map_or(property, |(_, found)| found),
            None => property,
        };
        property.get("type").and_then(Value::as_str) == Some("object") || property.get("properties").is_some()
    };
    let mut names: Vec<&String> = properties
        .iter()
        .filter(|(name, property)| is_json(name).unwrap_or(multipart && is_object(property)))
        .map(|(name, _)| name)
        .collect();
    names.sort();
    names.iter().map(|name| Pointer::push("/body", name)).collect()
}
