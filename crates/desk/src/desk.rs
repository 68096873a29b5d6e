//! The desk of a run: its snapshot and its pack, made ready once.

use crate::ask::{Ask, PreparedAsk, asks_as_bound, prepare};
use crate::refusal::{DeskRefusal, DeskRefusalKind};
use deed_context::{DEFAULT_TOKENIZER, Hydrated, PackMaterial, tokenizer};
use deed_diag::quote;
use deed_model::{
    BindingSlot, CompiledContext, FrozenPack, ModelCall, ModelRef, ProfileSnapshot, PromptBinding, ResolvedBinding,
};
use serde_json::Value;

/// A profile and a pack that are ready to ask models.
#[derive(Debug)]
pub struct Desk {
    pub(crate) snapshot: ProfileSnapshot,
    pub(crate) pack: Hydrated,
    pub(crate) tenant_id: String,
    pub(crate) classification: deed_model::Classification,
}

impl Desk {
    /// Opens the desk of a run.
    ///
    /// # Errors
    /// The pack cannot be used.
    pub fn open(
        snapshot: ProfileSnapshot,
        pack: &FrozenPack,
        tenant_id: &str,
        classification: deed_model::Classification,
    ) -> Result<Self, DeskRefusal> {
        let unusable = |why: String| DeskRefusal::new(DeskRefusalKind::Unusable, why);
        let material = PackMaterial {
            pack: pack.document.clone(),
            overlays: pack.overlays.clone(),
            selected: pack.selected.clone(),
            source: pack.source.clone(),
            endpoints: None,
        };
        let first = |report: deed_diag::Report| {
            let message = report.diagnostics().first().map_or_else(String::new, |found| found.message.clone());
            unusable(format!("the pack of the profile cannot be used: {message}"))
        };
        let resolved = material.resolve().map_err(first)?;
        let counter = tokenizer(DEFAULT_TOKENIZER).ok_or_else(|| unusable("there is no tokenizer".to_owned()))?;
        let pack = Hydrated::new(&resolved, counter)
            .map_err(|refusal| unusable(format!("the pack cannot be used: {}", refusal.diagnostic.message)))?
            .from_source(pack.source.clone());
        Ok(Self { snapshot, pack, tenant_id: tenant_id.to_owned(), classification })
    }

    /// Returns the profile's snapshot.
    pub fn snapshot(&self) -> &ProfileSnapshot {
        &self.snapshot
    }

    /// Returns the binding of a slot, if it names a model.
    pub fn binding(&self, slot: BindingSlot) -> Option<&ResolvedBinding> {
        bound(&self.snapshot, slot)
    }

    /// Checks that a consumer can be asked: the pack has its intent, and its prompt is there.
    ///
    /// # Errors
    /// The reason why it cannot.
    pub fn check(&self, slot: BindingSlot) -> Result<(), DeskRefusal> {
        self.prompt(slot)?;
        let intent = slot.consumer().as_str();
        if self.pack.pack().intents().contains(&intent) {
            return Ok(());
        }
        let message = format!("the pack {} has no intent {}", quote(self.pack.reference()), quote(intent));
        let help = format!(
            "add the intent to the pack, or leave `context_pack_ref` out to use {}",
            crate::builtin::DEFAULT_PACK
        );
        Err(DeskRefusal::new(DeskRefusalKind::Unusable, message).help(help))
    }

    /// Prepares a call: the context is compiled, the prompt rendered, and the whole call is a value.
    ///
    /// # Errors
    /// The consumer has no model, or the pack refuses.
    pub fn ask(&self, ask: &Ask<'_>) -> Result<PreparedAsk, DeskRefusal> {
        prepare(self, ask)
    }

    /// Checks that a call comes from a compiled context of this desk's pack, and asks what the profile binds.
    ///
    /// # Errors
    /// What does not hold, in words.
    pub fn holds(&self, call: &ModelCall, context: &Value) -> Result<(), String> {
        let compiled: CompiledContext<'_> =
            serde_json::from_value(context.clone()).map_err(|error| format!("its context cannot be read: {error}"))?;
        deed_context::verify(&compiled).map_err(|stage| match stage {
            Some(stage) => format!("the stage `{}` of its context has another hash", stage.as_str()),
            None => "its context has another hash".to_owned(),
        })?;
        let ledger = &compiled.context_ledger;
        if ledger.compiled_context_hash.is_none() || ledger.compiled_context_hash != call.compiled_context_hash {
            return Err("it names another compiled context".to_owned());
        }
        if ledger.resolved_pack_hash != self.pack.resolved_hash() {
            return Err("its context was compiled from another pack".to_owned());
        }
        asks_as_bound(self, call, &compiled)
    }

    pub(crate) fn prompt(&self, slot: BindingSlot) -> Result<(&ResolvedBinding, &PromptBinding), DeskRefusal> {
        let binding = self.binding(slot).ok_or_else(|| {
            let message = format!(
                "the profile {} binds no model to {}",
                quote(&self.snapshot.profile_ref.to_string()),
                quote(&slot.name())
            );
            DeskRefusal::new(DeskRefusalKind::Unbound, message)
        })?;
        let prompt = binding.prompt_binding_ref.as_ref().and_then(|name| self.snapshot.prompts.get(name));
        let prompt = prompt.ok_or_else(|| {
            DeskRefusal::new(
                DeskRefusalKind::Unusable,
                format!("the snapshot has no prompt for {}", quote(&slot.name())),
            )
        })?;
        Ok((binding, prompt))
    }
}

/// Returns the binding of a slot in a snapshot, if it names a model.
pub fn bound(snapshot: &ProfileSnapshot, slot: BindingSlot) -> Option<&ResolvedBinding> {
    let binding = snapshot.bindings.get(&slot.name())?;
    matches!(binding.model_binding_ref.parse(), Ok(ModelRef::Model { .. })).then_some(binding)
}
