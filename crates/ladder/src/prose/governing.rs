//! The clauses that govern a payload: the one that leads to it and the sentences that follow it.
//!
//! What enters is the prose directly before and after a payload. What leaves is the words that say that the payload is
//! not the answer: they forbid it, call it wrong, an example, a template or a draft, quote a prompt, withdraw or correct
//! it, or say that the answer is not known. Reasoning blocks, other values and blocks of code are not prose.
//!
//! Only the last clause before a payload governs it: `That was wrong, so here is the JSON:` leads with `here is the
//! JSON`. A word that stands anywhere else in the text says nothing of the payload.

use super::claims::{Payload, doubted, is_doubtful, is_turning, turned, unexplained, unoffered};
use super::closings::{is_closing, without_signature};
use super::lists;
use super::omission::{left_unsaid, shortened};
use super::pattern::{first_match, matched, words_of};
use super::remark::{Remark, remark};

/// The prose directly around a payload.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Surroundings<'t> {
    /// The prose that leads to the payload.
    pub(crate) before: &'t str,
    /// The prose behind it.
    pub(crate) after: &'t str,
    /// The payload continues the line of the prose before it.
    pub(crate) inline: bool,
    /// The payload is an object or a list that holds nothing.
    pub(crate) empty: bool,
}

/// More of the prose before a payload is not read.
const LONGEST_LEAD: usize = 600;
/// With more prose behind it a payload is refused.
const LONGEST_TAIL: usize = 16_384;

/// A longer comment behind a payload is judged as a sentence.
const MOST_IN_COMMENT: usize = 8;

/// The labels of whoever asks, in a transcript.
const ASKING_ROLES: [&str; 6] = ["user", "human", "system", "prompt", "instruction", "instructions"];

/// Words of doubt that lead-ins may have; the patterns of lead-ins judge them.
const LEAD_WORDS: [&str; 16] = [
    "correction",
    "corrections",
    "example",
    "examples",
    "sample",
    "template",
    "draft",
    "error",
    "errors",
    "mistake",
    "mistakes",
    "wrong",
    "incorrect",
    "invalid",
    "sorry",
    "instead",
];

/// Lead-ins that say which function the payload is handed to.
const CALLS: [&str; 3] = [
    "^i'll|i'm|let's call|calling|invoke|invoking|use|using|run|running * tool|function|api|endpoint with|like * this|these|arguments|parameters|inputs|args$",
    "^i|we will|am|are call|calling|invoke|invoking|use|using|run|running * tool|function|api|endpoint with|like * this|these|arguments|parameters|inputs|args$",
    "^calling|invoking|using * tool|function|api|endpoint with|like * this|these|arguments|parameters|inputs|args$",
];

/// Words that begin a clause of its own behind a comma or dash.
const CLAUSE_STARTS: [&str; 12] =
    ["so", "here", "here's", "therefore", "thus", "hence", "then", "but", "below", "i've", "please", "and"];

/// The word of another language in a sentence that says that a payload is not the answer.
fn foreign(sentence: &str) -> Option<String> {
    let sentence = sentence.to_lowercase();
    lists::FOREIGN.iter().find(|word| sentence.contains(word)).map(str::to_owned)
}

/// Words around a payload for which it is not taken for the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Disowned {
    /// They say that the payload is not the answer.
    Withdrawn(String),
    /// They speak of the answer, and are not known to leave it as it is.
    NotUnderstood(String),
    /// There is more prose behind the payload than is read.
    TooLong,
}

impl Disowned {
    /// A message about them; without quoting them where they may be secret.
    pub(crate) fn message(&self, quoted: impl Fn(&str) -> String) -> String {
        match self {
            Self::Withdrawn(words) => format!("the text says that this value is not the answer: {}", quoted(words)),
            Self::NotUnderstood(words) => {
                format!("a sentence behind the value may take it back, and was not understood: {}", quoted(words))
            }
            Self::TooLong => {
                format!("more than {LONGEST_TAIL} bytes of prose stand behind the value, and may take it back")
            }
        }
    }
}

