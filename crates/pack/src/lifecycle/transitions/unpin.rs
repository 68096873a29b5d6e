//! pinned → published: an environment no longer uses the pack.

use super::super::environment::EnvironmentState;
use super::super::transition::Transition;
use super::reason;
use deed_diag::{Diagnostic, codes};
use deed_model::RegistryEvent;

/// Ends the current pin of an environment. Nothing can be loaded for it until a version is pinned again.
pub fn may_unpin(environment: &EnvironmentState, why: &str) -> Result<Transition, Vec<Diagnostic>> {
    reason::given(why, "unpinning a version", environment.place())?;
    let key = &environment.key;
    match (environment.current(), environment.unpinned) {
        (Some(pin), _) => Ok(Transition::append(RegistryEvent::PackUnpinned {
            pack_ref: pin.pack_ref.clone(),
            environment: key.environment.clone(),
            tenant_id: key.tenant_id.clone(),
            reason: why.to_owned(),
        })),
        (None, Some(_)) => Ok(Transition::AlreadyDone),
        (None, None) => {
            let message = format!("the environment `{}` has no version of `{}` pinned", key.environment, key.pack_id);
            Err(vec![
                Diagnostic::error(codes::NOTHING_PINNED, message)
                    .stage("lifecycle")
                    .at(environment.place())
                    .help("`deed pack list` shows which environments have a version pinned"),
            ])
        }
    }
}
