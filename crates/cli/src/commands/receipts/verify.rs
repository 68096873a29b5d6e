//! `deed receipts verify`: everything that a run left is checked again from its bytes, offline.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::head::Head;
use deed_app::runs::verify;
use serde_json::json;
use std::fmt::Write as _;

/// Derive again what a run says about itself: signatures, contracts, files, checks, spending and decisions. What is not
/// derived again is printed.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The run, the beginning of its name, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// A key that is believed, in place of this workspace's own: its name, a PEM file or base64; several times, where
    /// decisions were signed with other keys.
    #[arg(long, value_name = "KEY")]
    key: Vec<String>,
    /// A head of the run that was kept elsewhere, `RUN@SEQ:HASH` or `SEQ:HASH`; refused if the journal lacks it.
    #[arg(long, value_name = "HEAD")]
    head: Vec<Head>,
}

impl Verify {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let verified = verify(&global.session(), &self.run, &self.key, &self.head)?;
        let sound = verified.is_sound();
        let mut text = String::new();
        let journal = verified.broken.as_ref().map(|broken| {
            let of = broken.run_id.as_deref().unwrap_or("the list of runs");
            let _ = writeln!(text, "broken  journal of {of}: event {}: {}", broken.seq, broken.what);
            json!({ "run_id": broken.run_id, "seq": broken.seq, "what": broken.what })
        });
        let checked = &verified.verification.checked;
        for check in checked {
            match &check.found {
                None => {
                    let _ = writeln!(text, "holds   {}", check.what);
                }
                Some(found) => {
                    let _ = writeln!(text, "broken  {}: {found}", check.what);
                }
            }
        }
        let sealed = verified.state.sealed;
        if !sealed && verified.state.ended.is_none() {
            let _ = writeln!(text, "open    seal of the run: it has not ended, and events can still be added");
        }
        for words in &verified.verification.not_derived {
            let _ = writeln!(text, "not derived again: {words}");
        }
        let count = checked.iter().filter(|check| check.holds).count();
        let ids: Vec<String> = verified.keys.iter().map(ToString::to_string).collect();
        let but = if journal.is_some() { ", and the journal is broken" } else { "" };
        let open = if sealed { "" } else { "; the run is not sealed" };
        let remark = format!(
            "{count} of {} hold{but}{open}; other runs are checked by `deed journal verify`; trusted keys: {}",
            checked.len(),
            ids.join(", ")
        );
        let data = json!({
            "run_id": verified.run_id, "sound": sound, "sealed": sealed, "checked": checked,
            "not_derived": verified.verification.not_derived, "journal_broken": journal, "keys": ids, "head": verified.head,
        });
        let mut success = Success::new(data, text).remark(remark).report(verified.warnings);
        success.found = !sound;
        success.unsealed = !sealed;
        Ok(success)
    }
}
