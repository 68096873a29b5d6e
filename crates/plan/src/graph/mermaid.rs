//! Mermaid. Users' texts stand in quotes, with every character that Mermaid could take for its own as a code.

use super::scene::{NodeKind, Scene, Style};
use std::fmt::Write;

pub(super) fn write(scene: &Scene) -> String {
    let mut out = String::from("flowchart TD\n");
    for (index, node) in scene.nodes.iter().enumerate() {
        let (label, id, note) = (safe(&node.label), safe(&node.id), safe(&node.note));
        let _ = match node.kind {
            NodeKind::Given => writeln!(out, "  n{index}[/\"{label}\"/]:::given"),
            NodeKind::Step(_) => writeln!(out, "  n{index}[\"{label}<br/>{id}<br/>{note}\"]:::step"),
            NodeKind::Adapter => writeln!(out, "  n{index}([\"{label}\"]):::adapter"),
            NodeKind::Gate => writeln!(out, "  n{index}{{\"{label}<br/>{id}<br/>{note}\"}}:::gate"),
        };
    }
    for edge in &scene.edges {
        let line = match edge.style {
            Style::Data => "-->",
            Style::Order => "-.->",
            Style::Gate => "==>",
        };
        let label = safe(&edge.label);
        let _ = match label.is_empty() {
            true => writeln!(out, "  n{} {line} n{}", edge.from, edge.to),
            false => writeln!(out, "  n{} {line}|\"{label}\"| n{}", edge.from, edge.to),
        };
    }
    out.push_str("  classDef step fill:#ffffff,stroke:#7d858f,color:#1f2328\n");
    out.push_str("  classDef given fill:#edf3ee,stroke:#7e9a84,color:#1f2328\n");
    out.push_str("  classDef adapter fill:#f2f0f7,stroke:#8f88ab,color:#1f2328,stroke-dasharray:4 3,font-size:11px\n");
    out.push_str("  classDef gate fill:#fdf2dd,stroke:#b98428,color:#1f2328\n");
    out
}

/// Codes for all ASCII signs but a few that mean nothing, and for those too where a list could begin.
fn safe(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut begins = true;
    for c in text.chars() {
        let plain = matches!(c, '_' | '/' | ',' | ' ') || (!begins && matches!(c, '.' | '-'));
        begins &= c.is_ascii_digit() || c.is_ascii_punctuation() || c == ' ';
        if c.is_ascii_punctuation() && !plain {
            let _ = write!(out, "#{};", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}
