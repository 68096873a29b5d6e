//! Did-you-mean, and how a user's own words are quoted back.

const LONGEST_QUOTE: usize = 60;

/// The candidate nearest to a name that failed to resolve, if one is near.
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

/// `did you mean X?` where something is near.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, candidates).map(|c| format!("did you mean `{c}`?"))
}

/// Returns a character that is safe to show in its place: a control character becomes a space, and one that turns or hides
/// the text around it a mark that can be seen.
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

/// A user's text in backticks, on one line and cut to a readable length.
pub fn quote(text: &str) -> String {
    let flat: String = text.chars().map(visible).take(LONGEST_QUOTE).collect();
    let dots = if text.chars().nth(LONGEST_QUOTE).is_some() { "…" } else { "" };
    format!("`{flat}{dots}`")
}
