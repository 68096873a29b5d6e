//! The compiler's count beside the provider's.

use deed_model::{CompiledContext, UsageReport};

/// Compares the token count that a provider reported for a prompt with the compiler's count.
pub fn reconcile(context: &CompiledContext<'_>, reported: u64) -> UsageReport {
    let budget = &context.budget_report;
    let counted = budget.head_tokens.sum().saturating_add(budget.tokens_used_at_compile);
    let signed = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    UsageReport {
        counted,
        difference: signed(reported).saturating_sub(signed(counted)),
        exact: context.context_ledger.tokenizer.exact,
        per_mille: reported.saturating_mul(1000).checked_div(counted).unwrap_or(0),
        reported,
        tokenizer: context.context_ledger.tokenizer.id.clone().into_owned(),
    }
}
