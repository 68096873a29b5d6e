//! Checks before a run starts: everything that a model needs is there, so that nothing is found missing on the way.

use super::ModelSource;
use super::frozen::{RunModels, provider_at, rules_of};
use crate::fault::WHERE_SECRETS_ARE;
use crate::submit::refuse;
use crate::world::World;
use deed_diag::codes;
use deed_model::{
    BindingSlot, Budget, CompiledPlan, FrozenModels, ModelConsumer, ModelId, Phase, ProfileSnapshot, StepContract,
};
use deed_ports::EngineError;
use deed_reach::secret_name;
use deed_validation::Validator;

/// Returns whether the code of a step may ask a model: its contract has the evaluator.
pub(crate) fn may_ask(contract: &StepContract) -> bool {
    contract.allowed_tool_ids.iter().any(|tool| tool == "operator.artifact.evaluate")
}

/// Returns the consumers that a run of a plan may ask under a profile, of those that the profile binds to a model.
pub fn asked_consumers(plan: &CompiledPlan, snapshot: &ProfileSnapshot) -> Vec<BindingSlot> {
    let judges = plan.steps.iter().any(may_ask);
    let corrects = Validator::new(snapshot).is_ok_and(|validator| validator.waits(Phase::StepOutput));
    let asked = [(ModelConsumer::Evaluator, judges), (ModelConsumer::Corrector, corrects)];
    let slots = asked.into_iter().filter(|(_, asked)| *asked).map(|(consumer, _)| BindingSlot::Consumer(consumer));
    slots.filter(|slot| deed_desk::bound(snapshot, *slot).is_some()).collect()
}

/// Checks the pack, the endpoints, the prices and the keys of the models of some consumers.
///
/// # Errors
/// The first of them that cannot be used.
pub(crate) fn ready(
    world: &World,
    snapshot: &ProfileSnapshot,
    frozen: &FrozenModels,
    grant: &Budget,
    slots: &[BindingSlot],
) -> Result<(), EngineError> {
    let unusable = |why: String| refuse(codes::MODEL_BINDING_UNUSABLE, why, None);
    let models = RunModels::open(snapshot.clone(), frozen.clone()).map_err(unusable)?;
    for slot in slots {
        models.desk.check(*slot).map_err(|refusal| refuse(refusal.code(), refusal.message.clone(), refusal.help))?;
        let Some(binding) = models.desk.binding(*slot) else { continue };
        let model: ModelId =
            binding.model_binding_ref.parse().map_err(|error: deed_model::ModelIdError| unusable(error.to_string()))?;
        provider_at(frozen, &model).map_err(unusable)?;
        rules_of(frozen, model.provider()).map_err(unusable)?;
        if grant.money_micros.is_some() && models.price(&model).is_none() {
            let message = format!("`{model}` has no price, and the run has a money budget");
            let help = "bind a model with a price, or drop the money budget; `deed models list` shows the prices";
            return Err(refuse(codes::MODEL_WITHOUT_PRICE, message, help.to_owned()));
        }
    }
    keys(world, frozen)
}

/// Checks that the keys of providers are there. A replay needs none.
///
/// # Errors
/// A key is missing or cannot be sent.
pub(crate) fn keys(world: &World, frozen: &FrozenModels) -> Result<(), EngineError> {
    if matches!(world.models, ModelSource::Transcript { .. }) {
        return Ok(());
    }
    for (provider, endpoint) in &frozen.endpoints {
        let Some(credential) = &endpoint.rule.credential else { continue };
        let unfit = match secret_name(&credential.secret).map(|name| (name, world.secrets.secret(name))) {
            Some((name, Ok(secret))) => deed_egress::unfit_secret(credential, name, &secret),
            Some((_, Err(error))) => Some(error.to_string()),
            None => Some("its rule names no secret".to_owned()),
        };
        if let Some(why) = unfit {
            let message = format!("the key of the provider `{provider}` cannot be used: {why}");
            return Err(refuse(codes::MODEL_KEY_MISSING, message, WHERE_SECRETS_ARE.to_owned()));
        }
    }
    Ok(())
}
