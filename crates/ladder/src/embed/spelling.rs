//! Unlisted words: plurals, British endings, typing errors, dropped vowels and cut ends.

use crate::excerpt::items;
use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use super::feature;

/// Shorter words are too near each other to be corrected.
const SHORTEST: usize = 5;

/// From here on a letter too many, too few or swapped is taken for an error, and a replaced one from `REPLACED` on:
/// shorter words that are so near are more often words of their own.
const MISTYPED: usize = 6;
const REPLACED: usize = 8;

/// Words that are no misspelling of the words that they are near to.
static OWN_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("own_words.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
});

/// A set of words that an unknown one can be traced back to.
#[derive(Debug, Clone, Default)]
pub(super) struct Spelling {
    /// Each word with the concept it stands for.
    words: BTreeMap<String, u64>,
    /// Sorted: the hash of a word, or of it with one letter left out, and the word.
    shortened: Vec<(u64, String)>,
    skeletons: BTreeMap<String, Vec<String>>,
}

impl Spelling {
    /// Gathers words that are long enough to be told apart.
    pub(super) fn new(words: impl IntoIterator<Item = (String, u64)>) -> Self {
        let long = |(word, _): &(String, u64)| word.len() >= SHORTEST && word.chars().all(char::is_alphabetic);
        let words: BTreeMap<String, u64> = words.into_iter().filter(long).collect();
        let mut shortened: Vec<(u64, String)> =
            words.keys().flat_map(|word| shorter(word).into_iter().map(|hash| (hash, word.clone()))).collect();
        shortened.sort_unstable();
        let mut skeletons: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for word in words.keys() {
            skeletons.entry(skeleton(word)).or_default().push(word.clone());
        }
        Self { words, shortened, skeletons }
    }

    /// Concepts of words one typing error away, in the same first letter.
    pub(super) fn mistyped<'a>(&'a self, word: &'a str) -> impl Iterator<Item = u64> + 'a {
        let is_near = word.len() >= MISTYPED && !OWN_WORDS.contains(word);
        let hashes = if is_near { shorter(word) } else { Vec::new() };
        hashes
            .into_iter()
            .flat_map(|hash| {
                let from = self.shortened.partition_point(|(other, _)| *other < hash);
                self.shortened.iter().skip(from).take_while(move |(other, _)| *other == hash)
            })
            .filter(|(_, known)| known.chars().next() == word.chars().next() && is_one_error(word, known))
            .filter_map(|(_, known)| self.words.get(known).copied())
    }

    /// Concepts of words with the same consonants, of which this one leaves out letters only.
    pub(super) fn without_vowels<'a>(&'a self, word: &'a str) -> impl Iterator<Item = u64> + 'a {
        let bones = Some(skeleton(word)).filter(|bones| bones.len() >= 4 && is_bony(word));
        bones
            .and_then(|bones| self.skeletons.get(&bones))
            .into_iter()
            .flatten()
            .filter(move |known| is_subsequence(word, known))
            .filter_map(|known| self.words.get(known).copied())
    }

    /// Concepts of words that begin with this one and are much longer.
    pub(super) fn cut<'a>(&'a self, word: &'a str) -> impl Iterator<Item = u64> + 'a {
        let begins = (word.len() >= 4).then(|| self.words.range(word.to_owned()..));
        begins
            .into_iter()
            .flatten()
            .take_while(move |(known, _)| known.starts_with(word))
            .filter(move |(known, _)| known.len() * 10 >= word.len() * 17)
            .map(|(_, concept)| *concept)
    }
}

/// The singular forms a word may have, likeliest first.
pub(crate) fn singular(word: &str) -> Vec<String> {
    let with = |end: &str, instead: &str| word.strip_suffix(end).map(|stem| format!("{stem}{instead}"));
    let same = ["news", "series", "species", "lens", "physics", "analytics", "bias", "canvas", "atlas"].contains(&word);
    let long = word.len() > 3 && !same && !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is");
    let forms =
        [with("ies", "y"), with("ses", "s"), with("xes", "x"), with("ches", "ch"), with("shes", "sh"), with("s", "")];
    forms.into_iter().flatten().filter(|_| long).collect()
}

