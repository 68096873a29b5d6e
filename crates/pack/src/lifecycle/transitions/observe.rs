//! published or pinned → observed: a run or a recording used it.

use super::super::history::PackHistory;
use super::super::publication::{Purpose, may_use};
use super::super::transition::Transition;
use deed_diag::Diagnostic;
use deed_model::{PackUse, RegistryEvent};

/// Records the first use of a version in an environment of a tenant, or without one. Later uses record nothing.
pub fn may_observe(
    history: &PackHistory,
    environment: Option<&str>,
    tenant_id: &str,
    by: &PackUse,
) -> Result<Transition, Vec<Diagnostic>> {
    let publication = may_use(history, Purpose::NewWork)?;
    if history.observed(tenant_id, environment).is_some() {
        return Ok(Transition::AlreadyDone);
    }
    Ok(Transition::append(RegistryEvent::PackObserved {
        pack_ref: history.pack_ref.clone(),
        content_hash: publication.content_hash,
        environment: environment.map(str::to_owned),
        tenant_id: tenant_id.to_owned(),
        by: by.clone(),
    }))
}
