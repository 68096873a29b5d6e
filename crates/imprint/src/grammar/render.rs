//! Template → text: the graph is written as the tree a model reads.
//!
//! A shape is written out where it is first met. Met again inside itself it ends in `{REF: circular}`; met again
//! elsewhere it is pointed at if it is large, since saying it twice costs more than it helps.

use super::condition;
use super::escape::{REMARK, escaped, escaped_key};
use super::head::{Words, head};
use super::is_simple;
use super::token::{Token, Word};
use crate::template::{
    Bounds, Field, Group, GroupKind, KeyRule, Leaf, List, Node, NodeId, Object, Presence, Range, Rest, Shape, Template,
    Tuple, Types, Union, UnionKind, Unshown,
};
use deed_canon::Pointer;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Levels beyond this are not written.
const DEEPEST: usize = 60;
/// Shapes shorter than this are written again.
const SHORT: usize = 100;

/// Examples and defaults longer than this are not shown.
const LONGEST_VALUE: usize = 40;

/// The shapes at which writing stops, since they are filled separately.
pub(crate) type Stop = BTreeMap<String, String>;

/// A template as text.
#[derive(Debug, Clone)]
pub(crate) struct Rendered {
    /// The line of instructions.
    pub(crate) head: String,
    /// The JSON document.
    pub(crate) skeleton: String,
    /// Parts that were not written for lack of room.
    pub(crate) unshown: Vec<Unshown>,
}

/// Facts about the whole for the head.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) tokens: usize,
    pub(super) fills: usize,
    pub(super) optionals: usize,
    pub(super) autos: usize,
    pub(super) enums: usize,
    pub(super) sections: usize,
    pub(super) levels: usize,
    pub(super) union_at_root: bool,
    pub(super) closed: bool,
    /// Tokens of numbers and booleans alone.
    pub(super) unquoted: usize,
    /// The bounds of the outermost list.
    pub(super) items: Option<String>,
    /// The words of tokens that stand for something other than one value.
    pub(super) words: BTreeSet<Word>,
}

/// Writes a template.
pub(crate) fn render(template: &Template) -> Rendered {
    render_with(template, template.root, &template.title, &Stop::new())
}

/// Writes a part of a template, stopping at some of its fields: by place, the name of the section to name there.
pub(crate) fn render_with(template: &Template, root: NodeId, title: &str, stop: &Stop) -> Rendered {
    // Written once to learn what is pointed at, and once more with a name on each of those.
    let mut writer = Writer::new(template, stop, HashMap::new());
    writer.start(root);
    if !writer.pointed_at.is_empty() {
        let labels = labels(template, &writer.pointed_at);
        if !labels.is_empty() {
            let decided = writer.pointed_at.iter().copied().collect();
            writer = Writer { decided: Some(decided), ..Writer::new(template, stop, labels) };
            writer.start(root);
        }
    }
    writer.tally.union_at_root = matches!(template.node(root).shape, Shape::Union(_));
    writer.tally.items = match &template.node(root).shape {
        Shape::List(list) => Some(list.count),
        Shape::Tuple(tuple) => Some(tuple.count),
        _ => None,
    }
    .filter(|bounds| !bounds.is_free())
    .map(count);
    // The author speaks of the whole; a section is a part of it.
    let whole = root == template.root;
    let (severity, next) = if whole { (template.severity.as_str(), template.next.as_str()) } else { ("", "") };
    let words = Words { title, severity, next };
    let head = head(&writer.tally, kind(template, root), &words);
    Rendered { head, skeleton: writer.out, unshown: writer.unshown.into_iter().collect() }
}

fn kind(template: &Template, id: NodeId) -> Types {
    match &template.node(id).shape {
        Shape::Object(_) => Types::OBJECT,
        Shape::List(_) | Shape::Tuple(_) => Types::ARRAY,
        Shape::Leaf(leaf) => leaf.types,
        Shape::Choice(values) => values.first().map_or(Types::NONE, Types::of),
        Shape::Text(_) => Types::STRING,
        Shape::Any | Shape::Never | Shape::Union(_) => Types::NONE,
    }
}

