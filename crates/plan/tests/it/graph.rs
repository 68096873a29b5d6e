//! Drawings of plans: the same for the same plan, safe whatever users wrote, and without boxes on boxes.

use deed_catalog::builtin;
use deed_diag::{Document, Format};
use deed_model::{CompiledPlan, GateContract};
use deed_plan::{GraphFormat, graph, lower};
use std::collections::BTreeSet;
use std::path::Path;

const ALL: [GraphFormat; 3] = [GraphFormat::Mermaid, GraphFormat::Dot, GraphFormat::Svg];

const NASTY: [&str; 9] = [
    "\"]; end --> x[\"y",
    "<script>alert(1)</script>",
    "two\nlines\r\nand\ttabs",
    "خطة \u{202e}מילים 請求書 ✂️",
    "a & b &lt; c ]]> <!-- -->",
    "back\\slash \\\" quote ' `tick` #quot; %%{init: {}}%%",
    "{braces} [brackets] (round) |pipe| ; 1. list - *x*",
    "\u{0}\u{1b}[31m\u{7f}\u{ffff}",
    "",
];

fn compiled() -> CompiledPlan {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/plans/billing-audit/plan.yaml");
    let document = Document::read("plan.yaml", &std::fs::read(path).unwrap(), Format::Yaml).unwrap();
    lower(&document, builtin().unwrap()).compiled.unwrap()
}

/// So many steps; each depends on what `needs` says.
fn many(count: usize, needs: impl Fn(usize) -> Vec<usize>) -> CompiledPlan {
    let mut plan = compiled();
    let model = plan.steps.iter().find(|step| step.step_id == "find_discrepancies").unwrap().clone();
    plan.gates.clear();
    plan.steps = (0..count)
        .map(|index| {
            let mut step = model.clone();
            step.step_id = format!("s{index}");
            step.label = format!("Step number {index} of a long list of steps");
            step.depends_on = needs(index).into_iter().map(|need| format!("s{need}")).collect();
            step.waits_for.clear();
            step.bindings.clear();
            step.io_contract.inputs.clear();
            step.io_contract.read_paths.clear();
            step.io_contract.write_paths = vec![format!("work/{index}.json")];
            step
        })
        .collect();
    plan
}

