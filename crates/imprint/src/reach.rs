//! The special places of a payload: those that the system supplies, and those that are sent as JSON text.
//!
//! Most templates have none, and then nothing here is ever asked. Where a union leaves open which variant a value
//! is of, a place counts as special only if every variant that fits says so; both ways of the translation ask
//! here, and what they ask about looks the same to both, so they never disagree.

use crate::build::same;
use crate::meaning::children;
use crate::template::{Field, GroupKind, KeyTest, NodeId, Object, Presence, Rest, Shape, Template, Types};
use deed_diag::Invariant;
use serde_json::Value;
use std::collections::HashMap;

const OF_TEMPLATE: &str = "a node id belongs to its template";

/// The levels of a value that are compared with variants.
const DEEPEST_LOOK: usize = 3;

/// The special places of a template.
pub(crate) struct Reach {
    /// By node: true if it is special or has something special beneath it.
    special: Vec<bool>,
    /// By node: the fields of an object by name.
    fields: HashMap<NodeId, HashMap<String, usize>>,
}

/// The speciality of one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Special {
    /// The system supplies it.
    Auto,
    /// It goes over the wire as JSON text; null stays null where it may stand.
    Text {
        /// True if null may stand here.
        nullable: bool,
    },
}

impl Reach {
    pub(crate) fn new(template: &Template) -> Self {
        let mut above: Vec<Vec<usize>> = vec![Vec::new(); template.nodes.len()];
        let mut left = Vec::new();
        let mut special = vec![false; template.nodes.len()];
        for (index, node) in template.nodes.iter().enumerate() {
            for child in children(&node.shape) {
                above.get_mut(child.0).invariant(OF_TEMPLATE).push(index);
            }
            let auto =
                |object: &Object| object.fields.iter().any(|field| matches!(field.presence, Presence::Auto { .. }));
            let own =
                matches!(&node.shape, Shape::Text(_)) || matches!(&node.shape, Shape::Object(object) if auto(object));
            if own {
                left.push(index);
            }
        }
        while let Some(index) = left.pop() {
            match special.get_mut(index) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            left.extend(above.get(index).into_iter().flatten().copied());
        }
        let mut fields = HashMap::new();
        for (index, node) in template.nodes.iter().enumerate() {
            if let (Shape::Object(object), Some(true)) = (&node.shape, special.get(index)) {
                let names = object.fields.iter().enumerate().map(|(at, field)| (field.name.clone(), at));
                fields.insert(NodeId(index), names.collect());
            }
        }
        Self { special, fields }
    }

    /// The outermost place, if anything special is beneath it.
    pub(crate) fn start(&self, template: &Template) -> Vec<NodeId> {
        self.kept(vec![template.root])
    }

    fn kept(&self, mut nodes: Vec<NodeId>) -> Vec<NodeId> {
        nodes.retain(|id| self.special.get(id.0).copied().invariant(OF_TEMPLATE));
        nodes
    }

    /// The speciality of a key of an object whose nodes are known, and the nodes of its value.
    pub(crate) fn key(
        &self,
        template: &Template,
        nodes: &[NodeId],
        object: &Value,
        key: &str,
    ) -> (Option<Special>, Vec<NodeId>) {
        let mut found = Vec::new();
        let (mut autos, mut others, mut anything) = (0_usize, 0_usize, false);
        for id in open(template, nodes, object) {
            let Shape::Object(shape) = &template.node(id).shape else {
                others += 1;
                // Where anything may stand, other JSON may stand as it is.
                anything |= matches!(template.node(id).shape, Shape::Any);
                continue;
            };
            let listed = self.fields.get(&id).and_then(|names| names.get(key)).and_then(|at| shape.fields.get(*at));
            match listed {
                Some(field) if matches!(field.presence, Presence::Auto { .. }) => autos += 1,
                Some(field) => {
                    others += 1;
                    found.push(field.node);
                }
                // A variant that does not speak of the key has no say. Which rule for keys covers it is not known
                // without matching patterns, so only a rule for all of them counts.
                None => match shape.keys.as_slice() {
                    [only] if only.rest => found.push(only.node),
                    _ => {}
                },
            }
        }
        if autos > 0 && others == 0 {
            return (Some(Special::Auto), Vec::new());
        }
        match self.value(template, found) {
            (Some(Special::Text { .. }), _) if anything => (None, Vec::new()),
            special => special,
        }
    }

