//! `deed ladder check`: whether a contract can be climbed.

use super::given::checked;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_model::{Phase, Rung};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Say all that is wrong with a ladder contract, or how strictly it runs in each phase and what is odd about it.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The contract (JSON or YAML).
    #[arg(value_name = "CONTRACT")]
    contract: PathBuf,
}

impl Check {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let (ladder, remarks) = checked(&self.contract)?;
        let mut text = format!("{} {}\n{:<18}", ladder.contract().contract, ladder.hash(), "");
        for rung in Rung::ALL {
            let _ = write!(text, " {:<6}", rung.as_str());
        }
        text.push('\n');
        let mut phases = Map::new();
        for phase in Phase::ALL {
            let _ = write!(text, "{:<18}", phase.as_str());
            let mut modes = Map::new();
            for rung in Rung::ALL {
                let mode = ladder.mode(phase, rung).as_str();
                let _ = write!(text, " {mode:<6}");
                modes.insert(rung.as_str().to_owned(), json!(mode));
            }
            text.push('\n');
            phases.insert(phase.as_str().to_owned(), Value::Object(modes));
        }
        let data = json!({ "contract": ladder.contract().contract, "hash": ladder.hash(), "phases": phases });
        Ok(Success::new(data, text).report(remarks))
    }
}
