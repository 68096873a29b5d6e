//! The expectations of a schema at a place of a payload, for the repair of payloads.

use crate::imprint::Imprint;
use crate::reach::{fits, open};
use crate::template::{Node, NodeId, Object, Presence, Rest, Shape, Template, Types};
use deed_canon::Pointer;
use deed_diag::Invariant;
use serde_json::Value;
use std::collections::HashSet;

/// The levels of a value that are compared to decide if it fits.
const LOOK: usize = 4;
/// Levels that defaults are sought on.
const DEEPEST_DEFAULT: usize = 16;

/// The expectations at one place.
#[derive(Clone)]
pub struct Expected<'i> {
    imprint: &'i Imprint,
    nodes: Nodes,
}

/// Nodes that could stand at a place: one, nearly everywhere.
#[derive(Clone)]
enum Nodes {
    One([NodeId; 1]),
    Some(Vec<NodeId>),
}

impl std::ops::Deref for Nodes {
    type Target = [NodeId];

    fn deref(&self) -> &[NodeId] {
        match self {
            Self::One(node) => node,
            Self::Some(nodes) => nodes,
        }
    }
}

impl FromIterator<NodeId> for Nodes {
    fn from_iter<I: IntoIterator<Item = NodeId>>(nodes: I) -> Self {
        Self::Some(nodes.into_iter().collect())
    }
}

/// A key that an object may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedKey<'i> {
    /// Its name.
    pub name: &'i str,
    /// True if it must be given.
    pub required: bool,
    /// A short description.
    pub note: &'i str,
}

/// A kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Text.
    Text,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// True or false.
    Boolean,
    /// An object.
    Object,
    /// A list.
    List,
}

impl ValueKind {
    fn types(self) -> Types {
        match self {
            Self::Text => Types::STRING,
            Self::Integer => Types::INTEGER,
            Self::Number => Types::NUMBER,
            Self::Boolean => Types::BOOLEAN,
            Self::Object => Types::OBJECT,
            Self::List => Types::ARRAY,
        }
    }
}

impl Imprint {
    /// The expectations of a payload as a whole.
    pub fn expected(&self) -> Expected<'_> {
        Expected { imprint: self, nodes: Nodes::One([self.template.root]) }
    }

    /// Default values of keys that are reached through objects and lists alone: the place, with `*` for any item,
    /// and the value.
    pub fn defaults(&self) -> Vec<(String, Value)> {
        let mut found = Vec::new();
        let mut on_path = HashSet::new();
        self.defaults_of(self.template.root, "", &mut on_path, &mut found);
        found
    }

    fn defaults_of(&self, id: NodeId, at: &str, on_path: &mut HashSet<NodeId>, found: &mut Vec<(String, Value)>) {
        if on_path.len() >= DEEPEST_DEFAULT || !on_path.insert(id) {
            return;
        }
        match &self.template.node(id).shape {
            Shape::Object(object) => {
                for field in &object.fields {
                    let at = Pointer::push(at, &field.name);
                    let node = self.template.node(field.node);
                    if let (Some(default), false) = (&node.default, matches!(field.presence, Presence::Auto { .. })) {
                        found.push((at.clone(), default.clone()));
                    }
                    self.defaults_of(field.node, &at, on_path, found);
                }
            }
            Shape::List(list) => self.defaults_of(list.items, &format!("{at}/*"), on_path, found),
            _ => {}
        }
        on_path.remove(&id);
    }

    pub(crate) fn field_index(&self) -> &FieldIndex {
        self.fields.get_or_init(|| FieldIndex::of(&self.template))
    }
}

/// The fields of each object of a template by name, sorted: lists are short, and comparing names costs less than
/// hashing them.
pub(crate) struct FieldIndex(Vec<Vec<(String, usize)>>);

impl FieldIndex {
    fn of(template: &Template) -> Self {
        let names = |node: &Node| match &node.shape {
            Shape::Object(object) => {
                let mut names: Vec<_> =
                    object.fields.iter().enumerate().map(|(at, field)| (field.name.clone(), at)).collect();
                names.sort();
                names
            }
            _ => Vec::new(),
        };
        Self(template.nodes.iter().map(names).collect())
    }

    /// The index of a field among those of its object.
    fn get(&self, id: NodeId, name: &str) -> Option<usize> {
        let names = self.0.get(id.0)?;
        let found = names.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
        names.get(found).map(|(_, at)| *at)
    }

    fn has(&self, id: NodeId, name: &str) -> bool {
        self.get(id, name).is_some()
    }