/// The words for which a payload is not taken for the answer; none where nothing speaks against it.
///
/// `is_topic` tells whether the payload itself speaks of a word: `It is invalid` explains `{"valid": false}`.
/// `is_gap` tells whether a word names a key that the payload leaves out: `The text does not mention a phone number`
/// explains a gap.
pub(crate) fn disowned(
    around: Surroundings<'_>,
    is_topic: &dyn Fn(&str) -> bool,
    is_gap: &dyn Fn(&str) -> bool,
) -> Option<Disowned> {
    let is_plain = |word: &str| {
        ["was", "were", "not", "the", "are", "has", "had", "for", "and", "but", "you", "can", "may", "this", "that"]
            .contains(&word)
    };
    let off_topic = |found: &String| !found.split(' ').any(|word| word.len() > 2 && !is_plain(word) && is_topic(word));
    let payload = Payload { is_topic, is_gap };
    let before = lead(around.before, &off_topic, payload).or_else(|| embedded(around));
    let before = before.or_else(|| foretold(around.before, payload)).or_else(|| abridged(around.before, payload));
    before.map(Disowned::Withdrawn).or_else(|| {
        let after = around.after;
        if after.len() > LONGEST_TAIL { Some(Disowned::TooLong) } else { tail(around, &off_topic, payload) }
    })
}

/// Whether the prose between two values announces the second as the corrected or final one.
pub(crate) fn announces_correction(between: &str) -> bool {
    // The fence that opens the second value stands behind its announcement.
    let open = between.trim_end();
    let fence = open.rfind('\n').map_or("", |at| open.get(at + 1..).unwrap_or_default());
    let between = if fence.starts_with("```") || fence.starts_with("~~~") {
        open.strip_suffix(fence).unwrap_or(open)
    } else {
        between
    };
    let lead = between.trim_end_matches(|c: char| !c.is_alphanumeric());
    let announced = between.trim_end().trim_end_matches(['*', '_', '`', '\n', ' ']).ends_with(':');
    let patterns = [
        "corrected|fixed|updated|revised|final|amended answer|version|json|output|object|result|response|one|payload|record|values|reply$",
        "corrected|fixed|updated|revised|amended$",
        "corrected|fixed|updated|revised|amended answer|version|json|output|object|result|response|payload|record is|follows|below$",
        "final answer$",
        "^final$",
        "corrected|fixed|updated|revised|amended * ignore|disregard|discard|replaces|supersedes * above|previous|first|earlier|before$",
    ];
    announced && first_match(&words_of(last_sentence(lead)), patterns).is_some()
}

/// The last words of a sentence that mentions a payload without offering it: `I considered {…}`, `never run {…} there`.
///
/// A payload within a line of prose is the answer only if a mark or a word leads to it: `Result: {…}`, `The answer is
/// {…}`. Anything else is refused, in any language.
fn embedded(around: Surroundings<'_>) -> Option<String> {
    const OFFERING: &[&str] = &[
        "is|are|equals|yields|becomes|returns|json|answer|result|response|object|payload|record|here|following|below|values|go|as|ist|sind|lautet|est|es|sont|son|\u{e9}|\u{e8}$",
        "the|final|my|raw|json|your output|data|reply$",
        "correct|right|best answer|choice|value would be$",
        "i would|i'd go with$",
        "^return$",
        "^export default$",
        "^php return$",
        "answer is boxed$",
    ];
    const OFFERING_ENDS: [&str; 8] =
        ["\u{662f}", "\u{4e3a}", "\u{70ba}", "\u{306f}", "\u{304c}", "\u{3067}\u{3059}", "\u{4e0b}", "\u{ff1a}"];
    let before = around.before.trim_end();
    let last = before.chars().next_back().filter(|_| around.inline)?;
    let sentence = last_sentence(before);
    let words = words_of(sentence);
    // `curl -d '{…}'`: an option of a command takes the payload as its value.
    let is_option = before.split_whitespace().next_back().is_some_and(|word| word.starts_with('-'));
    let offered = !last.is_alphanumeric()
        || is_option
        || OFFERING_ENDS.iter().any(|end| before.ends_with(end))
        || first_match(&words, OFFERING.iter().copied()).is_some()
        || words.is_empty()
        || is_type_name(before);
    let from = words.len().saturating_sub(3);
    (!offered).then(|| words.get(from..).unwrap_or_default().join(" "))
}

/// Returns whether a text is one name of a type, as in `Person {…}`.
fn is_type_name(text: &str) -> bool {
    let name = text.trim();
    name.starts_with(char::is_uppercase)
        && name.chars().all(|c| c.is_ascii_alphanumeric())
        && !lists::ENGLISH.has(&name.to_lowercase())
}

