//! Demands → node: what may stand at a place, decided from all that is asked of it.

use super::condition;
use super::gather::{Demands, Variants, allows_nothing, gather, same};
use super::note::{headline, line, note};
use super::{Builder, Work};
use crate::grammar::{is_short, is_simple, named_pattern, slash_escaped};
use crate::template::{
    Field, Group, GroupKind, KeyRule, KeyTest, Leaf, List, Node, NodeId, Object, Presence, Rest, Shape, Tuple, Types,
    Union, UnionKind,
};
use deed_canon::Pointer;
use deed_schema::{Refused, Spot};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Patterns longer than this cost more than they tell.
const LONGEST_PATTERN: usize = 160;

/// Types whose constraints were asked for, whatever the types allowed.
fn spoken_of(demands: &Demands<'_>) -> Types {
    let mut types = Types::NONE;
    if has_object(demands) {
        types = types | Types::OBJECT;
    }
    if has_list(demands) {
        types = types | Types::ARRAY;
    }
    if !demands.range.is_free() || demands.step.is_some() {
        types = types | Types::NUMBER;
    }
    if !demands.length.is_free() || !demands.patterns.is_empty() || !demands.formats.is_empty() {
        types = types | Types::STRING;
    }
    types
}

fn has_object(demands: &Demands<'_>) -> bool {
    !demands.properties.is_empty()
        || !demands.required.is_empty()
        || !demands.closers.is_empty()
        || !demands.key_patterns.is_empty()
        || !demands.key_names.is_empty()
        || !demands.dependent.is_empty()
        || !demands.dependent_schemas.is_empty()
        || !demands.properties_count.is_free()
        || !demands.conditions.is_empty()
}

fn has_list(demands: &Demands<'_>) -> bool {
    !demands.items.is_empty() || !demands.prefix.is_empty() || !demands.items_count.is_free() || demands.unique
}

/// Decides what stands at a place.
pub(super) fn settle<'s>(
    builder: &mut Builder<'s>,
    work: &Work<'s>,
    mut demands: Demands<'s>,
) -> Result<Node, Refused> {
    for keyword in &demands.unshown {
        builder.hide(keyword, &work.at);
    }
    if work.at.is_empty() && builder.title.is_empty() {
        builder.title = headline(demands.title, demands.description);
        builder.severity = line(demands.severity);
        builder.next = line(demands.next);
    }
    let allowed = demands.types & work.types;
    let mut node = Node::new(Shape::Never);
    node.note = remark(&demands, &work.name);
    node.default = demands.default.cloned();
    node.example =
        demands.example.filter(|_| node.default.is_none() && demands.choices.is_none()).and_then(is_short).cloned();
    if demands.never || allowed.is_empty() {
        node.nullable = demands.nullable;
        return Ok(node);
    }
    node.nullable = demands.nullable || (allowed.has(Types::NULL) && demands.typed);
    let filled = allowed.without(Types::NULL);
    if let Some(choices) = demands.choices.take() {
        return Ok(choice(builder, node, choices, allowed, &demands, &work.at));
    }
    node.not = std::mem::take(&mut demands.not);
    if demands.typed && filled.is_empty() {
        node.nullable = false;
        node.shape = Shape::Choice(vec![Value::Null]);
        return Ok(node);
    }
    if demands.text.is_some() {
        // Only where nothing but text can stand is it certain that other JSON is meant to become text.
        if demands.typed && filled == Types::STRING {
            return Ok(text(builder, node, work, demands));
        }
        builder.hide("contentMediaType", &work.at);
    }
    nulls_apart(&mut demands, &mut node, allowed);
    if let Some(only) = only_variant(&demands) {
        return or_null(builder, work, node, only, filled);
    }
    node.shape = shape(builder, work, &mut node, demands, filled);
    if node.loose && node.shape == Shape::Never {
        // Values of other types pass, and they are all that can.
        builder.hide("contradiction", &work.at);
        node.shape = Shape::Any;
    }
    Ok(node)
}

