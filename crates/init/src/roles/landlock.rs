//! The restrictions of paths, ports, sockets and signals. If the kernel enforces none of them, nothing is executed.

use super::while_doing;
use deed_init::{Access, LandlockRules, PathRule};
use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, NetPort, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};
use std::fs;

/// The newest rules that are requested; an older kernel enforces those it knows, and the probe reports its version.
const NEWEST: ABI = ABI::V9;

/// Drops all access that no rule grants.
pub(crate) fn apply(rules: &LandlockRules) -> Result<(), String> {
    let mut set = created().map_err(while_doing("make the Landlock rules"))?;
    for rule in &rules.paths {
        set = with_path(set, rule)?;
    }
    for port in &rules.connect {
        set = set.add_rule(NetPort::new(*port, AccessNet::ConnectTcp)).map_err(while_doing("grant a port"))?;
    }
    let status = set.restrict_self().map_err(while_doing("enforce the Landlock rules"))?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err("the kernel does not enforce Landlock".to_owned()),
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
    }
}

fn created() -> Result<RulesetCreated, landlock::RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()
}

fn with_path(set: RulesetCreated, rule: &PathRule) -> Result<RulesetCreated, String> {
    let failed = |error: &dyn std::fmt::Display| format!("cannot grant `{}`: {error}", rule.path.display());
    let folder = fs::metadata(&rule.path).map_err(|error| failed(&error))?.is_dir();
    let path = PathFd::new(&rule.path).map_err(|error| failed(&error))?;
    let granted = if folder { granted(rule.access) } else { granted(rule.access) & AccessFs::from_file(NEWEST) };
    set.add_rule(PathBeneath::new(path, granted)).map_err(|error| failed(&error))
}

fn granted(access: Access) -> BitFlags<AccessFs> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let plain = read
        | AccessFs::WriteFile
        | AccessFs::Truncate
        | AccessFs::RemoveFile
        | AccessFs::RemoveDir
        | AccessFs::MakeReg
        | AccessFs::MakeDir
        | AccessFs::Refer;
    match access {
        Access::Read => read,
        Access::Execute => read | AccessFs::Execute,
        Access::Use => read | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev | AccessFs::ResolveUnix,
        Access::Write => plain,
        Access::Scratch => plain | AccessFs::MakeSym | AccessFs::MakeFifo | AccessFs::MakeSock | AccessFs::ResolveUnix,
    }
}