/// The properties of a place.
#[derive(Clone, Default)]
struct Place<'t> {
    presence: Presence,
    /// True if the surrounding objects refuse keys that are not listed.
    closed: bool,
    /// Words for the list this is the item of.
    note: &'t str,
    items: Bounds,
    unique: bool,
    with: &'t [String],
    depth: usize,
    /// True if all around it may be left out, or is one of several.
    spared: bool,
    /// The object whose fields apply beside those of the branch of a condition that is written here.
    around: Option<&'t Object>,
}

impl Place<'_> {
    fn inner(&self) -> Place<'static> {
        Place {
            closed: self.closed,
            depth: self.depth + 1,
            spared: self.spared || self.presence != Presence::Fill,
            ..Place::default()
        }
    }

    fn word(&self) -> Word {
        match self.presence {
            Presence::Fill => Word::Fill,
            Presence::Optional => Word::Optional,
            Presence::Auto { .. } => Word::Auto,
        }
    }

    /// Adds the properties of the place to a token.
    fn say(&self, token: &mut Token) {
        if !self.items.is_free() {
            token.segments.push(format!("items:{}", count(self.items)));
        }
        if self.unique {
            token.segments.push("unique".to_owned());
        }
        if !self.with.is_empty() {
            token.segments.push(format!("with:{}", self.with.join(",")));
        }
        if self.presence == (Presence::Auto { required: true }) {
            token.segments.push("required".to_owned());
        }
    }
}

struct Writer<'t> {
    template: &'t Template,
    stop: &'t Stop,
    out: String,
    tally: Tally,
    on_path: HashMap<NodeId, String>,
    written: HashMap<NodeId, (String, usize)>,
    pointed_at: Vec<NodeId>,
    /// The shapes that were pointed at in the first pass, so that names do not change the decision.
    decided: Option<BTreeSet<NodeId>>,
    labels: HashMap<NodeId, &'t str>,
    unshown: BTreeSet<Unshown>,
}

/// A name for each shape that is pointed at, if its label is unique.
fn labels<'t>(template: &'t Template, pointed_at: &[NodeId]) -> HashMap<NodeId, &'t str> {
    let mut owners: BTreeMap<&str, NodeId> = BTreeMap::new();
    for id in pointed_at {
        if let Some(label) = &template.node(*id).label {
            owners.entry(label).or_insert(*id);
        }
    }
    owners.into_iter().map(|(label, id)| (id, label)).collect()
}

impl<'t> Writer<'t> {
    fn new(template: &'t Template, stop: &'t Stop, labels: HashMap<NodeId, &'t str>) -> Self {
        Self {
            template,
            stop,
            out: String::new(),
            tally: Tally::default(),
            on_path: HashMap::new(),
            written: HashMap::new(),
            pointed_at: Vec::new(),
            decided: None,
            labels,
            unshown: BTreeSet::new(),
        }
    }

    fn start(&mut self, root: NodeId) {
        // The head says of the outermost object whether it takes other keys.
        let closed = matches!(&self.template.node(root).shape, Shape::Object(object) if object.closed);
        self.tally.closed = closed;
        self.value(root, &Place { closed, ..Place::default() }, String::new());
    }