/// The words of the clause before a payload that disown it.
fn lead(before: &str, off_topic: &dyn Fn(&String) -> bool, payload: Payload<'_>) -> Option<String> {
    let before = end_of(before, LONGEST_LEAD);
    if let Some(role) = asking_role(before) {
        return Some(role);
    }
    let trimmed = before.trim_end();
    if trimmed.ends_with("~~") && !trimmed.ends_with("~~~") {
        return Some("~~".to_owned());
    }
    let clause = last_clause(last_sentence(before));
    let words = without_neutral(words_of(clause));
    let is_call = || first_match(&words, CALLS.iter().copied()).is_some() && doubted(&words, payload).is_none();
    if first_match(&words, lists::ANNOUNCES.iter()).is_some() || is_call() || is_response_head(before) {
        return None;
    }
    let known = if first_match(&words, lists::OFFERS.iter()).is_some() {
        first_match(&words, lists::OFFERED_LEADS.iter())
    } else {
        let quotes = || first_match(&words, lists::QUOTES.iter());
        let unended = || !clause.trim_end().ends_with(['.', '!', '?']);
        first_match(&words, lists::LEADS.iter())
            .or_else(|| quotes().filter(|_| unended()))
            .or_else(|| first_match(&words, lists::FOREIGN_NEGATIONS.iter()))
            .or_else(|| foreign(clause))
            .or_else(|| unknown(&words, payload))
    };
    let in_doubt = || doubted(&words, payload).filter(|word| !LEAD_WORDS.contains(&word.as_str()));
    let not_offered = || if unfinished(clause) { unoffered(clause, payload) } else { None };
    known.filter(off_topic).or_else(in_doubt).or_else(not_offered)
}

/// Returns whether a text ends with the head of a successful response of HTTP.
fn is_response_head(before: &str) -> bool {
    let lines: Vec<&str> = before.trim_end().lines().map(str::trim).collect();
    let is_status = |line: &str| {
        let code = line.strip_prefix("HTTP/").and_then(|rest| rest.split_whitespace().nth(1));
        code.is_some_and(|code| code.len() == 3 && code.starts_with('2'))
    };
    let Some(status) = lines.iter().rposition(|line| is_status(line)) else { return false };
    let is_header = |line: &&str| {
        let name = line.split_once(':').map(|(name, _)| name);
        name.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))
    };
    lines.iter().skip(status + 1).all(is_header)
}

/// Returns whether a clause of prose needs what follows it to be whole.
fn unfinished(clause: &str) -> bool {
    let clause = clause.trim_end().trim_end_matches(['*', '_', '`', '"', '\'', '#', '>', ')', '|', ' ']);
    let words = words_of(clause).len();
    words > 3 && clause.ends_with(|c: char| c.is_alphanumeric() || c == ':' || c == '：')
}

/// The words of a finished sentence before a payload that speaks of what is to come and turns against it: `None of the
/// following is real. Here it is:`.
fn foretold(before: &str, payload: Payload<'_>) -> Option<String> {
    const AHEAD: &[&str] = &[
        "following|below",
        "what follows|comes",
        "^careful|caution|warning|beware|attention",
        "these|those values|numbers|figures|fields|data|entries",
    ];
    let last = last_sentence(before);
    let is_finished = last.trim_end().ends_with(['.', '!', '?']);
    let finished =
        if is_finished { before } else { before.trim_end().strip_suffix(last.trim_end()).unwrap_or_default() };
    split_sentences(end_of(finished, LONGEST_LEAD)).into_iter().find_map(|sentence| {
        let words = without_neutral(words_of(sentence));
        first_match(&words, AHEAD.iter().copied())?;
        let in_doubt = || doubted(&words, payload).filter(|word| !LEAD_WORDS.contains(&word.as_str()));
        retraction(sentence, &words).or_else(in_doubt).or_else(|| turned(&words, payload))
    })
}

/// The words of a sentence before a payload that say that entries of it were left out, unless they name a key that it
/// leaves out.
fn abridged(before: &str, payload: Payload<'_>) -> Option<String> {
    let sentences = split_sentences(end_of(before, LONGEST_LEAD));
    let part = sentences.last().and_then(|last| is_part(last));
    part.or_else(|| {
        sentences.into_iter().find_map(|sentence| {
            let words = words_of(sentence);
            left_unsaid(&words).filter(|_| !words.iter().any(|word| (payload.is_gap)(word)))
        })
    })
}

/// The words of a line that is the number of a part: `Part 1/3`. A source has pages, an answer has parts.
fn is_part(line: &str) -> Option<String> {
    let words: Vec<String> = words_of(line).into_iter().filter(|word| word != "of").collect();
    match words.as_slice() {
        [part, number, most, ..] if ["part", "chunk", "batch"].contains(&part.as_str()) => {
            let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
            (is_number(number) && is_number(most) && most != "1").then(|| words.join(" "))
        }
        _ => None,
    }
}

