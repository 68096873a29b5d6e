//! Real prose, manifests and code yield no findings.

use deed_detect::{Finding, PersonalKind, SecretScanner, scan_personal};

fn seeds() -> Vec<(String, String)> {
    let Some(folder) = deed_testkit::corpus("../seeds") else {
        return Vec::new();
    };
    let mut seeds: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of seeds can be listed")
        .map(|entry| entry.expect("a seed can be listed").path())
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a seed is text");
            (path.display().to_string(), text)
        })
        .collect();
    seeds.sort();
    seeds
}

/// Findings with their line, so that a failure shows where to look.
fn shown(text: &str, findings: &[Finding]) -> Vec<String> {
    let line = |at: usize| text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
    findings.iter().map(|f| format!("line {}: {f}", line(f.range.start))).collect()
}

#[test]
fn the_seeds_hold_no_secrets() {
    for (name, text) in seeds() {
        let found = SecretScanner::standard().scan(&text);
        assert!(found.is_empty(), "{name}: {:#?}", shown(&text, &found));
    }
}

#[test]
fn the_seeds_hold_no_personal_data() {
    for (name, text) in seeds() {
        let found = scan_personal(&text, &PersonalKind::ALL);
        assert!(found.is_empty(), "{name}: {:#?}", shown(&text, &found));
    }
}

#[test]
fn each_line_of_the_seeds_as_a_value_holds_nothing() {
    for (name, text) in seeds() {
        for line in text.lines() {
            let (key, value) = line.split_once(':').unwrap_or(("", line));
            let value = value.trim().trim_matches(['"', ',']);
            let found = SecretScanner::standard().scan_value(Some(key.trim()), value);
            assert!(found.is_empty(), "{name}: {line:?}: {found:?}");
        }
    }
}
