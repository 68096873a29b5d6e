//! The schema of a request: an operation enters, one object of its parts leaves.

use super::{Operation, Part, reference};
use crate::dialect::Dialect;
use crate::refusal::{Reason, Refused};
use deed_canon::Pointer;
use serde_json::{Map, Value, json};

/// The keywords of a Swagger 2.0 parameter that speak of the parameter and not of its value.
const OF_THE_PARAMETER: [&str; 5] = ["name", "in", "required", "allowEmptyValue", "collectionFormat"];

/// Builds the schema; `None` if the operation takes nothing of the kind. An operation of another description is
/// refused.
pub(crate) fn schema(
    document: &Value,
    dialect: Dialect,
    operation: &Operation,
    part: Part,
) -> Result<Option<Value>, Refused> {
    let mut parts = Parts::default();
    for pointer in &operation.parameters {
        let absent = || Refused::new(Reason::MissingReference, format!("it has no parameter at `{pointer}`"));
        parts.add(dialect, pointer, document.pointer(pointer).ok_or_else(absent)?);
    }
    if let Some(body) = &operation.body {
        parts.body = Some(reference(body));
    }
    let body = parts.body.take().or_else(|| parts.form.schema());
    if part == Part::Body {
        return Ok(body);
    }
    let groups = [("path", &parts.path), ("query", &parts.query), ("header", &parts.header), ("cookie", &parts.cookie)];
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, group) in groups {
        let Some(schema) = group.schema() else { continue };
        if !group.required.is_empty() {
            required.push(json!(name));
        }
        properties.insert(name.to_owned(), schema);
    }
    if let Some(body) = body {
        if operation.body_required {
            required.push(json!("body"));
        }
        properties.insert("body".to_owned(), body);
    }
    if properties.is_empty() {
        return Ok(None);
    }
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if let (Some(map), false) = (schema.as_object_mut(), required.is_empty()) {
        map.insert("required".to_owned(), Value::Array(required));
    }
    if let (Some(map), false) = (schema.as_object_mut(), operation.summary.is_empty()) {
        map.insert("title".to_owned(), json!(operation.summary));
    }
    Ok(Some(schema))
}

#[derive(Default)]
struct Parts {
    path: Group,
    query: Group,
    header: Group,
    cookie: Group,
    form: Group,
    body: Option<Value>,
}

#[derive(Default)]
struct Group {
    properties: Map<String, Value>,
    required: Vec<Value>,
}

impl Group {
    fn schema(&self) -> Option<Value> {
        if self.properties.is_empty() {
            return None;
        }
        let mut schema = json!({ "type": "object", "properties": self.properties, "additionalProperties": false });
        if let (Some(map), false) = (schema.as_object_mut(), self.required.is_empty()) {
            map.insert("required".to_owned(), Value::Array(self.required.clone()));
        }
        Some(schema)
    }
}

impl Parts {
    fn add(&mut self, dialect: Dialect, pointer: &str, parameter: &Value) {
        let text = |key: &str| parameter.get(key).and_then(Value::as_str);
        // A parameter without a name, or in an unknown part of the request, cannot be sent. A body is read apart.
        let (Some(map), Some(name)) = (parameter.as_object(), text("name")) else { return };
        let group = match text("in") {
            Some("path") => &mut self.path,
            Some("query") => &mut self.query,
            Some("header") => &mut self.header,
            Some("cookie") => &mut self.cookie,
            Some("formData") => &mut self.form,
            _ => return,
        };
        let schema = if dialect == Dialect::OpenApi20 { inline(map) } else { referred(pointer, parameter) };
        group.properties.insert(name.to_owned(), schema);
        if parameter.get("required").and_then(Value::as_bool) == Some(true) {
            group.required.push(json!(name));
        }
    }
}

/// Swagger 2.0 writes the schema of a value among the words about the parameter.
fn inline(parameter: &Map<String, Value>) -> Value {
    let mut schema = parameter.clone();
    for keyword in OF_THE_PARAMETER {
        schema.remove(keyword);
    }
    // A file is bytes: text of the format `binary`.
    if schema.get("type").and_then(Value::as_str) == Some("file") {
        schema.insert("type".to_owned(), json!("string"));
        schema.insert("format".to_owned(), json!("binary"));
    }
    if schema.get("x-nullable").and_then(Value::as_bool) == Some(true) {
        return json!({ "anyOf": [{ "type": "null" }, schema] });
    }
    Value::Object(schema)
}

fn referred(pointer: &str, parameter: &Value) -> Value {
    let content = parameter.get("content").and_then(Value::as_object).and_then(|c| c.iter().next());
    let mut schema = match content {
        Some((media_type, media)) if media.get("schema").is_some() => {
            let at = Pointer::push(&Pointer::push(&Pointer::push(pointer, "content"), media_type), "schema");
            json!({ "type": "string", "x-deed-serialized": reference(&at) })
        }
        _ if parameter.get("schema").is_some() => json!({ "allOf": [reference(&Pointer::push(pointer, "schema"))] }),
        _ => json!({ "type": "string" }),
    };
    if let (Some(map), Some(description)) = (schema.as_object_mut(), parameter.get("description")) {
        map.insert("description".to_owned(), description.clone());
    }
    schema
}
