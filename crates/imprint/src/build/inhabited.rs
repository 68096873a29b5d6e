//! Refuses templates under which no value is possible.
//!
//! A value must end somewhere, so a place counts as possible only once all that it requires is known to be possible.
//! A shape that is not understood counts as possible: a schema is refused only if no value can be valid.

use crate::template::{Node, NodeId, Presence, Shape, Template};
use deed_canon::Pointer;
use deed_diag::Invariant;

/// The place at which a value is required but none is possible; `None` if the schema has a valid value, as far as the
/// template shows.
pub(super) fn impossible(template: &Template) -> Option<String> {
    let mut possible = vec![false; template.nodes.len()];
    // Children mostly stand behind their parents, so going backwards settles nearly all in one pass.
    loop {
        let mut moved = false;
        for (index, node) in template.nodes.iter().enumerate().rev() {
            if !has(&possible, NodeId(index)) && is_possible(node, &possible) {
                *possible.get_mut(index).invariant(OF_TEMPLATE) = true;
                moved = true;
            }
        }
        if !moved {
            return if has(&possible, template.root) { None } else { Some(deepest(template, &possible)) };
        }
    }
}

const OF_TEMPLATE: &str = "a node id belongs to its template";

fn has(possible: &[bool], id: NodeId) -> bool {
    possible.get(id.0).copied().invariant(OF_TEMPLATE)
}

/// Follows required places down from the root to the last one without a possible value.
fn deepest(template: &Template, possible: &[bool]) -> String {
    let mut at = String::new();
    let mut id = template.root;
    let mut seen = vec![false; template.nodes.len()];
    loop {
        match seen.get_mut(id.0) {
            Some(seen) if !*seen => *seen = true,
            // It requires itself.
            _ => return at,
        }
        let blamed = |id: &NodeId| !has(possible, *id);
        let next = match &template.node(id).shape {
            Shape::Object(object) => {
                let field = object.fields.iter().find(|f| f.presence == Presence::Fill && blamed(&f.node));
                field.map(|field| (Pointer::escape(&field.name), field.node))
            }
            Shape::List(list) => Some(("*".to_owned(), list.items)).filter(|(_, id)| blamed(id)),
            _ => None,
        };
        match next {
            Some((name, node)) => {
                at = format!("{at}/{name}");
                id = node;
            }
            None => return at,
        }
    }
}

fn is_possible(node: &Node, possible: &[bool]) -> bool {
    let has = |id: &NodeId| has(possible, *id);
    if node.nullable || node.loose {
        return true;
    }
    match &node.shape {
        Shape::Never => false,
        Shape::Any | Shape::Leaf(_) | Shape::Choice(_) | Shape::Text(_) => true,
        Shape::Object(object) => {
            let required = |presence: Presence| presence == Presence::Fill;
            object.fields.iter().all(|field| !required(field.presence) || has(&field.node))
        }
        Shape::List(list) => list.count.least == 0 || has(&list.items),
        Shape::Tuple(_) => true,
        Shape::Union(union) => union.variants.iter().any(has),
    }
}
