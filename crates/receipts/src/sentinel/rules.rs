//! The rules for placeholders as data, each with texts that must match and texts that must not.
//!
//! A rule matches a whole value (a cell, a JSON string, a paragraph of a page, a line of a report without its list
//! mark) or a token anywhere within one. Words that people use when they write about unfinished work, such as
//! `todo` in prose, are not placeholders; a cell that contains only `TBD` is.

use deed_model::SentinelStrength::{self, Certain, Suspect};

/// The part of a value that a rule must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All of it, except spaces around it.
    Whole,
    /// Some part.
    Within,
}

/// One rule.
pub(crate) struct Rule {
    /// Its name in findings. Rules of one name are one sentinel in several strengths.
    pub(crate) sentinel: &'static str,
    pub(crate) strength: SentinelStrength,
    pub(crate) scope: Scope,
    /// A regular expression.
    pub(crate) pattern: &'static str,
    /// Names of columns in which a match is only suspect, as a regular expression; empty for none.
    pub(crate) doubtful_in: &'static str,
    /// Values that match.
    #[cfg_attr(not(test), expect(dead_code, reason = "examples, which the tests try"))]
    pub(crate) matches: &'static [&'static str],
    /// Values that do not.
    #[cfg_attr(not(test), expect(dead_code, reason = "examples, which the tests try"))]
    pub(crate) spares: &'static [&'static str],
}

/// A value must contain one of these or of [`PAIRS`] before any rule is tried. Every text in `matches` contains one.
/// At most 32, none shorter than three bytes: so they are searched for all at once, many bytes at a time.
pub(crate) const NEEDLES: &[&str] = &[
    "TODO",
    "TBD",
    "tbd",
    "TBC",
    "FIXME",
    "XXX",
    "FILL",
    "{OPTIONAL",
    "{AUTO",
    "laceholder",
    "LACEHOLDER",
    "orem ipsum",
    "OREM IPSUM",
    "nsert ",
    "INSERT",
    " here",
    "_HERE",
    "YOUR_",
    "your_",
    "your-",
    "REPLACE",
    "replace_me",
    "CHANGE",
    "changeme",
    "change_me",
    "xx-xx",
    "@example.",
    "omitted",
    "unchanged",
    "truncated",
];

/// Needles of two bytes, each searched for separately.
pub(crate) const PAIRS: [&str; 2] = ["[[", "{{"];

/// Columns that contain states of work.
const STATES: &str = "(?i)(status|state|stage|phase|column|lane|list|label|tag|type|category|kind|priority|board)";

