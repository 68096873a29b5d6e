//! The adapters that the compiler inserts. By what they read, which adapter and with what settings: two readers share one.

use deed_catalog::Entity;
use deed_diag::Invariant as _;
use deed_model::{AdapterSettings, ArtifactFormat, EntitySchemaId, KindKey, StepPolicy};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// An adapter that was inserted.
#[derive(Debug, Clone)]
pub(in crate::lower) struct Inserted {
    pub(in crate::lower) id: String,
    pub(in crate::lower) adapter: String,
    /// Steps that come before it, by name.
    pub(in crate::lower) before: Vec<String>,
    pub(in crate::lower) reads: String,
    pub(in crate::lower) from_kind: KindKey,
    /// The entity of what it reads.
    pub(in crate::lower) from_entity: EntitySchemaId,
    pub(in crate::lower) writes: String,
    pub(in crate::lower) kind: KindKey,
    pub(in crate::lower) format: ArtifactFormat,
    pub(in crate::lower) entity: EntitySchemaId,
    /// The entity of what it writes, where the plan derives it.
    pub(in crate::lower) derived: Option<Arc<Entity>>,
    pub(in crate::lower) slot: String,
    pub(in crate::lower) fields: Arc<BTreeSet<String>>,
    pub(in crate::lower) grain: Arc<BTreeSet<String>>,
    pub(in crate::lower) provenance: Vec<String>,
    pub(in crate::lower) adapt: Option<AdapterSettings>,
    /// The policies of all that read it, together.
    pub(in crate::lower) policy: StepPolicy,
}

/// Adapters that were inserted so far.
#[derive(Default)]
pub(super) struct Insertions {
    steps: Vec<Inserted>,
    by_id: HashMap<String, usize>,
}

impl Insertions {
    /// Inserts an adapter, or shares the one that another reader needs too.
    pub(super) fn insert(&mut self, step: Inserted) {
        match self.by_id.get(&step.id) {
            Some(position) => {
                let shared = self.steps.get_mut(*position).invariant("an inserted adapter is in the list");
                let (known, more) = (&shared.policy.policy_profile_ids, &step.policy.policy_profile_ids);
                let ids: BTreeSet<_> = known.iter().chain(more).cloned().collect();
                shared.policy.policy_profile_ids = ids.into_iter().collect();
                shared.policy.rules = shared.policy.rules.and(step.policy.rules);
            }
            None => {
                self.by_id.insert(step.id.clone(), self.steps.len());
                self.steps.push(step);
            }
        }
    }

    pub(super) fn into_steps(self) -> Vec<Inserted> {
        self.steps
    }
}
