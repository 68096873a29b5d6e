//! A search for many texts at once, in any case.

use aho_corasick::AhoCorasick;

/// Texts to search for. Built once, then used for every text.
#[derive(Debug, Clone)]
pub struct Words {
    /// `None` if they are too many or too long to be built; then every text counts as having one.
    sought: Option<AhoCorasick>,
}

impl Words {
    /// Builds the search; empty texts are left out.
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
        Self { sought: AhoCorasick::new(words).ok() }
    }

    /// Returns true if one of them is in a text, whatever its case.
    pub fn is_in(&self, text: &str) -> bool {
        self.sought.as_ref().is_none_or(|sought| sought.is_match(&text.to_lowercase()))
    }
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn any_of_them_is_found_in_any_case() {
        let words = Words::new(["Secret", "", "Straße"]);
        assert!(words.is_in("a SECRET here") && words.is_in("straße 1"));
        assert!(!words.is_in("nothing") && !Words::new([]).is_in("anything"));
    }
}
