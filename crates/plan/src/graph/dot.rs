//! Graphviz. Users' texts stand in quotes; backslashes, quotes and what Graphviz takes for entities are escaped.

use super::scene::{NodeKind, Scene, Style};
use super::text::fit;
use std::fmt::Write;

pub(super) fn write(scene: &Scene) -> String {
    let mut out = format!("digraph \"{}\" {{\n", safe(&scene.name));
    out.push_str("  graph [rankdir=TB, ranksep=0.6, nodesep=0.35, fontname=\"sans-serif\"];\n");
    out.push_str("  node [fontname=\"sans-serif\", fontsize=11, shape=box, style=\"rounded,filled\", ");
    out.push_str("color=\"#7d858f\", fillcolor=\"#ffffff\", fontcolor=\"#1f2328\"];\n");
    out.push_str("  edge [fontname=\"sans-serif\", fontsize=9, color=\"#6b737d\", fontcolor=\"#3d444d\"];\n");
    for (index, node) in scene.nodes.iter().enumerate() {
        let (label, id, note) = (safe(&fit(&node.label, 11.0, 240.0)), safe(&node.id), safe(&node.note));
        let tip = safe(&node.label);
        let _ = match node.kind {
            NodeKind::Given => writeln!(
                out,
                "  n{index} [label=\"{label}\", tooltip=\"{tip}\", shape=note, style=filled, color=\"#7e9a84\", \
                 fillcolor=\"#edf3ee\", fontsize=10];"
            ),
            NodeKind::Step(_) => writeln!(out, "  n{index} [label=\"{label}\\n{id}\\n{note}\", tooltip=\"{tip}\"];"),
            NodeKind::Adapter => writeln!(
                out,
                "  n{index} [label=\"{label}\", tooltip=\"{id}\", style=\"rounded,filled,dashed\", color=\"#8f88ab\", \
                 fillcolor=\"#f2f0f7\", fontsize=9, height=0.3];"
            ),
            NodeKind::Gate => writeln!(
                out,
                "  n{index} [label=\"{label}\\n{id}\\n{note}\", tooltip=\"{tip}\", shape=diamond, style=filled, \
                 color=\"#b98428\", fillcolor=\"#fdf2dd\", fontsize=10];"
            ),
        };
    }
    for edge in &scene.edges {
        let mut traits: Vec<String> = Vec::new();
        if !edge.label.is_empty() {
            traits.push(format!("label=\"{}\"", safe(&edge.label)));
        }
        match edge.style {
            Style::Data => {}
            Style::Order => traits.push("style=dashed".to_owned()),
            Style::Gate => traits.push("color=\"#b98428\"".to_owned()),
        }
        let traits = if traits.is_empty() { String::new() } else { format!(" [{}]", traits.join(", ")) };
        let _ = writeln!(out, "  n{} -> n{}{traits};", edge.from, edge.to);
    }
    out.push_str("}\n");
    out
}

fn safe(text: &str) -> String {
    let entities = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    entities.replace('\\', "\\\\").replace('"', "\\\"")
}
