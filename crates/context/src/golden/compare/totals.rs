//! Exhaustive expectations, redactions and dropped blocks; and the numbers and the hash.

use super::finding::Findings;
use super::lists;
use deed_diag::{Invariant as _, did_you_mean, quote};
use deed_model::{Bucket, CompiledContext, GoldenExpectation};

pub(super) fn compare(expect: &GoldenExpectation, context: &CompiledContext<'_>, findings: &mut Findings<'_>) {
    redactions(expect, context, findings);
    dropped(expect, context, findings);
    tokens(expect, context, findings);
    hash(expect, context, findings);
}

/// Rules that are not listed must redact nothing.
fn redactions(expect: &GoldenExpectation, context: &CompiledContext<'_>, findings: &mut Findings<'_>) {
    let Some(expected) = &expect.redactions else { return };
    let found = &context.context_ledger.redactions;
    for (rule, count) in expected {
        let path = ["redactions", rule.as_str()];
        match found.iter().find(|redaction| redaction.rule == *rule) {
            Some(redaction) if redaction.count == *count => {}
            Some(redaction) => {
                let message = format!("expected {} to hide {count} and found {}", quote(rule), redaction.count);
                findings.differs(&path, message, None);
            }
            None => {
                let message = format!("the pack has no redaction rule {}", quote(rule));
                findings.differs(&path, message, did_you_mean(rule, found.iter().map(|r| r.rule.as_ref())));
            }
        }
    }
    for more in found.iter().filter(|r| r.count > 0 && !expected.contains_key(r.rule.as_ref())) {
        let message = format!("expected {} to hide nothing and found {}", quote(&more.rule), more.count);
        findings.differs(&["redactions"], message, None);
    }
}

/// Buckets that are not listed must drop nothing.
fn dropped(expect: &GoldenExpectation, context: &CompiledContext<'_>, findings: &mut Findings<'_>) {
    let Some(expected) = &expect.dropped else { return };
    for bucket in Bucket::ALL {
        let found = context.budget_report.dropped_block_ids.get(&bucket);
        let found: Vec<&str> = found.into_iter().flatten().map(|id| id.as_ref()).collect();
        match expected.get(&bucket) {
            Some(expected) => lists::entry(&["dropped", bucket.as_str()], expected, &found, findings),
            None if found.is_empty() => {}
            None => {
                let message = format!("expected `{bucket}` to lose nothing and found [{}]", found.join(", "));
                findings.differs(&["dropped"], message, None);
            }
        }
    }
}

fn tokens(expect: &GoldenExpectation, context: &CompiledContext<'_>, findings: &mut Findings<'_>) {
    for (bucket, expected) in &expect.tokens_allocated {
        let found = context.budget_report.tokens_allocated.get(*bucket);
        if found != *expected {
            let message = format!("expected {expected} tokens for `{bucket}` and found {found}");
            findings.differs(&["tokens_allocated", bucket.as_str()], message, None);
        }
    }
}

fn hash(expect: &GoldenExpectation, context: &CompiledContext<'_>, findings: &mut Findings<'_>) {
    let Some(expected) = &expect.compiled_context_hash else { return };
    let found = context.context_ledger.compiled_context_hash.invariant("a compiled context has a hash").to_string();
    if *expected != found {
        let help = format!("found {found}");
        findings.differs(&["compiled_context_hash"], "the compiled context has another hash".to_owned(), Some(help));
    }
}
