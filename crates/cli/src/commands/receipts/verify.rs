//! `deed receipts verify`: everything that a run left is checked again from its bytes, offline.

use crate::args::Global;
use crate::commands::execution::head::{self, Head};
use crate::commands::execution::{load, rolled_back, store_failure};
use crate::commands::keys::{WORKSPACE, public_key};
use crate::commands::runs::plan_of;
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
use deed_canon::{KeyId, PublicKey};
use deed_diag::{Code, Diagnostic};
use deed_runtime::reverify;
use serde_json::json;
use std::fmt::Write as _;

const NO_PLAN: Code = Code::new("D2063");

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
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let (home, store, loaded) = load(global, &self.run)?;
        let keys: Vec<PublicKey> = match self.key.as_slice() {
            [] => vec![public_key(&home, WORKSPACE)?],
            given => given.iter().map(|name| public_key(&home, name)).collect::<Result<_, _>>()?,
        };
        let plan = plan_of(&store, &loaded.state).ok_or_else(|| {
            let diagnostic = Diagnostic::error(NO_PLAN, "the plan of this run is missing or was altered");
            Failure::refused(diagnostic.stage("receipts").help("restore the blobs from a backup"))
        })?;
        let contains = |run: Option<&str>, head: &_| store.contains(run, head).map_err(|error| store_failure(&error));
        head::extends(&self.head, Some(&loaded.run_id), contains)?;
        let known = |id: &KeyId| keys.iter().find(|key| key.id() == *id).cloned();
        let verification = reverify(&loaded.entries, &plan, &store, &known);
        let chain = store.verify_run(&loaded.run_id).map_err(|error| store_failure(&error))?;
        let mut text = String::new();
        let mut sound = chain.is_ok();
        let journal = chain.err().map(|broken| {
            let of = broken.run_id.as_deref().unwrap_or("the list of runs");
            let _ = writeln!(text, "broken  journal of {of}: event {}: {}", broken.seq, broken.what);
            json!({ "run_id": broken.run_id, "seq": broken.seq, "what": broken.what })
        });
        let checked = &verification.checked;
        for check in checked {
            sound &= check.holds;
            match &check.found {
                None => {
                    let _ = writeln!(text, "holds   {}", check.what);
                }
                Some(found) => {
                    let _ = writeln!(text, "broken  {}: {found}", check.what);
                }
            }
        }
        let sealed = loaded.state.sealed;
        if !sealed && loaded.state.ended.is_none() {
            let _ = writeln!(text, "open    seal of the run: it has not ended, and events can still be added");
        }
        for words in &verification.not_derived {
            let _ = writeln!(text, "not derived again: {words}");
        }
        let count = checked.iter().filter(|check| check.holds).count();
        let ids: Vec<String> = keys.iter().map(|key| key.id().to_string()).collect();
        let but = if journal.is_some() { ", and the journal is broken" } else { "" };
        let open = if sealed { "" } else { "; the run is not sealed" };
        let remark = format!(
            "{count} of {} hold{but}{open}; other runs are checked by `deed journal verify`; trusted keys: {}",
            checked.len(),
            ids.join(", ")
        );
        let head = store.head(Some(&loaded.run_id)).map_err(|error| store_failure(&error))?;
        let data = json!({
            "run_id": loaded.run_id, "sound": sound, "sealed": sealed, "checked": checked,
            "not_derived": verification.not_derived, "journal_broken": journal, "keys": ids, "head": head,
        });
        let mut success = Success::new(data, text).remark(remark).report(rolled_back(&home)?);
        success.found = !sound;
        success.unsealed = !sealed;
        Ok(success)
    }
}
