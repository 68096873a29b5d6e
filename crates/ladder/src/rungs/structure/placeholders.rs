//! Placeholders that a model left unfilled in the place of content: `{{name}}`, `${NAME}`, `<YOUR_NAME>`, `TBD`,
//! `YYYY-MM-DD`; and values that were masked.
//!
//! A placeholder is text, so a schema that asks for text allows it. It refuses the payload all the same, unless the
//! schema wants such text (an `enum`, a `pattern` that it matches, a `default` or an example) or the field holds text of
//! that sort: its name or description speaks of a template, a format, a path or code.

use super::forms::{is_crossed, is_form};
use super::masked::{holds_masks, is_masked};
use super::unanswered::{Unanswered, demands_all, is_partly_masked, unanswered};
use crate::climb::{Cx, Draft, Finding};
use crate::embed::words;
use crate::place::{push, push_index};
use crate::rungs::about::about;
use deed_canon::Pointer;
use deed_diag::{Invariant as _, codes, quote};
use deed_model::Rung;
use serde_json::Value;

/// Longer texts are documents, which may speak of placeholders.
const LONGEST: usize = 2_000;

/// Characters of a text that a message shows.
const SHOWN: usize = 60;

/// Words of a name or description that let a field hold templates and code.
const HOLDS_TEMPLATES: [&str; 44] = [
    "template",
    "templates",
    "format",
    "formats",
    "pattern",
    "patterns",
    "code",
    "script",
    "command",
    "commands",
    "cmd",
    "sql",
    "query",
    "html",
    "xml",
    "snippet",
    "expression",
    "expr",
    "regex",
    "regexp",
    "source",
    "markdown",
    "jinja",
    "handlebars",
    "mustache",
    "syntax",
    "variable",
    "variables",
    "placeholder",
    "placeholders",
    "mask",
    "path",
    "shell",
    "dockerfile",
    "yaml",
    "config",
    "env",
    "environment",
    "usage",
    "example",
    "examples",
    "formula",
    "diff",
    "patch",
];
/// Words of a name that let a field hold marks of unfinished work.
const HOLDS_STATES: [&str; 16] = [
    "status", "state", "stage", "phase", "column", "lane", "list", "label", "labels", "tag", "tags", "type",
    "category", "kind", "priority", "board",
];
/// Words of a name or description that let a field hold the name of a type.
const HOLDS_TYPES: [&str; 14] = [
    "type",
    "types",
    "kind",
    "dtype",
    "datatype",
    "schema",
    "class",
    "field",
    "column",
    "word",
    "term",
    "keyword",
    "language",
    "parameter",
];
/// Words that stand for a value in brackets: `[NAME]`, `<date>`.
const STAND_INS: [&str; 62] = [
    "name",
    "names",
    "date",
    "email",
    "address",
    "company",
    "city",
    "number",
    "phone",
    "title",
    "amount",
    "url",
    "link",
    "value",
    "values",
    "text",
    "string",
    "here",
    "your",
    "insert",
    "enter",
    "add",
    "placeholder",
    "todo",
    "tbd",
    "tbc",
    "fixme",
    "fill",
    "id",
    "key",
    "token",
    "customer",
    "user",
    "username",
    "password",
    "country",
    "state",
    "street",
    "zip",
    "code",
    "description",
    "summary",
    "reason",
    "product",
    "price",
    "quantity",
    "recipient",
    "sender",
    "signature",
    "time",
    "year",
    "month",
    "day",
    "age",
    "location",
    "organization",
    "integer",
    "boolean",
    "float",
    "content",
    "answer",
    "topic",
];

/// Refuses every placeholder of the payload.
pub(super) fn refuse(cx: Cx<'_>, draft: &mut Draft<'_>) {
    let mut found = Vec::new();
    walk(draft.payload(), Spot::Member, &mut String::new(), &mut found);
    for (at, sort) in found {
        refuse_at(cx, draft, &at, sort);
    }
}

/// What a value is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spot {
    Member,
    /// An item of a list that is not the first.
    Item,
}