/// The words of a sentence that say that the answer is not known, unless it explains a gap of the payload.
fn unknown(words: &[String], payload: Payload<'_>) -> Option<String> {
    let names_gap = || words.iter().any(|word| (payload.is_gap)(word));
    let explains_gap = first_match(words, lists::FILLED.iter()).is_some() || names_gap();
    first_match(words, lists::UNKNOWN.iter()).filter(|_| !explains_gap)
}

/// The role of whoever asks, where the line that leads to a payload is theirs.
fn asking_role(before: &str) -> Option<String> {
    let line = before.trim_end().lines().next_back()?.trim_start_matches(['#', '*', '>', '<', '|', '[', ' ']);
    let (label, rest) = line.split_once(':')?;
    let label = label.trim_matches(['*', '_', '`', ' ']).to_lowercase();
    (ASKING_ROLES.contains(&label.as_str()) && !rest.to_lowercase().contains("assistant")).then(|| format!("{label}:"))
}

/// The words behind a payload that disown it.
fn tail(around: Surroundings<'_>, off_topic: &dyn Fn(&String) -> bool, payload: Payload<'_>) -> Option<Disowned> {
    let after = around.after;
    let trimmed = after.trim();
    if let Some(mark) = end_mark(trimmed) {
        return Some(Disowned::Withdrawn(mark));
    }
    for (index, sentence) in split_sentences(without_signature(after)).into_iter().enumerate() {
        if is_closing(sentence) {
            continue;
        }
        let words = without_neutral(words_of(sentence));
        let joins = index == 0 && continues(after);
        let of_payload = joins.then(|| first_match(&words, lists::TAILS.iter())).flatten();
        let found = of_payload.or_else(|| retraction(sentence, &words)).or_else(|| foreign(sentence));
        let found = found.or_else(|| shortened(&words));
        if let Some(found) = found.filter(off_topic).or_else(|| unknown(&words, payload)) {
            return Some(Disowned::Withdrawn(found));
        }
        match as_comment(sentence).map(remark) {
            Some(Remark::Harmless) if !speaks(&words) => continue,
            Some(Remark::Omits | Remark::Questions) => return Some(Disowned::Withdrawn(words.join(" "))),
            Some(Remark::Harmless) | None => {}
        }
        if around.empty && says_nothing(&words) {
            continue;
        }
        if let Some(found) = unexplained(sentence, payload) {
            return Some(Disowned::NotUnderstood(found));
        }
    }
    None
}

/// Returns whether a short remark beside an empty payload says that there is nothing: `no overrides requested`.
fn says_nothing(words: &[String]) -> bool {
    const NOTHING: [&str; 4] = ["no", "none", "nothing", "empty"];
    const MOST_WORDS: usize = 8;
    // What there is none of may have any name: `no overrides`.
    let (Some(first), rest) = (words.first(), words.get(2..).unwrap_or_default()) else { return false };
    let turns = |word: &String| is_doubtful(word) || is_turning(word) || lists::SUBJECTS.has(word) || word == "answer";
    NOTHING.contains(&first.as_str()) && words.len() <= MOST_WORDS && !rest.iter().any(turns) && !speaks(rest)
}

/// A sentence that is a comment of a program.
fn as_comment(sentence: &str) -> Option<&str> {
    ["//", "#", "/*", "<!--", "<-", "←"].iter().any(|mark| sentence.starts_with(mark)).then_some(sentence)
}

/// Returns whether a comment speaks of the answer as a sentence would, or has a word of doubt.
fn speaks(words: &[String]) -> bool {
    const PERSONS: [&str; 12] = ["i", "i'm", "i've", "me", "my", "we", "our", "you", "your", "that", "it", "it's"];
    let is_said = |word: &String| PERSONS.contains(&word.as_str()) || lists::DOUBT.has(word) || word.ends_with("n't");
    words.len() > MOST_IN_COMMENT || words.iter().any(|word| is_said(word) || word == "not")
}

/// The mark or word right behind a payload that withdraws it: a line through it, a transcript that ends where the
/// answer would begin, or words in brackets.
fn end_mark(after: &str) -> Option<String> {
    if after.starts_with("~~") && !after.starts_with("~~~") {
        return Some("~~".to_owned());
    }
    if ["Assistant:", "AI:", "Answer:", "Response:", "Output:"].iter().any(|label| after.ends_with(label)) {
        return after.lines().next_back().map(str::to_owned);
    }
    let aside = after.strip_prefix(['(', '[']).and_then(|rest| rest.split([')', ']']).next())?;
    first_match(&words_of(aside), lists::ASIDES.iter())
}

