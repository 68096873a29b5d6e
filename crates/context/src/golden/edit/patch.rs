//! Replacements of ranges of a text, for the members that differ.

use super::yaml;
use deed_canon::{Member, Node, NodeKind, Span};
use deed_diag::{Document, Format};
use serde_json::{Map, Value};

/// Replacements that do not overlap.
pub(super) struct Patches {
    edits: Vec<(Span, String)>,
}

/// The text that is edited, and how it is written.
struct Target<'d> {
    text: &'d str,
    format: Format,
}

impl Patches {
    /// Returns the edits that make the `expect` of a document the wanted one, or `None` if its form is not known here.
    pub(super) fn of(document: &Document, format: Format, wanted: &Value) -> Option<Self> {
        let member = expect(document)?;
        let target = Target { text: document.source().text(), format };
        let mut patches = Self { edits: Vec::new() };
        patches.object(&target, &member.value, wanted.as_object()?)?;
        Some(patches)
    }

    /// Returns the edit that writes `expect` as a whole.
    pub(super) fn whole(document: &Document, format: Format, wanted: &Value) -> Option<Self> {
        let member = expect(document)?;
        let target = Target { text: document.source().text(), format };
        let column = target.column(member.key_span.start);
        let text = match format {
            Format::Json => target.indented(wanted, column),
            Format::Yaml => yaml::after_key(wanted, column),
        };
        let after_key = Span::new(target.colon(member.key_span.end)? + 1, target.end(&member.value));
        Some(Self { edits: vec![(after_key, text)] })
    }

    /// Applies the edits, the last one first, so that the places of the others stay.
    pub(super) fn apply(mut self, text: &str) -> String {
        self.edits.sort_by_key(|(span, _)| (span.start, span.end));
        let mut out = text.to_owned();
        for (span, replacement) in self.edits.into_iter().rev() {
            if out.is_char_boundary(span.start) && out.is_char_boundary(span.end) && span.start <= span.end {
                out.replace_range(span.start..span.end, &replacement);
            }
        }
        out
    }

    fn object(&mut self, target: &Target<'_>, node: &Node, wanted: &Map<String, Value>) -> Option<()> {
        let NodeKind::Object(members) = &node.kind else { return None };
        for (at, member) in members.iter().enumerate() {
            match wanted.get(&member.key) {
                None => self.remove(target, node, members, at)?,
                Some(value) if member.value.to_value() == *value => {}
                Some(value) => self.replace(target, member, value)?,
            }
        }
        let added: Vec<(&String, &Value)> =
            wanted.iter().filter(|(key, _)| !members.iter().any(|member| member.key == **key)).collect();
        match (added.is_empty(), members.last()) {
            (true, _) => Some(()),
            (false, Some(last)) => self.add(target, node, last, &added),
            (false, None) => None,
        }
    }

    fn replace(&mut self, target: &Target<'_>, member: &Member, value: &Value) -> Option<()> {
        match (&member.value.kind, value) {
            (NodeKind::Object(inner), Value::Object(wanted)) if !inner.is_empty() && !wanted.is_empty() => {
                return self.object(target, &member.value, wanted);
            }
            (NodeKind::Array(items), Value::Array(wanted))
                if target.is_block(&member.value) && !wanted.is_empty() && wanted.iter().all(is_scalar) =>
            {
                return self.block_list(target, items, wanted);
            }
            _ => {}
        }
        let text = match target.format {
            Format::Json => value.to_string(),
            Format::Yaml => yaml::flow(value),
        };
        if target.is_block(&member.value) {
            let after_key = Span::new(target.colon(member.key_span.end)? + 1, target.end(&member.value));
            self.edits.push((after_key, format!(" {text}")));
        } else {
            self.edits.push((member.value.span, text));
        }
        Some(())
    }

