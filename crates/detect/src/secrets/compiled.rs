//! A rule's pattern, compiled the first time its keyword turns up.

use std::ops::Range;
use std::sync::OnceLock;

use deed_canon::Invariant;
use regex::{Captures, Match, Regex, RegexBuilder};

use super::rule::{Form, Rule};

/// Words that make a vendor's name the name of a credential.
const CREDENTIAL_WORDS: &str = "key|token|secret|passw|pwd|auth|cred|pat|sid|license|bearer|sas|signature";

/// The text that may stand between a name and its value in JSON, YAML, TOML, env files, code and XML,
/// including `name: X, value: Y` pairs, up to the value's own quote.
pub(super) const ASSIGNS: &str = concat!(
    r#"[\\"'`\])]{0,4}"#,
    r#"(?:[ \t]{0,8}(?:=>|:=|={1,3}|:{1,2}|,|>|\|\||\?=)"#,
    r#"|,?\s{1,40}[\\"']{0,2}(?i:value)[\\"']{0,2}[ \t]{0,4}[:=])[ \t]{0,8}"#,
);

/// The meaning of `<UUID>` in patterns.
const UUID: &str = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";

/// The largest compiled pattern, in bytes.
const LARGEST_PROGRAM: usize = 4 << 20;

/// A rule with its lazily compiled pattern.
pub(super) struct CompiledRule {
    pub(super) rule: Rule,
    regex: OnceLock<Regex>,
}

/// One match of a rule: where the secret is, and the name it is assigned to.
pub(super) struct Candidate {
    pub(super) secret: Range<usize>,
    pub(super) name: Option<Range<usize>>,
}

impl CompiledRule {
    /// Wraps a rule without compiling anything yet.
    pub(super) fn new(rule: Rule) -> Self {
        Self { rule, regex: OnceLock::new() }
    }

    /// The pattern, compiled on first use.
    pub(super) fn regex(&self) -> &Regex {
        let compiles = || format!("the pattern of `{}` compiles", self.rule.id());
        self.regex.get_or_init(|| compile(self.rule.form).invariant(&compiles()))
    }

    /// Calls `found` for every match in a window, from left to right.
    pub(super) fn search(&self, text: &str, window: &Range<usize>, mut found: impl FnMut(Candidate)) {
        let regex = self.regex();
        let mut from = window.start;
        while let Some((clipped, start, end)) = match_in(regex, text, from, window.end) {
            let cut = end == window.end && end < text.len();
            let captures = if cut { run_on(regex, text, start, end) } else { Some(clipped) };
            let whole = captures.as_ref().and_then(|captures| captures.get(0));
            from = whole.map_or(end, |whole| whole.end());
            if let Some(captures) = &captures
                && let Some(secret) = secret_of(captures)
            {
                let name = captures.name("name").map(|name| name.range());
                found(Candidate { secret: secret.range(), name });
            }
            if from >= window.end {
                return;
            }
        }
    }
}

/// The next match within `text[..to]`, with its start and end.
fn match_in<'t>(regex: &Regex, text: &'t str, from: usize, to: usize) -> Option<(Captures<'t>, usize, usize)> {
    let clipped = text.get(..to).filter(|clipped| from <= clipped.len())?;
    let captures = regex.captures_at(clipped, from)?;
    let whole = captures.get(0)?;
    let (start, end) = (whole.start(), whole.end());
    Some((captures, start, end))
}

/// A match that touches its window's end, followed to where it really ends, or `None` where the
/// text beyond the window shows it to be no match.
///
/// The view widens by doubling, so the work stays in proportion to the match.
fn run_on<'t>(regex: &Regex, text: &'t str, start: usize, end: usize) -> Option<Captures<'t>> {
    let mut beyond = 1;
    loop {
        let to = text.ceil_char_boundary(end.saturating_add(beyond));
        let (captures, found, matched_to) = match_in(regex, text, start, to)?;
        if found != start {
            return None;
        }
        if matched_to < to || to == text.len() {
            return Some(captures);
        }
        beyond *= 2;
    }
}

fn secret_of<'t>(captures: &Captures<'t>) -> Option<Match<'t>> {
    captures.name("secret").or_else(|| captures.name("quoted"))
}

/// Compiles a form, byte classes being ASCII throughout: key formats are, and it keeps searches fast.
fn compile(form: Form) -> Result<Regex, regex::Error> {
    RegexBuilder::new(&pattern_of(form)).unicode(false).size_limit(LARGEST_PROGRAM).build()
}

/// The whole pattern of a form.
pub(super) fn pattern_of(form: Form) -> String {
    let pattern = match form {
        Form::Token(pattern) => {
            format!(r"\b{{start-half}}(?P<secret>{pattern})\b{{end-half}}")
        }
        Form::Assigned { vendor, value } => [
            &format!("(?i:{vendor})"),
            r#"[\w.\-\s"'`:={\[]{0,48}?"#,
            &format!(r"(?i:{CREDENTIAL_WORDS})[\w.\-]{{0,24}}<ASSIGNS>"),
            r#"[\\"'`(]{0,4}"#,
            &format!(r"(?P<secret>{value})\b{{end-half}}"),
        ]
        .concat(),
        Form::Within(pattern) => pattern.to_owned(),
    };
    expanded(&pattern)
}

/// A pattern with its abbreviations spelt out.
pub(super) fn expanded(pattern: &str) -> String {
    pattern.replace("<UUID>", UUID).replace("<ASSIGNS>", ASSIGNS)
}
