//! The policy of the registry.

use super::super::policy::PolicyState;
use super::super::transition::Transition;
use super::reason;
use deed_diag::{Diagnostic, Place};
use deed_model::{RegistryEvent, RegistryPolicy};

/// Sets the policy. Setting the one in force changes nothing.
pub fn may_set_policy(state: &PolicyState, policy: RegistryPolicy, why: &str) -> Result<Transition, Vec<Diagnostic>> {
    reason::given(why, "setting the policy", Place::file("policy"))?;
    let mut policy = policy;
    policy.required_roles.sort_unstable();
    policy.required_roles.dedup();
    if policy == state.policy {
        return Ok(Transition::AlreadyDone);
    }
    Ok(Transition::append(RegistryEvent::RegistryPolicySet { policy, reason: why.to_owned() }))
}
