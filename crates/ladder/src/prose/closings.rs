//! Sentences and lines that close an answer and are known as a whole: signatures, news of success, courtesies.
//!
//! Each is judged from its first word to its last, so that nothing can stand behind `Everything completed as expected`
//! and turn it.

use super::lists;
use super::pattern::{first_match, words_of};

/// The lines of a name: the person, and a role or a company.
const MOST_LINES: usize = 2;
/// The words of such a line.
const MOST_WORDS: usize = 4;

/// Returns the text behind a payload without the signature at its end.
pub(super) fn without_signature(after: &str) -> &str {
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for line in after.split('\n') {
        if !line.trim().is_empty() {
            lines.push((at, line.trim()));
        }
        at += line.len() + 1;
    }
    let names = lines.iter().rev().take_while(|(_, line)| !is_valediction(line)).count();
    let Some((start, _)) = lines.len().checked_sub(names + 1).and_then(|index| lines.get(index)) else { return after };
    let signed = names <= MOST_LINES && lines.iter().rev().take(names).all(|(_, line)| is_name(line));
    if signed { after.get(..*start).unwrap_or(after) } else { after }
}

/// Whether a line closes a letter.
fn is_valediction(line: &str) -> bool {
    let line = line.to_lowercase();
    let bare = line.trim_end_matches([',', '.', '!', '，', '。', ' ']);
    lists::VALEDICTIONS.iter().any(|known| known == bare)
}

/// Whether a line may be a name: few words, all with a capital and none that speaks of an answer.
fn is_name(line: &str) -> bool {
    const PARTICLES: [&str; 10] = ["of", "the", "von", "van", "de", "der", "da", "del", "di", "and"];
    let words = words_of(line);
    let speaks = |word: &String| {
        let lists =
            [&lists::DOUBT, &lists::WEIGHING, &lists::SUBJECTS, &lists::ENGLISH, &lists::ANSWER, &lists::LEAD_BARS];
        !PARTICLES.contains(&word.as_str()) && lists.iter().any(|list| list.has(word))
    };
    let written = line.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic));
    let capital = |word: &str| PARTICLES.contains(&word) || !word.starts_with(char::is_lowercase);
    let lower = line.to_lowercase();
    let is_foreign_doubt = lists::FOREIGN.iter().any(|word| lower.contains(word));
    let opens = !line.starts_with(char::is_lowercase);
    let marked = line.contains([':', '!', '?', ';', '"', '{', '[', '=']);
    opens
        && (1..=MOST_WORDS).contains(&words.len())
        && written.into_iter().all(capital)
        && !marked
        && !is_foreign_doubt
        && !words.iter().any(speaks)
}

/// Returns whether a sentence is known as a whole to leave the payload as it is.
pub(super) fn is_closing(sentence: &str) -> bool {
    let marks = |c: char| c.is_whitespace() || ".!,。！，、~～-*_😊🙂🙏".contains(c);
    let is_foreign = |part: &str| {
        let part = part.trim_matches(marks).to_lowercase();
        part.is_empty() || lists::FOREIGN_CLOSINGS.iter().any(|known| known == part)
    };
    let has_letters = sentence.contains(char::is_alphabetic);
    if is_wish(sentence) || is_measured(sentence) {
        return true;
    }
    has_letters && sentence.split(['。', '！', '!']).all(is_foreign)
        || first_match(&words_of(sentence), lists::SETTLED.iter()).is_some()
}

/// `Bonne répétition !`: a wish of two words.
fn is_wish(sentence: &str) -> bool {
    const OPENINGS: [&str; 10] = ["bonne", "bon", "buen", "buena", "buon", "buona", "boa", "bom", "gute", "guten"];
    let words = words_of(sentence);
    let lower = sentence.to_lowercase();
    let speaks = |word: &String| lists::DOUBT.has(word) || lists::ANSWER.has(word) || lists::WEIGHING.has(word);
    match words.as_slice() {
        [first, second] => {
            OPENINGS.contains(&first.as_str())
                && !speaks(second)
                && !sentence.contains(['?', ':'])
                && !lists::FOREIGN.iter().any(|part| lower.contains(part))
        }
        _ => false,
    }
}

/// What a program writes behind what it logs: `(took 33ms)`, `trace=ab12ff sampled=1`.
fn is_measured(sentence: &str) -> bool {
    let inner = sentence.trim_matches(['(', ')', '[', ']', ' ', '.']);
    let words = words_of(inner);
    let is_figure = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    let units = ["ms", "s", "sec", "seconds", "us", "min", "bytes", "kb", "b"];
    let took = match words.as_slice() {
        [verb, rest @ ..] if ["took", "in", "elapsed", "after", "duration"].contains(&verb.as_str()) => {
            !rest.is_empty() && rest.iter().all(|word| is_figure(word) || units.contains(&word.as_str()))
        }
        _ => false,
    };
    let parts: Vec<&str> = inner.split_whitespace().collect();
    let is_field = |part: &&str| {
        let named = part.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
        let marks = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
        named.is_some_and(|(name, value)| name.chars().all(marks) && value.chars().all(marks))
    };
    let doubts = |word: &String| lists::DOUBT.has(word) || lists::ANSWER.has(word) || lists::WEIGHING.has(word);
    took || (parts.len() > 1 && parts.iter().all(is_field) && !words.iter().any(doubts))
}

#[cfg(test)]
mod tests {
    use super::{is_closing, without_signature};

    #[test]
    fn signatures_are_names() {
        for signed in [
            "Done.\n\nKind regards,\nLene",
            "Done.\n-- \nMaja",
            "Done.\nViele Grüße\nUwe Brandt\nEinkauf Nord",
            "Done.\nThanks,\nDr. van der Berg",
        ] {
            assert_eq!(without_signature(signed).trim(), "Done.", "{signed}");
        }
        for unsigned in [
            "Kind regards,\nIgnore it",
            "Best,\nNot Real",
            "Thanks,\nall made up",
            "-- \nIt was a joke",
            "Best,\nTom\nOps\nThe numbers are off by ten",
            "Kind regards,\nTom: use 5",
            "Best,\nWrong Answer",
            "Viele Grüße\nder Zufall",
        ] {
            assert_eq!(without_signature(unsigned), unsigned);
        }
    }

    #[test]
    fn closings_are_known_as_a_whole() {
        for sentence in [
            "Everything completed as expected.",
            "The request above succeeded on the first attempt.",
            "Confirmed, this is what we shipped.",
            "ご確認ください。",
            "Quedo a su disposición.",
            "谢谢！",
        ] {
            assert!(is_closing(sentence), "{sentence}");
        }
        for sentence in [
            "Everything completed as expected, but the numbers are off.",
            "The request above succeeded on the first attempt, unlike this one.",
            "Gracias, pero no lo uses.",
            "Confirmed, this is what we shipped last year.",
            "Nothing completed as expected.",
        ] {
            assert!(!is_closing(sentence), "{sentence}");
        }
    }
}
