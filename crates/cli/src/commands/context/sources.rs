//! The inputs of a compile, on the command line.

use crate::args::Global;
use clap::Args;
use deed_app::AppError;
use deed_app::classified::RestrictedCopies;
use deed_app::contexts::{Assignment, ContextSources, LoadedContext, Variation};
use deed_app::registry::without_secret;
use deed_app::workspaces::WorkspaceChoice;
use deed_diag::Report;
use std::path::PathBuf;

/// Reads the values of `--set`. The last of several for one path counts.
pub(super) fn assignments(texts: &[String]) -> Result<Vec<Assignment>, AppError> {
    texts.iter().map(|text| Assignment::parse(without_secret("--set", text)?)).collect()
}

/// A pack and everything that a compile reads besides it.
#[derive(Debug, Args)]
pub(crate) struct ContextArgs {
    /// Pack: a version such as ctxpack.support@1.0.0, a folder such as ./support, or with --env an id [default: the
    /// version that the request pins, or else the default of the workspace].
    #[arg(long, value_name = "REF|DIR|ID")]
    pack: Option<String>,
    /// Use the version and the overlays that this environment has pinned.
    #[arg(long = "env", value_name = "NAME")]
    environment: Option<String>,
    /// Workspace that gives the pack of a request that pins none, and the memory of `--recall` [default: the one in use].
    #[arg(long, value_name = "NAME", conflicts_with = "no_workspace")]
    workspace: Option<String>,
    /// Compile outside of the workspace in use.
    #[arg(long)]
    no_workspace: bool,
    /// Request (YAML or JSON).
    #[arg(long, value_name = "FILE")]
    request: PathBuf,
    /// Run context (YAML or JSON).
    #[arg(long, value_name = "FILE")]
    run: PathBuf,
    /// Retrieved evidence: a list (YAML or JSON).
    #[arg(long, value_name = "FILE")]
    evidence: Option<PathBuf>,
    /// Memory that you recalled yourself: a list (YAML or JSON); recorded as supplied by the caller, not checked.
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
    /// Recall what the memory log of the workspace, or else of this home, has promoted for the run's tenant, subjects and intent.
    #[arg(long)]
    recall: bool,
    /// Overlay to apply, besides those that the environment or the request names; repeat for several.
    #[arg(long = "overlay", value_name = "NAME")]
    overlays: Vec<String>,
    /// Instant at which lifetimes are judged, as RFC 3339 [default: `as_of` of the run, or now].
    #[arg(long, value_name = "TIME")]
    as_of: Option<String>,
    /// Set a value by the path that rules read, such as request.context.amount=4200 or user.role=lead; repeatable.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    set: Vec<String>,
}

impl ContextArgs {
    /// Reads everything, with warnings.
    pub(super) fn load(&self, global: &Global) -> Result<(LoadedContext, Report), AppError> {
        self.load_with(global, &[], RestrictedCopies::Refused)
    }

    /// Reads everything, with warnings, for a compile in which values vary.
    pub(super) fn load_varied(&self, global: &Global, vary: &[Variation]) -> Result<(LoadedContext, Report), AppError> {
        self.load_with(global, vary, RestrictedCopies::Refused)
    }

    /// Reads everything for a recording, with the answer to one under a RESTRICTED pack.
    pub(super) fn load_to_copy(
        &self,
        global: &Global,
        restricted: RestrictedCopies,
    ) -> Result<(LoadedContext, Report), AppError> {
        self.load_with(global, &[], restricted)
    }

    fn load_with(
        &self,
        global: &Global,
        vary: &[Variation],
        restricted: RestrictedCopies,
    ) -> Result<(LoadedContext, Report), AppError> {
        let sources = ContextSources {
            pack: self.pack.clone(),
            environment: self.environment.clone(),
            workspace: match (&self.workspace, self.no_workspace) {
                (Some(name), _) => WorkspaceChoice::Named(name.clone()),
                (None, true) => WorkspaceChoice::Outside,
                (None, false) => WorkspaceChoice::InUse,
            },
            request: self.request.clone(),
            run: self.run.clone(),
            evidence: self.evidence.clone(),
            memory: self.memory.clone(),
            recall: self.recall,
            overlays: self.overlays.clone(),
            as_of: self.as_of.clone(),
            set: assignments(&self.set)?,
            vary: vary.to_vec(),
            restricted,
        };
        sources.load(&global.session())
    }
}