/// All rules.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        sentinel: "unfinished_mark",
        strength: Certain,
        scope: Scope::Whole,
        pattern: r"^(?:TODO|TBD|TBC|FIXME|tbd|T\.B\.D\.)[:.!…]*$",
        doubtful_in: STATES,
        matches: &["TODO", "TBD", "tbd", "FIXME!", "TODO:"],
        spares: &["todo", "Todo list", "ToDo", "TODOS", "TBD Inc", "to be determined by the board"],
    },
    Rule {
        sentinel: "unfinished_mark",
        strength: Certain,
        scope: Scope::Within,
        pattern: r"[\[<{](?:TODO|TBD|TBC|FIXME|PLACEHOLDER|XXX)(?::[^\[\]<>{}\n]{0,80})?[\]>}](?:[^(\[]|$)",
        doubtful_in: "",
        matches: &["Revenue was [TBD] in May", "<TODO>", "{FIXME: add the source}", "[PLACEHOLDER]"],
        spares: &["[TODO](https://tracker)", "[todo]", "see TODO list", "[XXXL]"],
    },
    Rule {
        sentinel: "unfinished_mark",
        strength: Suspect,
        scope: Scope::Within,
        pattern: r"\b(?:TODO|TBD|TBC|FIXME|XXX)\b",
        doubtful_in: "",
        matches: &["TODO: write the summary", "// FIXME later", "Owner: TBD", "date (TBD)"],
        spares: &["my todo list", "XXXL", "TODOIST", "the todos"],
    },
    Rule {
        sentinel: "placeholder_word",
        strength: Certain,
        scope: Scope::Whole,
        pattern: r"^[\[<{(]?\s*(?i:placeholder)(?i:[ _-](?:text|value|name|title|image|content|description|data))?\s*[\]>})]?[.:]?$",
        doubtful_in: "",
        matches: &["placeholder", "PLACEHOLDER", "Placeholder text", "<placeholder>", "PLACEHOLDER_VALUE"],
        spares: &["JSONPlaceholder", "the placeholder attribute of an input", "placeholders", "Placeholder for seat 4"],
    },
    Rule {
        sentinel: "placeholder_word",
        strength: Suspect,
        scope: Scope::Within,
        pattern: r"\bPLACEHOLDER\b|(?i:\bplaceholder (?:text|value|content|data)\b)",
        doubtful_in: "",
        matches: &["this is PLACEHOLDER prose", "uses placeholder text for now"],
        spares: &["the placeholder attribute", "JSONPLACEHOLDER"],
    },
    Rule {
        sentinel: "lorem_ipsum",
        strength: Certain,
        scope: Scope::Within,
        pattern: r"(?i)\blorem ipsum dolor\b|^lorem ipsum[.…]*$",
        doubtful_in: "",
        matches: &["Lorem ipsum dolor sit amet", "lorem ipsum", "LOREM IPSUM"],
        spares: &["we removed the lorem ipsum from the page", "dolor sit amet"],
    },
    Rule {
        sentinel: "lorem_ipsum",
        strength: Suspect,
        scope: Scope::Within,
        pattern: r"(?i)\blorem ipsum\b",
        doubtful_in: "",
        matches: &["we removed the lorem ipsum from the page"],
        spares: &["lorem", "ipsum lorem"],
    },
    Rule {
        sentinel: "insert_here",
        strength: Certain,
        scope: Scope::Within,
        pattern: r"(?i)[<\[{]\s*(?:please )?(?:insert|enter|fill in|add|put|type|write|describe)\b[^<>\[\]{}=\n]{0,60}\bhere\s*[>\]}](?:[^(\[]|$)",
        doubtful_in: "",
        matches: &["[Insert name here]", "Dear <enter the customer here>,", "{add text here}"],
        spares: &["[insert coin here](https://x)", "insert the key here", "<a href=x>click here</a>"],
    },
    Rule {
        sentinel: "insert_here",
        strength: Certain,
        scope: Scope::Within,
        pattern: r"(?i)(?:<insert [a-z0-9 _'/-]{1,60}>|\[insert [a-z0-9 _'/-]{1,60}\](?:[^(\[]|$))",
        doubtful_in: "",
        matches: &["Signed by <insert name>", "[INSERT COMPANY NAME]", "[insert link]."],
        spares: &["<insert id=\"a\">", "[insert coin](https://x)", "an insert statement", "INSERT INTO t"],
    },
    Rule {
        sentinel: "insert_here",
        strength: Certain,
        scope: Scope::Whole,
        pattern: r"(?i)^(?:your [a-z0-9_'/-]{1,30}|(?:insert|enter|add|put)(?: [a-z0-9_'/-]{1,30}){1,4}) here[.!…]*$",
        doubtful_in: "",
        matches: &["Your text here", "insert description here", "Add your comments here"],
        spares: &["your seat is here", "We put it all here in the box", "here"],
    },
    Rule {
        sentinel: "stand_in_name",
        strength: Certain,
        scope: Scope::Within,
        pattern: r"(?:^|[^A-Za-z0-9_])(?:REPLACE_?ME|CHANGE_?ME|FILL_?ME(?:_IN)?|REPLACE_WITH_[A-Z0-9_]+|(?:YOUR|INSERT|PUT|ADD|ENTER|FILL)_[A-Z0-9_]*_HERE)(?:$|[^A-Za-z0-9_])|^(?:changeme|change_me|replace_me)$",
        doubtful_in: "",
        matches: &["REPLACE_ME", "key: CHANGEME", "INSERT_TOKEN_HERE", "token=YOUR_TOKEN_HERE;", "changeme"],
        spares: &["REPLACEMENT", "do not replace me", "EXCHANGE_MEAN", "a changeme script"],
    },
    Rule {
        sentinel: "stand_in_name",
        strength: Certain,
        scope: Scope::Whole,
        pattern: r"^[<\[{]?(?:YOUR_[A-Z0-9_]{2,60}|your[_-](?:api[_-]key|token|secret|password|name|email|domain)(?:[_-]here)?)[>\]}]?$",
        doubtful_in: "",
        matches: &["YOUR_API_KEY", "<YOUR_NAME>", "your_api_key", "your-api-key-here"],
        spares: &["YOURS", "your key", "MY_API_KEY", "your_orders"],
    },
    Rule {
        sentinel: "stand_in_name",
        strength: Suspect,
        scope: Scope::Within,
        pattern: r"\bYOUR_[A-Z0-9_]{2,60}\b|\byour[_-]api[_-]key\b",
        doubtful_in: "",
        matches: &["export KEY=YOUR_API_KEY", "curl -H your-api-key"],
        spares: &["your api key", "BEYOUR_SELF"],
    },
    Rule {
        sentinel: "imprint_token",
        strength: Certain,
        scope: Scope::Within,
        pattern: r"\{(?:FILL|FILL_ENUM|OPTIONAL|OPTIONAL_ENUM|AUTO)(?:\|[^\n]{0,400})?\}",
        doubtful_in: "",
        matches: &["{FILL|string}", "name: {FILL_ENUM|a|b}", "{OPTIONAL|integer|min:1} note", "{AUTO}", "{FILL}"],
        spares: &["{FILLED|x}", "FILL|string", "{fill}", "{OPTIONALLY}", "{AUTOMATIC}"],
    },
    Rule {
        sentinel: "double_brackets",
        strength: Certain,
        scope: Scope::Whole,
        pattern: r"^\[\[\s*[A-Z][A-Z0-9 _-]{1,60}\s*\]\]$",
        doubtful_in: "",
        matches: &["[[NAME]]", "[[ CUSTOMER_ID ]]"],
        spares: &["[[Page]]", "[[1,2],[3,4]]", "[[ -f x ]]", "[[A]](b)"],
    },
    Rule {
        sentinel: "double_brackets",
        strength: Suspect,
        scope: Scope::Within,
        pattern: r"\[\[\s*[A-Z][A-Z0-9 _-]{1,60}\s*\]\]",
        doubtful_in: "",
        matches: &["Dear [[NAME]],"],
        spares: &["see [[Page]]", "if [[ -f X ]]; then", "[[1, 2]]"],
    },
    Rule {
        sentinel: "unfilled_variable",
        strength: Suspect,
        scope: Scope::Within,
        pattern: r"\{\{\s*[A-Za-z_][A-Za-z0-9_. ]{0,60}\}\}",
        doubtful_in: "",
        matches: &["Dear {{ customer.name }},", "{{x}}"],
        spares: &["{{1}}", "{ x }", "{{}}"],
    },
    Rule {
        sentinel: "x_run",
        strength: Certain,
        scope: Scope::Whole,
        pattern: r"^\(?x{2,}\)?(?:[-. /]x{2,})+$",
        doubtful_in: "",
        matches: &["xxx-xxx", "xxx-xxx-xxxx", "xx-xx-xxxx", "(xxx) xxx-xxxx"],
        spares: &["XXX-XX-1234", "xx", "xxx", "fox-xx", "max-xx-x"],
    },
    Rule {
        sentinel: "x_run",
        strength: Suspect,
        scope: Scope::Within,
        pattern: r"\b(?:xxx-xx{1,3}(?:-xx{1,3})?|XXX-XX{1,3}(?:-XX{1,3})?)(?:[^A-Za-z0-9-]|$)",
        doubtful_in: "",
        matches: &["call xxx-xxx-xxxx", "XXX-XX-XXXX", "ssn XXX-XX-XXXX"],
        spares: &["XXX-XX-1234", "maxxx-xxy"],
    },
    Rule {
        sentinel: "example_address",
        strength: Suspect,
        scope: Scope::Whole,
        pattern: r"(?i)^[a-z0-9._+-]{1,40}@example\.(?:com|org|net)$",
        doubtful_in: "",
        matches: &["user@example.com", "jane.doe@example.org"],
        spares: &["user@example.company", "write to user@example.com", "a@b.example.com"],
    },
    Rule {
        sentinel: "left_out",
        strength: Suspect,
        scope: Scope::Within,
        pattern: r"(?i)\b(?:rest|remainder|remaining)(?: of)?(?: the)? (?:file|code|rows|table|data|content|document|items|entries|function)\b[^.\n]{0,20}\b(?:unchanged|omitted|truncated)\b|[\[(](?:\.\.\.|…)?\s*(?:omitted|truncated)(?: for brevity)?\s*(?:\.\.\.|…)?[\])]|\bomitted for brevity\b",
        doubtful_in: "",
        matches: &[
            "# rest of the code unchanged",
            "(remaining rows omitted)",
            "[... truncated ...]",
            "omitted for brevity",
        ],
        spares: &["prices were unchanged", "he omitted the date", "a truncated cone"],
    },
];
