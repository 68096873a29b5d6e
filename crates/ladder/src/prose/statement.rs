//! Comments that state something of their value instead of describing it.
//!
//! A comment beside a value is expected to be a description: a noun phrase, a unit, a source, a reason. What is judged
//! here is the form of anything else, clause by clause: a word of doubt that describes no noun, a negation with a verb, a
//! conjecture, a person who speaks, a source that says something else, an order to do something with the value, another
//! time. Each refuses the text, whatever it says of the value.

use super::lists;
use super::pattern::{first_match, words_of};

/// Words of doubt that comments have as terms of a program.
const TERMS: [&str; 10] =
    ["error", "errors", "void", "toy", "lots", "promise", "promises", "ignored", "ignores", "temporary"];
/// Words before a word of doubt that make it the name of a measure: `number of wrong answers`.
const MEASURES: [&str; 6] = ["number", "count", "rate", "share", "percentage", "threshold"];
/// Words before `not` that make a sentence of it.
const VERBS: [&str; 28] = [
    "is", "are", "was", "were", "be", "been", "am", "do", "does", "did", "has", "have", "had", "can", "could", "will",
    "would", "should", "may", "might", "must", "shall", "it's", "that's", "seems", "looks", "probably", "surely",
];
/// Words behind `not` in a comment that describes what is allowed, included or meant.
const DESCRIBED: [&str; 22] = [
    "null",
    "empty",
    "required",
    "optional",
    "nullable",
    "the",
    "a",
    "an",
    "in",
    "included",
    "including",
    "applicable",
    "listed",
    "mentioned",
    "given",
    "specified",
    "negative",
    "zero",
    "part",
    "taxable",
    "per",
    "only",
];
/// What a writer asks others to leave alone: `do not change`.
const PROTECTS: [&str; 9] = ["change", "edit", "touch", "remove", "modify", "rename", "delete", "reorder", "commit"];
/// Negations by themselves.
const NEGATIONS: [&str; 12] =
    ["cannot", "never", "nobody", "noone", "neither", "nah", "nope", "dont", "doesnt", "isnt", "cant", "wasnt"];
/// Words of a conjecture or a judgement.
const CONJECTURES: [&str; 28] = [
    "might",
    "could",
    "would",
    "wouldn't",
    "surely",
    "supposedly",
    "looks",
    "seems",
    "sounds",
    "smells",
    "feels",
    "fishy",
    "odd",
    "weird",
    "strange",
    "thinks",
    "believes",
    "reckons",
    "somehow",
    "nonetheless",
    "someone",
    "somebody",
    "anyone",
    "hopefully",
    "unless",
    "whether",
    "ca",
    "circa",
];
/// Words for the writer.
const WRITERS: [&str; 9] = ["i", "i'm", "i've", "i'd", "i'll", "im", "my", "me", "myself"];
/// Verbs of an order that concern the value when a determiner, a pronoun or a number follows.
const ORDERS: &str = "^multiply|divide|add|subtract|double|halve|swap|switch|trust|treat|take|ignore|use|ask|call|contact|compare|convert|\
     drop|change|move|skip|recount|recheck|redo|rerun|correct|adjust|increase|decrease|raise|lower|reduce|round|put|set|\
     reverse|flip|negate|disregard|discard|delete|enter|copy|get|look|wait|hold|mind|beware|remember \
     the|a|an|this|that|it|them|these|those|me|us|him|her|my|our|your|his|their|both|two|by|again|later|before|first|until|up|for|9";
