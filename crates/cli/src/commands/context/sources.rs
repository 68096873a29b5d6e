//! What a compile is given on the command line.

use crate::args::Global;
use clap::Args;
use deed_app::AppError;
use deed_app::contexts::{ContextSources, LoadedContext};
use deed_diag::Report;
use std::path::PathBuf;

/// A pack and everything that a compile reads besides it.
#[derive(Debug, Args)]
pub(crate) struct ContextArgs {
    /// An exact published version such as `ctxpack.support@1.0.0`, or a pack's folder.
    #[arg(long, value_name = "REF|DIR")]
    pack: String,
    /// The request, as YAML or JSON.
    #[arg(long, value_name = "FILE")]
    request: PathBuf,
    /// The run context.
    #[arg(long, value_name = "FILE")]
    run: PathBuf,
    /// Retrieved evidence, a list.
    #[arg(long, value_name = "FILE")]
    evidence: Option<PathBuf>,
    /// Recalled memory, a list.
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
    /// An overlay to apply, by name; may be given more than once. Those that the request names are applied too.
    #[arg(long = "overlay", value_name = "NAME")]
    overlays: Vec<String>,
    /// The instant that lifetimes are judged at, as RFC 3339; the run's `as_of` otherwise, and else the clock.
    #[arg(long, value_name = "TIME")]
    as_of: Option<String>,
}

impl ContextArgs {
    /// Reads everything, with warnings.
    pub(super) fn load(&self, global: &Global) -> Result<(LoadedContext, Report), AppError> {
        let sources = ContextSources {
            pack: self.pack.clone(),
            request: self.request.clone(),
            run: self.run.clone(),
            evidence: self.evidence.clone(),
            memory: self.memory.clone(),
            overlays: self.overlays.clone(),
            as_of: self.as_of.clone(),
        };
        sources.load(&global.session())
    }
}
