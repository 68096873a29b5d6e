//! Patterns of paths: `*` stands for any characters, none and `/` included; everything else stands for itself.

/// Returns true if a pattern matches a path. Linear in both for one `*`, and never worse than their product.
///
/// ```
/// use deed_validation::matches_path;
///
/// assert!(matches_path("*.json", "output/pages/a.json"));
/// assert!(!matches_path("*.json", "output/a.jsonl"));
/// ```
pub fn matches_path(pattern: &str, path: &str) -> bool {
    matches(&symbols(pattern), &path.chars().map(Symbol::Char).collect::<Vec<_>>())
}

/// Returns true if every path that the second pattern matches is matched by the first.
pub fn covers_pattern(wide: &str, narrow: &str) -> bool {
    matches(&symbols(wide), &symbols(narrow))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Symbol {
    Char(char),
    /// Any characters. As part of what is matched it stands for a character that only another star matches.
    Star,
}

fn symbols(pattern: &str) -> Vec<Symbol> {
    pattern.chars().map(|c| if c == '*' { Symbol::Star } else { Symbol::Char(c) }).collect()
}

/// Matches greedily: where a later part fails, the last star takes one more character.
fn matches(pattern: &[Symbol], text: &[Symbol]) -> bool {
    let (mut at, mut read) = (0, 0);
    let mut last: Option<(usize, usize)> = None;
    while let Some(symbol) = text.get(read) {
        match pattern.get(at) {
            Some(Symbol::Star) => {
                last = Some((at, read));
                at += 1;
            }
            Some(wanted) if wanted == symbol => {
                at += 1;
                read += 1;
            }
            _ => {
                let Some((star, from)) = last else { return false };
                last = Some((star, from + 1));
                at = star + 1;
                read = from + 1;
            }
        }
    }
    pattern.iter().skip(at).all(|symbol| *symbol == Symbol::Star)
}