/// The variant that is left when the only other one was null.
fn only_variant<'s>(demands: &Demands<'s>) -> Option<Spot<'s>> {
    match demands.unions.as_slice() {
        [union] if union.spots.len() == 1 && spoken_of(demands).is_empty() => union.spots.first().cloned(),
        _ => None,
    }
}

/// The shape of a variant, at a place that takes null too.
fn or_null<'s>(
    builder: &mut Builder<'s>,
    work: &Work<'s>,
    outer: Node,
    only: Spot<'s>,
    types: Types,
) -> Result<Node, Refused> {
    let spots = vec![only];
    let demands = gather(&spots)?;
    let work = Work { id: work.id, spots, types, name: work.name.clone(), at: work.at.clone(), label: None };
    let mut node = settle(builder, &work, demands)?;
    node.nullable = true;
    if !outer.note.is_empty() {
        node.note = outer.note;
    }
    node.default = outer.default.or(node.default);
    node.not.extend(outer.not);
    Ok(node)
}

/// An `anyOf` with a variant that is only null says that the rest may be null.
fn nulls_apart<'s>(demands: &mut Demands<'s>, node: &mut Node, allowed: Types) {
    if !allowed.has(Types::NULL) || demands.unions.len() != 1 {
        return;
    }
    let Some(union) = demands.unions.first_mut() else { return };
    let is_null = |spot: &Spot<'_>| {
        let value = spot.value();
        let bare = value.as_object().is_some_and(|map| map.len() == 1);
        (bare && value.get("type").and_then(Value::as_str) == Some("null"))
            || value
                .get("enum")
                .and_then(Value::as_array)
                .is_some_and(|list| list.len() == 1 && list.first() == Some(&Value::Null))
    };
    let before = union.spots.len();
    if union.spots.iter().filter(|spot| is_null(spot)).count() != 1 || before < 2 {
        return;
    }
    union.spots.retain(|spot| !is_null(spot));
    node.nullable = true;
}

fn shape<'s>(
    builder: &mut Builder<'s>,
    work: &Work<'s>,
    node: &mut Node,
    mut demands: Demands<'s>,
    filled: Types,
) -> Shape {
    let spoken = spoken_of(&demands);
    // Without a type, the keywords tell what is meant; other types pass all the same.
    let meant = if demands.typed || spoken.is_empty() { filled } else { filled & spoken };
    if meant.is_empty() {
        return Shape::Any;
    }
    node.loose = meant != filled;
    let unions = std::mem::take(&mut demands.unions);
    if !unions.is_empty() && !spoken.meets(meant & (Types::OBJECT | Types::ARRAY)) {
        return pure_union(builder, work, node, &demands, unions, meant);
    }
    if meant == Types::OBJECT {
        return object(builder, work, demands, unions);
    }
    for union in &unions {
        builder.hide(if union.kind == UnionKind::One { "oneOf" } else { "anyOf" }, &work.at);
    }
    if meant == Types::ARRAY {
        return list(builder, work, demands);
    }
    let structured = (spoken & meant) & (Types::OBJECT | Types::ARRAY);
    if !structured.is_empty() {
        return by_type(builder, work, meant, structured);
    }
    leaf(builder, work, &demands, meant)
}

/// A place that takes an object of known shape or something else becomes a union by type.
fn by_type<'s>(builder: &mut Builder<'s>, work: &Work<'s>, meant: Types, structured: Types) -> Shape {
    let mut variants = Vec::new();
    for types in [Types::OBJECT, Types::ARRAY] {
        if structured.has(types) {
            variants.push(builder.place(work.spots.clone(), types, &work.at, &work.name));
        }
    }
    let rest = meant.without(structured);
    if !rest.is_empty() {
        variants.push(builder.place(work.spots.clone(), rest, &work.at, &work.name));
    }
    Shape::Union(Union { kind: UnionKind::Any, variants, by: None })
}

fn remark(demands: &Demands<'_>, name: &str) -> String {
    let from_description = note(demands.description, name);
    if !from_description.is_empty() || !demands.description.is_empty() {
        from_description
    } else {
        note(demands.title, name)
    }
}

