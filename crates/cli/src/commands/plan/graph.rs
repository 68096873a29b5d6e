//! `deed plan graph`: a plan as a picture.

use super::source::PlanArgs;
use crate::args::Global;
use crate::output::Success;
use clap::{Args, ValueEnum};
use deed_app::AppError;
use deed_plan::{GraphFormat, graph};
use serde_json::json;

/// Draw a plan: steps, what passes between them, adapters and gates.
#[derive(Debug, Args)]
pub(crate) struct Graph {
    #[command(flatten)]
    given: PlanArgs,
    /// How it is drawn.
    #[arg(long, value_enum, default_value = "mermaid")]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    Mermaid,
    Dot,
    Svg,
}

impl Graph {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (plan, report) = self.given.compiled(global)?;
        let format = match self.format {
            Format::Mermaid => GraphFormat::Mermaid,
            Format::Dot => GraphFormat::Dot,
            Format::Svg => GraphFormat::Svg,
        };
        let drawn = graph(&plan, format);
        Ok(Success::new(json!({ "graph": drawn }), drawn).report(report))
    }
}
