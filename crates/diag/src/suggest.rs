//! Did-you-mean suggestions, and the quoting of user input.

const LONGEST_QUOTE: usize = 60;

/// Returns the candidate that is most similar to an unresolved name, if one is similar enough.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let allowed = (wanted.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .filter(|c| *c != name && c.len().abs_diff(name.len()) <= allowed)
        .map(|c| (strsim::damerau_levenshtein(&wanted, &c.to_lowercase()), c))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, c)| c)
}

/// Returns `did you mean X?` if a candidate is similar enough.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, candidates).map(|c| format!("did you mean `{c}`?"))
}

/// Returns a character that is safe to show in its place: a space for a control character, and a visible mark for one
/// that reorders or hides the text around it.
pub fn visible(c: char) -> char {
    match c {
        c if c.is_control() => ' ',
        '\u{ad}'
        | '\u{61c}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// Quotes user input in backticks, on one line and cut to a readable length.
pub fn quote(text: &str) -> String {
    let flat: String = text.chars().map(visible).take(LONGEST_QUOTE).collect();
    let dots = if text.chars().nth(LONGEST_QUOTE).is_some() { "…" } else { "" };
    format!("`{flat}{dots}`")
}