fn choice<'s>(
    builder: &mut Builder<'s>,
    mut node: Node,
    choices: Vec<&'s Value>,
    allowed: Types,
    demands: &Demands<'s>,
    at: &str,
) -> Node {
    let mut kept: Vec<Value> = Vec::new();
    let mut null = false;
    for value in choices {
        let of_type = allowed.has(Types::of(value)) || (value.is_null() && demands.nullable);
        if !of_type || demands.not.iter().any(|not| same(not, value)) {
            continue;
        }
        if value.is_null() {
            null = true;
        } else if !kept.iter().any(|known| same(known, value)) {
            kept.push(value.clone());
        }
    }
    node.nullable = null || demands.nullable;
    if kept.is_empty() && null {
        node.nullable = false;
        kept.push(Value::Null);
    }
    // What else is asked of the values is asked of a few known ones; the validator holds them to it.
    if !spoken_of(demands).is_empty() || !demands.unions.is_empty() {
        builder.hide("enum", at);
    }
    node.shape = if kept.is_empty() { Shape::Never } else { Shape::Choice(kept) };
    node
}

fn text<'s>(builder: &mut Builder<'s>, mut node: Node, work: &Work<'s>, demands: Demands<'s>) -> Node {
    let inner = match demands.text.flatten() {
        Some(spot) => builder.place(vec![spot], Types::ALL, &work.at, &work.name),
        None => builder.add(Node::new(Shape::Any)),
    };
    node.shape = Shape::Text(inner);
    node.default = None;
    node.example = None;
    node
}

fn pure_union<'s>(
    builder: &mut Builder<'s>,
    work: &Work<'s>,
    node: &mut Node,
    demands: &Demands<'s>,
    mut unions: Vec<Variants<'s>>,
    types: Types,
) -> Shape {
    let Variants { kind, spots, by } = unions.remove(0);
    for union in &unions {
        builder.hide(if union.kind == UnionKind::One { "oneOf" } else { "anyOf" }, &work.at);
    }
    if !spoken_of(demands).is_empty() {
        builder.hide("siblings of a union", &work.at);
    }
    node.loose = false;
    let types = if demands.typed { types } else { Types::ALL };
    let variants: Vec<NodeId> =
        spots.into_iter().map(|spot| builder.place(vec![spot], types, &work.at, &work.name)).collect();
    Shape::Union(Union { kind, variants, by: by.map(str::to_owned) })
}

fn leaf<'s>(builder: &mut Builder<'s>, work: &Work<'s>, demands: &Demands<'s>, types: Types) -> Shape {
    let mut leaf = Leaf { types, ..Leaf::default() };
    if types.meets(Types::NUMBER) {
        leaf.range = demands.range.clone();
        leaf.step = demands.step.clone();
    }
    if types.has(Types::STRING) {
        leaf.length = demands.length;
        leaf.format = demands.formats.first().map(|format| (*format).to_owned());
        leaf.pattern = shown_pattern(builder, demands.patterns.first().copied(), &work.at);
        if demands.patterns.len() > 1 {
            builder.hide("pattern", &work.at);
        }
        if demands.formats.iter().any(|format| Some(*format) != leaf.format.as_deref()) {
            builder.hide("format", &work.at);
        }
    } else if types.meets(Types::NUMBER) {
        // `int64`, `float` and their like say how wide a number is.
        leaf.format = demands.formats.first().map(|format| (*format).to_owned());
    }
    let only_number = types.without(Types::NUMBER).is_empty();
    let only_text = types == Types::STRING;
    if (only_number && leaf.range.is_void()) || (only_text && leaf.length.is_void()) {
        return Shape::Never;
    }
    if leaf == Leaf::default()
        || (types.has(Types::ALL.without(Types::NULL)) && leaf == (Leaf { types, ..Leaf::default() }))
    {
        return Shape::Any;
    }
    Shape::Leaf(leaf)
}

