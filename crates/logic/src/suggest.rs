//! Did-you-mean: the known name that is most similar to an unresolved one.

/// Returns the most similar of `known`, if it is similar enough to be a typo.
pub(crate) fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<String> {
    let allowed = match name.chars().count() {
        0..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    known
        // A name that shares nothing with the given one is not suggested, however short both are.
        .filter(|candidate| candidate.chars().any(|c| name.contains(c)))
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate.to_owned())
}