fn walk(value: &Value, spot: Spot, at: &mut String, found: &mut Vec<(String, Option<Unanswered>)>) {
    let length = at.len();
    match value {
        Value::String(text) if text.len() <= LONGEST && may_be_placeholder(text) => found.push((at.clone(), None)),
        Value::String(text) => {
            let reason = unanswered(text, spot == Spot::Item);
            found.extend(reason.map(|reason| (at.clone(), Some(reason))));
            if reason.is_none() && is_partly_masked(text) {
                found.push((at.clone(), None));
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                push_index(at, index);
                walk(inner, if index == 0 { Spot::Member } else { Spot::Item }, at, found);
                at.truncate(length);
            }
        }
        Value::Object(map) => {
            for (key, inner) in map {
                push(at, key);
                walk(inner, Spot::Member, at, found);
                at.truncate(length);
            }
        }
        _ => {}
    }
}

/// A quick look, which may say yes where there is none: a bracket or sign of a template, or a short text that begins as
/// a placeholder in words does.
fn may_be_placeholder(text: &str) -> bool {
    const LONGEST_IN_WORDS: usize = 80;
    let marked =
        text.bytes().any(|byte| matches!(byte, b'{' | b'<' | b'[' | b'%' | b'#')) || text.contains(['«', '【']);
    let first = text.trim_start().bytes().next().map(|byte| byte.to_ascii_lowercase());
    let worded = || {
        text.len() <= LONGEST_IN_WORDS && first.is_some_and(|first| b"tfxyvndmhcrlpieaw.*(-_=+\xe2".contains(&first))
    };
    let lorem = || text.len() > LONGEST_IN_WORDS && first == Some(b'l');
    (marked || worded() || lorem() || is_type_name(text.trim())) && placeholder(text).is_some()
}

/// The name of a type in the place of a value, as a model leaves it that repeats its schema.
fn is_type_name(whole: &str) -> bool {
    ["string", "number", "integer", "boolean", "float", "str", "int", "bool"].contains(&whole)
}

/// The sort of a placeholder, which decides where it may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// A token of a template language or a name in brackets.
    Token,
    /// `TODO`, `TBD` and the like.
    Unfinished,
    /// `string`, `integer`: the type of a value instead of a value.
    TypeName,
    /// `YYYY-MM-DD`, `X.Y.Z`, `...`: the form of a value instead of a value.
    Form,
    /// `********`, `[REDACTED]`: a value that was masked.
    Masked,
    /// A text in the place of an answer.
    Unanswered(Unanswered),
}

/// The placeholder that a text is or holds.
fn placeholder(text: &str) -> Option<(Sort, &str)> {
    let whole = text.trim();
    if whole.is_empty() {
        return None;
    }
    let bare = whole.trim_end_matches([':', '.', '!', '…']);
    if ["TODO", "TBD", "TBC", "FIXME", "tbd", "T.B.D", "XXX", "xxx"].contains(&bare)
        || is_crossed(bare)
        || ["to be determined", "to be decided", "to be confirmed", "to be defined"]
            .contains(&bare.to_lowercase().as_str())
    {
        return Some((Sort::Unfinished, whole));
    }
    if is_left_open(&whole.to_lowercase()) {
        return Some((Sort::Token, whole));
    }
    if is_masked(whole) {
        return Some((Sort::Masked, whole));
    }
    if is_form(whole) || counts_left_out(whole) {
        return Some((Sort::Form, whole));
    }
    if is_type_name(whole) {
        return Some((Sort::TypeName, whole));
    }
    let braced = whole.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let stands_in = |name: &str| name.split('_').any(|word| STAND_INS.contains(&word.to_lowercase().as_str()));
    if braced.is_some_and(stands_in) {
        return Some((Sort::Token, whole));
    }
    let lower = whole.to_lowercase();
    let named = [
        "changeme",
        "change_me",
        "replace_me",
        "replaceme",
        "lorem ipsum",
        "placeholder",
        "placeholder text",
        "placeholder value",
        "insert text here",
    ];
    let begins = ["your_", "your-", "insert_", "replace_with_", "enter_your", "<your", "[your"];
    let is_name =
        |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '<' | '>' | '[' | ']'));
    let stands_in = lower.split(['_', '-', '<', '>', '[', ']']).any(|word| STAND_INS.contains(&word) && word != "your");
    let worded = named.contains(&lower.trim_end_matches('.'))
        || (begins.iter().any(|begin| lower.starts_with(begin)) && is_name(whole) && stands_in)
        || (lower.starts_with("your ") && lower.ends_with(" here"))
        || (["insert ", "enter ", "add ", "put "].iter().any(|verb| lower.starts_with(verb))
            && lower.ends_with(" here"))
        || lower.starts_with("lorem ipsum dolor");
    if worded {
        return Some((Sort::Token, whole));
    }
    percent(whole).or_else(|| enclosed(text)).map(|token| (Sort::Token, token))
}

