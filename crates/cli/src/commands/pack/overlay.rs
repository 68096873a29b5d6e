//! `deed pack overlay`: the pack as an environment sees it, with a proof for every change.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::{AppError, packs};
use deed_diag::{Diagnostic, Invariant as _, Report, codes};
use deed_model::SignedOverlay;
use deed_pack::{AppliedChange, Selection, lint, resolve};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Apply overlays, prove that they only tighten, and print the resolved pack.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack overlay ./support --overlay staging")]
pub(crate) struct Overlay {
    /// Folder of the pack, such as ./support, or a version such as ctxpack.a@1.0.0.
    pack: String,
    /// Overlay to apply; repeat for several [default: all, in the declared order].
    #[arg(long = "overlay", value_name = "NAME")]
    overlays: Vec<String>,
}

/// A pack with its overlays applied.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ResolvedPack {
    /// The hash of the resolved pack.
    hash: String,
    /// The hash of the pack without overlays.
    base_hash: String,
    /// The overlays, in the order in which they were applied.
    overlays: Vec<SignedOverlay>,
    /// Every change, with the proof that it only tightens.
    changes: Vec<AppliedChange>,
    /// The resolved pack.
    pack: Map<String, Value>,
}

impl Overlay {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let bundle = packs::bundle(&global.session(), &self.pack)?.bundle;
        let Some(pack) = bundle.typed() else {
            return Err(not_a_pack(lint(&bundle).report));
        };
        let selection = if self.overlays.is_empty() { Selection::All } else { Selection::Named(self.overlays.clone()) };
        let resolved = resolve(&bundle, &pack, &selection)?;
        let mut remark = String::new();
        for change in &resolved.changes {
            let _ =
                writeln!(remark, "{}  {}: {} -> {}", change.overlay_ref, change.pointer, change.before, change.after);
            let _ = writeln!(remark, "    {}", change.proof);
        }
        let _ = write!(remark, "{}", resolved.hash);
        let text = format!("{:#}\n", resolved.pack);
        let data = ResolvedPack {
            hash: resolved.hash.to_string(),
            base_hash: resolved.base_hash.to_string(),
            overlays: resolved.overlays,
            changes: resolved.changes,
            pack: resolved.pack.as_object().cloned().invariant("a pack that was resolved is an object"),
        };
        Ok(Success::new(data, text).remark(remark))
    }
}

/// Turns the findings about a document that is not a pack into an error.
pub(super) fn not_a_pack(mut report: Report) -> AppError {
    report.push(
        Diagnostic::error(codes::NOT_A_PACK, "the document is not a pack")
            .stage("pack")
            .help("`deed pack lint` lists what is wrong"),
    );
    report.into()
}
