//! The grammar of templates: rendering and parsing.
//!
//! A template is a line of instructions and a JSON document. Its leaves are tokens:
//!
//! ```text
//! token    = "{" word *( "|" segment ) "}" [ " " note ]
//! word     = "FILL" | "OPTIONAL" | "AUTO" | "FILL_ENUM" | "OPTIONAL_ENUM"
//!          | "ONE_OF" | "ANY_OF" | "WHEN" | "UNLESS" | "WITH" | "KEY" | "SERIALIZED"
//! ref      = "{REF: " ("circular" | "same" | "depth") *( "|" segment ) "}" [ " " note ]
//! segment  = type | value | modifier            ; "|", "}" and "\" in it are written with a "\" before them
//! type     = name *( "/" name )                 ; string number integer boolean object array null any tuple section
//! modifier = "format:" text | "range:" range | "length:" count | "pattern:" (name | "/" regex "/")
//!          | "step:" number | "items:" count | "unique" | "keys:" count | "closed" | "open"
//!          | "nullable" | "optional" | "required" | "rest" | "default:" value | "example:" value
//!          | "not:" value | "need:" names | "with:" names | "by:" name | "as:" name | "of:" (name | pointer)
//! range    = [">"] (number | "*") "-" [["<"] number]
//! count    = number | number "-" [number]
//! value    = text | JSON                        ; quoted where the bare text would read as something else
//! test     = name ("=" | "!=") listed *( "/" listed )
//! listed   = value | "absent"                   ; of `WHEN` and `UNLESS`: one segment for each key
//! ```
//!
//! An object is written as an object. If there is more to say of it than its keys, its first key is `//`, which holds
//! a token, a note or both (`"//": "{OPTIONAL|nullable} note"`); it is a remark, and whatever comes back under it is
//! not part of the payload. A token in the place of that key (`"{OPTIONAL|nullable}": "note"`) is read as well. A list is written with one representative item, whose token also
//! says whether the list must be given and how long it is; where that would be ambiguous, a token of type
//! `array` stands before the item. `{KEY}` stands for any key, `{ONE_OF}` and `{ANY_OF}` hold variants,
//! `{WHEN|key=value}`, `{UNLESS|key=value}` and `{WITH|key}` hold fields that apply under a condition (`absent`
//! stands for a key that is not given, so `key!=absent` holds while it is), and
//! `{SERIALIZED}` holds what goes over the wire as JSON text. `{REF: circular|of:/a/b}` and
//! `{REF: same|of:/a/b}` point at the place in the template where the shape is written out, by
//! the name that its token gives it (`as:name`) or by where it stands.
//!
//! A key or text that begins like a token, and a key `//`, is written with a `\` before it.

mod condition;
mod escape;
mod head;
mod parse;
mod render;
mod token;

pub(crate) use escape::{REMARK, escaped, escaped_key, unescaped, unescaped_key};
pub use parse::TemplateError;
pub(crate) use parse::parse;
pub(crate) use render::{Rendered, Stop, is_short, render, render_with};
pub(crate) use token::{Token, Word, is_token};

/// Patterns that are better known by name.
const PATTERNS: [(&str, &str); 8] = [
    ("lowercase_underscore", "^[a-z][a-z0-9_]*$"),
    ("uppercase_underscore", "^[A-Z][A-Z0-9_]*$"),
    ("lowercase", "^[a-z]+$"),
    ("uppercase", "^[A-Z]+$"),
    ("digits", "^[0-9]+$"),
    ("alphanumeric", "^[a-zA-Z0-9]+$"),
    ("word", r"^\w+$"),
    ("kebab_case", "^[a-z0-9]+(-[a-z0-9]+)*$"),
];

/// The name of a pattern, if it has one.
pub(crate) fn named_pattern(pattern: &str) -> Option<&'static str> {
    PATTERNS.iter().find(|(_, known)| *known == pattern).map(|(name, _)| *name)
}

/// The pattern of a name.
pub(crate) fn pattern_of(name: &str) -> Option<&'static str> {
    PATTERNS.iter().find(|(known, _)| *known == name).map(|(_, pattern)| *pattern)
}

/// A regular expression that can stand between slashes: the same one, since an escaped slash is a slash.
pub(crate) fn slash_escaped(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut after_backslash = false;
    for c in pattern.chars() {
        if c == '/' && !after_backslash {
            out.push('\\');
        }
        after_backslash = c == '\\' && !after_backslash;
        out.push(c);
    }
    // A backslash at the very end would escape the closing slash; no dialect of patterns allows one.
    out
}

/// Returns true if a name can stand in a list of names.
pub(crate) fn is_simple(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '-' | '@' | ':'))
}