    fn value(&mut self, id: NodeId, place: &Place<'_>, at: String) {
        let node = self.template.node(id);
        self.tally.levels = self.tally.levels.max(place.depth);
        if let Some(section) = self.stop.get(&at).filter(|_| place.depth > 0) {
            self.tally.sections += 1;
            let token = Token::new(place.word()).with("section").with(format!("of:{section}"));
            return self.token(token, id, place);
        }
        if matches!(place.presence, Presence::Auto { .. }) {
            // The shape of a value that the system supplies is not shown.
            return self.leaf(id, place);
        }
        if node.stopped {
            return self.reference("depth", None, place);
        }
        if !is_structured(&node.shape) {
            if self.point_back(id, place, &at) {
                return;
            }
            let start = self.out.len();
            self.leaf(id, place);
            self.written.entry(id).or_insert((at, self.out.len() - start));
            return;
        }
        if self.point_back(id, place, &at) {
            return;
        }
        if place.depth >= DEEPEST {
            self.unshown.insert(Unshown { what: "depth".to_owned(), at });
            return self.reference("depth", None, place);
        }
        self.on_path.insert(id, at.clone());
        let (start, fills) = (self.out.len(), self.tally.fills);
        match &node.shape {
            Shape::Object(object) => self.object(id, object, place, &at),
            Shape::List(list) => self.list(id, list, place, &at),
            Shape::Tuple(tuple) => self.tuple(id, tuple, place, &at),
            Shape::Union(union) => self.union(id, union, place, &at),
            Shape::Text(inner) => self.wrapper(id, Token::new(Word::Serialized), &[*inner], place, &at),
            Shape::Any | Shape::Never | Shape::Leaf(_) | Shape::Choice(_) => self.leaf(id, place),
        }
        self.on_path.remove(&id);
        // A required object counts also if all of its own keys may be left out.
        if place.presence == Presence::Fill && !place.spared && place.depth > 0 && self.tally.fills == fills {
            self.tally.fills += 1;
        }
        let size = self.out.len() - start;
        // What a branch takes from the object around it would be wrong elsewhere.
        if place.around.is_none() {
            self.written.entry(id).or_insert((at, size));
        }
    }

    /// Points at a shape that is being written or was written.
    fn point_back(&mut self, id: NodeId, place: &Place<'_>, at: &str) -> bool {
        if let Some(target) = self.on_path.get(&id).cloned() {
            self.pointed_at.push(id);
            self.reference("circular", Some(self.labels.get(&id).map_or(target.as_str(), |label| *label)), place);
            return true;
        }
        let Some((target, size)) = self.written.get(&id).cloned() else { return false };
        let short = self.decided.as_ref().map_or(size < SHORT, |decided| !decided.contains(&id));
        if short || target == at || !place.items.is_free() || place.unique {
            return false;
        }
        self.pointed_at.push(id);
        self.reference("same", Some(self.labels.get(&id).map_or(target.as_str(), |label| *label)), place);
        true
    }

    fn reference(&mut self, kind: &str, target: Option<&str>, place: &Place<'_>) {
        let mut token = Token::new(Word::Ref).with(kind);
        if let Some(target) = target.filter(|target| !target.is_empty()) {
            token.segments.push(format!("of:{target}"));
        }
        if place.presence == Presence::Fill {
            token.segments.push("required".to_owned());
        }
        place.say(&mut token);
        token.note = place.note.to_owned();
        self.tally(&token, place);
        self.string(&token.write());
    }

    fn string(&mut self, text: &str) {
        self.out.push_str(&Value::String(text.to_owned()).to_string());
    }

    fn tally(&mut self, token: &Token, place: &Place<'_>) {
        self.tally.tokens += 1;
        match place.presence {
            Presence::Fill => self.tally.fills += usize::from(!place.spared),
            Presence::Optional => self.tally.optionals += 1,
            Presence::Auto { .. } => self.tally.autos += 1,
        }
        match token.word {
            Word::FillEnum | Word::OptionalEnum => self.tally.enums += 1,
            Word::Ref => _ = self.tally.words.insert(Word::Ref),
            _ => {
                let kind = token.segments.first().map(String::as_str);
                let bare = |kind: &str| kind.split('/').all(|name| matches!(name, "number" | "integer" | "boolean"));
                self.tally.unquoted += usize::from(kind.is_some_and(bare));
            }
        }
    }

    /// Finishes a token of a value and writes it.
    fn token(&mut self, mut token: Token, id: NodeId, place: &Place<'_>) {
        let node = self.template.node(id);
        self.say_of_node(id, &mut token);
        if matches!(place.presence, Presence::Auto { .. }) {
            // The shape is not written here, so nothing can point here for it.
            token.segments.retain(|segment| !segment.starts_with("as:"));
        }
        place.say(&mut token);
        token.note = if place.note.is_empty() { node.note.clone() } else { place.note.to_owned() };
        if !token.note.is_empty() {
            // Words say more than an example.
            token.segments.retain(|segment| !segment.starts_with("example:"));
        }
        self.tally(&token, place);
        self.string(&token.write());
    }