    /// The keys that are not fields. Maps come sorted as a rule, and then both lists are walked side by side.
    fn unknown<'k>(&self, id: NodeId, keys: impl Iterator<Item = &'k str>) -> Vec<&'k str> {
        let names = self.0.get(id.0).invariant("a node id belongs to its template");
        let mut left = names.iter();
        let mut unknown = Vec::new();
        for key in keys {
            let known = left.next().is_some_and(|(name, _)| name == key) || {
                let found = names.binary_search_by(|(name, _)| name.as_str().cmp(key));
                let next = found.map_or_else(|next| next, |at| at + 1);
                left = names.get(next..).invariant("a search ends within its list").iter();
                found.is_ok()
            };
            if !known {
                unknown.push(key);
            }
        }
        unknown
    }
}

impl<'i> Expected<'i> {
    fn opened(&self, value: &Value) -> Vec<NodeId> {
        open(&self.imprint.template, &self.nodes, value)
    }

    /// The one object that is expected here, where no union or condition leaves a choice: nearly everywhere.
    fn only_object(&self) -> Option<(NodeId, &'i Object)> {
        let imprint = self.imprint;
        match &*self.nodes {
            [id] => match &imprint.template.node(*id).shape {
                Shape::Object(object) if object.groups.is_empty() => Some((*id, object)),
                _ => None,
            },
            _ => None,
        }
    }

    fn objects(&self, value: &Value) -> Vec<(NodeId, &'i Object)> {
        let imprint = self.imprint;
        let object = |id: NodeId| match &imprint.template.node(id).shape {
            Shape::Object(object) => Some((id, object)),
            _ => None,
        };
        let all: Vec<(NodeId, &'i Object)> = self.opened(value).into_iter().filter_map(object).collect();
        // A constant that the value has chooses among several objects.
        let chosen: Vec<_> = all.iter().filter(|(_, object)| !self.is_ruled_out(object, value)).copied().collect();
        if all.len() < 2 || chosen.is_empty() { all } else { chosen }
    }

    /// Returns true if a value has a key for which an object lists other values.
    fn is_ruled_out(&self, object: &Object, value: &Value) -> bool {
        object.fields.iter().any(|field| match &self.imprint.template.node(field.node).shape {
            Shape::Choice(values) => value.get(&field.name).is_some_and(|value| !values.contains(value)),
            _ => false,
        })
    }

    /// The expectations under a key of an object.
    pub fn key(&self, value: &Value, name: &str) -> Self {
        let index = self.imprint.field_index();
        if let Some((id, object)) = self.only_object() {
            let listed = index.get(id, name).and_then(|at| object.fields.get(at));
            let nodes = match listed {
                Some(field) => Nodes::One([field.node]),
                None => object.keys.iter().map(|rule| rule.node).collect(),
            };
            return Self { imprint: self.imprint, nodes };
        }
        let mut nodes = Vec::new();
        for (id, object) in self.objects(value) {
            match index.get(id, name).and_then(|at| object.fields.get(at)) {
                Some(field) => nodes.push(field.node),
                None => nodes.extend(object.keys.iter().map(|rule| rule.node)),
            }
        }
        Self { imprint: self.imprint, nodes: Nodes::Some(nodes) }
    }

    /// The expectations of an item of a list.
    pub fn item(&self, value: &Value, index: usize) -> Self {
        if let [id] = &*self.nodes
            && let Shape::List(list) = &self.imprint.template.node(*id).shape
        {
            return Self { imprint: self.imprint, nodes: Nodes::One([list.items]) };
        }
        let mut nodes = Vec::new();
        for id in self.opened(value) {
            match &self.imprint.template.node(id).shape {
                Shape::List(list) => nodes.push(list.items),
                Shape::Tuple(tuple) => match (tuple.items.get(index), tuple.rest) {
                    (Some(item), _) => nodes.push(*item),
                    (None, Rest::Of(rest)) => nodes.push(rest),
                    (None, Rest::Open | Rest::Closed) => {}
                },
                _ => {}
            }
        }
        Self { imprint: self.imprint, nodes: Nodes::Some(nodes) }
    }

    /// The expectations at a place beneath this one.
    pub fn along(&self, value: &Value, pointer: &str) -> Self {
        static NOTHING: Value = Value::Null;
        let mut here = self.clone();
        let mut value = value;
        for name in Pointer::tokens(pointer) {
            (here, value) = match value {
                Value::Array(items) => {
                    let index = name.parse::<usize>().unwrap_or(usize::MAX);
                    (here.item(value, index), items.get(index).unwrap_or(&NOTHING))
                }
                other => (here.key(value, &name), other.get(&name).unwrap_or(&NOTHING)),
            };
        }
        here
    }

    /// The keys that an object here may have, in the order of the template.
    pub fn keys(&self, value: &Value) -> Vec<ExpectedKey<'i>> {
        let mut keys: Vec<ExpectedKey<'i>> = Vec::new();
        let mut seen = HashSet::new();
        for (_, object) in self.objects(value) {
            for field in &object.fields {
                if seen.insert(field.name.as_str()) {
                    let node = self.imprint.template.node(field.node);
                    let note = if field.note.is_empty() { &node.note } else { &field.note };
                    let required = field.presence == Presence::Fill;
                    keys.push(ExpectedKey { name: &field.name, required, note });
                }
            }
        }
        keys
    }