/// Returns whether a text ends with a mark that the rest was cut (`… [truncated]`), or is a note in brackets that it has yet
/// to be filled in, in one of several languages.
fn is_left_open(lower: &str) -> bool {
    const CUTS: [&str; 8] =
        ["[truncated]", "[cut]", "[cut off]", "[abridged]", "[shortened]", "[snip]", "[continued]", "[gekürzt]"];
    const FILL_IN: [&str; 24] = [
        "à compléter",
        "a compléter",
        "à remplir",
        "à définir",
        "auszufüllen",
        "ausfüllen",
        "bitte ausfüllen",
        "einzutragen",
        "wird nachgereicht",
        "por completar",
        "a completar",
        "por definir",
        "rellenar",
        "a preencher",
        "preencher",
        "da compilare",
        "da completare",
        "da definire",
        "in te vullen",
        "invullen",
        "待填写",
        "待补充",
        "要入力",
        "未記入",
    ];
    let is_digit = |c: char| c.is_ascii_digit();
    let brackets = [('[', ']'), ('<', '>'), ('(', ')'), ('{', '}'), ('【', '】')];
    let inner = brackets.iter().find_map(|(open, close)| lower.strip_prefix(*open)?.strip_suffix(*close));
    // An address or a number without its end: `ana@…`. In words, the mark is style.
    let is_token = !lower.contains(char::is_whitespace) && (lower.contains(['@', '/']) || lower.contains(is_digit));
    let is_cut = is_token && lower.chars().count() > 1 && (lower.ends_with('…') || lower.ends_with("..."));
    is_cut || CUTS.iter().any(|cut| lower.ends_with(cut)) || inner.is_some_and(|inner| FILL_IN.contains(&inner.trim()))
}

/// Returns whether a text only says that entries were left out: `... (13 more)`, `… and 4 others`, `+12 more items`.
fn counts_left_out(whole: &str) -> bool {
    const MARKS: [char; 10] = ['.', '…', '(', ')', '[', ']', '+', '<', '>', ' '];
    const AMOUNTS: [&str; 8] = ["several", "many", "some", "few", "a", "the", "all", "n"];
    const MORE: [&str; 7] = ["more", "others", "other", "additional", "further", "remaining", "rest"];
    const MOST_WORDS: usize = 6;
    let lower = whole.to_lowercase();
    let plain = lower.trim_matches(MARKS);
    let is_marked = plain.len() < lower.len() && lower.starts_with(MARKS) || lower.starts_with("and ");
    let words: Vec<&str> = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if !is_marked || words.len() > MOST_WORDS {
        return false;
    }
    let counted = words.iter().take_while(|word| !MORE.contains(*word));
    let is_amount = |word: &str| word == "and" || AMOUNTS.contains(&word) || word.bytes().all(|b| b.is_ascii_digit());
    words.iter().any(|word| MORE.contains(word)) && counted.copied().all(is_amount)
}