    fn say_of_node(&self, id: NodeId, token: &mut Token) {
        let node = self.template.node(id);
        if let Some(label) = self.labels.get(&id).filter(|_| !self.written.contains_key(&id)) {
            token.segments.push(format!("as:{label}"));
        }
        if node.nullable {
            token.segments.push("nullable".to_owned());
        }
        for value in &node.not {
            token.segments.push(format!("not:{}", value_text(value)));
        }
        if let Some(default) = node.default.as_ref().and_then(is_short) {
            token.segments.push(format!("default:{}", value_text(default)));
        }
        if let Some(example) = node.example.as_ref() {
            token.segments.push(format!("example:{}", value_text(example)));
        }
    }

    fn leaf(&mut self, id: NodeId, place: &Place<'_>) {
        let node = self.template.node(id);
        let token = match &node.shape {
            Shape::Choice(values) if !matches!(place.presence, Presence::Auto { .. }) => {
                let word = if place.presence == Presence::Fill { Word::FillEnum } else { Word::OptionalEnum };
                Token { segments: values.iter().map(value_text).collect(), ..Token::new(word) }
            }
            Shape::Choice(values) => {
                let types = values.iter().map(Types::of).fold(Types::NONE, |a, b| a | b);
                let types = if types.meets(Types::FRACTION) { types | Types::NUMBER } else { types };
                leaf_token(Word::Auto, &Leaf { types, ..Leaf::default() })
            }
            Shape::Leaf(leaf) => leaf_token(place.word(), leaf),
            Shape::Object(_) => Token::new(place.word()).with("object"),
            Shape::List(_) | Shape::Tuple(_) => Token::new(place.word()).with("array"),
            Shape::Text(_) => Token::new(place.word()).with("string"),
            Shape::Any | Shape::Union(_) => Token::new(place.word()).with("any"),
            Shape::Never => Token::new(place.word()).with("never"),
        };
        self.token(token, id, place);
    }

    fn object(&mut self, id: NodeId, object: &Object, place: &Place<'_>, at: &str) {
        let node = self.template.node(id);
        let mut token = Token::new(place.word());
        // What is said of one object holds for those within until they say otherwise.
        if object.closed != place.closed {
            token.segments.push(if object.closed { "closed" } else { "open" }.to_owned());
        }
        if !object.count.is_free() {
            token.segments.push(format!("keys:{}", count(object.count)));
        }
        for needs in &object.needs {
            let groups: Vec<String> = needs.iter().map(|names| names.join("+")).collect();
            token.segments.push(format!("need:{}", groups.join("/")));
        }
        self.say_of_node(id, &mut token);
        place.say(&mut token);
        let note = if place.note.is_empty() { &node.note } else { place.note };
        let note = if at.is_empty() { "" } else { note };
        self.out.push('{');
        let mut first = true;
        // An object of nothing but variants would read as one of them.
        let never = |field: &Field| self.template.node(self.known(field, place.around)).shape == Shape::Never;
        let shown = |field: &&Field| field.shown && !never(field);
        let union = matches!(object.groups.as_slice(), [Group { kind: GroupKind::Union(_), .. }]);
        let bare = union && object.keys.is_empty() && !object.fields.iter().any(|field| shown(&field));
        let said = !token.segments.is_empty() || place.presence != Presence::Fill || bare;
        if said || !note.is_empty() {
            token.note = note.to_owned();
            self.key(REMARK, &mut first);
            self.string(&if said { token.write() } else { escaped(note).into_owned() });
        }
        let inner = Place { closed: object.closed, ..place.inner() };
        let place_around = place.around;
        for field in &object.fields {
            let known = self.known(field, place_around);
            if !field.shown || self.template.node(known).shape == Shape::Never {
                continue;
            }
            let name = escaped_key(&field.name);
            self.key(&name, &mut first);
            let with: &[String] = if field.with.iter().all(|name| is_simple(name)) { &field.with } else { &[] };
            let place = Place { presence: field.presence, with, note: &field.note, ..inner.clone() };
            self.value(known, &place, Pointer::push(at, &name));
        }
        let mut anchors = Anchors::default();
        let mut rules = BTreeSet::new();
        for rule in &object.keys {
            self.key_rule(rule, &inner, at, &mut anchors, &mut rules, &mut first);
        }
        let mut keys = BTreeSet::new();
        for group in &object.groups {
            let mut token = group_token(&group.kind);
            self.tally.words.insert(token.word);
            let at = format!("{at}/{}", anchors.next(token.word));
            // Keys of one object differ, so the second of two alike is numbered.
            let mut number = 2;
            while !keys.insert(token.write()) {
                token.segments.retain(|segment| !segment.starts_with('#'));
                token.segments.push(format!("#{number}"));
                number += 1;
            }
            self.key(&token.write(), &mut first);
            if matches!(group.kind, GroupKind::Union(_)) {
                self.variants(&group.variants, &inner, &at);
            } else if let Some(variant) = group.variants.first() {
                self.value(*variant, &Place { around: Some(object), spared: true, ..inner.clone() }, at);
            }
        }
        self.out.push('}');
    }