/// The words of a sentence that withdraw what was said before it.
fn retraction(sentence: &str, words: &[String]) -> Option<String> {
    let first = words.first()?;
    // An offer to change the answer does not take it back.
    let offers =
        ["^if|should|let|feel|want|would|in", "^do you|we", "^please let|tell|check|review|double|verify|feel|ask"];
    if first_match(words, offers).is_some() {
        return None;
    }
    // `Edit: …` and `Update: …` say what has changed since.
    let label = sentence.trim_start_matches(|c: char| !c.is_alphanumeric()).split(':').next().unwrap_or_default();
    if ["edit", "update", "correction", "erratum", "amendment"].contains(&label.to_lowercase().as_str()) {
        return Some(label.to_lowercase());
    }
    // `Wait 5 minutes` asks for patience; `Wait, that is wrong` does not.
    let interjection = ["wait", "hmm", "actually", "no", "hm"].contains(&first.as_str());
    let behind = sentence.trim_start_matches(|c: char| !c.is_alphanumeric()).get(first.len()..).unwrap_or_default();
    let exclaimed = behind.starts_with([',', '.', '!', '…', '-', '–', '—', ':', ';']) || behind.starts_with(" -");
    if interjection && exclaimed && first != "no" {
        return Some(first.clone());
    }
    first_match(words, lists::RETRACTIONS.iter())
}

/// Whether the text behind a payload goes on with its sentence.
fn continues(after: &str) -> bool {
    let line = after.trim_start_matches([' ', '\t', '`', '*', '"', '\'', ')', '}', ']', ',', ';', '-', '–', '—']);
    let gap = after.strip_suffix(line).unwrap_or_default();
    line.starts_with(char::is_lowercase) || gap.contains([',', ';', '-', '–', '—']) && !line.starts_with('\n')
}

/// The last sentence or paragraph of a text.
fn last_sentence(text: &str) -> &str {
    let trimmed = text.trim_end();
    // A line that ends in a colon leads to what follows; a line before it is another sentence.
    let ends = [". ", "! ", "? ", ".\n", "!\n", "?\n", "\n\n", ".) ", ":\n"];
    let start = ends.iter().filter_map(|end| trimmed.rfind(end).map(|at| at + end.len())).max().unwrap_or(0);
    // `e.g. ` and its like end no sentence.
    let abbreviated = ["e.g. ", "i.e. ", "E.g. ", "vs. ", "approx. "]
        .iter()
        .any(|short| trimmed.get(..start).is_some_and(|before| before.ends_with(short)));
    if abbreviated {
        trimmed.get(start.saturating_sub(5)..).unwrap_or(trimmed)
    } else {
        trimmed.get(start..).unwrap_or(trimmed)
    }
}

/// The last clause of a sentence: what stands behind the last comma or dash that a clause of its own follows.
fn last_clause(sentence: &str) -> &str {
    let marks = sentence.match_indices([',', ';', '–', '—', '-', '\n', ':']);
    let starts = marks.filter_map(|(at, mark)| {
        let rest = sentence.get(at + mark.len()..)?;
        let first = words_of(rest).into_iter().next();
        let apart = mark != "-" || rest.starts_with(' ');
        let own = match first {
            Some(word) => CLAUSE_STARTS.contains(&word.as_str()) && apart,
            None => false,
        } || mark == ";";
        own.then_some(at + mark.len())
    });
    starts.max().and_then(|start| sentence.get(start..)).unwrap_or(sentence)
}

/// The sentences of a text.
fn split_sentences(text: &str) -> Vec<&str> {
    let lines = text.split('\n').flat_map(|line| line.split(". ")).flat_map(|part| part.split("! "));
    lines.flat_map(|part| part.split("? ")).map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Words without the phrases that say nothing of a payload.
fn without_neutral(words: Vec<String>) -> Vec<String> {
    let mut left = words;
    for pattern in lists::NEUTRAL.iter() {
        while let Some(found) = matched(&left, pattern) {
            let phrase: Vec<&str> = found.split(' ').collect();
            let Some(at) = left.windows(phrase.len()).position(|window| window.iter().eq(phrase.iter().copied()))
            else {
                break;
            };
            left.drain(at..at + phrase.len());
        }
    }
    left
}

/// The end of a text, at most so long.
fn end_of(text: &str, most: usize) -> &str {
    let from = (text.len().saturating_sub(most)..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(from..).unwrap_or_default()
}
