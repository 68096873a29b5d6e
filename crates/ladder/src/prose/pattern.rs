//! A small pattern language over the words of a sentence.
//!
//! A pattern is a sequence of tokens. `a|b` matches either word, `*` matches up to [`MOST_SKIPPED`] words of any kind,
//! a leading `^` anchors the pattern at the first word and a trailing `$` at the last one.

/// The words that a `*` may stand for.
const MOST_SKIPPED: usize = 4;

/// The words of a text in lower case. Apostrophes belong to their word, any other punctuation separates.
pub(super) fn words_of(text: &str) -> Vec<String> {
    let text = text.replace(['’', '‘', '`'], "'").to_lowercase();
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    words.map(|word| word.trim_matches('\'')).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The first of several patterns that matches, as the words that it matched.
pub(super) fn first_match<'p>(words: &[String], patterns: impl IntoIterator<Item = &'p str>) -> Option<String> {
    patterns.into_iter().find_map(|pattern| matched(words, pattern))
}

/// The words that a pattern matches.
pub(super) fn matched(words: &[String], pattern: &str) -> Option<String> {
    let (anchored, pattern) = pattern.strip_prefix('^').map_or((false, pattern), |rest| (true, rest));
    let (at_end, pattern) = pattern.strip_suffix('$').map_or((false, pattern), |rest| (true, rest));
    let tokens: Vec<&str> = pattern.split(' ').filter(|token| !token.is_empty()).collect();
    let last_start = if anchored { 0 } else { words.len().saturating_sub(1) };
    (0..=last_start).find_map(|start| {
        let rest = words.get(start..)?;
        let taken = taken(rest, &tokens, at_end)?;
        Some(rest.get(..taken)?.join(" "))
    })
}

/// How many words a pattern takes from the beginning of a sentence.
fn taken(words: &[String], tokens: &[&str], at_end: bool) -> Option<usize> {
    let Some((token, rest)) = tokens.split_first() else {
        return (!at_end || words.is_empty()).then_some(0);
    };
    if *token == "*" {
        let most = MOST_SKIPPED.min(words.len());
        return (0..=most).find_map(|skipped| Some(skipped + taken(words.get(skipped..)?, rest, at_end)?));
    }
    let (word, after) = words.split_first()?;
    let is_it = token.split('|').any(|choice| choice == word);
    if is_it { Some(1 + taken(after, rest, at_end)?) } else { None }
}

#[cfg(test)]
mod tests {
    use super::{matched, words_of};

    #[test]
    fn patterns_match_words() {
        let words = words_of("Under no circumstances should the agent return this.");
        assert_eq!(matched(&words, "no circumstances"), Some("no circumstances".to_owned()));
        assert_eq!(matched(&words, "should * return|send").as_deref(), Some("should the agent return"));
        assert_eq!(matched(&words, "^no circumstances"), None);
        assert_eq!(matched(&words, "this$").as_deref(), Some("this"));
        assert_eq!(matched(&words, "return$"), None);
        assert_eq!(words_of("Don’t, “ever”"), ["don't", "ever"]);
    }
}
