//! `deed gate show`: exactly what an approval would be bound to.

use super::anew;
use crate::args::Global;
use crate::commands::execution::shown;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{gate, has_lapsed, load, rolled_back};
use serde_json::json;

/// Show what a gate asks; an approval is bound to the hash of just this.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The run, the beginning of its name, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// The gate, where several wait.
    #[arg(value_name = "GATE")]
    gate: Option<String>,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let (home, _, loaded) = load(&session, &self.run)?;
        let gate = gate(&loaded, self.gate.as_deref())?;
        let hash = gate.subject_hash.to_string();
        let mut text = shown::gate_text(&gate.subject, Some(&hash));
        let decided = gate.decided.as_ref().map(|signed| &signed.approval);
        if let Some(decided) = decided {
            text.push_str(&format!("  decided by {} at {}\n", decided.approver, decided.decided_at));
        }
        let lapsed = loaded.state.ended.is_none() && gate.is_open() && has_lapsed(&session, &gate.subject)?;
        if lapsed {
            text.push_str(&format!("  lapsed    {}\n", anew(&loaded.run_id)));
        }
        let data = json!({ "subject": gate.subject, "subject_hash": hash, "decided": decided, "lapsed": lapsed });
        Ok(Success::new(data, text).report(rolled_back(&home)?))
    }
}
