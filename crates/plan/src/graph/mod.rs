//! Graphs: a compiled plan enters, and a drawing of it leaves, as text for Mermaid or Graphviz or as a finished SVG.
//!
//! Invariants: the same plan gives the same bytes, text that users wrote into labels stays text in every format, and
//! the drawing takes time that grows about as the plan does.

mod dot;
mod draw;
mod layers;
mod lists;
mod mermaid;
mod place;
mod scene;
mod svg;
mod text;

use deed_model::CompiledPlan;
use scene::Scene;

/// The format of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GraphFormat {
    /// A Mermaid flowchart.
    Mermaid,
    /// A Graphviz digraph.
    Dot,
    /// A picture that needs no other program.
    Svg,
}

/// Draws a plan.
pub fn graph(plan: &CompiledPlan, format: GraphFormat) -> String {
    let scene = Scene::of(plan);
    match format {
        GraphFormat::Mermaid => mermaid::write(&scene),
        GraphFormat::Dot => dot::write(&scene),
        GraphFormat::Svg => svg::write(&scene),
    }
}