/// Clauses that give another value, another time or an open end. A number in digits or words is written `9`.
const STATES: &[&str] = &[
    "disagrees|disagree|differs|contradicts|disputes|denies|insists|claims|claimed|says|said|begs",
    "shows|show|showed|states|stated|reads|lists|listed|gives|gave|counted|measured|counts|reports|reported|indicates|suggests * 9|otherwise|different|another|fewer|other",
    "it|that|this is|was|equals|be|has 9",
    "has|have|had|got|gets|makes|make 9$",
    "^minus|plus|less",
    "^give|take or",
    "give or take",
    "^at least|most$",
    "at least|most$",
    "^to be",
    "^before|until the|a|our|next",
    "^it's|that's|rather|correctly|really|now|make|more 9",
    "^nah|nope|no 9",
    "^9 according",
    "should|must|ought * higher|lower|more|less|different|other|another|bigger|smaller|half|double|twice|larger",
    "as of * last|previous|yesterday|earlier|ago",
    "last|previous year's|week's|month's|quarter's|years|season's|night's",
    "last|previous week|month|year|quarter|season * figure|number|value|count|data|price|stand",
    "^old|previous|former|earlier|superseded figure|figures|number|value|values|count|data|price|one|version",
    "^awaiting|pending|outstanding",
    "pending|forthcoming|unresolved|unsettled$",
    "new|newer|better|later|final|correct|right|proper|true one|figure|number|value|count|data|version * pending|follows|coming|soon|below|missing|exists",
    "looks|seems|way|bit|slightly off$",
    "^too high|low|big|small|large|long|short|many|few|old",
    "who|god|whoever knows",
    "from|by something|somewhere|memory|heart|ear|eye",
    "no idea|clue|good|way|source|evidence|proof|basis|record|sign|doubt|one",
    "not|never yet",
    "^not used|use|usable|sent|real|true|right|correct|final|checked|recounted|reliable|ours|mine|my|our|this|that|it|so|really|quite|exactly|even",
];
/// Negations of languages other than English, in comments that are not English.
const FOREIGN_NEGATIONS: [&str; 34] = [
    "nicht",
    "kein",
    "keine",
    "keinen",
    "keiner",
    "niet",
    "geen",
    "pas",
    "jamais",
    "faux",
    "n\u{e3}o",
    "nunca",
    "jam\u{e1}s",
    "falso",
    "falsch",
    "sbagliato",
    "errado",
    "incorrecto",
    "incorrecta",
    "incorreto",
    "nie",
    "\u{43d}\u{435}",
    "\u{43d}\u{435}\u{442}",
    "ne",
    "inte",
    "ikke",
    "ej",
    "ei",
    "de\u{11f}il",
    "yok",
    "nem",
    "nu",
    "tidak",
    "bukan",
];
/// Signs of negation, error and doubt in scripts without blanks.
const SIGNS: [&str; 21] = [
    "\u{4e0d}",
    "\u{6ca1}",
    "\u{672a}",
    "\u{7121}",
    "\u{65e0}",
    "\u{975e}",
    "\u{522b}",
    "\u{52ff}",
    "\u{9519}",
    "\u{932f}",
    "\u{8bef}",
    "\u{8aa4}",
    "\u{3042}\u{308a}\u{307e}\u{305b}\u{3093}",
    "\u{306a}\u{3044}",
    "\u{9055}",
    "\u{4eee}",
    "\u{c544}\u{b2c8}",
    "\u{c5c6}",
    "\u{c548} ",
    "\u{babb}",
    "\u{d2c0}",
];

/// Returns whether a comment states something of its value, in a clause of its own.
pub(super) fn states(comment: &str) -> bool {
    let marks = [',', ';', ':', '(', ')', '–', '—', '[', ']', '|', '.', '!'];
    // An address says nothing of the value.
    let said: Vec<&str> = comment.split_whitespace().filter(|word| !word.contains("://")).collect();
    let comment = said.join(" ");
    let spaced = comment.replace(" - ", " – ").replace("--", "–").replace("/*", " ").replace("*/", " ");
    is_amount(&spaced)
        || spaced.split(marks).any(|clause| clause_states(&numbered(words_of(clause))))
        || is_foreign(&comment)
}

/// Returns whether a comment begins with a number that counts nothing (`8 after the recount`), or has a sign between amounts.
fn is_amount(comment: &str) -> bool {
    const SIGNS: [&str; 8] = ["=>", "->", "\u{2192}", "\u{b1}", "\u{2248}", "\u{2260}", "!=", "~"];
    let text = comment.trim_matches(|c: char| "/*#- \t\r\n".contains(c));
    let word = text.split_whitespace().next().unwrap_or_default();
    let begins = word.starts_with(|c: char| c.is_ascii_digit());
    let is_whole = word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '!'));
    let behind = text.get(word.len()..).unwrap_or_default();
    let next = words_of(behind).into_iter().next();
    let counts = next.is_some_and(|next| !lists::ENGLISH.has(&next) || next == "in");
    (begins && is_whole && !counts && text.contains([' ', '!'])) || SIGNS.iter().any(|sign| text.contains(sign))
}

/// Words with `9` in the place of every number, in digits or words.
fn numbered(words: Vec<String>) -> Vec<String> {
    const NUMBERS: [&str; 13] = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "twenty", "hundred",
    ];
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) || NUMBERS.contains(&word);
    words.into_iter().map(|word| if is_number(&word) { "9".to_owned() } else { word }).collect()
}

