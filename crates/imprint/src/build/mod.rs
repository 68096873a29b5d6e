//! Schema → template: every place that a payload can have, found once.
//!
//! A place is a set of schemas that all hold there. Places are settled one after the other from a queue, so a
//! schema that contains itself ends, and one nested a thousand deep needs no stack.

mod condition;
mod gather;
mod inhabited;
mod note;
mod settle;

pub(crate) use gather::same;

use crate::grammar::is_simple;
use crate::template::{GroupKind, Node, NodeId, Shape, Template, Types, Unshown};
use deed_diag::Invariant;
use deed_schema::{Reason, Refused, Schema, Spot};
use gather::gather;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// Keywords that say nothing of what is valid.
const WORDS: [&str; 12] = [
    "$ref",
    "title",
    "description",
    "default",
    "example",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "externalDocs",
    "markdownDescription",
];
/// Names of definitions longer than this are not used.
const LONGEST_LABEL: usize = 40;
/// Places beyond this are not shown one by one.
const MOST_PLACES: usize = 60_000;

const OF_TEMPLATE: &str = "a node id belongs to its template";

/// Makes the template of a schema.
pub(crate) fn build(schema: &Schema) -> Result<Template, Refused> {
    let mut builder = Builder::default();
    let root = builder.place(vec![schema.root()?], Types::ALL, "", "");
    while let Some(work) = builder.queue.pop_front() {
        let demands = gather(&work.spots)?;
        let what = if demands.never { "forbidden" } else { "contradiction" };
        let node = settle::settle(&mut builder, &work, demands)?;
        if node.shape == Shape::Never && !work.at.is_empty() {
            builder.hide(what, &work.at);
        }
        *builder.nodes.get_mut(work.id.0).invariant(OF_TEMPLATE) = Node { label: work.label, ..node };
    }
    let Builder { mut nodes, title, severity, next, mut unshown, .. } = builder;
    if prune(&mut nodes) {
        unshown.insert(Unshown { what: "contradiction".to_owned(), at: "**".to_owned() });
    }
    let template = Template { nodes, root, title, severity, next, unshown: unshown.into_iter().collect() };
    possible(&template)?;
    Ok(template)
}

/// Removes impossible variants from unions; a union without variants is impossible itself. Returns true if a shape was
/// hidden for that.
fn prune(nodes: &mut [Node]) -> bool {
    let mut hidden = false;
    loop {
        let never: Vec<bool> = nodes.iter().map(|node| node.shape == Shape::Never && !node.nullable).collect();
        let is_never = |id: &NodeId| never.get(id.0).copied().invariant(OF_TEMPLATE);
        let mut moved = false;
        for node in nodes.iter_mut() {
            let gone = match &mut node.shape {
                Shape::Union(union) => {
                    union.variants.retain(|id| !is_never(id));
                    union.variants.is_empty()
                }
                Shape::Object(object) => {
                    let unions = object.groups.iter_mut().filter(|group| matches!(group.kind, GroupKind::Union(_)));
                    let mut none_left = false;
                    for group in unions {
                        group.variants.retain(|id| !is_never(id));
                        none_left |= group.variants.is_empty();
                    }
                    if none_left && node.loose {
                        // No object can stand here, and values of other types can.
                        node.shape = Shape::Any;
                        hidden = true;
                        continue;
                    }
                    none_left
                }
                _ => false,
            };
            if gone {
                node.shape = Shape::Never;
                moved = true;
            }
        }
        if !moved {
            return hidden;
        }
    }
}

/// Refuses a template under which no value is valid.
fn possible(template: &Template) -> Result<(), Refused> {
    if let Some(at) = inhabited::impossible(template) {
        let message = match at.as_str() {
            "" => "it contradicts itself: no value is valid under it".to_owned(),
            at => format!("it contradicts itself: it requires `{at}`, where no value can stand"),
        };
        return Err(Refused::new(Reason::NothingIsValid, message).at(at));
    }
    Ok(())
}

#[derive(Default)]
struct Builder<'s> {
    nodes: Vec<Node>,
    known: HashMap<(Vec<usize>, Types), NodeId>,
    queue: VecDeque<Work<'s>>,
    title: String,
    severity: String,
    next: String,
    unshown: BTreeSet<Unshown>,
}

/// A place to settle.
struct Work<'s> {
    id: NodeId,
    spots: Vec<Spot<'s>>,
    /// Types that the surrounding schema leaves.
    types: Types,
    /// The key it stands under.
    name: String,
    /// Its place, for reports.
    at: String,
    /// The name of the definition it was reached through.
    label: Option<String>,
}

/// The target of a schema that only refers to another one, so that the shape is the same wherever it is used. The
/// caller keeps the words beside the reference.
fn target<'s>(mut spot: Spot<'s>, label: &mut Option<String>) -> Spot<'s> {
    // A chain that is longer than this goes in circles.
    for _ in 0..100 {
        // A reference that does not resolve was refused with its schema.
        let Some((reference, Ok(target))) = spot.reference() else { return spot };
        let only_words = |map: &Map<String, Value>| {
            map.keys().all(|key| WORDS.contains(&key.as_str()) || key.starts_with("x-") && key != "x-deed-serialized")
        };
        if spot.dialect().reference_has_siblings() && !spot.value().as_object().is_some_and(only_words) {
            return spot;
        }
        if spot.dialect().is_openapi() && spot.value().get("nullable").is_some() {
            return spot;
        }
        let name = reference.rsplit_once(['/', '#']).map_or(reference, |(_, name)| name);
        *label = Some(name.to_owned()).filter(|name| is_simple(name) && name.len() <= LONGEST_LABEL);
        spot = target;
    }
    spot
}

impl<'s> Builder<'s> {
    /// The node of a place; it is settled later if it was not met before.
    fn place(&mut self, spots: Vec<Spot<'s>>, types: Types, at: &str, name: &str) -> NodeId {
        let mut label = None;
        let spots: Vec<Spot<'s>> = spots.into_iter().map(|spot| target(spot, &mut label)).collect();
        let label = label.filter(|_| spots.len() == 1);
        let key = (spots.iter().map(Spot::identity).collect::<Vec<_>>(), types);
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        if self.nodes.len() >= MOST_PLACES {
            self.hide("size", at);
            return self.add(Node::new(Shape::Any));
        }
        let id = self.add(Node::new(Shape::Any));
        self.known.insert(key, id);
        self.queue.push_back(Work { id, spots, types, name: name.to_owned(), at: at.to_owned(), label });
        id
    }

    fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }

    fn hide(&mut self, what: &str, at: &str) {
        self.unshown.insert(Unshown { what: what.to_owned(), at: at.to_owned() });
    }
}
