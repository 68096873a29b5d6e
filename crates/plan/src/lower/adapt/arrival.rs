//! The path and the kind at which inputs arrive, after the adapters on their way.

use super::insert::{Inserted, Insertions};
use super::{Inputs, ReadInput};
use crate::lower::cx::Cx;
use crate::lower::findings::{Finding, Findings};
use crate::lower::output::Output;
use crate::path::WorkPath;
use deed_canon::ContentHash;
use deed_catalog::Entity;
use deed_diag::{Invariant as _, codes, quote};
use deed_model::{AdapterDeclaration, AdapterSettings, EntitySchemaId, Kind, KindKey, StepPolicy};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The path and the kind at which an input is read.
#[derive(Debug, Clone)]
pub(in crate::lower) struct Arrival {
    pub(in crate::lower) path: String,
    pub(in crate::lower) kind: KindKey,
    /// Its entity, where the plan derives it.
    pub(in crate::lower) derived: Option<Arc<Entity>>,
    /// Names of the inserted adapters on the way.
    pub(in crate::lower) by: Vec<String>,
}

/// A file on its way to an input, after some of the adapters.
struct Transit<'v> {
    given: &'v Output,
    /// The steps that have to run before the next adapter, by name.
    before: Vec<String>,
    path: String,
    kind: KindKey,
    entity: EntitySchemaId,
    derived: Option<Arc<Entity>>,
    fields: Arc<BTreeSet<String>>,
    grain: Arc<BTreeSet<String>>,
    provenance: Vec<String>,
    by: Vec<String>,
}

/// One adapter on the way.
struct Hop<'v> {
    adapter: &'v AdapterDeclaration,
    /// The kind that it makes.
    made: &'v Kind,
    /// Its settings, where it takes any.
    adapt: Option<&'v AdapterSettings>,
    /// The entity of the groups that it makes.
    grouped: Option<&'v Arc<Entity>>,
}

/// Follows the adapters of an input, and inserts them.
pub(super) fn of(
    cx: Cx<'_>,
    inputs: Inputs<'_>,
    read: &ReadInput<'_>,
    insertions: &mut Insertions,
    findings: &mut Findings<'_>,
) -> Option<Arrival> {
    let bound = read.bound?;
    let given = inputs.bindings.offers.get(bound.source);
    // Sets and paths that are not paths of the workspace are reported where they are given.
    if !bound.route.is_empty() && WorkPath::read(&given.path).is_err() {
        return None;
    }
    let policy = &inputs.snapshot.scope(read.input.step.index).policy;
    let grouped = read.need.and_then(|need| need.grouped.as_ref());
    let mut transit = Transit::new(given, cx.producing_step(bound.source));
    for id in &bound.route {
        let adapter = cx.catalog.adapter(id).invariant("a route is made of the catalogue's adapters");
        let made = cx.catalog.kind(adapter.to.as_str()).invariant("an adapter makes one of the catalogue's kinds");
        let adapt = read.input.authored.adapt.as_ref().filter(|_| adapter.needs_keys);
        let hop = Hop { adapter, made, adapt, grouped };
        match transit.through(&hop, policy) {
            Ok(inserted) => insertions.insert(inserted),
            Err(extension) => {
                let kind = quote(adapter.to.as_str());
                let message = format!("the extension {} of {kind} makes no path", quote(&extension));
                let finding = Finding::error(read.input.at(), codes::BAD_PATH, message);
                findings.add(finding.help("fix the kind's `extensions`"));
                return None;
            }
        }
    }
    Some(Arrival { path: transit.path, kind: transit.kind, derived: transit.derived, by: transit.by })
}

impl<'v> Transit<'v> {
    fn new(given: &'v Output, producer: Option<String>) -> Self {
        Self {
            given,
            before: producer.into_iter().collect(),
            path: given.path.clone(),
            kind: given.kind.clone(),
            entity: given.entity.clone(),
            derived: given.derived.clone(),
            fields: Arc::clone(&given.fields),
            grain: Arc::clone(&given.grain),
            provenance: given.provenance.clone(),
            by: Vec::new(),
        }
    }

    /// Passes one adapter, and returns it as a step; the extension of its kind if that makes no path.
    fn through(&mut self, hop: &Hop<'_>, policy: &StepPolicy) -> Result<Inserted, String> {
        let id = format!("adapt:{}:{}{}", self.path, hop.adapter.adapter_id, settings(hop.adapt));
        let writes = self.path_of(&id, hop.made)?;
        let from_entity = self.entity.clone();
        if let Some(adapt) = hop.adapt {
            self.group(adapt, hop.grouped);
        }
        let inserted = Inserted {
            id: id.clone(),
            adapter: hop.adapter.adapter_id.clone(),
            before: std::mem::replace(&mut self.before, vec![id.clone()]),
            reads: std::mem::replace(&mut self.path, writes.clone()),
            from_kind: std::mem::replace(&mut self.kind, hop.adapter.to.clone()),
            from_entity,
            writes,
            kind: hop.adapter.to.clone(),
            format: hop.made.format,
            entity: self.entity.clone(),
            derived: self.derived.clone(),
            slot: self.given.slot.clone(),
            fields: Arc::clone(&self.fields),
            grain: Arc::clone(&self.grain),
            provenance: self.provenance.clone(),
            adapt: hop.adapt.cloned(),
            policy: policy.clone(),
        };
        self.by.push(id);
        Ok(inserted)
    }

    /// The path that an adapter writes to, in a folder of its own, so that no two write to one place.
    fn path_of(&self, id: &str, made: &Kind) -> Result<String, String> {
        let extension = made.extensions.first().map_or("out", String::as_str);
        let file = self.given.path.rsplit('/').next().unwrap_or("file");
        let folder = digits(id.as_bytes());
        let path = WorkPath::read(&format!("work/adapted/{folder}/{file}.{extension}"));
        path.map(|path| path.text).map_err(|_| extension.to_owned())
    }

    /// Groups the rows by the keys.
    fn group(&mut self, adapt: &AdapterSettings, grouped: Option<&Arc<Entity>>) {
        if let Some(grouped) = grouped {
            self.entity = grouped.id.clone();
            self.derived = Some(Arc::clone(grouped));
        }
        let measures = adapt.measures.iter().map(|measure| measure.name.clone());
        self.grain = Arc::new(adapt.keys.iter().cloned().collect());
        self.fields = Arc::new(self.grain.iter().cloned().chain(measures).collect());
        self.provenance.retain(|field| self.fields.contains(field));
    }
}

/// Settings as a part of a name, so that two settings are two steps.
fn settings(adapt: Option<&AdapterSettings>) -> String {
    let text = adapt.map(|adapt| serde_json::to_string(adapt).invariant("settings of an adapter are JSON"));
    text.map_or_else(String::new, |text| format!(":{}", digits(text.as_bytes())))
}

/// Sixteen digits of a hash.
fn digits(bytes: &[u8]) -> String {
    ContentHash::of_bytes(bytes).hex().chars().take(16).collect()
}
