//! The longest unbroken run of certain bytes that every match of a pattern holds.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind, Repetition};

use super::lead::byte_set;
use crate::bytes::ByteSet;

/// The length of a run of these bytes that no match of the pattern is without; 0 where nothing is certain.
pub(super) fn certain_run(pattern: &str, bytes: &ByteSet) -> usize {
    let hir = ParserBuilder::new().unicode(false).utf8(false).build().parse(pattern);
    hir.map_or(0, |hir| Runs::of(&hir, bytes).longest)
}

/// The least lengths of runs in any match of a part.
#[derive(Debug, Clone, Copy, Default)]
struct Runs {
    /// True if matches hold nothing but these bytes.
    pure: bool,
    /// The run that a match begins with.
    first: usize,
    /// The run that a match ends with.
    last: usize,
    /// The longest run.
    longest: usize,
}

impl Runs {
    const EMPTY: Self = Self { pure: true, first: 0, last: 0, longest: 0 };

    fn pure(length: usize) -> Self {
        Self { pure: true, first: length, last: length, longest: length }
    }

    fn of(hir: &Hir, bytes: &ByteSet) -> Self {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => Self::EMPTY,
            HirKind::Literal(literal) => {
                let one = |byte: &u8| if bytes.has(*byte) { Self::pure(1) } else { Self::default() };
                literal.0.iter().map(one).fold(Self::EMPTY, Self::then)
            }
            HirKind::Class(class) => match byte_set(class) {
                Some(set) if set.iter().all(|byte| bytes.has(byte)) => Self::pure(1),
                _ => Self::default(),
            },
            HirKind::Repetition(repetition) => Self::repeated(repetition, bytes),
            HirKind::Capture(capture) => Self::of(&capture.sub, bytes),
            HirKind::Concat(parts) => parts.iter().map(|part| Self::of(part, bytes)).fold(Self::EMPTY, Self::then),
            HirKind::Alternation(ways) => {
                ways.iter().map(|way| Self::of(way, bytes)).reduce(Self::or).unwrap_or_default()
            }
        }
    }

    fn repeated(repetition: &Repetition, bytes: &ByteSet) -> Self {
        let once = Self::of(&repetition.sub, bytes);
        let times = repetition.min as usize;
        match (once.pure, times) {
            (true, _) => Self::pure(once.longest * times),
            (false, 0) => Self::default(),
            (false, 1) => once,
            (false, _) => once.then(once),
        }
    }

    /// One part after another.
    fn then(self, next: Self) -> Self {
        Self {
            pure: self.pure && next.pure,
            first: if self.pure { self.first + next.first } else { self.first },
            last: if next.pure { self.last + next.last } else { next.last },
            longest: self.longest.max(next.longest).max(self.last + next.first),
        }
    }

    /// One part or another.
    fn or(self, other: Self) -> Self {
        Self {
            pure: self.pure && other.pure,
            first: self.first.min(other.first),
            last: self.last.min(other.last),
            longest: self.longest.min(other.longest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_is_certain() {
        let digits = ByteSet::of(|b| b.is_ascii_digit());
        for (pattern, expected) in [
            ("[0-9]{12}", 12),
            ("[0-9]{3,9}", 3),
            ("1[0-9]{3}2", 5),
            ("a[0-9]{3}b[0-9]{4}", 4),
            ("[0-9]{3}(?:x[0-9]{9})?", 3),
            ("[0-9]{8}|[0-9]{3}", 3),
            ("(?:[0-9]{2}-[0-9]{3}){2}", 5),
            ("[0-9a]{12}", 0),
            ("[0-9]{2}[a-z]*[0-9]{2}", 2),
            ("[0-9]{2}5?[0-9]{2}", 4),
        ] {
            assert_eq!(certain_run(pattern, &digits), expected, "{pattern}");
        }
    }
}