/// The American spelling of an ending that Britons write otherwise.
pub(super) fn american(word: &str) -> Option<String> {
    let endings = [
        ("isation", "ization"),
        ("isations", "izations"),
        ("ised", "ized"),
        ("ising", "izing"),
        ("ise", "ize"),
        ("iser", "izer"),
        ("yse", "yze"),
        ("ysed", "yzed"),
        ("our", "or"),
        ("oured", "ored"),
        ("elled", "eled"),
        ("elling", "eling"),
        ("ogue", "og"),
    ];
    let long = |(end, new): &(&str, &str)| {
        word.strip_suffix(end).filter(|stem| stem.len() >= 3).map(|stem| format!("{stem}{new}"))
    };
    endings.iter().find_map(long)
}

/// The first letter and the consonants after it, doubled ones once.
fn skeleton(word: &str) -> String {
    let mut bones = String::new();
    for c in word.chars() {
        let kept = bones.is_empty() || !matches!(c, 'a' | 'e' | 'i' | 'o' | 'u');
        if kept && !bones.ends_with(c) {
            bones.push(c);
        }
    }
    bones
}

/// Whether hardly a vowel is left after the first letter.
fn is_bony(word: &str) -> bool {
    let vowels = word.chars().skip(1).filter(|c| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u')).count();
    vowels * 4 <= word.len()
}

fn is_subsequence(short: &str, long: &str) -> bool {
    let mut rest = long.chars();
    short.chars().all(|c| rest.any(|other| other == c))
}

/// Hashes of a word and of what is left of it without one letter.
fn shorter(word: &str) -> Vec<u64> {
    let without =
        |skip: usize| -> String { word.chars().enumerate().filter(|(at, _)| *at != skip).map(|(_, c)| c).collect() };
    let mut hashes: Vec<u64> = (0..word.chars().count()).map(|at| feature("spelling", &without(at))).collect();
    hashes.push(feature("spelling", word));
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// Whether one letter was dropped, added, replaced or swapped with its neighbour. Another ending is another word, not
/// an error, unless it only doubles a letter.
fn is_one_error(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let length = a.len().min(b.len());
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let before = same.checked_sub(1).and_then(|at| a.get(at));
    let (a, b) = (items(&a, same..), items(&b, same..));
    match (a, b) {
        ([x, y, a @ ..], [z, w, b @ ..]) if x == w && y == z && a == b => true,
        ([_, a @ ..], [_, b @ ..]) if a == b => !a.is_empty() && length >= REPLACED,
        ([last], []) | ([], [last]) => Some(last) == before,
        ([_, rest @ ..], whole) | (whole, [_, rest @ ..]) if rest == whole => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Spelling {
        let words = ["customer", "product", "receive", "quantity", "description", "descent", "manager"];
        Spelling::new(words.iter().map(|word| ((*word).to_owned(), feature("", word))))
    }

    fn check(found: impl Iterator<Item = u64>, expected: &[&str]) {
        let mut found: Vec<u64> = found.collect();
        found.sort_unstable();
        found.dedup();
        let mut expected: Vec<u64> = expected.iter().map(|word| feature("", word)).collect();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn one_error_is_traced_back() {
        let known = known();
        for word in ["recieve", "receve", "receeive", "receivee"] {
            check(known.mistyped(word), &["receive"]);
        }
        check(known.mistyped("cutsomer"), &["customer"]);
        check(known.mistyped("customrr"), &["customer"]);
        check(known.mistyped("custmr"), &[]);
        check(known.mistyped("managed"), &[]);
        check(known.mistyped("manger"), &[]);
        check(known.mistyped("recezve"), &[]);
        check(known.mistyped("eproduct"), &[]);
        check(known.mistyped("roduct"), &[]);
        check(known.mistyped(""), &[]);
    }

    #[test]
    fn dropped_vowels_and_ends_are_traced_back() {
        let known = known();
        check(known.without_vowels("prdct"), &["product"]);
        check(known.without_vowels("custmr"), &["customer"]);
        check(known.without_vowels("qntty"), &["quantity"]);
        check(known.without_vowels("cuustomr"), &[]);
        check(known.without_vowels("manger"), &[]);
        check(known.cut("descr"), &["description"]);
        check(known.cut("desc"), &["description", "descent"]);
        check(known.cut("des"), &[]);
        check(known.cut("quantit"), &[]);
    }

    #[test]
    fn endings() {
        assert_eq!(singular("categories").first().map(String::as_str), Some("category"));
        assert_eq!(singular("addresses").get(1).map(String::as_str), Some("addresse"));
        assert!(singular("status").is_empty());
        assert_eq!(american("organisation").as_deref(), Some("organization"));
        assert_eq!(american("colour").as_deref(), Some("color"));
        assert_eq!(american("four"), None);
    }
}
