//! `deed ladder check`: the errors of a contract, and its modes.

use crate::output::Success;
use clap::Args;
use deed_app::{AppError, ladders};
use deed_model::{Phase, Rung};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Check a ladder contract, and show how strictly it runs in each phase.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed ladder check order.contract.yaml")]
pub(crate) struct Check {
    /// Ladder contract (JSON or YAML).
    #[arg(value_name = "CONTRACT")]
    contract: PathBuf,
}

/// A ladder contract without errors.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CheckedContract {
    /// Its name.
    contract: String,
    /// Its hash.
    hash: String,
    /// The mode of each rung, by phase and rung.
    phases: BTreeMap<String, BTreeMap<String, String>>,
}

impl Check {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let (ladder, remarks) = ladders::load(&self.contract)?;
        let mut text = format!("{} {}\n{:<18}", ladder.contract().contract, ladder.hash(), "");
        for rung in Rung::ALL {
            let _ = write!(text, " {:<6}", rung.as_str());
        }
        text.push('\n');
        let mut phases = BTreeMap::new();
        for phase in Phase::ALL {
            let _ = write!(text, "{:<18}", phase.as_str());
            let mut modes = BTreeMap::new();
            for rung in Rung::ALL {
                let mode = ladder.mode(phase, rung).as_str();
                let _ = write!(text, " {mode:<6}");
                modes.insert(rung.as_str().to_owned(), mode.to_owned());
            }
            text.push('\n');
            phases.insert(phase.as_str().to_owned(), modes);
        }
        let data =
            CheckedContract { contract: ladder.contract().contract.clone(), hash: ladder.hash().to_string(), phases };
        Ok(Success::new(data, text).report(remarks))
    }
}
