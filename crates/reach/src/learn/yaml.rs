//! Rules as YAML, to be pasted into a contract. Fields with their default value are left out.

use deed_model::{EgressRule, EgressScheme};
use std::fmt::Write;

/// Writes rules as a list in YAML. Credentials and `repeat` are left to the author.
pub fn yaml(rules: &[EgressRule]) -> String {
    let mut text = String::new();
    for rule in rules {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- host: {}", quoted(&rule.host));
        if rule.scheme != EgressScheme::default() {
            let _ = writeln!(text, "  scheme: {}", rule.scheme.as_str());
        }
        if rule.subdomains {
            text.push_str("  subdomains: true\n");
        }
        if let Some(port) = rule.port {
            let _ = writeln!(text, "  port: {port}");
        }
        list(&mut text, "paths", &rule.paths);
        list(&mut text, "methods", &rule.methods);
        if rule.private_addresses {
            text.push_str("  private_addresses: true\n");
        }
    }
    text
}

fn list(text: &mut String, name: &str, items: &[String]) {
    if !items.is_empty() {
        let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
        let _ = writeln!(text, "  {name}: [{}]", items.join(", "));
    }
}

/// A string of JSON is one of YAML too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