fn clause_states(words: &[String]) -> bool {
    // `nothing is overridden`: a gap is described, not a value.
    let is_gap = words.first().is_some_and(|first| ["nothing", "none", "no"].contains(&first.as_str()));
    let is_todo = words.first().is_some_and(|first| first == "todo");
    words.iter().enumerate().any(|(at, word)| {
        let word = word.as_str();
        let at_end = |at: usize| words.get(at).map(String::as_str);
        let before = at.checked_sub(1).and_then(at_end);
        let denies = match word {
            "not" => denies(before, at_end(at + 1)),
            _ if word.ends_with("n't") => !at_end(at + 1).is_some_and(|next| PROTECTS.contains(&next)),
            _ => NEGATIONS.contains(&word),
        };
        denies || CONJECTURES.contains(&word) || WRITERS.contains(&word) || (!is_gap && doubts(words, at))
    }) || first_match(words, STATES.iter().copied()).is_some()
        || (!is_todo && first_match(words, [ORDERS]).is_some())
}

/// Returns whether `not` denies something of the value, by the words beside it.
fn denies(before: Option<&str>, next: Option<&str>) -> bool {
    let protects = next.is_some_and(|next| PROTECTS.contains(&next)) && before == Some("do");
    let describes = next.is_some_and(|next| DESCRIBED.contains(&next));
    let asserts = before.is_some_and(|before| VERBS.contains(&before));
    !protects && (asserts || !describes)
}

/// Returns whether a word puts the value in doubt: it is one of doubt, and describes no noun behind it.
fn doubts(words: &[String], at: usize) -> bool {
    let Some(word) = words.get(at) else { return false };
    let measures = || words.iter().take(at).any(|word| MEASURES.contains(&word.as_str()));
    let is_noun = |next: &String| {
        !lists::ENGLISH.has(next)
            && !lists::ANSWER.has(next)
            && !lists::DOUBT.has(next)
            && next != "9"
            && next != "number"
    };
    lists::DOUBT.has(word) && !TERMS.contains(&word.as_str()) && !measures() && !words.get(at + 1).is_some_and(is_noun)
}

/// Returns whether a comment that is not English denies something.
fn is_foreign(comment: &str) -> bool {
    let words = words_of(comment);
    let is_english = words.iter().any(|word| lists::ENGLISH.has(word) && word != "no" && word != "on");
    let denies = |word: &String| FOREIGN_NEGATIONS.contains(&word.as_str());
    const DENIED: [&str; 2] = [
        "no es|est\u{e1}|son|hay|se|lo|la|usar|utilizar|v\u{e1}lido|correcto|coincide|cuadra",
        "non \u{e8}|corrisponde|usare|usate|valido|ancora|torna|quadra|sicuro",
    ];
    let lower = comment.to_lowercase();
    let doubts = |word: &String| lists::FOREIGN_DOUBT.has(word);
    let has_sign = || lists::FOREIGN_DOUBT_SIGNS.iter().any(|sign| lower.contains(sign));
    !is_english
        && (words.iter().any(denies) || words.iter().any(doubts) || has_sign() || first_match(&words, DENIED).is_some())
        || SIGNS.iter().any(|sign| comment.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::states;

    #[test]
    fn statements_are_told_from_descriptions() {
        for comment in [
            "this can't be right, the count sheet says otherwise - do not use",
            "the shelf label shows 21",
            "do not trust",
            "multiply this by ten",
            "I would say more like 20",
            "swap the two digits",
            "as of last year",
            "old figure, new one pending",
            "example only",
            "estimate",
            "does not match the sheet",
            "per Jo it is 15",
            "nobody recounted",
            "no es correcto",
            "未確認",
            "8 after the recount",
            "±3",
            "to be recounted",
            "geschätzt",
            "à vérifier",
            "уточнить",
        ] {
            assert!(states(comment), "{comment}");
        }
        for comment in [
            "the primary, not the replica",
            "production endpoint, do not change",
            "can also be sown in February",
            "network errors only",
            "estimated arrival",
            "number of wrong answers",
            "phone left out: not in the source",
            "key opens the mill",
            "keep in sync with the load balancer",
            "TODO: make this configurable",
            "was 3",
            "USD or EUR are allowed",
            "in Euro",
            "Kontonummer",
            "24 hours",
            "three of them",
            "nothing is overridden in production",
        ] {
            assert!(!states(comment), "{comment}");
        }
    }
}