    /// The node that shows a field: a branch of a condition that only asks for a key means the key of the object
    /// around it.
    fn known(&self, field: &Field, around: Option<&Object>) -> NodeId {
        // A label and looseness are not written where anything may stand, so they make no difference here either.
        let node = Node { label: None, loose: false, ..self.template.node(field.node).clone() };
        // What the system supplies is shown as what it is.
        let unknown = node == Node::new(Shape::Any) && !matches!(field.presence, Presence::Auto { .. });
        let named = |around: &Object| around.fields.iter().find(|known| known.name == field.name).map(|f| f.node);
        around.filter(|_| unknown).and_then(named).unwrap_or(field.node)
    }

    fn key_rule(
        &mut self,
        rule: &KeyRule,
        inner: &Place<'_>,
        at: &str,
        anchors: &mut Anchors,
        keys: &mut BTreeSet<String>,
        first: &mut bool,
    ) {
        let mut token = leaf_token(Word::Key, &rule.name);
        self.tally.words.insert(Word::Key);
        token.segments.remove(0);
        if rule.rest && rule.name.pattern.is_some() {
            token.segments.insert(0, "rest".to_owned());
        }
        if !keys.insert(token.write()) {
            // Two rules of one form cannot both be written; the validator knows both.
            self.unshown.insert(Unshown { what: "patternProperties".to_owned(), at: at.to_owned() });
            return;
        }
        self.key(&token.write(), first);
        let place = Place { presence: Presence::Optional, ..inner.clone() };
        let anchor = anchors.next(Word::Key);
        self.value(rule.node, &place, format!("{at}/{anchor}"));
    }

    fn key(&mut self, key: &str, first: &mut bool) {
        if !std::mem::take(first) {
            self.out.push(',');
        }
        self.string(key);
        self.out.push(':');
    }

