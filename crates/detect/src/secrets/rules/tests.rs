//! Every rule finds its own made-up example, exactly, and none of its near misses.

use std::collections::BTreeSet;

use super::rules;
use crate::sample::sample;
use crate::secrets::SecretScanner;
use crate::secrets::compiled::CompiledRule;
use crate::secrets::rule::{Breadth, Form, Rule};
use crate::shape::{Charset, Dice, Part, write_out};

/// As many samples of each rule as the property tests draw from.
const SEEDS: u64 = 64;

fn fires(rule: &Rule, text: &str) -> bool {
    SecretScanner::standard().scan(text).iter().any(|finding| finding.rule_id == rule.id())
}

/// The example's surroundings around another secret.
fn in_place(rule: &Rule, secret: &str) -> String {
    format!("{}{secret}{}", rule.example.lead, rule.example.trail)
}

#[test]
fn there_are_at_least_two_hundred_formats_under_ids_of_their_own() {
    let ids: BTreeSet<_> = rules().map(Rule::id).collect();
    assert_eq!(ids.len(), rules().count(), "an id is used twice");
    assert!(ids.len() >= 300, "{} rules", ids.len());
    for id in ids {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(id.chars().all(plain), "{id}");
    }
}

#[test]
fn every_pattern_compiles_and_names_its_secret() {
    for rule in rules() {
        let compiled = CompiledRule::new(*rule);
        let regex = compiled.regex();
        let names: Vec<_> = regex.capture_names().skip(1).collect();
        assert!(names.contains(&Some("secret")), "{}", rule.id());
        assert!(!names.contains(&None), "{} has a group without a name", rule.id());
        assert!(!regex.is_match(""), "{}", rule.id());
    }
}