    /// Rewrites a list with one item a line: an item that stays keeps its line and the comments above it.
    fn block_list(&mut self, target: &Target<'_>, items: &[Node], wanted: &[Value]) -> Option<()> {
        let first = items.first()?;
        let start = target.line_start(first.span.start);
        let dash = target.text.get(start..)?.find('-')? + start;
        let indent = target.text.get(start..dash)?;
        let mut old: Vec<(Value, &str)> = Vec::new();
        let mut from = start;
        for item in items {
            let end = target.line_end(item.span.end);
            old.push((item.to_value(), target.text.get(from..end)?));
            from = end;
        }
        let mut text = String::new();
        for value in wanted {
            match old.iter().position(|(own, _)| own == value) {
                Some(at) => text.push_str(old.remove(at).1),
                None => text.push_str(&format!("{indent}- {}\n", yaml::flow(value))),
            }
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
        self.edits.push((Span::new(start, from), text));
        Some(())
    }

    fn remove(&mut self, target: &Target<'_>, node: &Node, members: &[Member], at: usize) -> Option<()> {
        let member = members.get(at)?;
        let span = if target.is_block(node) {
            Span::new(target.line_start(member.key_span.start), target.line_end(target.end(&member.value)))
        } else if let Some(next) = members.get(at + 1) {
            Span::new(member.key_span.start, next.key_span.start)
        } else {
            let before = at.checked_sub(1).and_then(|before| members.get(before))?;
            Span::new(before.value.span.end, member.value.span.end)
        };
        self.edits.push((span, String::new()));
        Some(())
    }

    fn add(&mut self, target: &Target<'_>, node: &Node, last: &Member, added: &[(&String, &Value)]) -> Option<()> {
        let column = target.column(last.key_span.start);
        let mut text = String::new();
        if target.is_block(node) {
            let at = target.line_end(target.end(&last.value));
            if !target.text.get(..at)?.ends_with('\n') {
                text.push('\n');
            }
            added.iter().for_each(|(key, value)| yaml::member(&mut text, key, value, column));
            self.edits.push((Span::new(at, at), text));
            return Some(());
        }
        let on_own_line =
            target.text.get(target.line_start(last.key_span.start)..last.key_span.start)?.trim().is_empty();
        let between = if on_own_line { format!(",\n{}", " ".repeat(column)) } else { ", ".to_owned() };
        for (key, value) in added {
            let pair = match target.format {
                Format::Json => format!("{}: {value}", Value::from(key.as_str())),
                Format::Yaml => format!("{}: {}", yaml::flow(&Value::from(key.as_str())), yaml::flow(value)),
            };
            text.push_str(&between);
            text.push_str(&pair);
        }
        self.edits.push((Span::new(last.value.span.end, last.value.span.end), text));
        Some(())
    }
}

/// Returns the member that has the expectation.
fn expect(document: &Document) -> Option<&Member> {
    match &document.tree().kind {
        NodeKind::Object(members) => members.get_key("expect"),
        _ => None,
    }
}

fn is_scalar(value: &Value) -> bool {
    !value.is_object() && !value.is_array()
}

impl Target<'_> {
    /// Returns true if a value is written in lines, without brackets.
    fn is_block(&self, node: &Node) -> bool {
        let is_collection = matches!(node.kind, NodeKind::Array(_) | NodeKind::Object(_));
        let first = self.text.get(node.span.start..).and_then(|text| text.chars().next());
        is_collection && self.format == Format::Yaml && !matches!(first, Some('[' | '{'))
    }

    /// Returns the end of a value without the blank lines that a block may end with.
    fn end(&self, node: &Node) -> usize {
        let last = match &node.kind {
            NodeKind::Object(members) if self.is_block(node) => members.last().map(|member| self.end(&member.value)),
            NodeKind::Array(items) if self.is_block(node) => items.last().map(|item| self.end(item)),
            _ => None,
        };
        last.unwrap_or_else(|| {
            let text = self.text.get(..node.span.end).unwrap_or(self.text);
            text.trim_end().len().max(node.span.start)
        })
    }

    fn line_start(&self, at: usize) -> usize {
        self.text.get(..at).and_then(|text| text.rfind('\n')).map_or(0, |line| line + 1)
    }

    /// Returns the beginning of the next line.
    fn line_end(&self, at: usize) -> usize {
        self.text.get(at..).and_then(|text| text.find('\n')).map_or(self.text.len(), |line| at + line + 1)
    }

    fn column(&self, at: usize) -> usize {
        at - self.line_start(at)
    }

    /// Returns the place of the colon after a key.
    fn colon(&self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        let colon = rest.find(':')?;
        rest.get(..colon)?.chars().all(|c| c.is_whitespace() || matches!(c, '"' | '\'')).then_some(at + colon)
    }

    /// Returns JSON on lines of its own, as deep as the key that it follows.
    fn indented(&self, value: &Value, column: usize) -> String {
        let text = format!("{value:#}");
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        format!(" {}", lines.join(&format!("\n{}", " ".repeat(column))))
    }
}