fn shown_pattern(builder: &mut Builder<'_>, pattern: Option<&str>, at: &str) -> Option<String> {
    let pattern = pattern?;
    if pattern.chars().count() > LONGEST_PATTERN || pattern.chars().any(char::is_control) {
        builder.hide("pattern", at);
        return None;
    }
    Some(named_pattern(pattern).map_or_else(|| format!("/{}/", slash_escaped(pattern)), str::to_owned))
}

fn list<'s>(builder: &mut Builder<'s>, work: &Work<'s>, demands: Demands<'s>) -> Shape {
    let at = format!("{}/*", work.at);
    let count = demands.items_count;
    if count.is_void() {
        return Shape::Never;
    }
    let unique = demands.unique;
    if demands.prefix.is_empty() {
        if demands.items.is_empty() && count.is_free() && !unique {
            return Shape::Leaf(Leaf { types: Types::ARRAY, ..Leaf::default() });
        }
        let items = if demands.items.is_empty() {
            builder.add(Node::new(Shape::Any))
        } else {
            builder.place(demands.items, Types::ALL, &at, &work.name)
        };
        return Shape::List(List { items, count, unique });
    }
    let longest = demands.prefix.iter().map(Vec::len).max().unwrap_or(0);
    let mut items = Vec::new();
    for index in 0..longest {
        let mut spots: Vec<Spot<'s>> = demands.prefix.iter().filter_map(|list| list.get(index).cloned()).collect();
        spots.extend(demands.items.iter().cloned());
        items.push(builder.place(spots, Types::ALL, &format!("{}/{index}", work.at), ""));
    }
    let mut rest_spots = demands.rest;
    let closed = rest_spots.iter().any(|spot| spot.value() == &Value::Bool(false));
    rest_spots.extend(demands.items);
    rest_spots.retain(|spot| spot.value() != &Value::Bool(true));
    let rest = if closed {
        Rest::Closed
    } else if rest_spots.is_empty() {
        Rest::Open
    } else {
        Rest::Of(builder.place(rest_spots, Types::ALL, &at, ""))
    };
    if demands.prefix.len() > 1 {
        builder.hide("prefixItems", &work.at);
    }
    Shape::Tuple(Tuple { items, rest, count, unique })
}

fn object<'s>(builder: &mut Builder<'s>, work: &Work<'s>, demands: Demands<'s>, unions: Vec<Variants<'s>>) -> Shape {
    if demands.properties_count.is_void() {
        return Shape::Never;
    }
    let mut object = Object { count: demands.properties_count, ..Object::default() };
    let mut spots: BTreeMap<&'s str, Vec<Spot<'s>>> = BTreeMap::new();
    for (name, spot) in &demands.properties {
        spots.entry(name).or_default().push(spot.clone());
    }
    for name in &demands.required {
        spots.entry(name).or_default();
    }
    let mut never = false;
    for (name, mut spots) in spots {
        let at = Pointer::push(&work.at, name);
        match typed_by_rest(&demands, name, &mut spots) {
            Listed::Refused if demands.required.contains(name) => never = true,
            Listed::Refused => continue,
            Listed::Allowed => {}
        }
        let required = demands.required.contains(name);
        let remarked = spots.iter().find_map(|spot| own_remark(spot, name)).unwrap_or_default();
        let read_only = spots.iter().any(|spot| is_read_only(spot));
        // It is promised to readers of an API's response; a request does not send it.
        let shown = !(read_only && spots.iter().any(|spot| spot.dialect().is_openapi()));
        if !shown {
            builder.hide("readOnly", &at);
        }
        let presence = match (read_only, required) {
            (true, _) => Presence::Auto { required: required && shown },
            (false, true) => Presence::Fill,
            (false, false) => Presence::Optional,
        };
        let node = if spots.is_empty() {
            builder.add(Node::new(Shape::Any))
        } else {
            builder.place(spots, Types::ALL, &at, name)
        };
        let mut with: Vec<String> = demands
            .dependent
            .iter()
            .filter(|(key, _)| *key == name)
            .flat_map(|(_, needed)| needed.iter().map(|n| (*n).to_owned()))
            .collect();
        with.sort();
        with.dedup();
        object.fields.push(Field { name: name.to_owned(), node, presence, with, note: remarked, shown });
    }
    if never {
        return Shape::Never;
    }
    let listed: BTreeSet<&str> = object.fields.iter().map(|field| field.name.as_str()).collect();
    if demands.dependent.iter().any(|(key, _)| !listed.contains(key)) {
        builder.hide("dependentRequired", &work.at);
    }
    // What must be given comes first; names decide the rest, so the order of a map never shows.
    object.fields.sort_by(|a, b| (a.presence, &a.name).cmp(&(b.presence, &b.name)));
    rest_of_keys(builder, work, &demands, &mut object);
    groups(builder, work, &demands, unions, &mut object);
    let bare = Object { closed: object.closed, ..Object::default() };
    if object == bare && !object.closed {
        return Shape::Leaf(Leaf { types: Types::OBJECT, ..Leaf::default() });
    }
    Shape::Object(object)
}

