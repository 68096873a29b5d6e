//! `deed receipts verify`: a run verified offline, from its bytes.

use crate::args::Global;
use crate::commands::execution::shown::ShownHead;
use crate::output::Success;
use crate::terminal::{self, Stream};
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::head::Head;
use deed_app::runs::verify;
use deed_runtime::Reverified;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// Verify a run offline: signatures, contracts, files, checks, spending, decisions.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed receipts verify last")]
pub(crate) struct Verify {
    /// Run: its name, a unique prefix of it, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// Key to trust in place of the project's own: its name, a PEM file or base64. Repeatable.
    #[arg(long, value_name = "KEY")]
    key: Vec<String>,
    /// Head that was kept elsewhere, `RUN@SEQ:HASH` or `SEQ:HASH`; refused if the journal lacks it.
    #[arg(long, value_name = "HEAD")]
    head: Vec<Head>,
}

/// The verification of a run.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct VerifiedRun {
    /// The run.
    run_id: String,
    /// True where everything that was derived again holds.
    sound: bool,
    /// True where the run has ended and its end is signed.
    sealed: bool,
    /// True where the checks of its files were derived again; runs of versions that froze no types do not allow it.
    complete: bool,
    /// The facts that were derived again.
    checked: Vec<Reverified>,
    /// The facts that were not derived again.
    not_derived: Vec<String>,
    /// The first link of the journal that does not hold.
    journal_broken: Option<BrokenEvent>,
    /// The keys that were trusted.
    keys: Vec<String>,
    /// The end of the run's journal.
    head: Option<ShownHead>,
}

/// A link of the journal that does not hold.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct BrokenEvent {
    /// The run; null for the list of runs.
    run_id: Option<String>,
    /// The place of the event.
    seq: u64,
    /// The error.
    what: String,
}

impl Verify {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let verified = verify(&global.session(), &self.run, &self.key, &self.head)?;
        let sound = verified.is_sound();
        let mut text = String::new();
        let journal = verified.broken.as_ref().map(|broken| {
            let of = broken.run_id.as_deref().unwrap_or("the list of runs");
            let _ = writeln!(text, "broken  journal of {of}: event {}: {}", broken.seq, broken.what);
            BrokenEvent { run_id: broken.run_id.clone(), seq: broken.seq, what: broken.what.to_string() }
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
        let complete = !verified.verification.without_types;
        let open = match (sealed, complete) {
            (false, _) => "; the run is not sealed",
            (true, false) => "; checks of its files were not derived again",
            (true, true) => "",
        };
        let remark = format!(
            "{count} of {} hold{but}{open}; other runs are checked by `deed journal verify`; trusted keys: {}",
            checked.len(),
            ids.join(", ")
        );
        let data = VerifiedRun {
            run_id: verified.run_id,
            sound,
            sealed,
            complete,
            checked: checked.clone(),
            not_derived: verified.verification.not_derived.clone(),
            journal_broken: journal,
            keys: ids,
            head: verified.head.map(|head| ShownHead { seq: head.seq, hash: head.hash.to_string() }),
        };
        let mut success =
            Success::new(data, terminal::fit(Stream::Stdout, &text)).remark(remark).report(verified.warnings);
        success.found = !sound;
        success.unsealed = !sealed || !complete;
        Ok(success)
    }
}
