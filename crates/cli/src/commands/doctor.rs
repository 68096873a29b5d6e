//! `deed doctor`: the examination of this machine.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::doctor::{CheckStatus, Examination, examine};
use deed_sandbox::ProbeOptions;
use std::fmt::Write as _;

/// Examine this machine: what it can enforce, what is missing, how to install it.
#[derive(Debug, Args)]
#[command(after_help = "Ends with 3 if steps would be refused, else 0.

Examples:
  deed doctor
  deed doctor --json")]
pub(crate) struct Doctor {
    /// Examine as if user namespaces were refused.
    #[arg(long)]
    without_user_namespaces: bool,
}

impl Doctor {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let options = ProbeOptions { without_user_namespaces: self.without_user_namespaces, ..ProbeOptions::default() };
        let examined = examine(&global.session(), &options)?;
        let worst = examined.worst();
        let remark = match worst {
            CheckStatus::Ok => "nothing is missing",
            CheckStatus::Warning => "usable; see the warnings",
            CheckStatus::Missing => "steps that need what is missing are refused",
        };
        let text = text(&examined);
        let mut success = Success::new(examined, text).remark(remark);
        success.lacking = worst == CheckStatus::Missing;
        Ok(success)
    }
}

fn text(examined: &Examination) -> String {
    let mut out = format!("{}, isolation level {}\n", examined.platform, examined.level);
    for check in &examined.checks {
        let _ = writeln!(out, "  {:<8} {:<11} {}", check.status.as_str(), check.name, check.found);
        if let Some(fix) = &check.fix {
            let _ = writeln!(out, "  {:<8} {:<11} fix: {fix}", "", "");
        }
    }
    out
}
