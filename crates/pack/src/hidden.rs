//! Characters in a document that a reader does not see as they are: terminal controls, bidirectional controls and
//! invisible characters.
//!
//! They make a reviewer and a model read different texts, so no text, key or id of a pack needs them. Joiners and
//! variation selectors stay where a script or an emoji needs them, but not in an id.

use deed_canon::{Node, NodeKind, Pointer};
use deed_detect::CharClass;
use deed_diag::{Diagnostic, Document, codes};

/// The maximum number of findings in one document; more would repeat the same mistake.
const MOST: usize = 50;

/// Returns every text and every key of a document that hides a character.
pub(crate) fn check(document: &Document) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    walk(document, document.tree(), "", Kind::Text, &mut findings);
    findings
}

/// The kind of a text: an id is compared and printed in a line, so it has no line breaks either.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Id,
}

fn walk(document: &Document, node: &Node, pointer: &str, kind: Kind, findings: &mut Vec<Diagnostic>) {
    if findings.len() >= MOST {
        return;
    }
    match &node.kind {
        NodeKind::String(text) => {
            if let Some(c) = hidden(text, kind) {
                findings.push(finding("text", c).at(document.place(pointer)));
            }
        }
        NodeKind::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                walk(document, item, &Pointer::push(pointer, &i.to_string()), kind, findings);
            }
        }
        NodeKind::Object(members) => {
            for member in members.iter() {
                let at = Pointer::push(pointer, &member.key);
                if let Some(c) = hidden(&member.key, Kind::Id) {
                    findings.push(finding("key", c).at(document.key_place(&at)));
                }
                walk(document, &member.value, &at, kind_of(&member.key), findings);
            }
        }
        NodeKind::Null | NodeKind::Bool(_) | NodeKind::Number(_) => {}
    }
}

fn kind_of(key: &str) -> Kind {
    let last = key.rsplit('_').next().unwrap_or(key);
    let is_id = matches!(
        last,
        "id" | "ids"
            | "key"
            | "ref"
            | "refs"
            | "version"
            | "role"
            | "capability"
            | "capabilities"
            | "intent"
            | "class"
            | "intents"
            | "outcomes"
            | "forbids"
            | "prohibits"
            | "requires"
            | "binding"
            | "gate"
    );
    if is_id { Kind::Id } else { Kind::Text }
}

/// Returns the first character that is not read as it stands.
fn hidden(text: &str, kind: Kind) -> Option<char> {
    if text.bytes().all(|b| (b' '..=b'~').contains(&b)) {
        return None;
    }
    let characters: Vec<char> = text.chars().collect();
    let near = |at: Option<usize>| at.and_then(|at| characters.get(at)).copied();
    characters.iter().enumerate().find_map(|(i, c)| {
        let (before, after) = (near(i.checked_sub(1)), near(Some(i + 1)));
        let shown = match CharClass::of(*c) {
            CharClass::Plain => kind == Kind::Text || !(matches!(c, '\n' | '\t') || is_blank(*c)),
            CharClass::Control => *c == '\r' && after == Some('\n') && kind == Kind::Text,
            CharClass::Joiner => kind == Kind::Text && joins(before) && joins(after),
            CharClass::Selector => kind == Kind::Text && matches!(c, '\u{fe0e}' | '\u{fe0f}') && selects(before),
            CharClass::Bidi | CharClass::Invisible => false,
        };
        (!shown).then_some(*c)
    })
}

/// Blanks other than the space: two ids that differ in one of them look the same.
fn is_blank(c: char) -> bool {
    (c.is_whitespace() && c != ' ') || c == '\u{2800}'
}

/// A joiner joins letters and pictures beyond ASCII.
fn joins(c: Option<char>) -> bool {
    c.is_some_and(|c| !c.is_ascii())
}

/// A presentation selector follows a picture, or a digit of a keycap.
fn selects(c: Option<char>) -> bool {
    c.is_some_and(|c| !c.is_ascii() || c.is_ascii_digit() || matches!(c, '#' | '*'))
}

fn finding(part: &str, c: char) -> Diagnostic {
    let kind = match (c, CharClass::of(c)) {
        ('\n' | '\t', _) => "a line break or a tab in an id",
        (c, CharClass::Plain) if is_blank(c) => "a blank in an id that is not a space",
        (_, CharClass::Bidi) => "a bidirectional control, which reorders what is shown",
        (_, CharClass::Control) => "a control character",
        (_, CharClass::Invisible | CharClass::Joiner | CharClass::Selector | CharClass::Plain) => {
            "an invisible character"
        }
    };
    Diagnostic::error(codes::HIDDEN_CHARACTER, format!("the {part} has U+{:04X}, {kind}", u32::from(c)))
        .help("remove it: a reviewer and a model would read different texts")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reader_does_not_see_is_found() {
        for (text, c) in [
            ("pay \u{202e}001", '\u{202e}'),
            ("a\u{200b}b", '\u{200b}'),
            ("red \u{1b}[31m", '\u{1b}'),
            ("a\rb", '\r'),
            ("a\u{200d}b", '\u{200d}'),
            ("x\u{e0041}", '\u{e0041}'),
            ("a\u{fe03}", '\u{fe03}'),
        ] {
            assert_eq!(hidden(text, Kind::Text), Some(c), "{text:?}");
        }
        for text in [
            "two\nlines\r\nand\ttabs",
            "日本語 naïve",
            "👩\u{200d}🚀",
            "❤\u{fe0f}",
            "1\u{fe0f}\u{20e3}",
            "نامه\u{200c}ای",
        ] {
            assert_eq!(hidden(text, Kind::Text), None, "{text:?}");
        }
        assert_eq!(hidden("R\nX", Kind::Id), Some('\n'));
        for blank in ['\u{a0}', '\u{2800}', '\u{2003}', '\u{3000}'] {
            assert_eq!(hidden(&format!("R{blank}X"), Kind::Id), Some(blank));
            assert_eq!(hidden(&format!("two{blank}words"), Kind::Text), None);
        }
        assert_eq!(hidden("نامه\u{200c}ای", Kind::Id), Some('\u{200c}'));
    }
}
