//! Hydrated packs, once for each set of overlays and each tokenizer of a run.

use crate::hydrate::Hydrated;
use crate::refusal::Refusal;
use crate::tokens::Tokenizer;
use deed_diag::Report;
use deed_model::ContextPack;
use deed_pack::{Bundle, Selection, resolve};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A hydrated pack, or the reason why it cannot be used, or why its overlays cannot be applied.
pub(super) type Ready = Result<Result<Arc<Hydrated>, Refusal>, Report>;

/// The pack of a bundle under the overlays that cases select.
pub(super) struct Packs<'b> {
    bundle: &'b Bundle,
    pack: &'b ContextPack,
    ready: BTreeMap<(BTreeSet<String>, String), Ready>,
}

impl<'b> Packs<'b> {
    pub(super) fn of(bundle: &'b Bundle, pack: &'b ContextPack) -> Self {
        Self { bundle, pack, ready: BTreeMap::new() }
    }

    /// The document of the pack.
    pub(super) fn document(&self) -> &'b serde_json::Value {
        self.bundle.document.value()
    }

    /// Overlays apply in the order that the pack declares, so only the selection matters.
    pub(super) fn ready(&mut self, overlays: &[String], tokenizer: Arc<dyn Tokenizer>) -> Ready {
        let key = (overlays.iter().cloned().collect(), tokenizer.id().to_owned());
        let Self { bundle, pack, ready } = self;
        let entry = ready.entry(key).or_insert_with(|| {
            let resolved = resolve(bundle, pack, &Selection::Named(overlays.to_vec()))?;
            Ok(Hydrated::new(&resolved, tokenizer).map(Arc::new))
        });
        entry.clone()
    }
}
