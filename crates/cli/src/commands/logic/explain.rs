//! `deed logic explain`: the value of every part of a rule.

use super::input::{compile, document};
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
use deed_logic::Mode;

/// Show how a rule came to its value: every part, its value or its error, and what was not evaluated.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The rule: JSON itself, a file, or `-`.
    rule: String,
    /// The data: JSON itself, a file, or `-`.
    data: String,
    /// How the rule is read.
    #[arg(long, default_value = "strict", value_name = "strict|compat")]
    mode: Mode,
}

impl Explain {
    pub(crate) fn run(&self) -> Result<Success, Failure> {
        let rule = document(&self.rule, "<rule>")?;
        let program = compile(&rule, self.mode)?;
        let data = document(&self.data, "<data>")?;
        let explanation = program.explain(data.value());
        let found = matches!(explanation.outcome, deed_logic::Outcome::Error(_));
        Ok(Success { found, ..Success::new(explanation.to_value(), explanation.to_string()) })
    }
}