/// A small reader that takes only well-formed XML; it gives the names of elements and all text.
fn parse(xml: &str) -> (Vec<String>, String) {
    let (mut open, mut names, mut text, mut rest) = (Vec::new(), Vec::new(), String::new(), xml);
    while let Some(start) = rest.find('<') {
        text.push_str(&rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        assert!(!tag.contains('<'), "{tag}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap().to_owned();
        match tag.strip_prefix('/') {
            Some(_) => assert_eq!(open.pop(), Some(name)),
            None => {
                names.push(name.clone());
                if !tag.ends_with('/') {
                    open.push(name);
                }
            }
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty() && rest.trim().is_empty());
    for (at, _) in text.match_indices('&') {
        assert!(["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"].iter().any(|known| text[at..].starts_with(known)));
    }
    assert!(text.chars().all(|c| !c.is_control() || c == '\n'), "a control character");
    assert!(!text.contains(['\u{ffff}', '\u{202e}']));
    (names, text)
}

fn number(element: &str, name: &str) -> f64 {
    let from = element.split_once(&format!(" {name}=\"")).unwrap_or_else(|| panic!("{element}")).1;
    from.split_once('"').unwrap().0.parse().unwrap()
}

/// Left, top, right and bottom of everything drawn as a box.
fn boxes(svg: &str) -> Vec<[f64; 4]> {
    let drawn = svg.split("<rect ").skip(1);
    let kinds = ["step", "given", "adapter"].map(|class| format!("class=\"{class}\" x="));
    let whole = drawn.filter(|rect| kinds.iter().any(|kind| rect.starts_with(kind)));
    whole
        .map(|rect| {
            let (x, y) = (number(rect, "x"), number(rect, "y"));
            [x, y, x + number(rect, "width"), y + number(rect, "height")]
        })
        .collect()
}

fn apart(boxes: &[[f64; 4]]) {
    let mut sorted = boxes.to_vec();
    sorted.sort_by(|a, b| a[1].total_cmp(&b[1]));
    for (index, a) in sorted.iter().enumerate() {
        for b in sorted[index + 1..].iter().take_while(|b| b[1] < a[3]) {
            assert!(a[2] <= b[0] || b[2] <= a[0], "{a:?} {b:?}");
        }
    }
}

/// No straight piece of a line passes through a box.
fn clear(svg: &str, boxes: &[[f64; 4]]) {
    for line in svg.lines().filter(|line| line.starts_with("<path class")) {
        let path = line.split_once(" d=\"").unwrap().1.split_once('"').unwrap().0;
        let (mut x, mut y) = (0.0, 0.0);
        let mut parts: Vec<String> = Vec::new();
        for c in path.chars() {
            if c.is_ascii_alphabetic() {
                parts.push(String::new());
            }
            parts.last_mut().unwrap().push(c);
        }
        for part in parts {
            let (kind, numbers) = part.split_at(1);
            let numbers: Vec<f64> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
            let (from_x, from_y) = (x, y);
            match kind {
                "V" => y = numbers[0],
                "H" => x = numbers[0],
                _ => (x, y) = (numbers[numbers.len() - 2], numbers[numbers.len() - 1]),
            }
            if kind == "M" {
                continue;
            }
            let (left, right) = (f64::min(from_x, x), f64::max(from_x, x));
            let (top, bottom) = (f64::min(from_y, y), f64::max(from_y, y));
            for b in boxes {
                let through = left < b[2] - 0.2 && right > b[0] + 0.2 && top < b[3] - 0.2 && bottom > b[1] + 0.2;
                assert!(!through, "{path} through {b:?}");
            }
        }
    }
}

#[test]
fn the_same_plan_is_the_same_drawing() {
    for format in ALL {
        assert_eq!(graph(&compiled(), format), graph(&compiled(), format));
    }
}

#[test]
fn every_step_gate_and_given_file_is_drawn() {
    let plan = compiled();
    let mermaid = graph(&plan, GraphFormat::Mermaid);
    for (sort, count) in [(":::step", 9), (":::gate", 1), (":::adapter", 3), (":::given", 4)] {
        assert_eq!(mermaid.matches(sort).count(), count, "{sort}\n{mermaid}");
    }
    assert!(mermaid.contains("-->|\"raw_files #40;by adapter#41;\"|"), "{mermaid}");
    let dot = graph(&plan, GraphFormat::Dot);
    assert_eq!(dot.matches("shape=diamond").count(), 1);
    assert!(dot.contains("label=\"raw_files (by adapter)\""));
    let svg = graph(&plan, GraphFormat::Svg);
    assert_eq!(boxes(&svg).len(), 16);
    let mut other = plan.clone();
    other
        .steps
        .iter_mut()
        .for_each(|step| step.bindings.iter_mut().for_each(|b| b.rank = deed_model::BindingRank::Generic));
    assert!(graph(&other, GraphFormat::Dot).contains("(generic)"));
}

#[test]
fn order_alone_is_dashed() {
    let plan = many(2, |index| if index == 1 { vec![0] } else { vec![] });
    assert!(graph(&plan, GraphFormat::Mermaid).contains("n0 -.-> n1"));
    assert!(graph(&plan, GraphFormat::Dot).contains("n0 -> n1 [style=dashed]"));
    assert!(graph(&plan, GraphFormat::Svg).contains("<path class=\"o\""));
}

#[test]
fn whatever_users_write_stays_text() {
    for text in NASTY {
        let mut plan = compiled();
        plan.plan = text.to_owned();
        plan.mission.objective = text.to_owned();
        plan.gates[0].question = text.to_owned();
        for step in &mut plan.steps {
            step.label = text.to_owned();
            step.bindings.iter_mut().for_each(|binding| binding.slot = text.to_owned());
        }
        let plain = compiled();
        let (names, _) = parse(&graph(&plan, GraphFormat::Svg));
        assert!(!names.iter().any(|name| name == "script"));
        let count = |plan: &CompiledPlan, format: GraphFormat| graph(plan, format).lines().count();
        assert_eq!(count(&plan, GraphFormat::Dot), count(&plain, GraphFormat::Dot), "{text}");
        for line in graph(&plan, GraphFormat::Dot).lines() {
            let bare = line.replace("\\\\", "").replace("\\\"", "");
            assert_eq!(bare.matches('"').count() % 2, 0, "{line}");
        }
        for line in graph(&plan, GraphFormat::Mermaid).lines().filter(|line| !line.contains("classDef")) {
            let quoted: Vec<&str> = line.split('"').collect();
            assert!(matches!(quoted.len(), 1 | 3), "{line}");
            for part in quoted.iter().skip(1).step_by(2) {
                let text = part.replace("<br/>", "");
                assert!(!text.contains(['<', '>', '`', '{', '}', '[', ']', '|', '%', '\\', '&']), "{line}");
            }
        }
    }
}

#[test]
fn names_may_be_nasty_too() {
    let mut plan = many(NASTY.len(), |index| if index > 0 { vec![index - 1] } else { vec![] });
    for (step, name) in plan.steps.iter_mut().zip(NASTY) {
        step.step_id = name.to_owned();
    }
    for format in ALL {
        let drawn = graph(&plan, format);
        assert!(!drawn.contains("<script"), "{drawn}");
    }
    parse(&graph(&plan, GraphFormat::Svg));
}

#[test]
fn pictures_stand_alone_and_have_what_they_need() {
    for plan in [compiled(), many(0, |_| vec![]), many(1, |_| vec![]), many(30, |i| (0..i).rev().take(2).collect())] {
        let svg = graph(&plan, GraphFormat::Svg);
        let (names, _) = parse(&svg);
        assert_eq!((names[0].as_str(), names[1].as_str()), ("svg", "title"));
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "));
        let allowed: BTreeSet<&str> =
            ["svg", "title", "desc", "style", "defs", "marker", "path", "rect", "text", "g"].into();
        assert!(names.iter().all(|name| allowed.contains(name.as_str())), "{names:?}");
        assert!(!svg.contains("href") && !svg.contains("NaN") && !svg.contains("inf"));
    }
}

#[test]
fn no_box_covers_another_and_no_straight_line_a_box() {
    type Shape = (&'static str, fn(usize) -> Vec<usize>);
    let shapes: [Shape; 6] = [
        ("chain", |index| index.checked_sub(1).into_iter().collect()),
        ("fan out", |index| if index > 0 { vec![0] } else { vec![] }),
        ("fan in", |index| if index == 99 { (0..99).collect() } else { vec![] }),
        ("alone", |_| vec![]),
        ("mesh", |index| {
            [index.wrapping_mul(7) % 13, index / 2, index / 3].into_iter().filter(|n| *n < index).collect()
        }),
        ("dense", |index| (0..index).rev().take(6).collect()),
    ];
    for (name, needs) in shapes {
        for count in [1, 9, 30, 100] {
            let plan = many(count, needs);
            let svg = graph(&plan, GraphFormat::Svg);
            let boxes = boxes(&svg);
            assert_eq!(boxes.len(), count, "{name}");
            apart(&boxes);
            clear(&svg, &boxes);
            let size = number(svg.lines().next().unwrap(), "width");
            assert!(boxes.iter().all(|b| b[0] >= 0.0 && b[2] <= size), "{name}");
        }
    }
    let svg = graph(&compiled(), GraphFormat::Svg);
    apart(&boxes(&svg));
    clear(&svg, &boxes(&svg));
}

#[test]
fn long_lines_by_the_thousand_go_round_by_the_side() {
    let plan = many(2_000, |index| [index.checked_sub(1), index.checked_sub(500)].into_iter().flatten().collect());
    let svg = graph(&plan, GraphFormat::Svg);
    assert!(svg.len() < 8_000_000, "{}", svg.len());
    let boxes = boxes(&svg);
    assert_eq!(boxes.len(), 2_000);
    apart(&boxes);
    clear(&svg, &boxes);
}

#[test]
fn five_thousand_steps_are_drawn() {
    let plan = many(5_000, |index| {
        [index / 2, index / 3, index.saturating_sub(70)].into_iter().filter(|n| *n < index).collect()
    });
    for format in ALL {
        assert!(graph(&plan, format).len() < 20_000_000);
    }
    let svg = graph(&plan, GraphFormat::Svg);
    apart(&boxes(&svg));
}

#[test]
fn circles_and_strangers_do_no_harm() {
    let mut plan = many(4, |index| vec![(index + 1) % 4, index, 77]);
    plan.gates.push(GateContract {
        gate_id: "g".to_owned(),
        question: "?".to_owned(),
        approver_role: "r".to_owned(),
        after: vec!["nobody".to_owned(), "s1".to_owned()],
        before: vec!["s1".to_owned()],
        ttl_seconds: None,
    });
    for format in ALL {
        assert!(!graph(&plan, format).is_empty());
    }
}
