//! `deed receipts verify`: everything that a run left is checked again from its bytes, offline.

use crate::args::Global;
use crate::commands::execution::{load, store_failure};
use crate::commands::keys::{WORKSPACE, public_key};
use crate::commands::runs::plan_of;
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
use deed_canon::{KeyId, PublicKey};
use deed_diag::{Code, Diagnostic};
use deed_ports::JournalRead;
use deed_runtime::reverify;
use serde_json::json;
use std::fmt::Write as _;

const NO_PLAN: Code = Code::new("D2063");

/// Check signatures, contracts and bytes of a run again; nothing of what it says about itself is believed.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The run, the beginning of its name, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// A key that is believed, in place of this workspace's own: its name, a PEM file or base64; several times, where
    /// decisions were signed with other keys.
    #[arg(long, value_name = "KEY")]
    key: Vec<String>,
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
        let known = |id: &KeyId| keys.iter().find(|key| key.id() == *id).cloned();
        let checked = reverify(&loaded.entries, &plan, &store, &known);
        let chain = store.verify().map_err(|error| store_failure(&error))?;
        let mut text = String::new();
        let mut sound = chain.is_ok();
        let journal = chain.err().map(|broken| {
            let of = broken.run_id.as_deref().unwrap_or("the list of runs");
            let _ = writeln!(text, "broken  journal of {of}: event {}: {}", broken.seq, broken.what);
            json!({ "run_id": broken.run_id, "seq": broken.seq, "what": broken.what })
        });
        for check in &checked {
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
        let count = checked.iter().filter(|check| check.holds).count();
        let ids: Vec<String> = keys.iter().map(|key| key.id().to_string()).collect();
        let but = if journal.is_some() { ", and the journal is broken" } else { "" };
        let remark = format!("{count} of {} hold{but}; believed is {}", checked.len(), ids.join(", "));
        let data = json!({
            "run_id": loaded.run_id, "sound": sound, "checked": checked, "journal_broken": journal, "keys": ids,
        });
        let mut success = Success::new(data, text).remark(remark);
        success.found = !sound;
        Ok(success)
    }
}