enum Listed {
    Allowed,
    Refused,
}

/// The rules of the schemas that do not list a key.
fn typed_by_rest<'s>(demands: &Demands<'s>, name: &str, spots: &mut Vec<Spot<'s>>) -> Listed {
    for closer in &demands.closers {
        if closer.listed.contains(name) {
            continue;
        }
        if !closer.patterns.is_empty() {
            // Whether a pattern covers the key is the validator's to say.
            continue;
        }
        match &closer.rest {
            None => return Listed::Refused,
            Some(rest) => spots.push(rest.clone()),
        }
    }
    Listed::Allowed
}

/// The words that stand beside a reference.
fn own_remark(spot: &Spot<'_>, name: &str) -> Option<String> {
    let (_words, _target) = spot.reference()?;
    let text = spot.value().get("description").or_else(|| spot.value().get("title"))?.as_str()?;
    Some(note(text, name)).filter(|words| !words.is_empty())
}

/// Returns true if a property is read-only, here or where its reference leads.
fn is_read_only(spot: &Spot<'_>) -> bool {
    gather(std::slice::from_ref(spot)).is_ok_and(|demands| demands.read_only)
}

fn rest_of_keys<'s>(builder: &mut Builder<'s>, work: &Work<'s>, demands: &Demands<'s>, object: &mut Object) {
    let at = format!("{}/*", work.at);
    let mut unshown_keys = false;
    for (pattern, spot) in &demands.key_patterns {
        let name = Leaf { pattern: shown_pattern(builder, Some(pattern), &work.at), ..key_leaf() };
        if name.pattern.is_none() {
            unshown_keys = true;
            continue;
        }
        let node = builder.place(vec![spot.clone()], Types::ALL, &at, "");
        object.keys.push(KeyRule { name, node, rest: false });
    }
    let rests: Vec<Spot<'s>> = demands.closers.iter().filter_map(|closer| closer.rest.clone()).collect();
    let closed = demands.closers.iter().any(|closer| closer.rest.is_none());
    let patterns = demands.closers.iter().any(|closer| !closer.patterns.is_empty());
    object.closed = closed && !unshown_keys;
    let name = key_name(builder, work, demands);
    if unshown_keys && (closed || !rests.is_empty()) {
        builder.hide("additionalProperties", &work.at);
    } else if !closed && !rests.is_empty() {
        let node = builder.place(rests, Types::ALL, &at, "");
        object.keys.push(KeyRule { name, node, rest: true });
    } else if !closed && name != key_leaf() {
        let node = builder.add(Node::new(Shape::Any));
        object.keys.push(KeyRule { name, node, rest: true });
    } else if closed && name != key_leaf() {
        builder.hide("propertyNames", &work.at);
    }
    if closed && patterns && demands.closers.len() > 1 {
        builder.hide("additionalProperties", &work.at);
    }
}

fn key_leaf() -> Leaf {
    Leaf { types: Types::STRING, ..Leaf::default() }
}

