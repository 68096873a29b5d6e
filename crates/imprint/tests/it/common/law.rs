//! The laws, each as a check of one schema and one instance.

use deed_canon::canonical_string;
use deed_imprint::{Imprint, Lowered, Sections, join};
use deed_schema::Schema;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A schema and what was made of it.
pub(crate) struct Subject {
    pub(crate) schema: Value,
    pub(crate) imprint: Imprint,
    shown: Result<Schema, String>,
}

/// A law: what it is called, and what breaks it.
pub(crate) struct Law {
    pub(crate) name: &'static str,
    pub(crate) check: fn(&Subject, &Value) -> Result<(), String>,
}

/// The laws of a schema and its template, whatever the instance.
pub(crate) const OF_SCHEMAS: [Law; 3] = [
    Law { name: "what was written is read and written the same", check: rewritten },
    Law { name: "the order of keys does not show", check: order },
    Law { name: "a head is one short line", check: head },
];

/// The laws of a schema and an instance.
pub(crate) const OF_INSTANCES: [Law; 4] = [
    Law { name: "what is valid comes back byte for byte", check: round_trip },
    Law { name: "a template asks for no more than its schema", check: not_stricter },
    Law { name: "what is invalid is never lowered", check: invalid_is_refused },
    Law { name: "parts are joined to the whole", check: sections },
];

impl Subject {
    /// The subject, if the schema has a template.
    pub(crate) fn new(schema: &Value) -> Option<Self> {
        let imprint = Imprint::new(Schema::new(schema.clone()).ok()?).ok()?;
        let shown =
            Schema::new(imprint.shown()).map_err(|refused| format!("what is shown is not a schema: {refused:?}"));
        Some(Self { schema: schema.clone(), imprint, shown })
    }

    pub(crate) fn is_valid(&self, instance: &Value) -> bool {
        self.imprint.schema().is_valid(instance).unwrap()
    }
}

fn round_trip(subject: &Subject, instance: &Value) -> Result<(), String> {
    if !subject.is_valid(instance) {
        return Ok(());
    }
    let filled = subject.imprint.fill(instance);
    let lowered = subject.imprint.lower(&filled.document, &filled.supplied);
    let Some(payload) = &lowered.payload else {
        return Err(format!("{} is refused: {:?}", filled.document, lowered.findings));
    };
    let (back, expected) = (canonical_string(payload).unwrap(), canonical_string(instance).unwrap());
    if back == expected { Ok(()) } else { Err(format!("{} comes back as {back}", filled.document)) }
}

fn rewritten(subject: &Subject, _: &Value) -> Result<(), String> {
    let text = subject.imprint.text();
    match Imprint::from_text(&text) {
        Ok(again) if again.skeleton() == subject.imprint.skeleton() => Ok(()),
        Ok(again) => Err(format!("{text}\nis written again as\n{}", again.text())),
        Err(error) => Err(format!("{text}\ncannot be read: {error:?}")),
    }
}

fn not_stricter(subject: &Subject, instance: &Value) -> Result<(), String> {
    let shown = subject.shown.as_ref().map_err(Clone::clone)?;
    if !subject.is_valid(instance) || shown.is_valid(instance).unwrap() {
        return Ok(());
    }
    Err(format!("{}\nshows {}", subject.imprint.text(), subject.imprint.shown()))
}

fn invalid_is_refused(subject: &Subject, instance: &Value) -> Result<(), String> {
    let filled = subject.imprint.fill(instance);
    let lowered = subject.imprint.lower(&filled.document, &filled.supplied);
    sound(subject, &lowered)?;
    // The content of a text is filled in as JSON, so a number that should be text looks like one that is a number.
    let has_texts = subject.imprint.skeleton().contains("{SERIALIZED");
    match lowered.payload {
        Some(payload) if !subject.is_valid(instance) && !has_texts => {
            Err(format!("{} is lowered to {payload}", filled.document))
        }
        _ => Ok(()),
    }
}

/// A payload that passes is valid, and a refusal has findings.
pub(crate) fn sound(subject: &Subject, lowered: &Lowered) -> Result<(), String> {
    match &lowered.payload {
        Some(payload) if !subject.is_valid(payload) => Err(format!("{payload} is passed")),
        Some(_) if !lowered.findings.is_empty() => Err(format!("passed with {:?}", lowered.findings)),
        None if lowered.findings.is_empty() => Err("refused without a word".to_owned()),
        _ => Ok(()),
    }
}

fn order(subject: &Subject, _: &Value) -> Result<(), String> {
    let (turned, text) = (Subject::new(&reversed(&subject.schema)), subject.imprint.text());
    let other = turned.ok_or("with its keys turned round it is refused")?.imprint.text();
    if other == text { Ok(()) } else { Err(format!("{text} and {other}")) }
}

fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let turned: Vec<(String, Value)> = map.iter().rev().map(|(k, v)| (k.clone(), reversed(v))).collect();
            Value::Object(turned.into_iter().collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.iter().map(reversed).collect()),
        other => other.clone(),
    }
}

fn head(subject: &Subject, _: &Value) -> Result<(), String> {
    one_line(subject.imprint.head())
}

fn sections(subject: &Subject, instance: &Value) -> Result<(), String> {
    if !subject.is_valid(instance) {
        return Ok(());
    }
    let filled = subject.imprint.fill(instance);
    for limit in [1, 30, 60] {
        let parts = subject.imprint.sections(limit, &|text| text.len() / 4);
        for part in &parts.parts {
            let (head, _) = part.text.split_once('\n').ok_or("no skeleton")?;
            one_line(head).map_err(|error| format!("section {}: {error}", part.name))?;
            if part.oversize != (part.tokens > limit) || part.tokens != part.text.len() / 4 {
                return Err(format!("section {} says {} of {limit}", part.name, part.tokens));
            }
        }
        let whole = join(&pieces(&parts, &filled.document)?).map_err(|error| format!("limit {limit}: {error}"))?;
        if whole != filled.document {
            return Err(format!("limit {limit}: {whole} is not {}", filled.document));
        }
    }
    Ok(())
}

/// The content that a model would fill into each part: its piece of a document, with the tokens of inner sections left.
fn pieces(sections: &Sections, document: &Value) -> Result<BTreeMap<String, Value>, String> {
    let skeleton = |name: &str| -> Result<Value, String> {
        let part = sections.parts.iter().find(|part| part.name == name).ok_or(format!("no part {name}"))?;
        let (_, skeleton) = part.text.split_once('\n').ok_or("no skeleton")?;
        serde_json::from_str(skeleton).map_err(|error| format!("section {name}: {error}\n{skeleton}"))
    };
    let names: Vec<&str> = sections.parts.iter().map(|part| part.name.as_str()).collect();
    let mut pieces = BTreeMap::new();
    for name in &names {
        let Some(mut piece) = document.pointer(name).cloned() else { continue };
        for inner in &names {
            let around = names.iter().filter(|n| is_within(inner, n)).max_by_key(|n| n.len());
            if around != Some(name) {
                continue;
            }
            let place = &inner[name.len()..];
            if let Some(slot) = piece.pointer_mut(place) {
                *slot = skeleton(name)?.pointer(place).cloned().ok_or(format!("{inner} has no place in {name}"))?;
            }
        }
        pieces.insert((*name).to_owned(), piece);
    }
    Ok(pieces)
}

fn is_within(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
}

fn one_line(head: &str) -> Result<(), String> {
    if head.chars().count() <= 200 && !head.contains('\n') && !head.is_empty() {
        return Ok(());
    }
    Err(format!("the head is {head:?}"))
}
