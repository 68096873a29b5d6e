//! `deed logic eval`: the value of a rule.

use super::bulk;
use super::input::{compile, document, eval_failure};
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
use deed_canon::canonical_string;
use deed_logic::Mode;
use serde_json::json;
use std::path::PathBuf;

/// Evaluate a rule over data. Data that ends in .jsonl is evaluated line by line.
#[derive(Debug, Args)]
pub(crate) struct Eval {
    /// The rule: JSON itself, a file, or `-`.
    #[arg(required_unless_present = "cases")]
    rule: Option<String>,
    /// The data: JSON itself, a file, a .jsonl file, or `-`.
    #[arg(required_unless_present = "cases")]
    data: Option<String>,
    /// How the rule is read.
    #[arg(long, default_value = "strict", value_name = "strict|compat")]
    mode: Mode,
    /// Many rules at once: a file (or `-`) with one {"rule": …, "data": …} a line.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rule", "data"])]
    cases: Option<PathBuf>,
    /// Read DATA as one document a line, whatever it is called.
    #[arg(long)]
    jsonl: bool,
}

impl Eval {
    pub(crate) fn run(&self) -> Result<Success, Failure> {
        if let Some(cases) = &self.cases {
            return bulk::cases(cases, self.mode);
        }
        let (Some(rule), Some(data)) = (&self.rule, &self.data) else {
            return Err(Failure::internal("a rule and data were promised by the command line"));
        };
        let rule = document(rule, "<rule>")?;
        let program = compile(&rule, self.mode)?;
        if self.jsonl || data.ends_with(".jsonl") {
            return bulk::lines(&program, data.as_ref());
        }
        let data = document(data, "<data>")?;
        let value = program.eval(data.value()).map_err(|e| eval_failure(&rule, &e))?;
        let text = canonical_string(&value).map_err(Failure::internal)?;
        Ok(Success::new(json!({ "value": value }), text + "\n"))
    }
}
