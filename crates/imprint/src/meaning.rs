//! The meaning of a template as a JSON Schema: the formal meaning of the grammar.
//!
//! A template never asks for more than the schema it was made from: whatever is valid there is valid here. So
//! `{ONE_OF}` means at least one here; that it means at most one is for the schema itself to say.

use crate::grammar::pattern_of;
use crate::template::{
    Bounds, GroupKind, KeyRule, KeyTest, Leaf, Node, NodeId, Object, Presence, Range, Rest, Shape, Template, Tuple,
    Types,
};
use deed_diag::Invariant;
use serde_json::{Map, Value, json};

/// The schema of a part of a template.
pub(crate) fn meaning(template: &Template, root: NodeId) -> Value {
    let mut definitions = Map::new();
    let mut left = vec![root];
    let mut seen = vec![false; template.nodes.len()];
    while let Some(id) = left.pop() {
        match seen.get_mut(id.0) {
            Some(seen) if !*seen => *seen = true,
            _ => continue,
        }
        definitions.insert(name(id), one(template.node(id)));
        left.extend(children(&template.node(id).shape));
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": format!("#/$defs/{}", name(root)),
        "$defs": definitions,
    })
}

/// The nodes that stand directly beneath a shape.
pub(crate) fn children(shape: &Shape) -> Vec<NodeId> {
    match shape {
        Shape::Any | Shape::Never | Shape::Leaf(_) | Shape::Choice(_) => Vec::new(),
        Shape::Object(object) => {
            let fields = object.fields.iter().map(|field| field.node);
            let keys = object.keys.iter().map(|rule| rule.node);
            let groups = object.groups.iter().flat_map(|group| group.variants.iter().copied());
            fields.chain(keys).chain(groups).collect()
        }
        Shape::List(list) => vec![list.items],
        Shape::Tuple(tuple) => {
            let rest = if let Rest::Of(id) = tuple.rest { Some(id) } else { None };
            tuple.items.iter().copied().chain(rest).collect()
        }
        Shape::Union(union) => union.variants.clone(),
        Shape::Text(inner) => vec![*inner],
    }
}

fn name(id: NodeId) -> String {
    format!("n{}", id.0)
}

fn reference(id: NodeId) -> Value {
    json!({ "$ref": format!("#/$defs/{}", name(id)) })
}

fn one(node: &Node) -> Value {
    let mut schema = match &node.shape {
        Shape::Any => Map::new(),
        Shape::Never => return if node.nullable { json!({ "type": "null" }) } else { Value::Bool(false) },
        Shape::Leaf(found) => leaf(found),
        Shape::Choice(values) => Map::from_iter([("enum".to_owned(), json!(values))]),
        Shape::Object(found) => object(found),
        Shape::List(list) => {
            let mut schema =
                Map::from_iter([("type".to_owned(), json!("array")), ("items".to_owned(), reference(list.items))]);
            counted(&mut schema, list.count, "minItems", "maxItems");
            if list.unique {
                schema.insert("uniqueItems".to_owned(), json!(true));
            }
            schema
        }
        Shape::Tuple(found) => tuple(found),
        Shape::Union(union) => {
            let variants: Vec<Value> = union.variants.iter().map(|id| reference(*id)).collect();
            Map::from_iter([("anyOf".to_owned(), json!(variants))])
        }
        Shape::Text(_) => Map::from_iter([("type".to_owned(), json!("string"))]),
    };
    if node.loose {
        schema.remove("type");
        // A union by type says nothing of the types that it does not name.
        schema.remove("anyOf");
    }
    if !node.not.is_empty() {
        schema.insert("not".to_owned(), json!({ "enum": node.not }));
    }
    match node.nullable {
        true => json!({ "anyOf": [{ "type": "null" }, schema] }),
        false => Value::Object(schema),
    }
}

fn leaf(leaf: &Leaf) -> Map<String, Value> {
    let mut schema = Map::new();
    if leaf.types != Types::ALL {
        schema.insert("type".to_owned(), json!(leaf.types.names()));
    }
    if let Some(format) = &leaf.format {
        schema.insert("format".to_owned(), json!(format));
    }
    ranged(&mut schema, &leaf.range);
    if let Some(step) = &leaf.step {
        schema.insert("multipleOf".to_owned(), json!(step));
    }
    counted(&mut schema, leaf.length, "minLength", "maxLength");
    if let Some(pattern) = &leaf.pattern {
        schema.insert("pattern".to_owned(), json!(regex(pattern)));
    }
    schema
}

/// The regular expression of a pattern, which may be a name.
fn regex(pattern: &str) -> &str {
    match pattern.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        Some(regex) => regex,
        None => pattern_of(pattern).unwrap_or(pattern),
    }
}