#[test]
fn every_rule_finds_its_example_and_its_exact_place() {
    let mut failed = Vec::new();
    for rule in rules() {
        for seed in 0..SEEDS {
            let sample = sample(rule.id(), seed).unwrap();
            let findings = SecretScanner::standard().scan(&sample.text);
            let expected = |f: &&crate::Finding| f.rule_id == rule.id() && f.range == sample.secret;
            if findings.iter().filter(expected).count() != 1 {
                failed.push(format!("{}: {:?} in {:?}", rule.id(), findings, sample));
                break;
            }
        }
    }
    assert!(failed.is_empty(), "{} rules:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_rule_finds_its_example_in_the_middle_of_a_long_text() {
    let around = "Lorem ipsum dolor: sit amet, \"consectetur\".\n".repeat(50);
    for rule in rules() {
        let sample = sample(rule.id(), 7).unwrap();
        let text = format!("{around} {}\n{around}", sample.text);
        let start = around.len() + 1 + sample.secret.start;
        let found = SecretScanner::standard().scan(&text);
        assert!(found.iter().any(|f| f.rule_id == rule.id() && f.range.start == start), "{}: {found:?}", rule.id());
    }
}

#[test]
fn every_example_holds_a_keyword_and_every_keyword_is_plain() {
    for rule in rules() {
        let sample = sample(rule.id(), 0).unwrap();
        let text = sample.text.to_ascii_lowercase();
        let held = rule.keywords.iter().any(|word| text.contains(&word.to_ascii_lowercase()));
        assert!(held, "{} finds its example without a keyword", rule.id());
    }
}

#[test]
fn a_keyword_is_needed_by_the_pattern() {
    for rule in rules().filter(|rule| matches!(rule.form, Form::Assigned { .. })) {
        let Form::Assigned { vendor, .. } = rule.form else { continue };
        let vendor = regex::Regex::new(&format!("^(?i:{vendor})")).unwrap();
        for keyword in rule.keywords {
            assert!(vendor.is_match(keyword), "{}: `{keyword}` is not a vendor's name", rule.id());
        }
    }
}

#[test]
fn no_rule_fires_on_a_placeholder_in_its_place() {
    for rule in rules() {
        let prefix = match rule.example.parts.first() {
            Some(Part::Text(text)) if rule.example.parts.len() > 1 => *text,
            _ => "",
        };
        let body = write_out(rule.example.parts, &mut Dice::new(1)).len() - prefix.len();
        for placeholder in [
            "x".repeat(body),
            "X".repeat(body),
            "0".repeat(body),
            "EXAMPLE".repeat(body.div_ceil(7)),
            "<YOUR_KEY>".to_owned(),
            "${SECRET_VALUE}".to_owned(),
            "{{ secret_value }}".to_owned(),
            "$(cat secret)".to_owned(),
            "your-secret-value-here".to_owned(),
            "****************".to_owned(),
        ] {
            let text = in_place(rule, &format!("{prefix}{placeholder}"));
            assert!(!fires(rule, &text), "{} fires on {text:?}", rule.id());
        }
    }
}

#[test]
fn no_rule_fires_on_a_reference_in_its_place() {
    for rule in rules().filter(|rule| rule.breadth != Breadth::Specific) {
        for reference in ["internal://gateway/v1/orders9", "vault://kv/box/a1b2c3d4", "env:BOX_TOKEN_A1B2C3"] {
            assert!(!fires(rule, &in_place(rule, reference)), "{} on {reference}", rule.id());
        }
    }
}

/// The example with its last run one shorter, and one longer where the length is fixed.
fn wrong_lengths(rule: &Rule) -> Vec<String> {
    let parts = rule.example.parts;
    let last = parts.iter().rposition(|part| !matches!(part, Part::Text(_))).unwrap();
    let mut out = Vec::new();
    let mut with = |changed: &[Part]| {
        let (before, after) = (&parts[..last], &parts[last + 1..]);
        out.push(write_out(&[before, changed, after].concat(), &mut Dice::new(3)));
    };
    match parts[last] {
        Part::AtLeast(set, length) => with(&[Part::Exactly(set, length - 1)]),
        Part::Exactly(set, length) => {
            with(&[Part::Exactly(set, length - 1)]);
            with(&[Part::Exactly(set, length), Part::Exactly(Charset::Alnum, 1)]);
        }
        Part::Uuid => {
            with(&[Part::Exactly(Charset::Hex, 36)]);
            with(&[Part::Uuid, Part::Exactly(Charset::Alnum, 1)]);
        }
        Part::Text(_) => {}
    }
    out
}

#[test]
fn no_rule_fires_on_a_value_of_the_wrong_length() {
    let mut failed = Vec::new();
    for rule in rules() {
        for secret in wrong_lengths(rule) {
            let text = in_place(rule, &secret);
            if fires(rule, &text) {
                failed.push(format!("{} on {text:?}", rule.id()));
            }
        }
    }
    assert!(failed.is_empty(), "{} misses:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn no_token_fires_in_the_middle_of_a_word() {
    for rule in rules().filter(|rule| matches!(rule.form, Form::Token(_))) {
        let sample = sample(rule.id(), 2).unwrap();
        let mut glued = sample.text.clone();
        glued.insert(sample.secret.start, 'z');
        assert!(!fires(rule, &glued), "{} on {glued:?}", rule.id());
    }
}

#[test]
fn a_key_gives_a_bare_value_its_name() {
    let scanner = SecretScanner::standard();
    let sample = sample("generic-token", 5).unwrap();
    let value = sample.text.get(sample.secret).unwrap();
    assert_eq!(scanner.scan_value(None, value), []);
    assert_eq!(scanner.scan_value(Some("title"), value), []);
    let found = scanner.scan_value(Some("api_token"), value);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].range, 0..value.len());
    assert_eq!(found[0].rule_id, "generic-token");
}

#[test]
fn an_issuers_rule_silences_the_generic_ones() {
    let token = sample("github-classic-token", 1).unwrap().text;
    let found = SecretScanner::standard().scan(&format!("secret_token: \"{token}\""));
    let ids: Vec<_> = found.iter().map(|f| f.rule_id.as_ref()).collect();
    assert_eq!(ids, ["github-classic-token"]);
}

