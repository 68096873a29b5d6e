//! Did-you-mean: the known name nearest to one that did not resolve.

/// The closest of `known`, if it is close enough to be a slip of the hand.
pub(crate) fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<String> {
    let allowed = match name.chars().count() {
        0..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    known
        // A name that shares nothing with the given one is no suggestion, however short both are.
        .filter(|candidate| candidate.chars().any(|c| name.contains(c)))
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate.to_owned())
}