/// `%s`, `%(name)s`, `%NAME%`: a placeholder of a formatting function or of a shell as the whole text.
fn percent(whole: &str) -> Option<&str> {
    let inner = whole.strip_prefix('%')?;
    let named = inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(")s").or_else(|| rest.strip_suffix(")d")));
    let shell = inner.strip_suffix('%').filter(|name| name.len() > 1);
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty();
    let found = ["s", "d", "f", "i"].contains(&inner)
        || named.is_some_and(is_name)
        || shell.is_some_and(|name| is_name(name) && name.chars().any(|c| c.is_ascii_uppercase()));
    found.then_some(whole)
}

/// A token in brackets, anywhere in a text: `{{name}}`, `${NAME}`, `<%= name %>`, `[INSERT NAME]`, `<your name>`.
fn enclosed(text: &str) -> Option<&str> {
    let pairs = [
        ("{{", "}}"),
        ("${", "}"),
        ("<%", "%>"),
        ("{%", "%}"),
        ("[[", "]]"),
        ("#{", "}"),
        ("<", ">"),
        ("[", "]"),
        ("«", "»"),
    ];
    for (open, close) in pairs {
        for (at, _) in text.match_indices(open) {
            let rest = text.get(at + open.len()..)?;
            let Some(end) = rest.find(close) else { continue };
            let inner = rest.get(..end)?;
            let behind = rest.get(end + close.len()..)?;
            let token = text.get(at..at + open.len() + end + close.len())?;
            let whole = token.len() == text.trim().len();
            if is_inner_token(open, inner, behind, whole) {
                return Some(token);
            }
        }
    }
    None
}

/// Whether the text between two brackets is a name and no content.
fn is_inner_token(open: &str, inner: &str, behind: &str, whole: bool) -> bool {
    let inner = inner.trim_matches([' ', '=', '#', '/', '-', '&', '^', '{', '}']);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ' ' | '-' | '|' | ':' | '(' | ')' | '\'');
    let named = inner.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_') && inner.chars().all(is_name);
    let parts: Vec<String> = inner.to_lowercase().split([' ', '_', '-', ':']).map(str::to_owned).collect();
    let stands_in = parts.iter().any(|part| STAND_INS.contains(&part.as_str()));
    let asks = parts.first().is_some_and(|first| {
        ["your", "insert", "enter", "add", "fill", "placeholder", "todo", "tbd", "fixme", "please"]
            .contains(&first.as_str())
    });
    let capitals = inner.len() > 1
        && inner.chars().any(|c| c.is_ascii_uppercase())
        && inner.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '_' | ' ' | '-'));
    // `[Customer Name]`
    let titled = inner.split(' ').all(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
        && parts.last().is_some_and(|last| STAND_INS.contains(&last.as_str()));
    match open {
        "{{" | "${" | "<%" | "{%" | "#{" => named && inner.len() <= 60,
        "[[" => named && capitals,
        "«" => named && whole && stands_in,
        // A tag has attributes or a closing tag; a link has an address behind it.
        "<" => named && !behind.contains("</") && (asks || (whole && stands_in) || (capitals && stands_in)),
        "[" => {
            named
                && !behind.starts_with('(')
                && !behind.starts_with('[')
                && ((asks && (parts.len() > 1 || whole)) || (capitals && stands_in) || titled)
        }
        _ => false,
    }
}

