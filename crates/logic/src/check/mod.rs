//! The static check of a rule against the type of its evaluation context.
//!
//! Its law: a strict rule without findings, on a context whose type is closed and nowhere `Any`,
//! never misses a variable and never meets a value of the wrong type.

mod compare;
mod finding;
mod infer;
mod iterate;
mod keys;

pub use finding::{Finding, FindingKind, Severity};

use crate::expr::Expr;
use crate::mode::Mode;
use crate::program::Program;
use crate::ty::Ty;

/// The estimated number of steps above which a rule is reported as costly.
const COSTLY: u64 = 100_000;

/// The depth from which a rule is reported as deep.
const DEEP: usize = 32;

/// Checks a predicate: every operand, and that the rule as a whole is a boolean.
pub fn check(program: &Program, context: &Ty) -> Vec<Finding> {
    let mut checker = Checker { mode: program.mode(), findings: Vec::new() };
    let ty = checker.infer(program.root(), context);
    checker.boolean(program.root(), &ty);
    checker.finish(program)
}

/// Checks a rule that may return any value.
pub fn check_value(program: &Program, context: &Ty) -> Vec<Finding> {
    let mut checker = Checker { mode: program.mode(), findings: Vec::new() };
    checker.infer(program.root(), context);
    checker.finish(program)
}

/// The findings so far.
struct Checker {
    mode: Mode,
    findings: Vec<Finding>,
}

impl Checker {
    fn report(&mut self, at: &Expr, severity: Severity, kind: FindingKind) {
        let finding = Finding { pointer: at.pointer.clone(), severity, kind };
        // The body of a `reduce` is read more than once.
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    /// Requires that every alternative of a type is accepted. Only strict mode has such requirements; json-logic-js
    /// converts any value.
    fn demand(&mut self, at: &Expr, ty: &Ty, accepts: fn(&Ty) -> bool, kind: FindingKind) {
        if self.mode == Mode::Compat || *ty == Ty::Any {
            return;
        }
        let variants = ty.variants();
        let fitting = variants.iter().filter(|v| **v == Ty::Any || accepts(v)).count();
        if fitting == 0 {
            self.report(at, Severity::Error, kind);
        } else if fitting < variants.len() {
            self.report(at, Severity::Warning, kind);
        }
    }

    fn boolean(&mut self, at: &Expr, ty: &Ty) {
        if at.lists_missing() {
            return;
        }
        let kind = FindingKind::NotBoolean { found: ty.to_string() };
        self.demand(at, ty, |ty| matches!(ty, Ty::Bool), kind);
    }

    fn finish(mut self, program: &Program) -> Vec<Finding> {
        if program.static_cost() > COSTLY {
            let kind = FindingKind::Costly { cost: program.static_cost() };
            self.report(program.root(), Severity::Warning, kind);
        }
        if program.depth() > DEEP {
            let kind = FindingKind::Deep { depth: program.depth() };
            self.report(program.root(), Severity::Warning, kind);
        }
        self.findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn context() -> Ty {
        Ty::from_schema(&json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["role", "amount", "ok", "items", "note"],
            "properties": {
                "role": {"enum": ["agent", "lead"]},
                "amount": {"type": "number"},
                "limit": {"type": "number"},
                "ok": {"type": "boolean"},
                "note": {"type": ["string", "null"]},
                "items": {"type": "array", "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["price"],
                    "properties": {"price": {"type": "number"}, "sku": {"type": "string"}}
                }}
            }
        }))
    }

    fn check(rule: Value, expected: &[&str]) {
        let program = Program::compile(&rule, Mode::Strict).unwrap();
        let found: Vec<String> =
            super::check(&program, &context()).iter().map(|f| format!("{:?} {} {f}", f.severity, f.pointer)).collect();
        assert_eq!(found, expected, "{rule}");
    }

    #[test]
    fn sound_rules_have_no_findings() {
        check(json!({"and": [{"==": [{"var": "role"}, "agent"]}, {"var": "ok"}]}), &[]);
        check(json!({"<": [1, {"var": "amount"}, {"var": ["limit", 5]}]}), &[]);
        check(json!({"all": [{"var": "items"}, {">": [{"var": "price"}, 0]}]}), &[]);
        check(json!({"!=": [{"var": "note"}, null]}), &[]);
        let sum = json!({"+": [{"var": "accumulator"}, {"var": "current.price"}]});
        check(json!({">": [{"reduce": [{"var": "items"}, sum, 0]}, 10]}), &[]);
        // The accumulator is null, then a number, and stays one.
        let last = json!({"reduce": [{"var": "items"}, {"var": "current.price"}, null]});
        check(json!({"==": [last, 10]}), &[]);
        check(json!({"==": [{"missing": ["role", "limit"]}, []]}), &[]);
        check(json!({">": [{"var": "items.length"}, 2]}), &[]);
        check(json!({"missing": ["role", "limit"]}), &[]);
        check(json!({"!": {"missing_some": [1, ["role", "limit"]]}}), &[]);
        check(json!({"some": [{"var": "items"}, {"missing": "sku"}]}), &[]);
    }

    #[test]
    fn only_the_list_of_missing_is_a_condition() {
        let list = "a condition must be true or false, got an array";
        check(json!({"!": {"merge": [{"missing": ["limit"]}]}}), &[&format!("Error /! {list}")]);
        check(json!({"var": "items"}), &[&format!("Error  {list}")]);
        check(
            json!({"if": [{"missing": ["limit"]}, {"missing": ["role"]}, true]}),
            &["Warning  a condition must be true or false, got an array or a boolean"],
        );
    }

    #[test]
    fn variables() {
        check(json!({"==": [{"var": "rol"}, "agent"]}), &["Error /==/0 the context has no `rol`"]);
        check(
            json!({">": [{"var": "limit"}, 1]}),
            &["Warning />/0 the context may have no `limit` and there is no default"],
        );
        check(
            json!({"some": [{"var": "items"}, {">": [{"var": "amount"}, 1]}]}),
            &["Error /some/1/>/0 the context has no `amount`"],
        );
        check(json!({"==": [{"missing": ["rol"]}, []]}), &["Warning /==/0/missing/0 the context has no `rol`"]);
    }

    #[test]
    fn types() {
        check(
            json!({">": [{"var": "role"}, 3]}),
            &["Error  `>` needs two numbers or two strings, got a string and a number"],
        );
        check(
            json!({"==": [{"var": "ok"}, "true"]}),
            &["Error  `==` needs two of one type, got a boolean and a string"],
        );
        check(
            json!({"==": [{"var": "role"}, "admin"]}),
            &["Error  `==` compares one of `agent`, `lead` with `admin`, which are never equal"],
        );
        check(
            json!({"in": [{"var": "role"}, ["admin", "lead"]]}),
            &["Error /in/1/0 `in` compares one of `agent`, `lead` with `admin`, which are never equal"],
        );
        check(
            json!({"<": [{"var": "note"}, "m"]}),
            &["Warning  `<` needs two numbers or two strings, got a string or null and a string"],
        );
        check(json!({"and": [{"var": "amount"}]}), &["Error /and/0 a condition must be true or false, got a number"]);
        check(
            json!({"+": [{"var": "amount"}, "x"]}),
            &["Error /+/1 `+` needs numbers, got a string", "Error  a condition must be true or false, got a number"],
        );
        check(
            json!({"===": [{"var": "ok"}, 1]}),
            &["Warning  `===` compares a boolean with a number, which are never equal"],
        );
    }
}
