//! A template in parts: a spine and sections that are filled one by one and joined.
//!
//! A section is a field of an object, reached through fields of objects alone, so that it has one place in every
//! payload. The largest are set apart first, until what is left is small enough; a section that is still too
//! large is split in the same way.

use crate::grammar::{Stop, Token, Word, escaped_key, render_with};
use crate::imprint::Imprint;
use crate::template::{Field, NodeId, Presence, Shape};
use deed_canon::Pointer;
use serde_json::Value;
use std::collections::BTreeMap;

/// Parts beyond this are not made; what would be one more stays where it is.
const MOST_PARTS: usize = 256;

/// A template in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sections {
    /// The parts: the spine first, then the sections in the order of their places.
    pub parts: Vec<Section>,
}

/// One part of a template.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Section {
    /// The JSON pointer of its place in the filled template; empty for the spine.
    pub name: String,
    /// Head and skeleton.
    pub text: String,
    /// Its tokens.
    pub tokens: usize,
    /// True if it is larger than asked for and cannot be split further.
    pub oversize: bool,
}

/// A failure to join filled parts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// A part was filled that the template does not have.
    #[error("unknown section `{0}`")]
    Unknown(String),
    /// A section was filled whose place in the spine was not left for it.
    #[error("the place of section `{0}` is filled or missing in the part around it")]
    Taken(String),
    /// The spine was not filled.
    #[error("the spine is missing")]
    NoSpine,
}

/// Splits a template.
pub(crate) fn split(imprint: &Imprint, limit: usize, tokens: &dyn Fn(&str) -> usize) -> Sections {
    let mut parts = Vec::new();
    let mut left = vec![(String::new(), vec![imprint.template.root])];
    while let Some((name, chain)) = left.pop() {
        let room = MOST_PARTS.saturating_sub(parts.len() + left.len() + 1);
        let (section, inner) = one(imprint, name, &chain, limit, room, tokens);
        parts.push(section);
        for (name, id) in inner.into_iter().rev() {
            let mut chain = chain.clone();
            chain.push(id);
            left.push((name, chain));
        }
    }
    Sections { parts }
}

/// One part, and the sections that were set apart from it.
fn one(
    imprint: &Imprint,
    name: String,
    chain: &[NodeId],
    limit: usize,
    room: usize,
    tokens: &dyn Fn(&str) -> usize,
) -> (Section, Vec<(String, NodeId)>) {
    let template = &imprint.template;
    let root = chain.last().copied().unwrap_or(template.root);
    let title = if name.is_empty() {
        template.title.clone()
    } else {
        format!("section {}", name.replace(char::is_control, " "))
    };
    let write = |stop: &Stop| {
        let rendered = render_with(template, root, &title, stop);
        format!("{}\n{}", rendered.head, rendered.skeleton)
    };
    let mut stop = Stop::new();
    let mut apart: Vec<(String, NodeId)> = Vec::new();
    let mut text = write(&stop);
    let mut size = tokens(&text);
    let mut offered = fields(imprint, chain, root);
    while size > limit && !offered.is_empty() {
        let mut sized: Vec<(usize, String, NodeId)> = offered
            .iter()
            .map(|(at, id)| (render_with(template, *id, "", &Stop::new()).skeleton.len(), at.clone(), *id))
            .collect();
        sized.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let worth: Vec<_> = sized.into_iter().filter(|(length, _, _)| *length > 120).collect();
        if worth.is_empty() {
            break;
        }
        for (_, at, id) in worth {
            if size <= limit || apart.len() >= room {
                break;
            }
            stop.insert(at.clone(), format!("{name}{at}"));
            apart.push((format!("{name}{at}"), id));
            text = write(&stop);
            size = tokens(&text);
        }
        offered.clear();
    }
    apart.sort();
    (Section { name, tokens: size, oversize: size > limit, text }, apart)
}

/// The fields that can be set apart: those of the outermost object, but for a shape that it stands within.
fn fields(imprint: &Imprint, chain: &[NodeId], root: NodeId) -> Vec<(String, NodeId)> {
    let Shape::Object(object) = &imprint.template.node(root).shape else { return Vec::new() };
    let structured = |field: &&Field| {
        let shape = &imprint.template.node(field.node).shape;
        let auto = matches!(field.presence, Presence::Auto { .. });
        !auto
            && !chain.contains(&field.node)
            && matches!(shape, Shape::Object(_) | Shape::List(_) | Shape::Tuple(_) | Shape::Union(_) | Shape::Choice(_))
    };
    let place = |field: &Field| (Pointer::push("", &escaped_key(&field.name)), field.node);
    object.fields.iter().filter(structured).map(place).collect()
}

/// Joins filled parts, by the names of their sections, into one filled template.
//
// # Errors
// If the spine is missing, a part is unknown, or the place of a section is taken.
pub fn join(parts: &BTreeMap<String, Value>) -> Result<Value, JoinError> {
    let mut whole = parts.get("").cloned().ok_or(JoinError::NoSpine)?;
    // Names are pointers, and in their order a section comes after the one it stands in.
    for (name, part) in parts.iter().filter(|(name, _)| !name.is_empty()) {
        let Some(place) = whole.pointer_mut(name) else {
            return match whole.pointer(name.rsplit_once('/').map_or("", |(parent, _)| parent)) {
                Some(_) => Err(JoinError::Taken(name.clone())),
                None => Err(JoinError::Unknown(name.clone())),
            };
        };
        let left = place.as_str().and_then(|text| Token::read(text).ok());
        let left = left.is_some_and(|token| {
            matches!(token.word, Word::Fill | Word::Optional) && token.segments.contains(&format!("of:{name}"))
        });
        if !left {
            return Err(JoinError::Taken(name.clone()));
        }
        *place = part.clone();
    }
    Ok(whole)
}