/// Refuses the placeholder at a place, unless the field wants such text.
fn refuse_at(cx: Cx<'_>, draft: &mut Draft<'_>, at: &str, unanswered: Option<Unanswered>) {
    let payload = draft.payload();
    let text = payload.pointer(at).and_then(Value::as_str).invariant("a text was found there");
    if cx.expected(payload, at).choices().is_some() || !draft.is_free(at) {
        return;
    }
    let field = about(cx.ladder.imprint.schema().value(), at);
    let names: Vec<String> =
        Pointer::tokens(at).flat_map(|name| words(&name)).map(|word| word.to_lowercase()).collect();
    let described: Vec<String> = words(&field.description).iter().map(|word| word.to_lowercase()).collect();
    let found = match unanswered {
        Some(reason) => Some((Sort::Unanswered(reason), text.trim())),
        None => placeholder(text).or_else(|| demands_all(&field.description).then_some((Sort::Masked, text.trim()))),
    };
    let Some((sort, token)) = found else { return };
    let speaks_of = |list: &[&str]| names.iter().chain(&described).any(|word| list.contains(&word.as_str()));
    let wanted = match sort {
        Sort::Unanswered(reason) => names.iter().chain(&described).any(|word| reason.is_wanted_by(word)),
        Sort::Token | Sort::Form => speaks_of(&HOLDS_TEMPLATES),
        Sort::Masked => names.iter().chain(&described).any(|word| holds_masks(word)),
        Sort::TypeName => speaks_of(&HOLDS_TYPES) || speaks_of(&HOLDS_TEMPLATES),
        Sort::Unfinished => {
            speaks_of(&HOLDS_TEMPLATES) || names.iter().any(|name| HOLDS_STATES.contains(&name.as_str()))
        }
    };
    // A template beside the names that it takes is data.
    let listed = payload.as_object().is_some_and(|map| {
        map.keys().any(|key| {
            words(key)
                .iter()
                .any(|word| ["vars", "variables", "placeholders", "params"].contains(&word.to_lowercase().as_str()))
        })
    });
    let allowed = match sort {
        Sort::Unanswered(_) => field.allows_all_of(text),
        _ => field.allows_text(text),
    };
    if wanted || listed || allowed {
        return;
    }
    let (message, help) = match sort {
        Sort::Unanswered(reason) => {
            let shown: String = token.chars().take(SHOWN).collect();
            (
                format!("{}: {}", reason.message(), quote(&shown)),
                "give the value, or leave the key out if it is optional",
            )
        }
        Sort::Masked => {
            (format!("the value is masked: {}", quote(token)), "give the value, or leave the key out if it is optional")
        }
        Sort::Token | Sort::Unfinished | Sort::TypeName | Sort::Form => (
            format!("placeholder {} was left unfilled", quote(token)),
            "fill it in, or leave the key out if it is optional",
        ),
    };
    draft.find(Finding::blocking(Rung::L0c, codes::TOKEN_LEFT, at, message).help(help));
}

#[cfg(test)]
mod tests {
    use super::placeholder;

    #[test]
    fn placeholders_are_told_from_content() {
        for text in [
            "{{name}}",
            "{{ customer.name }}",
            "${USER}",
            "${user_name}",
            "Dear {{name}},",
            "<YOUR_NAME>",
            "<name>",
            "[INSERT NAME]",
            "[Your Name]",
            "TODO",
            "TBD",
            "TBD.",
            "your-api-key-here",
            "YOUR_API_KEY",
            "YYYY-MM-DD",
            "DD/MM/YYYY",
            "YYYY-MM-DDTHH:MM:SSZ",
            "%s",
            "%(name)s",
            "...",
            "xxx-xxx-xxxx",
            "<%= user %>",
            "[[NAME]]",
            "Your text here",
            "changeme",
            "<insert date>",
            "[DATE]",
            "{{first_name}} {{last_name}}",
            "%USERNAME%",
            "To be determined",
            "Dear [Customer Name],",
            "<your email here>",
            "Lorem ipsum dolor sit amet",
        ] {
            assert!(placeholder(text).is_some(), "{text}");
        }
        for text in [
            "{braces}",
            "see [1]",
            "Todo list",
            "<br>",
            "<div>name</div>",
            "[INFO]",
            "a < b > c",
            "$5",
            "100%",
            "[link](https://x)",
            "YMCA",
            "it costs ${5}",
            "your order",
            "your_orders",
            "1...2",
            "Wait...",
            "{1}",
            "[name](x)",
            "x-y",
            "SMS",
            "DHS",
            "<b>bold</b>",
            "[a, b]",
            "50 %s",
            "todo",
            "xx",
        ] {
            assert_eq!(placeholder(text), None, "{text}");
        }
    }
}
