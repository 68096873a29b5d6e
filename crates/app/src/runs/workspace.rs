//! The workspace of a run that is submitted: its limits, what is frozen of it, and what people are told.

use super::profile;
use super::submit::{RunSource, input_beside};
use crate::error::AppError;
use crate::packs::PackChoice;
use crate::session::Session;
use crate::workspaces::{InputSources, Member};
use deed_diag::{Diagnostic, codes};
use deed_model::{Budget, CompiledPlan, FrozenWorkspace, ProfileSnapshot, RunOptions, RunRequest};

/// Freezes the workspace of a run, after the plan was held against its limits; none for a run outside of workspaces.
pub(super) fn frozen(
    session: &Session,
    member: Option<&Member>,
    plan: &CompiledPlan,
    source: &RunSource,
) -> Result<Option<FrozenWorkspace>, AppError> {
    let Some(member) = member else {
        return match source.files.is_empty() {
            true => Ok(None),
            false => {
                let message = "files of a workspace are named, and the run belongs to none";
                let diagnostic = Diagnostic::error(codes::NO_WORKSPACE_IN_USE, message).stage("workspace");
                let help = "name the workspace with `--workspace NAME`, or choose one: `deed workspace use NAME`";
                Err(AppError::refused(diagnostic.help(help)))
            }
        };
    };
    member.held(plan, &source.options)?;
    let beside = input_beside(&source.plan.path);
    let sources = InputSources {
        folder: source.input.as_deref(),
        files: &source.files,
        fork: source.fork.as_ref().map(|(run, _)| run.as_str()),
        beside: beside.as_deref(),
    };
    member.freeze(session, plan, sources).map(Some)
}

/// Narrows the grant and the options of a run to its workspace and to its profile.
pub(super) fn narrowed(
    member: Option<&Member>,
    profile: Option<&ProfileSnapshot>,
    source: &RunSource,
) -> (Budget, RunOptions) {
    let grant = member.map_or(source.grant, |member| member.narrowed(source.grant));
    match (profile, member) {
        (Some(snapshot), _) => (profile::narrowed(grant, snapshot), profile::options(source.options.clone(), snapshot)),
        (None, Some(member)) => member.timed(grant, source.options.clone()),
        (None, None) => (grant, source.options.clone()),
    }
}

/// Says what the workspace decided that the caller did not: the profile, the pack, and the versions of inputs.
pub(super) fn governed(
    member: Option<&Member>,
    pack: Option<&PackChoice>,
    source: &RunSource,
    request: &RunRequest,
) -> Vec<String> {
    let Some(member) = member else { return Vec::new() };
    let mut lines = vec![format!("workspace {}", member.name())];
    if let (None, Some(frozen), Some((profile, why))) = (&source.profile, &request.profile, member.profile())
        && frozen.profile_ref.to_string() == profile_name(profile, frozen)
    {
        lines.push(format!("profile {} governs the run: it is {why}", frozen.profile_ref));
    }
    if let Some(pack) = pack {
        let environment = pack.environment.as_ref().map(|name| format!(" of {name}")).unwrap_or_default();
        lines.push(format!("pack {}{environment} governs the run: it is the default of the workspace", pack.pack));
    }
    let inputs = request.workspace.iter().flat_map(|workspace| &workspace.inputs);
    lines.extend(inputs.map(|input| format!("{} is {} version {}", input.input, input.path, input.version)));
    lines
}

/// The whole reference of a profile that is named by its id alone, as shipped ones are.
fn profile_name(named: &str, frozen: &deed_model::FrozenProfile) -> String {
    match named.contains('@') {
        true => named.to_owned(),
        false => format!("{named}@{}", frozen.profile_ref.to_string().rsplit('@').next().unwrap_or_default()),
    }
}
