//! The filter of system calls: an allow-list. All other calls are refused without ending the program, since
//! interpreters probe for calls and use a fallback if they are refused.

use super::{search, while_doing};
use deed_init::{ALLOWED, CONDITIONAL, Sockets, UNKNOWN, number};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter,
};
use std::collections::BTreeMap;

/// Every flag of `clone` that creates a namespace.
const NEW_NAMESPACES: i32 = libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET;

/// The bits of the type of a socket that are not flags.
const SOCKET_TYPE: u64 = 0xf;

/// The argument of `personality` that only queries it.
const ASK: u64 = 0xffff_ffff;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Installs both filters; of two refusals the one of the last installed filter counts.
pub(crate) fn apply(sockets: Sockets) -> Result<(), String> {
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    let conditional = conditional(sockets)?;
    // The calls of the second filter pass the first: otherwise their result would depend on the order.
    let plain = ALLOWED.iter().copied().flatten().chain(UNKNOWN).map(|(_, number)| *number);
    let plain: Vec<i64> = plain.filter(|number| !conditional.contains_key(number)).collect();
    let conditional = built(conditional, refused, SeccompAction::Allow)?;
    install(&search::before(plain.into_iter(), conditional)?)?;
    let unknown = UNKNOWN.iter().map(|(_, number)| (*number, Vec::new())).collect();
    install(&built(unknown, SeccompAction::Allow, SeccompAction::Errno(libc::ENOSYS as u32))?)
}

fn built(rules: Rules, otherwise: SeccompAction, matched: SeccompAction) -> Result<BpfProgram, String> {
    let machine = std::env::consts::ARCH.try_into().map_err(while_doing("filter system calls on this machine"))?;
    let filter = SeccompFilter::new(rules, otherwise, matched, machine);
    filter.and_then(TryInto::try_into).map_err(while_doing("build the filter of system calls"))
}

fn install(program: &BpfProgram) -> Result<(), String> {
    apply_filter(program).map_err(while_doing("install the filter of system calls"))
}

fn conditional(sockets: Sockets) -> Result<Rules, String> {
    let known = CONDITIONAL.iter().filter_map(|call| Some((number(call.name)?, call.name)));
    known
        .map(|(number, name)| Ok((number, conditions(name, sockets)?)))
        .collect::<Result<_, seccompiler::BackendError>>()
        .map_err(while_doing("build the filter of system calls"))
}

fn conditions(name: &str, sockets: Sockets) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let unix = || equal(0, libc::AF_UNIX as u64);
    Ok(match name {
        "clone" => vec![rule(vec![masked(0, NEW_NAMESPACES as u64, 0)?])?],
        "ioctl" => vec![rule(vec![differs(1, libc::TIOCSTI)?, differs(1, libc::TIOCLINUX)?])?],
        "personality" => vec![rule(vec![equal(0, 0)?])?, rule(vec![equal(0, ASK)?])?],
        // The guard has the same user, so that its limits could be lowered until it ends.
        "prlimit64" | "sched_setaffinity" => vec![rule(vec![equal(0, 0)?])?],
        "setpriority" => vec![rule(vec![equal(0, u64::from(libc::PRIO_PROCESS))?, equal(1, 0)?])?],
        "socket" if sockets == Sockets::UnixAndTcp => {
            let mut rules = tcp()?;
            rules.push(rule(vec![unix()?])?);
            rules
        }
        _ => vec![rule(vec![unix()?])?],
    })
}

/// TCP alone: of the other protocols of a stream, some would pass Landlock's rules for ports.
fn tcp() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let mut rules = Vec::new();
    for family in [libc::AF_INET, libc::AF_INET6] {
        for protocol in [0, libc::IPPROTO_TCP] {
            let stream = masked(1, SOCKET_TYPE, libc::SOCK_STREAM as u64)?;
            rules.push(rule(vec![equal(0, family as u64)?, stream, equal(2, protocol as u64)?])?);
        }
    }
    Ok(rules)
}

fn rule(conditions: Vec<SeccompCondition>) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(conditions)
}

fn equal(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

fn differs(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value)
}

fn masked(argument: u8, mask: u64, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(mask), value)
}
