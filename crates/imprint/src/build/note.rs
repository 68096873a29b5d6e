//! Shortens a description, often prose with markup, to one short line.

/// The longest note, in characters.
pub(super) const LONGEST: usize = 48;
/// The shortest clause that a longer note is cut to.
const SHORTEST: usize = 16;
/// Characters that end a clause.
const CLAUSES: [&str; 11] = [", ", "; ", ": ", " (", " - ", " – ", " — ", "，", "、", "；", "："];
/// Words in capitals that make a description a warning.
const WARNINGS: [&str; 9] =
    ["CRITICAL", "WARNING", "DANGER", "CAUTION", "IMPORTANT", "NEVER", "MUST", "IRREVERSIBLE", "DESTRUCTIVE"];
/// The longest title and description together: what a head has room for.
const BOTH: usize = 34;
/// Characters that are cut from the end of a note.
const TRAILING: [char; 6] = [',', ';', ':', '(', '-', ' '];
/// Words that lead on to the next.
const LEADS_ON: [&str; 24] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "its", "of", "or", "that", "the",
    "this", "to", "when", "which", "will", "with", "your",
];

/// Words that say nothing of their own.
const WEAK: [&str; 30] = [
    "a", "an", "and", "any", "are", "as", "be", "by", "for", "from", "if", "in", "is", "it", "its", "of", "on",
    "optional", "or", "required", "set", "string", "that", "the", "this", "to", "value", "which", "with", "your",
];

/// The first sentence of a description, cut to a line; nothing if it only repeats the name.
pub(super) fn note(description: &str, name: &str) -> String {
    let text = plain(description);
    let mut sentence = first_sentence(&text).trim_end_matches(['.', ':', ';', ',']).trim();
    if sentence.is_empty() {
        sentence = text.trim();
    }
    let line = cut(sentence);
    if says_more(&line, name) { line } else { String::new() }
}

/// The purpose of the whole: its title and as much of the description as fits beside it, if it adds anything. A
/// description that warns goes before a title.
pub(super) fn headline(title: &str, description: &str) -> String {
    let (title, more) = (note(title, ""), note(description, title));
    let warns = more.split(' ').any(|word| WARNINGS.contains(&word.trim_matches(|c: char| !c.is_ascii_alphabetic())));
    if title.is_empty() || warns {
        return more_or(more, title);
    }
    let both = format!("{title}: {more}");
    if more.is_empty() || both.chars().count() > BOTH { title } else { both }
}

fn more_or(more: String, title: String) -> String {
    if more.is_empty() { title } else { more }
}

/// A line that the author of a schema wrote for the head, as it is.
pub(super) fn line(text: &str) -> String {
    plain(text).trim().chars().take(LONGEST).collect()
}

/// Prose without markup, on one line.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.char_indices().peekable();
    let mut in_tag = false;
    // A page of prose is not read to its end for one line of it.
    while let Some((at, c)) = rest.next() {
        if out.len() > 400 {
            break;
        }
        match c {
            '<' if rest.peek().is_some_and(|(_, next)| next.is_ascii_alphabetic() || *next == '/') => in_tag = true,
            '>' if in_tag => {
                in_tag = false;
                if !out.ends_with(' ') && !out.is_empty() {
                    out.push(' ');
                }
            }
            _ if in_tag => {}
            '`' | '*' | '[' => {}
            ']' => {
                // The address behind a link's words is left out.
                if text.get(at + 1..).is_some_and(|tail| tail.starts_with('(')) {
                    for (_, c) in rest.by_ref() {
                        if c == ')' {
                            break;
                        }
                    }
                }
            }
            c if c.is_whitespace() || c.is_control() => {
                if !out.ends_with(' ') && !out.is_empty() {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
    out
}

fn first_sentence(text: &str) -> &str {
    let mut from = 0;
    while let Some(found) = text.get(from..).and_then(|tail| tail.find(['.', '!', '?'])) {
        let end = from + found + 1;
        let ends = text.get(end..).is_none_or(|tail| tail.is_empty() || tail.starts_with(' '));
        let abbreviated = ["e.g.", "i.e.", "etc.", "vs.", "No.", "approx."];
        if ends && !abbreviated.iter().any(|word| text.get(..end).is_some_and(|head| head.ends_with(word))) {
            return text.get(..end).unwrap_or(text);
        }
        from = end;
    }
    text
}

/// A text that fits, cut at the end of a clause, or behind a word that can stand last; never within a word.
fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let head: String = text.chars().take(LONGEST).collect();
    let clause = CLAUSES.iter().filter_map(|end| head.rfind(end)).max();
    if let Some(clause) = clause.and_then(|end| head.get(..end)).filter(|clause| clause.chars().count() >= SHORTEST) {
        return clause.trim_end_matches(TRAILING).to_owned();
    }
    let mut words: Vec<&str> = head.split(' ').collect();
    // The last word may be cut. Script that is written without blanks is cut anywhere; one long word says nothing.
    if words.len() > 1 {
        words.pop();
    } else if head.is_ascii() {
        return String::new();
    }
    while words.len() > 1 && words.last().is_some_and(|word| LEADS_ON.contains(&word.to_lowercase().as_str())) {
        words.pop();
    }
    format!("{}…", words.join(" ").trim_end_matches(TRAILING))
}

/// Returns true if a line has a word that the name does not have.
fn says_more(line: &str, name: &str) -> bool {
    let known = words(name);
    words(line).iter().any(|word| {
        let root = word.strip_suffix('s').unwrap_or(word);
        !WEAK.contains(&word.as_str()) && !known.iter().any(|k| k == word || k.strip_suffix('s').unwrap_or(k) == root)
    })
}

fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in text.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && before.is_lowercase()) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::note;

    #[track_caller]
    fn check(description: &str, name: &str, expected: &str) {
        assert_eq!(note(description, name), expected);
    }

    #[test]
    fn one_short_line_is_left() {
        check("The customer's full name. Shown on invoices.", "name", "The customer's full name");
        check("ID of the customer", "customer_id", "");
        check("<p>A <b>three-letter</b> code</p>", "currency", "A three-letter code");
        check("See [the guide](https://x.test/a.b) first.", "x", "See the guide first");
        check("Uses e.g. a dot. And more.", "x", "Uses e.g. a dot");
        check(
            "A very long description that goes on and on well beyond the end of the line",
            "x",
            "A very long description that goes on and on…",
        );
        check(
            "The currency of the amount, as three letters of ISO 4217 in capitals",
            "x",
            "The currency of the amount",
        );
        check(
            "Whether the customer has agreed to the terms of the service",
            "x",
            "Whether the customer has agreed to the terms…",
        );
        check(&"x".repeat(60), "y", "");
        check("", "x", "");
    }

    #[test]
    fn a_note_never_ends_within_a_word() {
        let text = "Identifies extraordinarily comprehensive internationalization characteristics of every deployment";
        for start in 0..40 {
            let words = text.get(start..).unwrap().trim_start();
            let cut = note(words, "");
            let kept = cut.trim_end_matches('…');
            assert!(
                words.starts_with(kept)
                    && words.get(kept.len()..).is_none_or(|rest| rest.is_empty() || rest.starts_with([' ', ','])),
                "{cut}"
            );
        }
    }

    #[test]
    fn nothing_says_nothing() {
        check("", "x", "");
    }
}