    fn list(&mut self, id: NodeId, list: &List, place: &Place<'_>, at: &str) {
        let node = self.template.node(id);
        let items = self.template.node(list.items);
        let bounded = !list.count.is_free() || list.unique;
        let said = node.nullable
            || self.labels.contains_key(&id)
            || node.default.as_ref().and_then(is_short).is_some()
            || !place.items.is_free()
            || place.unique;
        // What is said of the list is said by its item, where the item has a token that can say it.
        let speaks = match &items.shape {
            Shape::Leaf(_) | Shape::Choice(_) | Shape::Any | Shape::Never => true,
            Shape::Object(_) => !(bounded && self.on_path.contains_key(&list.items)),
            Shape::List(_) => !bounded,
            Shape::Tuple(_) | Shape::Union(_) | Shape::Text(_) => false,
        };
        if !said && speaks {
            let note = if place.note.is_empty() { &node.note } else { place.note };
            let inner = Place {
                presence: place.presence,
                note,
                items: list.count,
                unique: list.unique,
                with: place.with,
                ..place.inner()
            };
            self.out.push('[');
            self.value(list.items, &inner, Pointer::push(at, "0"));
            self.out.push(']');
            return;
        }
        let mut token = Token::new(place.word()).with("array");
        if !list.count.is_free() {
            token.segments.push(format!("items:{}", count(list.count)));
        }
        if list.unique {
            token.segments.push("unique".to_owned());
        }
        self.out.push('[');
        let outer = Place { items: Bounds::default(), unique: false, ..place.clone() };
        self.token(token, id, &outer);
        self.out.push(',');
        self.value(list.items, &place.inner(), Pointer::push(at, "1"));
        self.out.push(']');
    }

    fn tuple(&mut self, id: NodeId, tuple: &Tuple, place: &Place<'_>, at: &str) {
        let mut token = Token::new(place.word()).with("tuple");
        match tuple.rest {
            Rest::Open => {}
            Rest::Closed => token.segments.push("closed".to_owned()),
            Rest::Of(_) => token.segments.push("rest".to_owned()),
        }
        if !tuple.count.is_free() {
            token.segments.push(format!("items:{}", count(tuple.count)));
        }
        if tuple.unique {
            token.segments.push("unique".to_owned());
        }
        self.out.push('[');
        let outer = Place { items: Bounds::default(), unique: false, ..place.clone() };
        self.token(token, id, &outer);
        let rest = match tuple.rest {
            Rest::Of(id) => Some(id),
            Rest::Open | Rest::Closed => None,
        };
        for (index, item) in tuple.items.iter().copied().chain(rest).enumerate() {
            self.out.push(',');
            self.value(item, &place.inner(), Pointer::push(at, &(index + 1).to_string()));
        }
        self.out.push(']');
    }

    fn union(&mut self, id: NodeId, union: &Union, place: &Place<'_>, at: &str) {
        let mut token = union_token(union.kind);
        if let Some(by) = union.by.as_ref().filter(|by| is_simple(by)) {
            token.segments.push(format!("by:{by}"));
        }
        self.wrapper(id, token, &union.variants, place, at);
    }

    /// An object of one key, a token, that stands for the value itself.
    fn wrapper(&mut self, id: NodeId, mut token: Token, variants: &[NodeId], place: &Place<'_>, at: &str) {
        let node = self.template.node(id);
        self.tally.words.insert(token.word);
        if place.presence == Presence::Optional {
            token.segments.push("optional".to_owned());
        }
        self.say_of_node(id, &mut token);
        place.say(&mut token);
        token.note = if place.note.is_empty() { node.note.clone() } else { place.note.to_owned() };
        if place.presence == Presence::Fill && token.word != Word::Serialized {
            self.tally.fills += usize::from(!place.spared);
        }
        self.out.push('{');
        self.key(&token.write(), &mut true);
        let at = format!("{at}/{}", Anchors::default().next(token.word));
        if token.word == Word::Serialized {
            if let Some(inner) = variants.first() {
                self.value(*inner, &place.inner(), at);
            }
        } else {
            self.variants(variants, &place.inner(), &at);
        }
        self.out.push('}');
    }

    fn variants(&mut self, variants: &[NodeId], inner: &Place<'_>, at: &str) {
        self.out.push('[');
        let mut index = 0;
        for variant in variants {
            if self.template.node(*variant).shape == Shape::Never && !self.template.node(*variant).nullable {
                continue;
            }
            if index > 0 {
                self.out.push(',');
            }
            let place = Place { depth: inner.depth + 1, spared: true, ..inner.clone() };
            self.value(*variant, &place, Pointer::push(at, &index.to_string()));
            index += 1;
        }
        self.out.push(']');
    }
}