#[test]
fn findings_say_nothing_of_the_secret() {
    let sample = sample("stripe-key", 1).unwrap();
    for finding in SecretScanner::standard().scan(&sample.text) {
        let shown = format!("{finding:?} {finding}");
        assert!(!shown.contains(sample.text.get(sample.secret.clone()).unwrap()));
    }
}

/// A secret longer than the window around its keyword is found to its end.
#[test]
fn long_secrets_are_found_to_their_end() {
    let scanner = SecretScanner::standard();
    let mut body = String::new();
    Charset::Base64.fill(5_000, &mut Dice::new(4), &mut body);
    let lines: Vec<_> = body.as_bytes().chunks(64).map(|line| String::from_utf8_lossy(line)).collect();
    let key = format!("-----BEGIN {0}-----\n{1}\n-----END {0}-----", concat!("PRIV", "ATE KEY"), lines.join("\n"));
    let found = scanner.scan(&format!("{key}\nand more text"));
    assert_eq!(found.iter().map(|f| f.range.clone()).collect::<Vec<_>>(), vec![0..key.len()]);

    let mut body = String::new();
    Charset::Alnum.fill(3_000, &mut Dice::new(4), &mut body);
    let token = format!("eyJ{body}.eyJ{body}.{body}");
    let found = scanner.scan(&format!("{token} and more text"));
    assert_eq!(found.iter().map(|f| f.range.clone()).collect::<Vec<_>>(), vec![0..token.len()]);
}

/// A key of fixed length at the very end of a window is still held to that length.
#[test]
fn a_key_cut_by_its_window_is_held_to_its_length() {
    let rule = rules().find(|rule| rule.id() == "github-classic-token").unwrap();
    let token = sample(rule.id(), 1).unwrap().text;
    for gap in 500..700 {
        let text = format!("ghp_{} {token}zzz", "-".repeat(gap));
        assert!(!fires(rule, &text), "at {gap}");
    }
}

#[test]
fn a_private_key_in_a_comment_is_found_too() {
    let body: String = sample("pem-private-key", 3).unwrap().text;
    let lines = body.lines().map(|l| format!("# {l}\n")).collect::<String>();
    let found = SecretScanner::standard().scan(&lines);
    assert!(found.iter().any(|f| f.rule_id == "pem-private-key"), "{found:?}");
}

/// Every byte of every finding is concealed, and every other byte is kept, also where findings overlap.
#[test]
fn exactly_the_bytes_of_secrets_are_concealed() {
    let scanner = SecretScanner::standard();
    let (mut concealing, mut overlapping) = (0, 0);
    for (rule, next) in rules().zip(rules().skip(1)) {
        let [one, two] = [rule, next].map(|rule| sample(rule.id(), 5).unwrap().text);
        for text in [format!("é {one} und {two}"), format!("secret_token: \"{one}\""), format!("{one}{two}")] {
            let mut is_secret = vec![false; text.len()];
            for finding in scanner.scan(&text) {
                let bytes = is_secret.get_mut(finding.range).unwrap();
                overlapping += usize::from(bytes.contains(&true));
                bytes.fill(true);
            }
            concealing += usize::from(is_secret.contains(&true));
            let mut expected = String::new();
            for (at, c) in text.char_indices() {
                match (is_secret[at], at > 0 && is_secret[at - 1]) {
                    (false, _) => expected.push(c),
                    (true, false) => expected.push_str("[secret]"),
                    (true, true) => {}
                }
            }
            let concealed = scanner.conceal(&text);
            assert_eq!(concealed.replace("[secret][secret]", "[secret]"), expected, "{}", rule.id());
        }
    }
    assert!(concealing > rules().count() && overlapping > 0, "{concealing} {overlapping}");
}
