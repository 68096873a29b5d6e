//! The names of checks in receipts.

use crate::plan::{ConditionCheck, ValidatorCheck};
use crate::words::stored_as_text;

/// The name of a check in a receipt.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckName {
    /// A validator of the contract.
    Validator(ValidatorCheck),
    /// A criterion of success of the step or the mission.
    Criterion(ConditionCheck),
    /// No placeholder is left in an output.
    Placeholders,
    /// A set has as many files as the contract allows.
    Files,
    /// A list has no more items than the contract lets its code work through.
    ForEach,
    /// An output is still what an evaluation judged.
    Judged,
    /// A name of another version, as it was written.
    Other(String),
}

impl CheckName {
    /// All names that this version knows.
    pub const KNOWN: [Self; 17] = [
        Self::Validator(ValidatorCheck::Exists),
        Self::Validator(ValidatorCheck::Parses),
        Self::Validator(ValidatorCheck::Fields),
        Self::Validator(ValidatorCheck::EntitySchema),
        Self::Validator(ValidatorCheck::UniqueGrain),
        Self::Validator(ValidatorCheck::Provenance),
        Self::Criterion(ConditionCheck::Exists),
        Self::Criterion(ConditionCheck::NotEmpty),
        Self::Criterion(ConditionCheck::Parses),
        Self::Criterion(ConditionCheck::MatchesSchema),
        Self::Criterion(ConditionCheck::RowsAtLeast),
        Self::Criterion(ConditionCheck::RowsAtMost),
        Self::Criterion(ConditionCheck::Rule),
        Self::Placeholders,
        Self::Files,
        Self::ForEach,
        Self::Judged,
    ];

    /// Returns the name as it is written.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Validator(check) => check.as_str(),
            Self::Criterion(ConditionCheck::Exists) => "criterion: exists",
            Self::Criterion(ConditionCheck::NotEmpty) => "criterion: not_empty",
            Self::Criterion(ConditionCheck::Parses) => "criterion: parses",
            Self::Criterion(ConditionCheck::MatchesSchema) => "criterion: matches_schema",
            Self::Criterion(ConditionCheck::RowsAtLeast) => "criterion: rows_at_least",
            Self::Criterion(ConditionCheck::RowsAtMost) => "criterion: rows_at_most",
            Self::Criterion(ConditionCheck::Rule) => "criterion: rule",
            Self::Placeholders => "placeholders",
            Self::Files => "files",
            Self::ForEach => "for_each",
            Self::Judged => "judged",
            Self::Other(name) => name,
        }
    }
}

impl From<&str> for CheckName {
    fn from(name: &str) -> Self {
        let known = Self::KNOWN.into_iter().find(|known| known.as_str() == name);
        known.unwrap_or_else(|| Self::Other(name.to_owned()))
    }
}

impl From<ValidatorCheck> for CheckName {
    fn from(check: ValidatorCheck) -> Self {
        Self::Validator(check)
    }
}

stored_as_text!(CheckName);

#[cfg(test)]
mod tests {
    use super::CheckName;
    use crate::plan::ConditionCheck;

    #[test]
    fn unknown_names_are_kept_as_they_were_written() {
        crate::words::check_round_trip(&CheckName::KNOWN, |name| matches!(name, CheckName::Other(_)));
        assert_eq!(CheckName::from("criterion: unheard_of"), CheckName::Other("criterion: unheard_of".to_owned()));
    }

    /// A criterion is written as the plan writes it.
    #[test]
    fn criteria_have_the_words_of_plans() {
        for name in CheckName::KNOWN {
            if let CheckName::Criterion(check) = &name {
                let word: ConditionCheck =
                    serde_json::from_value(name.as_str().trim_start_matches("criterion: ").into()).unwrap();
                assert_eq!(word, *check);
            }
        }
    }
}
