//! observed → promoted in an environment.

use super::super::environment::EnvironmentState;
use super::super::history::{PackHistory, PinnedEnvironment};
use super::super::publication::{Purpose, may_use, refusal};
use super::super::transition::Transition;
use super::recheck::none_failed;
use deed_diag::{Diagnostic, codes};
use deed_model::RegistryEvent;

/// Promotes the version that an environment has pinned, after a run or a recording used it there.
pub fn may_promote(history: &PackHistory, environment: &EnvironmentState) -> Result<Transition, Vec<Diagnostic>> {
    let key = &environment.key;
    let publication = may_use(history, Purpose::NewWork)?;
    none_failed(history)?;
    if environment.current().is_none_or(|pin| pin.pack_ref != history.pack_ref) {
        let message = format!("`{}` is not pinned in `{}`", history.pack_ref, key.environment);
        let help = format!("pin it first: `deed pack pin {} --env {}`", history.pack_ref, key.environment);
        return Err(vec![refusal(history, codes::NOT_OBSERVED, message).help(help)]);
    }
    if history.observed(&key.tenant_id, Some(&key.environment)).is_none() {
        let message = format!("no run or recording has used `{}` in `{}`", history.pack_ref, key.environment);
        let help = format!(
            "use it there first: `deed run --pack {} --env {}`, or `deed context record` with the same options",
            key.pack_id, key.environment
        );
        return Err(vec![refusal(history, codes::NOT_OBSERVED, message).help(help)]);
    }
    let place = PinnedEnvironment { tenant_id: key.tenant_id.clone(), environment: key.environment.clone() };
    if history.promoted_in.contains(&place) {
        return Ok(Transition::AlreadyDone);
    }
    Ok(Transition::append(RegistryEvent::PackPromoted {
        pack_ref: history.pack_ref.clone(),
        content_hash: publication.content_hash,
        environment: key.environment.clone(),
        tenant_id: key.tenant_id.clone(),
    }))
}
