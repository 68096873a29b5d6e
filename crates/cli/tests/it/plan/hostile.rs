//! Plans that were made to hurt: too many steps, bombs, circles, and names and paths that only look like others.

use super::example::{changed, codes, codes_at, example, refused};
use serde_json::{Value, json};

fn plan_of(steps: Vec<Value>) -> String {
    json!({ "plan": "many", "mission": { "objective": "x" }, "steps": steps }).to_string()
}

fn step(id: &str, needs: &[&str]) -> Value {
    json!({ "id": id, "label": "x", "objective": "y", "depends_on": needs })
}

#[test]
fn a_hundred_thousand_steps() {
    let p = example();
    let steps: Vec<String> = (0..100_000).map(|n| format!(r#"{{"id":"s{n}","label":"x","objective":"y"}}"#)).collect();
    p.write("many.json", plan_of(vec![json!("steps")]).replace("\"steps\"]", &format!("{}]", steps.join(","))));
    let said = refused(&p, "many.json");
    assert!(said.contains("error[D1909]") && said.contains("the plan has 100000 steps"), "{said}");
    assert_eq!(said.lines().count(), 1, "the rest of it is not looked at");
}

/// Findings without number are told in bounds.
#[test]
fn a_thousand_steps_that_are_all_wrong() {
    let p = example();
    p.write("many.json", plan_of((0..1_000).map(|n| step(&format!("s{n}"), &["nobody"])).collect()));
    let answer = p.json(&["plan", "check", "many.json"]);
    assert!(codes(&answer).iter().filter(|code| **code == "D1905").count() <= 1_000);
}

#[test]
fn circles() {
    let p = example();
    changed(&p, "own.yaml", &[("depends_on: [compare]", "depends_on: [compare, report]")]);
    assert!(refused(&p, "own.yaml").contains("own.yaml:58:27: error[D1904] step `report`: it depends on itself"));
    p.write("two.json", plan_of(vec![step("a", &["b"]), step("b", &["a"])]));
    assert!(refused(&p, "two.json").contains("error[D1906] step `a`: it waits for itself: `a` needs `b` needs `a`"));
    let ring = (0..2_000).map(|n| step(&format!("s{n}"), &[&format!("s{}", (n + 1) % 2_000)])).collect();
    p.write("ring.json", plan_of(ring));
    assert!(refused(&p, "ring.json").contains("error[D1906]"));
    // By a gate, too: it comes after a step that waits for it.
    changed(
        &p,
        "gate.yaml",
        &[
            ("depends_on: [compare]", "depends_on: [compare]\n    waits_for: [g]"),
            ("steps:", "gates: [{ id: g, question: May it?, approver_role: boss, after: [report] }]\nsteps:"),
        ],
    );
    let said = refused(&p, "gate.yaml");
    assert!(said.contains("error[D1906]") || said.contains("error[D1904]"), "{said}");
}

/// Nothing of a bomb is expanded: what could be one is refused where it begins.
#[test]
fn anchors_and_merge_keys() {
    let p = example();
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for n in 1..30 {
        let inner = vec![format!("*a{}", n - 1); 10].join(", ");
        bomb.push_str(&format!("a{n}: &a{n} [{inner}]\n"));
    }
    p.write("bomb.yaml", bomb);
    changed(&p, "anchor.yaml", &[("label: Write", "label: &l Write")]);
    changed(&p, "alias.yaml", &[("label: Write the report", "label: *l")]);
    changed(&p, "merge.yaml", &[("label: Write the report", "<<: { label: Write the report }")]);
    changed(&p, "tag.yaml", &[("label: Write the report", "label: !!binary aGk=")]);
    for (file, says) in [
        ("bomb.yaml", "D0108"),
        ("anchor.yaml", "D0108"),
        ("alias.yaml", "D01"),
        ("merge.yaml", "error["),
        ("tag.yaml", "D01"),
    ] {
        let said = refused(&p, file);
        assert!(said.contains(says) && said.len() < 2_000, "{file}\n{said}");
    }
}

/// One file under two names, by the same step or by another.
#[test]
fn the_same_path_in_other_spellings() {
    let p = example();
    let mut cases = Vec::new();
    for (path, code) in [
        ("output/report.html", "D1936"),
        ("./output/report.html", "D1936"),
        ("output//report.html", "D1936"),
        ("output/./report.html", "D1936"),
        ("output/Report.HTML", "D1937"),
        ("output/\u{ff52}eport.html", "D1937"),
        ("output/report.html/inner.html", "D1936"),
        ("output/../output/report.html", "D1934"),
        ("../output/report.html", "D1934"),
        ("/output/report.html", "D1934"),
        ("C:/output/report.html", "D1934"),
        ("~/report.html", "D1934"),
        ("\\\\host\\report.html", "D1934"),
        ("output\\report.html", "D1935"),
        ("output/report.html.", "D1935"),
        ("output/rep\u{ad}ort.html", "D1935"),
        ("output/\u{202e}lmth.html", "D1935"),
        ("output/", "D1935"),
        ("output/\u{0}.html", "D1935"),
        ("input/report.html", "D1939"),
        ("report.html", "D1939"),
        ("work/adapted/report.html", "D1939"),
        ("Work/Adapted/report.html", "D1939"),
    ] {
        cases.push((path, code));
    }
    let paths: Vec<String> =
        cases.iter().map(|(path, _)| format!("      - path: {}\n", serde_json::to_string(path).unwrap())).collect();
    changed(
        &p,
        "paths.yaml",
        &[
            ("        role: primary\n", &format!("        role: primary\n{}", paths.concat())),
            ("slot: report_artifact", "slot: report_artifact\n        path: output/report.html"),
        ],
    );
    let answer = p.json(&["plan", "check", "paths.yaml"]);
    for (index, (path, code)) in cases.into_iter().enumerate() {
        let found = codes_at(&answer, &format!("/steps/1/expected_outputs/{}/path", index + 1));
        assert!(found.contains(&code), "{path:?}: {found:?}");
    }
    // Composed and decomposed are one spelling.
    changed(
        &p,
        "unicode.yaml",
        &[
            ("path: input/time.csv", "path: \"input/t\\u00e9.csv\""),
            ("path: input/invoices.csv", "path: \"input/te\\u0301.csv\""),
        ],
    );
    assert!(refused(&p, "unicode.yaml").contains("error[D1936]"));
}

#[test]
fn kinds_that_look_like_kinds() {
    let p = example();
    let long = format!("table.{}", "x".repeat(300));
    let mut cases = Vec::new();
    for (kind, code) in [
        ("t\u{430}ble.csv", "D1911"),
        ("Table.csv", "D1911"),
        ("table.csv ", "D1911"),
        ("table.csv\u{200b}", "D1911"),
        ("table.json-rows", "D1911"),
        ("table", "D1911"),
        ("table.", "D1911"),
        ("table..csv", "D1911"),
        ("table.csv.a.b", "D1911"),
        ("", "D1911"),
        ("__proto__", "D1911"),
        (&long, "D1911"),
        ("table.cvs", "D1917"),
        ("table.csv.v1", "D1917"),
        ("csv.table", "D1917"),
    ] {
        cases.push((kind, code));
    }
    let kinds = serde_json::to_string(&cases.iter().map(|(kind, _)| *kind).collect::<Vec<_>>()).unwrap();
    changed(&p, "kinds.yaml", &[("accepted_kind_keys: [table.json_rows]", &format!("accepted_kind_keys: {kinds}"))]);
    let answer = p.json(&["plan", "check", "kinds.yaml"]);
    for (index, (kind, code)) in cases.into_iter().enumerate() {
        let found = codes_at(&answer, &format!("/steps/0/abstract_inputs/0/accepted_kind_keys/{index}"));
        assert_eq!(found, [code], "{kind:?}");
    }
}

#[test]
fn ids_and_slots_that_look_like_others() {
    let p = example();
    for (id, code) in [("\"rep\\u043ert\"", "D1902"), ("mission", "D1902"), ("compare", "D1903")] {
        changed(&p, "id.yaml", &[("id: report", &format!("id: {id}"))]);
        let answer = p.json(&["plan", "check", "id.yaml"]);
        assert!(answer["ok"] == false && codes(&answer).contains(&code), "{id}\n{:?}", codes(&answer));
    }
    let others = [
        ("slot: findings", "slot: \"find\\u0456ngs\"", "D1915"),
        ("billing.time_entry", "\"billing.time_entry\\u00a0\"", "D1911"),
        ("strict.allow-normalizers.v1", "strict.allow-normalizers.v01", "D1911"),
        ("[billing-audit]", "[\"b\\u0456lling-audit\"]", "D1912"),
    ];
    changed(&p, "names.yaml", &others.map(|(find, replace, _)| (find, replace)));
    let answer = p.json(&["plan", "check", "names.yaml"]);
    for (_, replace, code) in others {
        assert!(codes(&answer).contains(&code), "{replace}\n{:?}", codes(&answer));
    }
}

/// Numbers at the edge: nothing overflows, and what is too much is refused.
#[test]
fn budgets_without_bounds() {
    let p = example();
    let most = "9007199254740991";
    let each = format!(
        "depends_on: [compare]\n    tool_needs: [operator.artifact.evaluate]\n    for_each: {{ slot: findings, most_items: {most}, calls_per_item: {most} }}"
    );
    changed(&p, "b.yaml", &[("depends_on: [compare]", &each), ("steps:", "budget: { governed_calls: 5 }\nsteps:")]);
    assert!(refused(&p, "b.yaml").contains("error[D1966]"));
    changed(&p, "b.yaml", &[("depends_on: [compare]", &each)]);
    let out = p.run(&["plan", "compile", "b.yaml"]);
    assert!(out.code == 0 || out.stderr.contains("error["), "{}", out.stderr);
}
