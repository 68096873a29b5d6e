//! Checks of a job before it is planned.

use super::within::META;
use crate::job::Job;
use crate::refusal::Refusal;
use std::path::{Component, Path, PathBuf};

/// Checks paths: those inside are plain and distinct, except that an input may be in a writable folder; those of the host
/// are absolute.
pub(super) fn paths(job: &Job) -> Result<(), Refusal> {
    let mut inside: Vec<&Path> = job.inputs.iter().chain(&job.writable).map(|bind| bind.inside.as_path()).collect();
    if let Some(odd) = inside.iter().find(|path| !below_workspace(path)) {
        return Err(Refusal::InsidePath((*odd).to_owned()));
    }
    if job.meta.is_some() {
        inside.push(Path::new(META));
    }
    for (at, path) in inside.iter().enumerate() {
        let count = job.inputs.len();
        let within = |other: usize| at < count && (count..count + job.writable.len()).contains(&other);
        let others = inside.iter().enumerate().filter(|(other, _)| *other != at);
        if others.into_iter().any(|(place, other)| path.starts_with(other) && (path == other || !within(place))) {
            return Err(Refusal::Twice((*path).to_owned()));
        }
    }
    let binds = job.inputs.iter().chain(&job.writable).map(|bind| &bind.host);
    let single = job.meta.iter().chain(&job.bridge).chain(&job.proxy).chain(&job.ca).chain(&job.own_folder);
    let shown = job.interpreter.paths.iter().flat_map(|path| [&path.inside, &path.host]);
    let own = shown.chain([&job.interpreter.executable, &job.stage]);
    let odd = binds.chain(single).chain(own).find(|path| !path.is_absolute() || path.to_str().is_none());
    odd.map_or(Ok(()), |path: &PathBuf| Err(Refusal::HostPath(path.clone())))
}

/// Checks that no argument and no value contains a zero byte.
pub(super) fn words(job: &Job) -> Result<(), Refusal> {
    let zero = job.args.iter().chain(job.env.values()).any(|word| word.contains('\0'));
    if zero { Err(Refusal::ZeroByte) } else { Ok(()) }
}

fn below_workspace(path: &Path) -> bool {
    let mut parts = path.components();
    let start =
        parts.next() == Some(Component::RootDir) && parts.next() == Some(Component::Normal("workspace".as_ref()));
    let rest: Vec<Component<'_>> = parts.collect();
    start && path.to_str().is_some() && !rest.is_empty() && rest.iter().all(|part| matches!(part, Component::Normal(_)))
}
