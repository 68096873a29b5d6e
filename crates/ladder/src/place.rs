//! Places of a contract: JSON Pointers in which `*` stands for any one key or index, and `**` for any object.

use deed_canon::Pointer;
use serde_json::Value;
use std::fmt::Write as _;

/// A place, read once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// Any object, at any depth.
    Anywhere,
    /// A way down from the outermost value.
    Path(Vec<Step>),
}

/// One step down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// This key or index.
    Named(String),
    /// Any.
    Any,
}

impl Place {
    /// Reads a place; `None` if it is not one.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if text == "**" {
            return Some(Self::Anywhere);
        }
        if !text.is_empty() && !text.starts_with('/') {
            return None;
        }
        // `**` stands alone, and a tilde is always the beginning of an escape.
        let bad_escape = |segment: &str| segment.split('~').skip(1).any(|rest| !rest.starts_with(['0', '1']));
        if text.split('/').any(|segment| segment == "**" || bad_escape(segment)) {
            return None;
        }
        let step = |segment: &str| match segment {
            "*" => Step::Any,
            other => Step::Named(Pointer::unescape(other)),
        };
        Some(Self::Path(text.split('/').skip(1).map(step).collect()))
    }

    /// The place of what holds this one, and its last step.
    pub(crate) fn split(&self) -> Option<(Self, &Step)> {
        match self {
            Self::Anywhere => None,
            Self::Path(steps) => steps.split_last().map(|(last, rest)| (Self::Path(rest.to_vec()), last)),
        }
    }

    /// Whether something may be at both places.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        let (Self::Path(steps), Self::Path(others)) = (self, other) else { return true };
        let same = |(step, other): (&Step, &Step)| *step == Step::Any || *other == Step::Any || step == other;
        steps.len() == others.len() && steps.iter().zip(others).all(same)
    }

    /// Whether a pointer is at this place.
    pub(crate) fn is_at(&self, pointer: &str) -> bool {
        match self {
            Self::Anywhere => true,
            Self::Path(steps) => {
                let mut segments = pointer.split('/').skip(1);
                let all = steps.iter().all(|step| {
                    segments.next().is_some_and(|segment| match step {
                        Step::Any => true,
                        Step::Named(name) => *name == Pointer::unescape(segment),
                    })
                });
                all && segments.next().is_none()
            }
        }
    }

    /// Whether a pointer is at this place or beneath it.
    pub(crate) fn covers(&self, pointer: &str) -> bool {
        match self {
            Self::Anywhere => true,
            Self::Path(steps) => {
                let head: Vec<&str> = pointer.split('/').skip(1).take(steps.len()).collect();
                let prefix: String = head.iter().map(|segment| format!("/{segment}")).collect();
                head.len() == steps.len() && self.is_at(&prefix)
            }
        }
    }

    /// Calls back for every value at this place, in the order of the document.
    pub(crate) fn each<'v>(&self, root: &'v Value, found: &mut dyn FnMut(&str, &'v Value)) {
        let mut at = String::new();
        match self {
            Self::Anywhere => everywhere(root, &mut at, found),
            Self::Path(steps) => along(root, steps, &mut at, found),
        }
    }
}

fn along<'v>(value: &'v Value, steps: &[Step], at: &mut String, found: &mut dyn FnMut(&str, &'v Value)) {
    let Some((step, rest)) = steps.split_first() else {
        found(at, value);
        return;
    };
    let length = at.len();
    let mut down = |name: &str, child: &'v Value| {
        push(at, name);
        along(child, rest, at, found);
        at.truncate(length);
    };
    match (step, value) {
        (Step::Named(name), Value::Object(map)) => {
            if let Some(child) = map.get(name) {
                down(name, child);
            }
        }
        (Step::Named(name), Value::Array(items)) => {
            if let Some(child) = index(name).and_then(|index| items.get(index)) {
                down(name, child);
            }
        }
        (Step::Any, Value::Object(map)) => map.iter().for_each(|(name, child)| down(name, child)),
        (Step::Any, Value::Array(items)) => {
            for (index, child) in items.iter().enumerate() {
                push_index(at, index);
                along(child, rest, at, found);
                at.truncate(length);
            }
        }
        _ => {}
    }
}

/// The index that a name is: digits alone, and no zero before others.
fn index(name: &str) -> Option<usize> {
    let plain = name.bytes().all(|byte| byte.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
    name.parse().ok().filter(|_| plain)
}

fn everywhere<'v>(value: &'v Value, at: &mut String, found: &mut dyn FnMut(&str, &'v Value)) {
    let length = at.len();
    match value {
        Value::Object(map) => {
            found(at, value);
            for (name, child) in map {
                push(at, name);
                everywhere(child, at, found);
                at.truncate(length);
            }
        }
        Value::Array(items) => {
            for (index, child) in items.iter().enumerate() {
                push_index(at, index);
                everywhere(child, at, found);
                at.truncate(length);
            }
        }
        _ => {}
    }
}

/// Adds an index to a pointer.
pub(crate) fn push_index(pointer: &mut String, index: usize) {
    // Writing to text cannot fail.
    let _ = write!(pointer, "/{index}");
}

/// Adds a segment to a pointer.
pub(crate) fn push(pointer: &mut String, segment: &str) {
    pointer.push('/');
    if !segment.contains(['~', '/']) {
        pointer.push_str(segment);
        return;
    }
    for c in segment.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

/// Returns whether a place is another one, or beneath it.
pub(crate) fn is_within(pointer: &str, above: &str) -> bool {
    pointer.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The pointer above, and the last segment as it is in the document.
pub(crate) fn parent(pointer: &str) -> Option<(&str, String)> {
    pointer.rsplit_once('/').map(|(parent, last)| (parent, Pointer::unescape(last)))
}

#[cfg(test)]
mod tests {
    use super::Place;
    use serde_json::json;

    #[track_caller]
    fn check(place: &str, expected: &[&str]) {
        let value = json!({"a": [{"b": 1}, {"b": 2, "c/d": {}}], "e": {"b": 3}});
        let place = Place::read(place).unwrap();
        let mut found = Vec::new();
        place.each(&value, &mut |at, _| found.push(at.to_owned()));
        assert_eq!(found, expected);
        assert!(expected.iter().all(|pointer| place.is_at(pointer) && place.covers(&format!("{pointer}/x"))));
    }

    #[test]
    fn places_are_found() {
        check("", &[""]);
        check("/a/*/b", &["/a/0/b", "/a/1/b"]);
        check("/*/b", &["/e/b"]);
        check("/a/1/c~1d", &["/a/1/c~1d"]);
        check("/x", &[]);
        check("/a/1/b", &["/a/1/b"]);
        check("/a/01/b", &[]);
        check("/a/+1/b", &[]);
        check("/a/00/b", &[]);
        check("/a/-0/b", &[]);
        check("**", &["", "/a/0", "/a/1", "/a/1/c~1d", "/e"]);
        assert!(Place::read("a").is_none());
        assert!(!Place::read("/a").unwrap().covers("/ab"));
    }
}
