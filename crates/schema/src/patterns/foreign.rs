//! Syntax of other languages in a pattern, which the engine accepts although JavaScript does not.

use deed_diag::Invariant;

/// Returns the first part of a pattern that JavaScript does not allow although the engine may.
pub(super) fn foreign(pattern: &str) -> Option<String> {
    let (mut rest, mut in_class) = (pattern, false);
    // True behind something that can be repeated.
    let mut repeatable = false;
    while let Some(c) = rest.chars().next() {
        let width = match c {
            '\\' => 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
            _ => c.len_utf8(),
        };
        if in_class {
            in_class = c != ']';
            repeatable = !in_class;
            rest = behind(rest, width);
            continue;
        }
        let length = repetition(rest);
        if length > 0 {
            if !repeatable {
                return Some(rest.chars().take(length).collect());
            }
            repeatable = false;
            rest = behind(rest, length);
            rest = rest.strip_prefix('?').unwrap_or(rest);
            continue;
        }
        let group = rest.strip_prefix("(?");
        if let Some(group) = group.filter(|group| !opens(group)) {
            let end = group.find([')', ':', '>']).map_or(group.len(), |end| end + 1);
            return Some(format!("(?{}", group.get(..end).unwrap_or(group)));
        }
        let opened =
            group.map_or(0, |group| 2 + if group.starts_with("<=") || group.starts_with("<!") { 2 } else { 1 });
        in_class = c == '[';
        repeatable = !matches!(c, '(' | '|' | '^') && opened == 0;
        rest = behind(rest, width.max(opened));
    }
    None
}

/// The pattern behind a part of it that was read. To skip the rest instead would leave it unchecked.
fn behind(rest: &str, length: usize) -> &str {
    rest.get(length..).invariant("a part of a pattern ends where a character does")
}

/// The length of the quantifier that a text begins with; 0 if it begins with none.
fn repetition(text: &str) -> usize {
    if text.starts_with(['*', '+', '?']) {
        return 1;
    }
    let Some(count) = text.strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(count, _)| count) else {
        return 0;
    };
    let (least, most) = count.split_once(',').unwrap_or((count, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !least.is_empty() && is_number(least) && is_number(most) { count.len() + 2 } else { 0 }
}

/// Returns true if the text behind `(?` begins a group that JavaScript has.
fn opens(group: &str) -> bool {
    let named = || {
        let name =
            group.strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(name, _)| name).unwrap_or_default();
        let letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        !name.is_empty() && name.chars().all(letter) && !name.starts_with(|c: char| c.is_numeric())
    };
    group.starts_with([':', '=', '!']) || group.starts_with("<=") || group.starts_with("<!") || named()
}