fn ranged(schema: &mut Map<String, Value>, range: &Range) {
    if let Some(low) = &range.low {
        let keyword = if low.beyond { "exclusiveMinimum" } else { "minimum" };
        schema.insert(keyword.to_owned(), json!(low.value));
    }
    if let Some(high) = &range.high {
        let keyword = if high.beyond { "exclusiveMaximum" } else { "maximum" };
        schema.insert(keyword.to_owned(), json!(high.value));
    }
}

fn counted(schema: &mut Map<String, Value>, bounds: Bounds, least: &str, most: &str) {
    if bounds.least > 0 {
        schema.insert(least.to_owned(), json!(bounds.least));
    }
    if let Some(limit) = bounds.most {
        schema.insert(most.to_owned(), json!(limit));
    }
}

fn object(object: &Object) -> Map<String, Value> {
    let mut schema = Map::from_iter([("type".to_owned(), json!("object"))]);
    let properties: Map<String, Value> =
        object.fields.iter().map(|field| (field.name.clone(), reference(field.node))).collect();
    let must = |presence: Presence| matches!(presence, Presence::Fill | Presence::Auto { required: true });
    let required: Vec<&str> =
        object.fields.iter().filter(|field| must(field.presence)).map(|field| field.name.as_str()).collect();
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    counted(&mut schema, object.count, "minProperties", "maxProperties");
    let (formed, rest): (Vec<&KeyRule>, Vec<&KeyRule>) =
        object.keys.iter().partition(|rule| !rule.rest && rule.name.pattern.is_some());
    let patterns: Map<String, Value> = formed
        .iter()
        .filter_map(|rule| Some((regex(rule.name.pattern.as_deref()?).to_owned(), reference(rule.node))))
        .collect();
    if !patterns.is_empty() {
        schema.insert("patternProperties".to_owned(), Value::Object(patterns));
    }
    match rest.first() {
        Some(rule) => {
            schema.insert("additionalProperties".to_owned(), reference(rule.node));
        }
        None if object.closed => {
            schema.insert("additionalProperties".to_owned(), json!(false));
        }
        None => {}
    }
    let dependent: Map<String, Value> = object
        .fields
        .iter()
        .filter(|field| !field.with.is_empty())
        .map(|field| (field.name.clone(), json!(field.with)))
        .collect();
    if !dependent.is_empty() {
        schema.insert("dependentRequired".to_owned(), Value::Object(dependent));
    }
    let all = conditions(object);
    if !all.is_empty() {
        // What is asked of objects is not asked of others, where others may stand.
        schema.insert("if".to_owned(), json!({ "type": "object" }));
        schema.insert("then".to_owned(), json!({ "allOf": all }));
    }
    schema
}

fn conditions(object: &Object) -> Vec<Value> {
    let mut all = Vec::new();
    for needs in &object.needs {
        let groups: Vec<Value> = needs.iter().map(|names| json!({ "required": names })).collect();
        all.push(json!({ "anyOf": groups }));
    }
    for group in &object.groups {
        let variants: Vec<Value> = group.variants.iter().map(|id| reference(*id)).collect();
        let only = || variants.first().cloned().invariant("a condition has one variant");
        all.push(match &group.kind {
            GroupKind::Union(_) => json!({ "anyOf": variants }),
            GroupKind::With(key) => json!({ "dependentSchemas": { key: only() } }),
            GroupKind::When { tests, negated } => {
                let tests: Vec<Value> = tests.iter().map(tested).collect();
                let branch = if *negated { "else" } else { "then" };
                json!({ "if": { "allOf": tests }, branch: only() })
            }
        });
    }
    all
}

/// The schema of the objects that a test holds of.
fn tested(test: &KeyTest) -> Value {
    let name = &test.name;
    let listed = match (test.values.is_empty(), test.absent) {
        (true, true) => json!({ "not": { "required": [name] } }),
        (true, false) => json!(false),
        (false, true) => json!({ "properties": { name: { "enum": test.values } } }),
        (false, false) => json!({ "properties": { name: { "enum": test.values } }, "required": [name] }),
    };
    if test.negated { json!({ "not": listed }) } else { listed }
}

fn tuple(tuple: &Tuple) -> Map<String, Value> {
    let mut schema = Map::from_iter([("type".to_owned(), json!("array"))]);
    let items: Vec<Value> = tuple.items.iter().map(|id| reference(*id)).collect();
    if !items.is_empty() {
        schema.insert("prefixItems".to_owned(), json!(items));
    }
    match tuple.rest {
        Rest::Open => {}
        Rest::Closed => {
            schema.insert("items".to_owned(), json!(false));
        }
        Rest::Of(id) => {
            schema.insert("items".to_owned(), reference(id));
        }
    }
    counted(&mut schema, tuple.count, "minItems", "maxItems");
    if tuple.unique {
        schema.insert("uniqueItems".to_owned(), json!(true));
    }
    schema
}
