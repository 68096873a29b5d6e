//! The prompts that a profile can refer to: those that ship, its own, and those of the registry.

use super::shipped::shipped_prompts;
use deed_canon::{CanonError, ContentHash, hash_of};
use deed_model::{ExecutionProfile, PROMPT_TAG, PromptBinding, PromptRef};

/// The prompts that a profile can refer to. No prompt replaces an earlier one of the
/// same reference.
#[derive(Debug, Clone)]
pub struct PromptLibrary<'a> {
    prompts: Vec<(PromptRef, &'a PromptBinding)>,
}

impl<'a> PromptLibrary<'a> {
    /// Collects the shipped prompts, those of a profile that have a reference, and those of the registry, in this order.
    pub fn of(profile: Option<&'a ExecutionProfile>, published: &'a [PromptBinding]) -> Self {
        let own = profile.map(|profile| profile.prompts.as_slice()).unwrap_or_default();
        let all = shipped_prompts().iter().chain(own).chain(published);
        Self { prompts: all.filter_map(|prompt| Some((prompt.prompt_ref.parse().ok()?, prompt))).collect() }
    }

    /// Finds a prompt; without a version the one with the highest.
    pub fn find(&self, wanted: &PromptRef) -> Option<(&PromptRef, &'a PromptBinding)> {
        let mut named =
            self.prompts.iter().filter(|(own, _)| own.prompt_id == wanted.prompt_id && own.version.is_some());
        let found = match wanted.version {
            // The first one: a prompt of the profile never takes the place of a shipped one.
            Some(_) => named.find(|(own, _)| own == wanted),
            None => named.rev().max_by_key(|(own, _)| own.version),
        };
        found.map(|(own, prompt)| (own, *prompt))
    }

    /// Returns the references of all prompts.
    pub fn references(&self) -> Vec<String> {
        self.prompts.iter().map(|(own, _)| own.to_string()).collect()
    }
}

/// Computes the hash of a prompt.
///
/// # Errors
/// It has no canonical form.
pub fn prompt_hash(prompt: &PromptBinding) -> Result<ContentHash, CanonError> {
    hash_of(&PROMPT_TAG, prompt)
}