    /// Returns true if an object here has a place for a key: a listed one, or one that a rule for keys covers.
    pub fn has_key(&self, value: &Value, name: &str) -> bool {
        let index = self.imprint.field_index();
        let objects = self.objects(value);
        objects.iter().any(|(id, object)| !object.keys.is_empty() || index.has(*id, name))
    }

    /// The keys of an object here that the schema has no place for; none where it knows no keys at all.
    pub fn strangers<'v>(&self, value: &'v Value) -> Vec<&'v str> {
        if let (Some((id, object)), Some(map)) = (self.only_object(), value.as_object()) {
            if !object.keys.is_empty() {
                return Vec::new();
            }
            return self.imprint.field_index().unknown(id, map.keys().map(String::as_str));
        }
        let (objects, Some(map)) = (self.objects(value), value.as_object()) else { return Vec::new() };
        if objects.iter().any(|(_, object)| !object.keys.is_empty()) {
            return Vec::new();
        }
        let index = self.imprint.field_index();
        let known = |key: &str| objects.iter().any(|(id, _)| index.has(*id, key));
        map.keys().map(String::as_str).filter(|key| !known(key)).collect()
    }

    /// Returns true if keys of objects are known here at all.
    pub fn is_known(&self, value: &Value) -> bool {
        self.objects(value).iter().any(|(_, object)| !object.fields.is_empty())
    }

    /// Returns true if a value of this kind can stand here; everything can where nothing is known.
    pub fn takes(&self, kind: ValueKind) -> bool {
        self.nodes.is_empty() || self.nodes.iter().any(|id| self.node_types(*id, 0).meets(kind.types()))
    }

    /// Returns true if values of this kind alone, and null, can stand here.
    pub fn takes_only(&self, kind: ValueKind) -> bool {
        let types = self.nodes.iter().map(|id| self.node_types(*id, 0)).fold(Types::NONE, |a, b| a | b);
        let rest = types.without(Types::NULL).without(kind.types());
        !self.nodes.is_empty() && types.meets(kind.types()) && rest.is_empty()
    }

    fn node_types(&self, id: NodeId, depth: usize) -> Types {
        let node = self.imprint.template.node(id);
        if node.loose || depth > 8 {
            return Types::ALL;
        }
        let types = match &node.shape {
            Shape::Any => Types::ALL,
            Shape::Never => Types::NONE,
            Shape::Leaf(leaf) => leaf.types,
            Shape::Choice(values) => values.iter().map(Types::of).fold(Types::NONE, |a, b| a | b),
            Shape::Object(_) => Types::OBJECT,
            Shape::List(_) | Shape::Tuple(_) => Types::ARRAY,
            Shape::Text(_) => Types::STRING,
            Shape::Union(union) => {
                union.variants.iter().map(|id| self.node_types(*id, depth + 1)).fold(Types::NONE, |a, b| a | b)
            }
        };
        if node.nullable { types | Types::NULL } else { types }
    }

    /// The values that may stand here, if they are listed.
    pub fn choices(&self) -> Option<Vec<&'i Value>> {
        let imprint = self.imprint;
        let mut all = Vec::new();
        for id in self.nodes.iter() {
            match &imprint.template.node(*id).shape {
                Shape::Choice(values) => all.extend(values),
                _ => return None,
            }
        }
        Some(all).filter(|all| !all.is_empty())
    }

    /// The format that text here must have, if it is one and the same.
    pub fn format(&self) -> Option<&'i str> {
        let imprint = self.imprint;
        match &*self.nodes {
            [id] => match &imprint.template.node(*id).shape {
                Shape::Leaf(leaf) => leaf.format.as_deref(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns true if a value looks as if it could stand here.
    pub fn fits(&self, value: &Value) -> bool {
        self.nodes.is_empty() || self.nodes.iter().any(|id| fits(&self.imprint.template, *id, value, LOOK))
    }

    /// Returns true if nothing is known of this place.
    pub fn is_anything(&self) -> bool {
        self.nodes.iter().all(|id| self.imprint.template.node(*id).shape == Shape::Any)
    }
}
