//! The picture: one file that any browser shows, light or dark as its reader has it, without scripts or anything that
//! is loaded. What is cut short has its full text as a tooltip.

use super::draw::{lines, n};
use super::layers::layers;
use super::lists::at;
use super::place::{LABEL_ROOM, LABEL_SIZE, LABEL_STEP, MARGIN, Places, places, size};
use super::scene::{Node, NodeKind, Scene, Style};
use super::text;
use deed_diag::Invariant as _;
use deed_model::Backend;
use std::fmt::Write;

const LOOK: &str = "\
text{font-family:system-ui,-apple-system,'Segoe UI','Noto Sans','DejaVu Sans',sans-serif;fill:#24292f;\
unicode-bidi:plaintext}
.bg{fill:#fbfbfa}.l{font-size:12.5px;font-weight:600}.s{font-size:10.5px;fill:#5c6570}
.h{font-size:17px;font-weight:600}.t{font-size:10.5px;fill:#3d4650}.m{text-anchor:middle}.e{text-anchor:end}
.step{fill:#fff;stroke:#8b939d}.given{fill:#edf3ee;stroke:#7e9a84}.gate{fill:#fdf2dd;stroke:#b98428}
.adapter{fill:#f2f0f7;stroke:#8f88ab;stroke-dasharray:4 3}.tag{fill:#fbfbfa;fill-opacity:.92}
.sandbox{fill:#4f7cac}.tools{fill:#b07d2b}.isolate{fill:#4f9468}.native{fill:#857fa3}
.d,.o,.g{fill:none;stroke-width:1.4}.d{stroke:#737c87}.o{stroke:#9aa2ab;stroke-dasharray:5 4}.g{stroke:#b98428}
.dh{fill:#737c87}.oh{fill:#9aa2ab}.gh{fill:#b98428}
@media (prefers-color-scheme:dark){text{fill:#e4e7ea}.bg,.tag{fill:#17191c}.s{fill:#a2abb5}.t{fill:#c3cad1}
.step{fill:#22262b;stroke:#6c757f}.given{fill:#1f2a22;stroke:#65806b}.gate{fill:#33290f;stroke:#c2933f}
.adapter{fill:#27242f;stroke:#8780a5}.d{stroke:#8b949e}.dh{fill:#8b949e}.o{stroke:#69717a}.oh{fill:#69717a}}";

const HEAD: f64 = 96.0;
/// Bold type of 12.5 is as wide as plain type of this size.
const BOLD: f64 = 14.0;

pub(super) fn write(scene: &Scene) -> String {
    let layers = layers(scene);
    let mut places = places(scene, &layers, HEAD);
    let drawn = lines(scene, &layers, &mut places);
    let (wide, tall) = (n(places.width.max(560.0)).ceil(), n(places.height).ceil());
    let mut out = String::with_capacity(1_000 * scene.nodes.len() + 4_000);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {tall}\" width=\"{wide}\" height=\"{tall}\" \
         role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n<style>{LOOK}</style>\n<defs>",
        text::xml(&scene.name),
        text::xml(&scene.objective)
    );
    for class in ["d", "o", "g"] {
        let _ = write!(
            out,
            "<marker id=\"{class}m\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"{class}h\" \
             d=\"M0 .8L7.5 4L0 7.2z\"/></marker>"
        );
    }
    let _ = write!(out, "</defs>\n<rect class=\"bg\" width=\"{wide}\" height=\"{tall}\"/>\n");
    head(scene, wide, &mut out);
    for line in &drawn {
        let class = match line.style {
            Style::Data => "d",
            Style::Order => "o",
            Style::Gate => "g",
        };
        let arrow = if line.ends { format!(" marker-end=\"url(#{class}m)\"") } else { String::new() };
        let _ = writeln!(out, "<path class=\"{class}\" d=\"{}\"{arrow}/>", line.path);
    }
    for tag in &places.tags {
        let port = layers.ports.get(tag.port).invariant("a label stands at a port of the layout");
        let shown = text::fit(&port.label, LABEL_SIZE, LABEL_ROOM);
        let half = text::width(&shown, LABEL_SIZE) / 2.0 + 4.0;
        let y = at(&places.top, at(&layers.row_of, port.node)) - 14.0 - tag.row as f64 * LABEL_STEP;
        let _ = writeln!(
            out,
            "<g><title>{}</title><rect class=\"tag\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"14\" rx=\"3\"/>\
             <text class=\"t m\" x=\"{}\" y=\"{}\">{}</text></g>",
            text::xml(&port.label),
            n(tag.x - half),
            n(y - 10.5),
            n(half * 2.0),
            n(tag.x),
            n(y),
            text::xml(&shown)
        );
    }
    for (index, node) in scene.nodes.iter().enumerate() {
        shape(node, middle(&places, index, at(&layers.row_of, index)), &mut out);
    }
    out.push_str("</svg>\n");
    out
}

fn middle(places: &Places, vertex: usize, row: usize) -> (f64, f64) {
    (at(&places.x, vertex), (at(&places.top, row) + at(&places.bottom, row)) / 2.0)
}

/// The plan's name, what it is to achieve, and what the shapes mean.
fn head(scene: &Scene, wide: f64, out: &mut String) {
    let room = wide - 2.0 * MARGIN;
    let _ = writeln!(
        out,
        "<text class=\"h\" x=\"{MARGIN}\" y=\"34\">{}</text>",
        text::xml(&text::fit(&scene.name, 17.0, room))
    );
    let objective = text::xml(&text::fit(&scene.objective, 10.5, room));
    let _ = writeln!(out, "<text class=\"s\" x=\"{MARGIN}\" y=\"53\">{objective}</text>");
    let has = |test: fn(&NodeKind) -> bool| scene.nodes.iter().any(|node| test(&node.kind));
    let drawn = |style: Style| scene.edges.iter().any(|edge| edge.style == style);
    let mut x = MARGIN;
    let mut key = |there: bool, sign: &str, word: &str| {
        if there {
            let _ = write!(
                out,
                "<g transform=\"translate({} 64)\">{sign}<text class=\"s\" x=\"30\" y=\"9.5\">{word}</text></g>",
                n(x)
            );
            x += 44.0 + text::width(word, 10.5);
        }
    };
    let sign = |class: &str| format!("<rect class=\"{class}\" width=\"22\" height=\"12\" rx=\"3\"/>");
    let line = |class: &str| format!("<path class=\"{class}\" d=\"M0 6H22\" marker-end=\"url(#{class}m)\"/>");
    key(has(|kind| *kind == NodeKind::Given), &sign("given"), "given");
    key(has(|kind| matches!(kind, NodeKind::Step(_))), &sign("step"), "step");
    key(has(|kind| *kind == NodeKind::Adapter), &sign("adapter"), "adapter put in");
    key(has(|kind| *kind == NodeKind::Gate), "<path class=\"gate\" d=\"M11 -1L22 6L11 13L0 6z\"/>", "approval");
    key(drawn(Style::Data), &line("d"), "reads");
    key(drawn(Style::Order), &line("o"), "only after");
    out.push('\n');
}

fn shape(node: &Node, (x, y): (f64, f64), out: &mut String) {
    let (wide, tall) = size(node.kind);
    let (left, top) = (n(x - wide / 2.0), n(y - tall / 2.0));
    let full: Vec<&str> =
        [&node.label, &node.id, &node.note].into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    let _ = write!(out, "<g><title>{}</title>", text::xml(&full.join("\n")));
    let rect = |out: &mut String, class: &str, round: f64| {
        let _ = write!(
            out,
            "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{tall}\" rx=\"{round}\"/>"
        );
    };
    let line = |out: &mut String, class: &str, x: f64, y: f64, shown: &str| {
        let _ = write!(out, "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>", n(x), n(y), text::xml(shown));
    };
    match node.kind {
        NodeKind::Given => {
            rect(out, "given", 12.0);
            let file = node.label.strip_prefix("input/").unwrap_or(&node.label);
            let base = if node.id.is_empty() { y + 4.5 } else { y - 2.5 };
            line(out, "l m", x, base, &text::fit(file, BOLD, wide - 24.0));
            line(out, "s m", x, y + 12.0, &text::fit(&node.id, 10.5, wide - 24.0));
        }
        NodeKind::Adapter => {
            rect(out, "adapter", 13.0);
            line(out, "s m", x, y + 3.8, &text::fit(&node.label, 10.5, wide - 20.0));
        }
        NodeKind::Gate => {
            let (right, bottom) = (n(x + wide / 2.0), n(y + tall / 2.0));
            let _ = write!(
                out,
                "<path class=\"gate\" d=\"M{} {top}L{right} {}L{} {bottom}L{left} {}z\"/>",
                n(x),
                n(y),
                n(x),
                n(y)
            );
            let label = text::lines(&node.label, BOLD, wide * 0.66);
            let base = if label.len() == 1 { y + 4.0 } else { y - 3.0 };
            line(out, "s m", x, base - 17.0, &text::fit(&node.id, 10.5, wide * 0.5));
            for (index, part) in label.iter().enumerate() {
                line(out, "l m", x, base + 15.5 * index as f64, part);
            }
            line(out, "s m", x, y + 29.0, &text::fit(&node.note, 10.5, wide * 0.45));
        }
        NodeKind::Step(backend) => {
            rect(out, "step", 6.0);
            let colour = match backend {
                Backend::SandboxSession => "sandbox",
                Backend::ToolLoop => "tools",
                Backend::EdgeIsolate => "isolate",
                Backend::Native => "native",
            };
            let (bar, high) = (n(y - tall / 2.0 + 6.0), tall - 12.0);
            let _ = write!(
                out,
                "<rect class=\"{colour}\" x=\"{left}\" y=\"{bar}\" width=\"4\" height=\"{high}\" rx=\"1.5\"/>"
            );
            let label = text::lines(&node.label, BOLD, wide - 26.0);
            let base = if label.len() == 1 { y - 6.0 } else { y - 13.0 };
            for (index, part) in label.iter().enumerate() {
                line(out, "l m", x + 2.0, base + 15.5 * index as f64, part);
            }
            let note = text::width(&node.note, 10.5);
            line(out, "s", x - wide / 2.0 + 14.0, y + 23.0, &text::fit(&node.id, 10.5, wide - 36.0 - note));
            line(out, "s e", x + wide / 2.0 - 12.0, y + 23.0, &node.note);
        }
    }
    out.push_str("</g>\n");
}