/// The form that all keys must have.
fn key_name(builder: &mut Builder<'_>, work: &Work<'_>, demands: &Demands<'_>) -> Leaf {
    let mut name = key_leaf();
    if demands.key_names.is_empty() {
        return name;
    }
    let Ok(names) = gather(&demands.key_names) else {
        builder.hide("propertyNames", &work.at);
        return name;
    };
    name.length = names.length;
    name.format = names.formats.first().map(|format| (*format).to_owned());
    name.pattern = shown_pattern(builder, names.patterns.first().copied(), &work.at);
    let more =
        names.choices.is_some() || !names.unions.is_empty() || names.patterns.len() > 1 || names.formats.len() > 1;
    if more || !names.unshown.is_empty() || !names.not.is_empty() {
        builder.hide("propertyNames", &work.at);
    }
    name
}

fn groups<'s>(
    builder: &mut Builder<'s>,
    work: &Work<'s>,
    demands: &Demands<'s>,
    unions: Vec<Variants<'s>>,
    object: &mut Object,
) {
    for union in unions {
        if let Some(needs) = only_required(&union) {
            if !needs.iter().flatten().all(|name| is_simple(name)) {
                builder.hide("required", &work.at);
                continue;
            }
            if union.kind == UnionKind::One {
                builder.hide("oneOf", &work.at);
            }
            // A variant that asks for nothing is always there.
            if !needs.iter().any(Vec::is_empty) {
                object.needs.push(needs);
            }
            continue;
        }
        let variants = union
            .spots
            .into_iter()
            .map(|spot| builder.place(vec![spot], Types::OBJECT, &work.at, &work.name))
            .collect();
        object.groups.push(Group { kind: GroupKind::Union(union.kind), variants });
    }
    for (name, spot) in &demands.dependent_schemas {
        let variant = builder.place(vec![spot.clone()], Types::OBJECT, &work.at, &work.name);
        object.groups.push(Group { kind: GroupKind::With((*name).to_owned()), variants: vec![variant] });
    }
    for condition in &demands.conditions {
        condition_groups(builder, work, condition, &demands.required, object);
    }
}

/// A union whose variants only say which keys must be there.
fn only_required(union: &Variants<'_>) -> Option<Vec<Vec<String>>> {
    let one = |spot: &Spot<'_>| {
        let map = spot.value().as_object()?;
        let list = map.get("required")?.as_array().filter(|_| map.len() == 1)?;
        let mut names: Vec<String> = list.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        names.sort();
        Some(names)
    };
    union.spots.iter().map(one).collect()
}

/// Fields that apply under a condition, one group for each branch.
fn condition_groups<'s>(
    builder: &mut Builder<'s>,
    work: &Work<'s>,
    spot: &Spot<'s>,
    required: &BTreeSet<&str>,
    object: &mut Object,
) {
    // What the system supplies is not there while the rest is filled in, so nothing can depend on it.
    let supplied = |test: &KeyTest| {
        object.fields.iter().any(|field| field.name == test.name && matches!(field.presence, Presence::Auto { .. }))
    };
    let condition = spot.one("if").and_then(|spot| condition::read(&spot));
    let condition = condition.filter(|condition| !condition.tests.iter().any(supplied)).map(|mut condition| {
        // Of a key that is always given nothing is said of its absence.
        for test in condition.tests.iter_mut().filter(|test| !test.values.is_empty()) {
            test.absent &= !required.contains(test.name.as_str());
        }
        condition
    });
    let branches = [(spot.one("then"), false), (spot.one("else"), true)];
    for (branch, negated) in branches {
        let Some(branch) = branch.filter(|spot| spot.value() != &Value::Bool(true)) else { continue };
        match &condition {
            Some(condition) if !allows_nothing(&branch) => {
                let variant = builder.place(vec![branch], Types::OBJECT, &work.at, &work.name);
                let kind = GroupKind::When { tests: condition.tests.clone(), negated: condition.negated != negated };
                object.groups.push(Group { kind, variants: vec![variant] });
            }
            _ => builder.hide("if", &work.at),
        }
    }
}
