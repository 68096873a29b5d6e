//! `deed pack overlay`: the pack as an environment sees it, with a proof for every change.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, packs};
use deed_diag::{Code, Diagnostic, Report};
use deed_pack::{Selection, lint, resolve};
use serde_json::json;
use std::fmt::Write as _;

const NOT_A_PACK: Code = Code::new("D0017");

/// Apply overlays, prove that they only tighten, and print the resolved pack; its hash goes to stderr.
#[derive(Debug, Args)]
pub(crate) struct Overlay {
    /// The pack's folder, or a reference.
    pack: String,
    /// An overlay's name; may be given more than once. All of them otherwise, in the declared order.
    #[arg(long = "overlay", value_name = "NAME")]
    overlays: Vec<String>,
}

impl Overlay {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let bundle = packs::bundle(&global.session(), &self.pack)?;
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
        let data = json!({
            "hash": resolved.hash,
            "base_hash": resolved.base_hash,
            "overlays": resolved.overlays,
            "changes": resolved.changes,
            "pack": resolved.pack,
        });
        Ok(Success::new(data, format!("{:#}\n", resolved.pack)).remark(remark))
    }
}

/// What lint has to say of a document that is not a pack.
pub(super) fn not_a_pack(mut report: Report) -> AppError {
    report.push(
        Diagnostic::error(NOT_A_PACK, "the document is not a pack").stage("pack").help("`deed pack lint` tells why"),
    );
    report.into()
}
