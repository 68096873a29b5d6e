//! Why a text is refused, and what to do about it.

use super::fault::Fault;
use serde_json::Value;
use std::fmt;

/// How much of a user's text a message shows.
const LONGEST_QUOTE: usize = 40;
/// Readings that a message lists.
const MOST_LISTED: usize = 3;

/// A text that has no one reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Why.
    pub reason: UnreadableKind,
    /// Where in the raw text, in bytes.
    pub at: usize,
    /// What is wrong.
    pub message: String,
    /// How the writer can put it right.
    pub help: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Unreadable {}

impl Unreadable {
    /// The refusal of a text that has several readings under a schema, which are shown.
    pub(super) fn several(readings: &[&Value]) -> Self {
        let kind = UnreadableKind::SeveralReadings;
        let listed: Vec<String> = readings.iter().take(MOST_LISTED).map(|value| cut(&value.to_string())).collect();
        let more = if readings.len() > MOST_LISTED { " and others" } else { "" };
        let message = format!("{}: {}{more}", kind.message(), listed.join(", "));
        Self { reason: kind, at: 0, message, help: kind.help().to_owned() }
    }

    pub(super) fn of(text: &str, fault: Fault) -> Self {
        let message = fault.kind.message();
        let shown = shown(text, fault.at, fault.len);
        let message = if shown.is_empty() { message.to_owned() } else { format!("{message}: {shown}") };
        Self { reason: fault.kind, at: fault.at, message, help: fault.kind.help().to_owned() }
    }
}

/// The beginning of a text in backticks.
fn cut(text: &str) -> String {
    shown(text, 0, text.len())
}

/// The text at fault in backticks, on one line and cut short.
fn shown(text: &str, at: usize, len: usize) -> String {
    // It only shows the fault, which may lie within a character.
    let mut wide = text.get(at..).unwrap_or_default().char_indices().take_while(|(i, _)| *i < len).map(|(_, c)| c);
    let flat = |c: char| if c.is_control() || c == '`' { ' ' } else { c };
    let part: String = wide.by_ref().take(LONGEST_QUOTE).map(flat).collect();
    let part = part.trim();
    let dots = if wide.next().is_some() { "…" } else { "" };
    if part.is_empty() { String::new() } else { format!("`{part}{dots}`") }
}

/// Declares the reasons once: variant, name, message and help cannot drift apart.
macro_rules! reasons {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $message:literal $help:literal;)+) => {
        /// Why a text has no one reading.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum UnreadableKind {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl UnreadableKind {
            /// Every reason, in the order of this list.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The stable name, as it is stored.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// What is wrong, without anything of the text.
            pub const fn message(self) -> &'static str {
                match self { $(Self::$variant => $message,)+ }
            }

            const fn help(self) -> &'static str {
                match self { $(Self::$variant => $help,)+ }
            }
        }
    };
}

reasons! {
    /// Nothing but space.
    Empty "empty" "the text is empty" "answer with one JSON object";
    /// Control characters and no JSON.
    Binary "binary" "the text holds binary data and no JSON" "answer with one JSON object as text";
    /// No object and no array.
    NoJson "no_json" "the text holds no JSON object or array" "answer with one JSON object and nothing else";
    /// Two or more values that differ.
    SeveralValues "several_values" "the text holds several JSON values and does not say which is meant"
        "answer with one JSON object, or put the values into one array";
    /// Several readings that the schema allows.
    SeveralReadings "several_readings" "the text has several readings that the schema allows"
        "answer with one JSON object and nothing else";
    /// More than 4 GiB.
    TooLarge "too_large" "the text is larger than 4 GiB" "send less at once";
    /// So many brackets that the search was given up.
    TooManyCandidates "too_many_candidates" "too many brackets in the text before any JSON"
        "answer with one JSON object and nothing else";
    /// The object ended, and then its members went on.
    ClosedEarly "closed_early" "more members follow after the value was closed" "close the value after its last member";
    /// Quotes inside a string that could end it or not.
    UncertainQuotes "uncertain_quotes" "it is not clear which quote ends this string"
        "escape every double quote inside a string as `\\\"`";
    /// A string without its closing quote, although the text goes on.
    UnclosedString "unclosed_string" "a string has no closing quote" "close every string with a double quote";
    /// A comment in which the rest of the value may stand.
    UncertainComment "uncertain_comment" "it is not clear where this comment ends" "leave comments out";
    /// A comment that questions or corrects the value that it stands in.
    Questioned "questioned" "a comment questions or corrects a value" "decide on one value, and leave the comment out";
    /// Only a part of something larger can be read.
    Fragment "fragment" "what can be read is part of a larger value that cannot be" "answer with one complete JSON object";
    /// `...`, `<value>` and the like, in place of content.
    Placeholder "placeholder" "a placeholder stands in place of content" "write the content out in full";
    /// NaN or an infinity, which no JSON value can say.
    NotANumber "not_a_number" "`NaN` and infinities are not JSON numbers" "write a number, or `null` if there is none";
    /// `undefined`, which is neither a value nor its absence.
    Undefined "undefined" "`undefined` is no JSON value" "write `null`, or leave the member out";
    /// A number such as `007`.
    LeadingZero "leading_zero" "a number with leading zeros can be read as octal or as text"
        "write the number without the zeros, or as a string";
    /// A number such as `1_000` or `1,000`.
    DigitGrouping "digit_grouping" "the digits of a number are grouped" "write the digits of a number without separators";
    /// Something that begins like a number and is none.
    NumberForm "number_form" "this is not a JSON number" "write a plain number, or put it in double quotes";
    /// An integer beyond 2^53 - 1.
    UnsafeInteger "unsafe_integer" "the integer is beyond 2^53 - 1 and would be rounded" "write it as a string";
    /// A number too large or too small for a double.
    NumberRange "number_range" "the number cannot be held by a double" "write it as a string";
    /// The same key with different values.
    DuplicateKey "duplicate_key" "the same key stands twice with different values" "write each key once";
    /// More than 128 levels.
    TooDeep "too_deep" "nested deeper than 128 levels" "write a flatter value";
    /// An escape with more than one reading.
    BadEscape "bad_escape" "a backslash in this string can be read in two ways" "write a backslash itself as `\\\\`";
    /// Half of a surrogate pair.
    LoneSurrogate "lone_surrogate" "an escape names half a character" "write both halves of the pair, or the character itself";
    /// Words or signs without quotes that are not one plain word.
    BareValue "bare_value" "a value without quotes can be read in several ways" "put text into double quotes";
    /// A call, a template or an operation in place of a value.
    Expression "expression" "an expression stands in place of a value" "write the result and not the expression";
    /// A key without a value, or a hole in a list.
    MissingValue "missing_value" "a value is missing" "write the value, or `null` if there is none";
    /// A key without a colon, or an item among members.
    MissingColon "missing_colon" "a key has no `:` after it" "write members as `\"key\": value`";
    /// Two values side by side that might be one.
    MissingComma "missing_comma" "it is not clear where one value ends and the next begins"
        "separate members and items by commas";
    /// A closing bracket of the wrong sort.
    MismatchedBracket "mismatched_bracket" "a closing bracket does not fit the one that is open"
        "close `{` with `}` and `[` with `]`";
    /// Cut off before anything was complete.
    CutTooEarly "cut_too_early" "the text was cut off before anything was complete" "ask for the whole answer again";
    /// A character that fits nowhere.
    Unexpected "unexpected_character" "this fits nowhere in JSON" "answer with one JSON object";
}
