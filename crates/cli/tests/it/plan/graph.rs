//! `deed plan graph`: three forms, safe whatever the labels say.

use super::example::example;
use crate::common::Project;
use serde_json::{Value, json};
use std::path::Path;

const HOSTILE: [&str; 6] = [
    "\"]; end --> x[\"y",
    "</text><script>alert(1)</script>",
    "a & b &lt; c ]]> <!-- -->",
    "two\nlines\ttabs",
    "%%{init: {}}%% #quot; {braces} |pipe| `tick` \\\" '",
    "\u{1b}[31m\u{7f}\u{202e}\u{ffff}",
];

/// A plan with a step for each label.
fn labelled(p: &Project, labels: &[&str]) {
    let step = |(n, label): (usize, &&str)| json!({ "id": format!("s{n}"), "label": label, "objective": label });
    let steps: Vec<Value> = labels.iter().enumerate().map(step).collect();
    p.write("h.json", json!({ "plan": "labels", "mission": { "objective": "x" }, "steps": steps }).to_string());
}

/// Elements in order, and the text between them; what is not well-formed fails.
fn parsed(xml: &str) -> (Vec<String>, String) {
    let (mut open, mut names, mut text, mut rest) = (Vec::new(), Vec::new(), String::new(), xml);
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let (tag, after) = after.split_once('>').unwrap();
        assert!(!tag.contains('<') && tag.matches('"').count() % 2 == 0, "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap().to_owned();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else {
            names.push(name.clone());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = after;
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?}");
    for piece in xml.split('&').skip(1) {
        assert!(["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|known| piece.starts_with(known)), "{piece}");
    }
    assert!(xml.chars().all(|c| !c.is_control() || c == '\n'), "a control character");
    (names, text)
}

#[test]
fn every_format() {
    let p = example();
    let drawn = |format: &str| p.ok(&["plan", "graph", "plan.yaml", "--format", format]).stdout;
    let mermaid = p.ok(&["plan", "graph", "plan.yaml"]).stdout;
    assert!(mermaid.starts_with("flowchart TD\n"));
    assert_eq!(mermaid, drawn("mermaid"));
    let dot = drawn("dot");
    assert!(dot.starts_with("digraph \"audit\" {\n") && dot.ends_with("}\n"), "{dot}");
    let svg = drawn("svg");
    let (names, text) = parsed(&svg);
    assert_eq!(names[0], "svg");
    assert!(text.contains("Write the report") && text.contains("csv_to_json_rows.v1"), "{text}");
    assert_eq!(p.json(&["plan", "graph", "plan.yaml", "--format", "svg"])["data"]["graph"], svg);
}

#[test]
fn hostile_labels() {
    let p = example();
    let drawn = |format: &str| p.ok(&["plan", "graph", "h.json", "--format", format]).stdout;
    // A label may take more lines of text, and adds nothing else.
    let elements = || parsed(&drawn("svg")).0.into_iter().filter(|name| name != "text").collect::<Vec<_>>();
    labelled(&p, &["A plain label"; HOSTILE.len()]);
    let (svg, mermaid, dot) = (elements(), drawn("mermaid"), drawn("dot"));
    labelled(&p, &HOSTILE);
    assert_eq!(elements(), svg);
    for (format, plain) in [("mermaid", mermaid), ("dot", dot)] {
        let text = drawn(format);
        assert_eq!(text.lines().count(), plain.lines().count(), "{text}");
        assert!(!text.contains("<script") && !text.contains('\u{202e}'), "{text}");
        assert!(text.chars().all(|c| !c.is_control() || c == '\n'), "{text}");
    }
    let text = drawn("svg");
    assert!(!text.contains("<script") && !text.contains('\u{202e}'), "{text}");
}

#[test]
fn labels_in_every_script() {
    let p = example();
    let labels = [
        "Напиши отчёт",
        "撰写报告",
        "اكتب التقرير",
        "כתוב דוח",
        "रिपोर्ट लिखें",
        "เขียนรายงาน",
        "レポート ✂️",
        "Ǆ ﬃ é",
        "𓀀 𝒳",
    ];
    labelled(&p, &labels);
    p.ok(&["plan", "check", "h.json"]);
    let explained = p.ok(&["plan", "explain", "h.json", "s4"]).stdout;
    assert!(explained.starts_with("s4: रिपोर्ट लिखें\n"), "{explained}");
    let svg = p.ok(&["plan", "graph", "h.json", "--format", "svg"]).stdout;
    let text = parsed(&svg).1;
    for label in labels {
        assert!(label.split(' ').all(|word| text.contains(word)), "{label}\n{text}");
    }
}

#[test]
fn a_plan_with_gates_and_many_steps() {
    let p = example();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/plans");
    let path = root.join("website-build/plan.yaml");
    let out = p.ok(&["plan", "graph", path.to_str().unwrap(), "--format", "svg"]);
    assert!(parsed(&out.stdout).1.contains("go-live"));
    let steps: Vec<Value> = (0..100)
        .map(|n| {
            let before: Vec<String> = (n > 0).then(|| format!("s{}", (n - 1) / 2)).into_iter().collect();
            json!({ "id": format!("s{n}"), "label": format!("Step {n}"), "objective": "x", "depends_on": before })
        })
        .collect();
    p.write("many.json", json!({ "plan": "many", "mission": { "objective": "x" }, "steps": steps }).to_string());
    let out = p.ok(&["plan", "graph", "many.json", "--format", "svg"]);
    assert!(parsed(&out.stdout).1.contains("Step 99"));
}
