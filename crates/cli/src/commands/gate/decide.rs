//! `deed gate approve` and `deed gate reject`.

use super::{anew, lapsed, meant};
use crate::args::Global;
use crate::commands::catalog::given::Given as Types;
use crate::commands::execution::status::resume;
use crate::commands::execution::{Machine, Workshop, engine_failure, load, shown};
use crate::commands::keys::signing_key;
use crate::commands::registry::{spoken, stamp};
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
use deed_canon::ContentHash;
use deed_diag::{Code, Diagnostic};
use deed_model::GateDecision;
use deed_ports::Engine;
use deed_runtime::{Decided, decide};
use serde_json::json;

const STALE: Code = Code::new("D2012");

/// A decision at a gate.
#[derive(Debug, Args)]
pub(crate) struct Decision {
    /// The run, the beginning of its name, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// The gate, where several wait.
    #[arg(value_name = "GATE")]
    gate: Option<String>,
    /// The role in which it is decided.
    #[arg(long = "as", value_name = "ROLE")]
    role: String,
    /// The hash of what was looked at; refused if something else is asked by now.
    #[arg(long, value_name = "HASH")]
    hash: Option<String>,
    /// A remark, for the journal.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// A key to sign with, in place of the workspace's.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    #[command(flatten)]
    types: Types,
}

impl Decision {
    pub(crate) fn run(&self, global: &Global, decision: GateDecision) -> Result<Success, Failure> {
        if let Some(note) = &self.note {
            spoken("--note", note)?;
        }
        let (run_id, subject, subject_hash, on, (catalog, _)) = {
            let (_, _, loaded) = load(global, &self.run)?;
            let gate = meant(&loaded, self.gate.as_deref())?;
            let on = resume(&loaded.run_id, loaded.state.request.as_ref().map(|request| &request.options));
            let types = self.types.for_run(global, &loaded.state)?;
            (loaded.run_id.clone(), gate.subject.clone(), gate.subject_hash, on, types)
        };
        if let Some(given) = &self.hash
            && given.parse::<ContentHash>().ok() != Some(subject_hash)
        {
            let message = format!("what is asked now has the hash {subject_hash}");
            let diagnostic = Diagnostic::error(STALE, message).stage("gates");
            return Err(Failure::refused(diagnostic.help("look at it again with `deed gate show`")));
        }
        let workshop = Workshop::open(global, catalog, &Machine::default())?;
        let actor = stamp(global)?.actor;
        let decided = Decided {
            decision,
            role: &self.role,
            approver: &actor,
            now_ms: workshop.engine.now_ms(&run_id).map_err(engine_failure)?,
            note: self.note.as_deref(),
        };
        let key = match &self.key {
            Some(name) => signing_key(&workshop.home, name)?,
            None => signing_key(&workshop.home, crate::commands::keys::WORKSPACE)?,
        };
        let signed = decide(&subject, &decided, &key).map_err(|undecidable| {
            let diagnostic = Diagnostic::error(Code::new(undecidable.code), undecidable.message);
            let stale = undecidable.code == STALE.as_str() && lapsed(&subject, decided.now_ms);
            let look = || "`deed gate show` says who is asked, and until when".to_owned();
            let help = if stale { anew(&run_id) } else { look() };
            Failure::refused(diagnostic.stage("gates").help(help))
        })?;
        let approval = signed.approval.clone();
        workshop.engine.decide(&run_id, signed).map_err(engine_failure)?;
        let text = shown::gate_text(&subject, Some(&subject_hash.to_string()));
        let remark = match decision {
            GateDecision::Approved => format!("approved; `{on}` continues the run"),
            GateDecision::Rejected => format!("rejected; with `{on}` what waits for it fails"),
        };
        Ok(Success::new(json!({ "run_id": run_id, "approval": approval }), text).remark(remark))
    }
}
