//! A tree as JSON, two spaces for each level, keys in their order.

use crate::rows::put_string;
use deed_canon::{Node, NodeKind};

/// Puts a tree. Its depth was bounded when it was read.
pub(crate) fn put(out: &mut Vec<u8>, node: &Node, level: usize) {
    match &node.kind {
        NodeKind::Array(items) if !items.is_empty() => {
            out.push(b'[');
            for (i, item) in items.iter().enumerate() {
                line(out, i > 0, level + 1);
                put(out, item, level + 1);
            }
            line(out, false, level);
            out.push(b']');
        }
        NodeKind::Object(members) if !members.is_empty() => {
            out.push(b'{');
            for (i, member) in members.iter().enumerate() {
                line(out, i > 0, level + 1);
                put_string(out, &member.key);
                out.extend_from_slice(b": ");
                put(out, &member.value, level + 1);
            }
            line(out, false, level);
            out.push(b'}');
        }
        _ => put_scalar(out, node),
    }
}

/// Puts what has no parts.
pub(crate) fn put_scalar(out: &mut Vec<u8>, node: &Node) {
    match &node.kind {
        NodeKind::Null => out.extend_from_slice(b"null"),
        NodeKind::Bool(true) => out.extend_from_slice(b"true"),
        NodeKind::Bool(false) => out.extend_from_slice(b"false"),
        NodeKind::Number(number) => out.extend_from_slice(number.to_string().as_bytes()),
        NodeKind::String(text) => put_string(out, text),
        NodeKind::Array(_) => out.extend_from_slice(b"[]"),
        NodeKind::Object(_) => out.extend_from_slice(b"{}"),
    }
}

fn line(out: &mut Vec<u8>, comma: bool, level: usize) {
    if comma {
        out.push(b',');
    }
    out.push(b'\n');
    out.resize(out.len() + 2 * level, b' ');
}
