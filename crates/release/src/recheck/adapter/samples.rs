//! Texts that a pattern admits, read off its syntax: the shortest, and one with more of everything that repeats.

use regex_syntax::hir::{Class, Hir, HirKind};

/// The most characters of a sample.
const LONGEST: usize = 4096;

/// Returns texts that match a pattern as a whole; none if the pattern cannot be read.
pub(super) fn matching(pattern: &str) -> Vec<String> {
    let Ok(hir) = regex_syntax::parse(pattern) else { return Vec::new() };
    let mut samples: Vec<String> = [(0, 0), (3, 0), (1, 1)].into_iter().filter_map(|way| sample(&hir, way)).collect();
    samples.sort_unstable();
    samples.dedup();
    samples
}

/// Builds one text: with `more` repetitions beyond the fewest, and the last branch of each choice if `last` is not 0.
fn sample(hir: &Hir, (more, last): (u32, u8)) -> Option<String> {
    let text = match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => String::new(),
        HirKind::Literal(literal) => String::from_utf8(literal.0.to_vec()).ok()?,
        HirKind::Class(class) => one_of(class, last)?.to_string(),
        HirKind::Repetition(repeated) => {
            let most = repeated.max.unwrap_or(u32::MAX);
            let count = repeated.min.saturating_add(more).min(most);
            let one = sample(&repeated.sub, (more, last))?;
            let count = usize::try_from(count).ok().filter(|count| one.len().saturating_mul(*count) <= LONGEST)?;
            one.repeat(count)
        }
        HirKind::Capture(capture) => sample(&capture.sub, (more, last))?,
        HirKind::Concat(parts) => parts.iter().map(|part| sample(part, (more, last))).collect::<Option<String>>()?,
        HirKind::Alternation(branches) => {
            let branch = if last == 0 { branches.first() } else { branches.last() };
            sample(branch?, (more, last))?
        }
    };
    (text.len() <= LONGEST).then_some(text)
}

fn one_of(class: &Class, last: u8) -> Option<char> {
    let pick = |count: usize| if last == 0 { 0 } else { count.saturating_sub(1) };
    match class {
        Class::Unicode(class) => {
            let ranges = class.ranges();
            // A readable character, if the class has one.
            let readable = ['a', 'A', '0', '-', '_']
                .into_iter()
                .find(|c| last == 0 && ranges.iter().any(|range| (range.start()..=range.end()).contains(c)));
            readable.or_else(|| ranges.get(pick(ranges.len())).map(|range| range.start()))
        }
        Class::Bytes(class) => {
            let ranges = class.ranges();
            ranges.get(pick(ranges.len())).map(|range| char::from(range.start()))
        }
    }
}
