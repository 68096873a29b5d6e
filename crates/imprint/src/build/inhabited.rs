//! Whether any value at all can stand at the outermost place.
//!
//! A value must end somewhere, so a place counts as possible only once all that it requires is known to be
//! possible. What is not understood counts as possible: a schema is refused only if nothing can be valid.

use crate::template::{Node, NodeId, Presence, Shape, Template};
use deed_canon::Pointer;

/// The place at which no value can stand although one must; none if the schema has a valid value, as far as the
/// template can tell.
pub(super) fn impossible(template: &Template) -> Option<String> {
    let mut possible = vec![false; template.nodes.len()];
    // Children mostly stand behind their parents, so going backwards settles nearly all in one pass.
    loop {
        let mut moved = false;
        for index in (0..template.nodes.len()).rev() {
            if possible.get(index).copied().unwrap_or(true) {
                continue;
            }
            let Some(node) = template.nodes.get(index) else { continue };
            if is_possible(node, &possible)
                && let Some(slot) = possible.get_mut(index)
            {
                *slot = true;
                moved = true;
            }
        }
        if !moved {
            let root = possible.get(template.root.0).copied().unwrap_or(true);
            return if root { None } else { Some(deepest(template, &possible)) };
        }
    }
}

/// Goes down from the outermost place through what is required until nothing beneath is to blame.
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
        let blamed = |id: &NodeId| !possible.get(id.0).copied().unwrap_or(true);
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
    let has = |id: &NodeId| possible.get(id.0).copied().unwrap_or(true);
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
