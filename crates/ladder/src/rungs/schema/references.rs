//! Words without quotes that refer to a value of a program or of its environment: `process.env.DB_PASSWORD`, `user.id`,
//! `$HOME`. Text that has such a form is taken for text only where the schema or the name of its key decides.

use super::Repaired;
use super::places::first_place;
use crate::climb::{Finding, Findings};
use crate::embed::words;
use crate::repair::RepairKind;
use crate::rungs::about::about;
use deed_canon::Pointer;
use deed_diag::{codes, quote};
use deed_model::Rung;
use serde_json::Value;
use std::collections::HashSet;

/// Names that programs give to what holds other values.
const HOLDERS: [&str; 42] = [
    "process",
    "os",
    "sys",
    "env",
    "environ",
    "environment",
    "self",
    "this",
    "super",
    "config",
    "cfg",
    "conf",
    "settings",
    "options",
    "opts",
    "args",
    "argv",
    "params",
    "ctx",
    "context",
    "req",
    "request",
    "res",
    "resp",
    "response",
    "user",
    "props",
    "state",
    "store",
    "window",
    "document",
    "module",
    "secrets",
    "vars",
    "event",
    "session",
    "row",
    "record",
    "item",
    "obj",
    "payload",
    "globals",
];
/// Words of keys and descriptions whose texts have dots.
const DOTTED: [&str; 47] = [
    "host",
    "hostname",
    "domain",
    "server",
    "url",
    "uri",
    "site",
    "website",
    "link",
    "endpoint",
    "file",
    "filename",
    "path",
    "folder",
    "directory",
    "module",
    "package",
    "namespace",
    "class",
    "method",
    "function",
    "field",
    "column",
    "table",
    "key",
    "property",
    "event",
    "topic",
    "queue",
    "channel",
    "scope",
    "permission",
    "metric",
    "version",
    "image",
    "photo",
    "logo",
    "attachment",
    "document",
    "script",
    "template",
    "import",
    "node",
    "cluster",
    "service",
    "target",
    "source",
];
/// Last parts of names of hosts and files.
const ENDINGS: [&str; 48] = [
    "com", "org", "net", "io", "dev", "edu", "gov", "info", "de", "fr", "es", "it", "nl", "uk", "us", "eu", "ch", "at",
    "pl", "jp", "cn", "in", "br", "ca", "au", "local", "internal", "example", "test", "svc", "pdf", "txt", "csv",
    "json", "yaml", "yml", "xml", "html", "md", "png", "jpg", "jpeg", "gif", "svg", "py", "js", "ts", "rs",
];
/// Operators of programs, which text has too seldom to be taken for it.
const OPERATORS: [&str; 8] = [" || ", " && ", " ?? ", " => ", " == ", " === ", " != ", "::"];

/// Refuses a payload with a reference in the place of a text.
pub(super) fn refuse_references(repaired: Repaired<'_>, findings: &mut Findings<'_>) {
    let bare = repaired.repairs.iter().filter(|repair| repair.kind == RepairKind::BarePhrase);
    let written = bare.filter_map(|repair| serde_json::from_str::<String>(repair.inserted()).ok());
    let written: HashSet<String> = written.filter(|text| refers(text)).collect();
    if written.is_empty() {
        return;
    }
    let is_it = &mut |at: &str, value: &Value| {
        value.as_str().is_some_and(|text| written.contains(text) && !is_decided(repaired, at, text))
    };
    if let Some(at) = first_place(repaired.payload, is_it) {
        let word = repaired.payload.pointer(&at).and_then(Value::as_str).unwrap_or_default();
        let message = format!("{} without quotes refers to a value, which is not known", quote(word));
        let finding = Finding::blocking(Rung::L0, codes::TEXT_UNREADABLE, &at, message);
        findings.add(finding.help("write the value itself; put text into double quotes"));
    }
}

/// Returns whether a text has the form of a reference: names with dots, arrows or brackets between them, or a name behind a
/// mark.
fn refers(text: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    if OPERATORS.iter().any(|operator| text.contains(operator)) {
        return true;
    }
    if let Some(name) = text.strip_prefix(['$', '@', '%']) {
        let name = name.trim_start_matches(['$', '@']).trim_end_matches('%');
        return name.split('.').all(is_name);
    }
    let plain = text.replace("?.", ".").replace("->", ".");
    let plain = plain.split('[').next().unwrap_or_default();
    let is_chain = plain.len() < text.len() || plain.contains('.');
    is_chain && plain.split('.').all(is_name) && plain.split('.').any(|part| part.len() > 1)
}

/// Returns whether the schema or the name of the key says that a text of this form is one.
fn is_decided(repaired: Repaired<'_>, at: &str, text: &str) -> bool {
    let expected = repaired.ladder.imprint.expected().along(repaired.payload, at);
    let about = about(repaired.ladder.imprint.schema().value(), at);
    if expected.choices().is_some() || expected.format().is_some() || about.allows_text(text) {
        return true;
    }
    let parts: Vec<&str> = text.split('.').collect();
    let (first, last) = (parts.first().copied().unwrap_or_default(), parts.last().copied().unwrap_or_default());
    let is_plain = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.'));
    if !is_plain || HOLDERS.contains(&first) {
        return false;
    }
    let name = Pointer::tokens(at).filter(|name| !name.bytes().all(|byte| byte.is_ascii_digit())).last();
    let named = words(&name.unwrap_or_default());
    let described = words(&about.description);
    let speaks = named.iter().chain(&described).any(|word| DOTTED.contains(&word.to_lowercase().as_str()));
    // Initials and abbreviations are no names of a program: `J.Doe`, `e.g`.
    let is_short = parts.iter().any(|part| part.chars().count() == 1);
    speaks || is_short || ENDINGS.contains(&last.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::refers;

    #[test]
    fn references_are_told_from_text() {
        for text in [
            "process.env.DB_PASSWORD",
            "user.id",
            "$HOME",
            "%APPDATA%",
            "creds->password",
            "Settings::PASSWORD",
            "rows[0].name",
            "a || b",
            "@password",
        ] {
            assert!(refers(text), "{text}");
        }
        for text in ["Main Street 5", "R&D", "v1.2.3", "Dr. Smith", "$5", "ada@example.com", "3.5 mm", "a.m. or p.m."] {
            assert!(!refers(text), "{text}");
        }
    }
}