/// Names for the keys of an object that are tokens, to point at what stands under them.
#[derive(Default)]
pub(super) struct Anchors {
    used: Vec<Word>,
}

impl Anchors {
    /// `~one_of`, `~one_of#2` and so on; no key of a payload is written with a bare `~`.
    pub(super) fn next(&mut self, word: Word) -> String {
        self.used.push(word);
        let times = self.used.iter().filter(|known| **known == word).count();
        let name = word.as_str().to_lowercase();
        if times == 1 { format!("~{name}") } else { format!("~{name}#{times}") }
    }
}

fn is_structured(shape: &Shape) -> bool {
    matches!(shape, Shape::Object(_) | Shape::List(_) | Shape::Tuple(_) | Shape::Union(_) | Shape::Text(_))
}

fn union_token(kind: UnionKind) -> Token {
    Token::new(match kind {
        UnionKind::One => Word::OneOf,
        UnionKind::Any => Word::AnyOf,
    })
}

fn group_token(kind: &GroupKind) -> Token {
    match kind {
        GroupKind::Union(kind) => union_token(*kind),
        GroupKind::With(name) => Token::new(Word::With).with(name.clone()),
        GroupKind::When { tests, negated } => {
            let word = if *negated { Word::Unless } else { Word::When };
            Token { segments: tests.iter().map(condition::write).collect(), ..Token::new(word) }
        }
    }
}

fn leaf_token(word: Word, leaf: &Leaf) -> Token {
    let types = leaf.types;
    let all = types == Types::ALL || types == Types::ALL.without(Types::NULL);
    let mut token = Token::new(word).with(if all { "any".to_owned() } else { types.names().join("/") });
    if let Some(format) = &leaf.format {
        token.segments.push(format!("format:{format}"));
    }
    if !leaf.range.is_free() {
        token.segments.push(format!("range:{}", range(&leaf.range)));
    }
    if let Some(step) = &leaf.step {
        token.segments.push(format!("step:{step}"));
    }
    if !leaf.length.is_free() {
        token.segments.push(format!("length:{}", count(leaf.length)));
    }
    if let Some(pattern) = &leaf.pattern {
        token.segments.push(format!("pattern:{pattern}"));
    }
    token
}

fn count(bounds: Bounds) -> String {
    match bounds.most {
        Some(most) if most == bounds.least => most.to_string(),
        Some(most) => format!("{}-{most}", bounds.least),
        None => format!("{}-", bounds.least),
    }
}

fn range(range: &Range) -> String {
    let low = match &range.low {
        Some(bound) => format!("{}{}", if bound.beyond { ">" } else { "" }, bound.value),
        None => "*".to_owned(),
    };
    let high = match &range.high {
        Some(bound) => format!("{}{}", if bound.beyond { "<" } else { "" }, bound.value),
        None => String::new(),
    };
    format!("{low}-{high}")
}

/// A value, if it is short enough to be shown for the sake of example.
pub(crate) fn is_short(value: &Value) -> Option<&Value> {
    let scalar = !value.is_object() && !value.is_array() && !value.is_null();
    Some(value).filter(|_| scalar && value.to_string().chars().count() <= LONGEST_VALUE)
}

/// A value in a token: bare if it is text that reads as itself.
pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) if reads_as_itself(text) => text.clone(),
        other => other.to_string(),
    }
}

fn reads_as_itself(text: &str) -> bool {
    let first = text.chars().next();
    let special = first.is_none_or(|c| c.is_whitespace() || c.is_ascii_digit() || matches!(c, '"' | '[' | '{' | '-'));
    let word = matches!(text, "true" | "false" | "null" | "nullable" | "unique");
    let modifier = text.split_once(':').is_some_and(|(name, _)| super::parse::MODIFIERS.contains(&name));
    let plain_digits =
        first.is_some_and(|c| c.is_ascii_digit() || c == '-') && serde_json::from_str::<Value>(text).is_err();
    (!special || plain_digits) && !word && !modifier && !text.ends_with(char::is_whitespace)
}