    /// The speciality of an item of a list, and its nodes.
    pub(crate) fn item(
        &self,
        template: &Template,
        nodes: &[NodeId],
        list: &Value,
        index: usize,
    ) -> (Option<Special>, Vec<NodeId>) {
        let mut found = Vec::new();
        for id in open(template, nodes, list) {
            match &template.node(id).shape {
                Shape::List(list) => found.push(list.items),
                Shape::Tuple(tuple) => match (tuple.items.get(index), tuple.rest) {
                    (Some(item), _) => found.push(*item),
                    (None, Rest::Of(rest)) => found.push(rest),
                    (None, Rest::Open | Rest::Closed) => {}
                },
                _ => {}
            }
        }
        self.value(template, found)
    }

    /// The speciality of the root, and its nodes.
    pub(crate) fn root(&self, template: &Template) -> (Option<Special>, Vec<NodeId>) {
        self.value(template, self.start(template))
    }

    fn value(&self, template: &Template, nodes: Vec<NodeId>) -> (Option<Special>, Vec<NodeId>) {
        let texts: Vec<NodeId> = nodes
            .iter()
            .filter_map(|id| if let Shape::Text(inner) = template.node(*id).shape { Some(inner) } else { None })
            .collect();
        if !texts.is_empty() && texts.len() == nodes.len() {
            let nullable = nodes.iter().any(|id| template.node(*id).nullable);
            return (Some(Special::Text { nullable }), texts);
        }
        (None, self.kept(nodes))
    }
}

/// The shapes that a value can be of: unions and groups opened, variants that do not fit left out.
pub(crate) fn open(template: &Template, nodes: &[NodeId], value: &Value) -> Vec<NodeId> {
    let mut opened = Vec::new();
    let mut left: Vec<NodeId> = nodes.to_vec();
    let mut seen = Vec::new();
    while let Some(id) = left.pop() {
        // A union may be a variant of itself.
        if seen.contains(&id) || seen.len() > 256 {
            continue;
        }
        seen.push(id);
        match &template.node(id).shape {
            Shape::Union(union) => {
                let fitting: Vec<NodeId> =
                    union.variants.iter().copied().filter(|v| fits(template, *v, value, DEEPEST_LOOK)).collect();
                left.extend(if fitting.is_empty() { union.variants.clone() } else { fitting });
            }
            Shape::Object(object) => {
                opened.push(id);
                for group in object.groups.iter().filter(|group| applies(&group.kind, value)) {
                    let fitting = group.variants.iter().copied().filter(|v| fits(template, *v, value, DEEPEST_LOOK));
                    left.extend(fitting);
                }
            }
            _ => opened.push(id),
        }
    }
    opened
}

/// Returns true if the condition of a group holds of an object.
fn applies(kind: &GroupKind, value: &Value) -> bool {
    match kind {
        GroupKind::Union(_) => true,
        GroupKind::With(key) => value.get(key).is_some(),
        GroupKind::When { tests, negated } => tests.iter().all(|test| holds(test, value)) != *negated,
    }
}

/// Returns true if a test of a key holds of an object.
fn holds(test: &KeyTest, value: &Value) -> bool {
    let listed =
        value.get(&test.name).map_or(test.absent, |found| test.values.iter().any(|listed| same(listed, found)));
    listed != test.negated
}

/// Returns true if a value looks as if it were of a variant. Special places are not looked at, since the same value has
/// them filled on one side and not on the other.
pub(crate) fn fits(template: &Template, id: NodeId, value: &Value, look: usize) -> bool {
    let node = template.node(id);
    if value.is_null() && node.nullable {
        return true;
    }
    if node.loose || look == 0 {
        return true;
    }
    match (&node.shape, value) {
        (Shape::Any | Shape::Text(_), _) => true,
        (Shape::Never, _) => false,
        (Shape::Leaf(leaf), value) => leaf.types.has(Types::of(value)),
        (Shape::Choice(values), value) => values.contains(value),
        (Shape::Object(object), Value::Object(map)) => {
            let has_parts =
                |field: &Field| matches!(template.node(field.node).shape, Shape::Object(_) | Shape::Union(_));
            let complete = |field: &Field| match map.get(&field.name) {
                None => field.presence != Presence::Fill,
                Some(_) if matches!(field.presence, Presence::Auto { .. }) => true,
                Some(inner) => fits(template, field.node, inner, look - 1),
            };
            let listed = |key: &String| object.fields.iter().any(|field| field.name == *key);
            // Cheap fields are compared first: a kind rules a variant out before nested values are compared.
            object.fields.iter().filter(|field| !has_parts(field)).all(complete)
                && (!object.closed || !object.keys.is_empty() || map.keys().all(listed))
                && object.fields.iter().filter(|field| has_parts(field)).all(complete)
        }
        (Shape::List(_) | Shape::Tuple(_), Value::Array(_)) => true,
        (Shape::Union(union), value) => union.variants.iter().any(|v| fits(template, *v, value, look - 1)),
        (Shape::Object(_) | Shape::List(_) | Shape::Tuple(_), _) => false,
    }
}
