//! Outside: reports the version of Landlock for the probe, as one line of JSON.

use super::{Done, while_doing};
use landlock::{ABI, Access, AccessFs, LandlockStatus, Ruleset, RulesetAttr};
use std::process::ExitCode;

/// Runs this role.
pub(crate) fn facts() -> Done {
    let set = Ruleset::default().handle_access(AccessFs::from_all(ABI::V1)).and_then(Ruleset::create);
    let status = set.and_then(landlock::RulesetCreated::restrict_self).map_err(while_doing("ask for Landlock"))?;
    let abi = match status.landlock {
        LandlockStatus::NotEnabled | LandlockStatus::NotImplemented => 0,
        LandlockStatus::Available { effective_abi, kernel_abi } => kernel_abi.unwrap_or(effective_abi as i32),
    };
    println!("{{\"landlock_abi\":{abi}}}");
    Ok(ExitCode::SUCCESS)
}
