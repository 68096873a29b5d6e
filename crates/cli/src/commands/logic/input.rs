//! The rule and the data of a command.

use super::bulk::{self, Job};
use crate::output::{Success, begin_stream};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use deed_app::AppError;
use deed_app::rules::{Rule, document};
use deed_diag::{Diagnostic, Document, Invariant as _, codes};
use deed_logic::Mode;
use std::path::PathBuf;

/// The rule and the data, in all three commands.
#[derive(Debug, Args)]
pub(crate) struct RuleAndData {
    /// Rule: JSON, a file, or `-` for standard input.
    #[arg(required_unless_present = "cases")]
    rule: Option<String>,
    /// Data: JSON, a file, `-`, or a .jsonl file with one document a line.
    data: Option<String>,
    /// Reading of the rule: strict, or with the results of json-logic-js.
    #[arg(long, default_value = "strict", value_parser = PossibleValuesParser::new(["strict", "compat"]).try_map(|name| name.parse::<Mode>()))]
    mode: Mode,
    /// File (or `-`) of many rules: one {"rule": …, "data": …} a line.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rule", "data"])]
    cases: Option<PathBuf>,
    /// Read DATA line by line, whatever its name.
    #[arg(long)]
    jsonl: bool,
}

/// A rule, with one document of data or none.
pub(super) struct Single {
    pub(super) rule: Rule,
    pub(super) data: Option<Document>,
}

impl RuleAndData {
    /// Runs the job for every line of a file; or, without such a file, returns the rule and its data.
    pub(super) fn read(&self, job: Job) -> Result<Result<Success, Single>, AppError> {
        let by_line = |data: &String| self.jsonl || data.ends_with(".jsonl");
        if self.cases.is_some() || self.data.as_ref().is_some_and(by_line) {
            begin_stream();
        }
        if let Some(cases) = &self.cases {
            return bulk::cases(cases, self.mode, job).map(Ok);
        }
        let rule = self.rule.as_deref().invariant("clap requires a rule without `--cases`");
        let rule = Rule::load(rule, self.mode)?;
        match &self.data {
            Some(data) if by_line(data) => bulk::lines(&rule.program, data.as_ref(), job).map(Ok),
            Some(data) => Ok(Err(Single { rule, data: Some(document(data, "<data>")?) })),
            None => Ok(Err(Single { rule, data: None })),
        }
    }
}

impl Single {
    /// The data, or a usage error.
    pub(super) fn data(&self) -> Result<&Document, AppError> {
        self.data.as_ref().ok_or_else(|| {
            AppError::usage(
                Diagnostic::error(codes::DATA_MISSING, "there is no data to evaluate the rule over")
                    .stage("usage")
                    .help("give DATA after RULE"),
            )
        })
    }
}
