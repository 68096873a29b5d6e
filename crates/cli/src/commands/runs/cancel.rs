//! `deed runs cancel`: ends a run, whoever drives it.

use crate::args::Global;
use crate::commands::catalog::given::Given as Types;
use crate::commands::execution::{Machine, Workshop, engine_failure, load};
use crate::commands::registry::{spoken, stamp};
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
use deed_ports::Engine;
use serde_json::json;

/// End a run; what is under way is stopped, what was made stays.
#[derive(Debug, Args)]
pub(crate) struct Cancel {
    /// The run, the beginning of its name, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// Why, for the journal.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    #[command(flatten)]
    types: Types,
}

impl Cancel {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        if let Some(why) = &self.why {
            spoken("--why", why)?;
        }
        let (_, _, loaded) = load(global, &self.run)?;
        let (catalog, _) = self.types.for_run(global, &loaded.state)?;
        let run_id = loaded.run_id;
        let workshop = Workshop::open(global, catalog, &Machine::default())?;
        let actor = stamp(global)?.actor;
        workshop.engine.cancel(&run_id, &actor, self.why.as_deref()).map_err(engine_failure)?;
        let (_, state) = workshop.engine.load(&run_id).map_err(engine_failure)?;
        let (word, remark) = match state.ended {
            Some(outcome) => (outcome.as_str(), format!("it has ended: {}", outcome.as_str())),
            None => ("cancelling", "another process drives it, and was asked to end it".to_owned()),
        };
        Ok(Success::new(json!({ "run_id": run_id, "status": word }), format!("{run_id}  {word}\n")).remark(remark))
    }
}
