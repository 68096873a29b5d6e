//! `deed plan graph`: a plan as a picture.

use super::source::PlanArgs;
use crate::args::Global;
use crate::output::Success;
use clap::{Args, ValueEnum};
use deed_app::AppError;
use deed_plan::{GraphFormat, graph};
use schemars::JsonSchema;
use serde::Serialize;

/// Draw a plan: steps, adapters, gates and what passes between them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed plan graph weekly.plan.yaml --format svg > weekly.svg")]
pub(crate) struct Graph {
    #[command(flatten)]
    given: PlanArgs,
    /// Format of the drawing.
    #[arg(long, value_enum, default_value = "mermaid")]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    Mermaid,
    Dot,
    Svg,
}

/// A drawn plan.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DrawnPlan {
    /// The drawing, in the format that was asked for.
    graph: String,
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
        Ok(Success::new(DrawnPlan { graph: drawn.clone() }, drawn).document().report(report))
    }
}
