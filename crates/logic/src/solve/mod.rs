//! Satisfiability: can these predicates hold together on any context? Sound and incomplete: an answer is proven, and
//! anything that cannot be proven cheaply is left open.

mod atom;
mod conjunction;
mod domain;
mod fit;
mod normal;
mod words;

use crate::program::Program;
use crate::ty::Ty;
use atom::Atom;
use conjunction::Clash;
use normal::{Builder, Normal, both};

/// A predicate, asserted or denied.
#[derive(Clone, Copy, Debug)]
pub struct Term<'p> {
    /// The predicate.
    pub program: &'p Program,
    /// True if it is asserted, false if it is denied.
    pub holds: bool,
}

/// The satisfiability of a conjunction of terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sat {
    /// It holds on no context.
    Never {
        /// The clashing constraints, in words.
        reason: String,
    },
    /// It holds on every context on which all terms evaluate without error.
    Always,
    /// Neither is proven.
    Sometimes,
}

/// Decides whether the terms can hold together on any context of this type.
///
/// ```
/// use deed_logic::{Mode, Program, Sat, Term, Ty, satisfiable};
/// use serde_json::json;
///
/// let compile = |rule| Program::compile(&rule, Mode::Strict).unwrap();
/// let (more, less) = (compile(json!({">": [{"var": "n"}, 5]})), compile(json!({"<": [{"var": "n"}, 3]})));
/// let terms = [Term { program: &more, holds: true }, Term { program: &less, holds: true }];
/// assert!(matches!(satisfiable(&terms, &Ty::infer(&json!({"n": 1}))), Sat::Never { .. }));
/// ```
pub fn satisfiable(terms: &[Term<'_>], context: &Ty) -> Sat {
    if let Some(reason) = refute(terms, context, conjunction::reason) {
        return Sat::Never { reason };
    }
    let always = terms.iter().all(|term| {
        let denied = Term { program: term.program, holds: !term.holds };
        refute(&[denied], context, wordless).is_some()
    });
    if always { Sat::Always } else { Sat::Sometimes }
}

/// Returns true if `b` is proven to hold wherever `a` does and both evaluate without error.
pub fn implies(a: &Program, b: &Program, context: &Ty) -> bool {
    let terms = [Term { program: a, holds: true }, Term { program: b, holds: false }];
    refute(&terms, context, wordless).is_some()
}

/// Returns the reason why the terms cannot hold together, if it can be shown.
fn refute(terms: &[Term<'_>], context: &Ty, word: fn(&Clash<'_, '_>, &Ty) -> String) -> Option<String> {
    let mut builder = Builder::new(context);
    let mut all: Normal = vec![Vec::new()];
    for term in terms {
        let next = builder.term(term.program.mode(), term.program.root(), term.holds)?;
        all = both(&all, &next)?;
    }
    let mut reason = None;
    for conjunction in &all {
        let atoms: Vec<&Atom<'_>> = conjunction.iter().filter_map(|i| builder.atoms.get(*i)).collect();
        let clash = conjunction::clash(&atoms, context)?;
        reason.get_or_insert_with(|| word(&clash, context));
    }
    let cases = all.len();
    Some(match reason {
        Some(reason) if cases > 1 && !reason.is_empty() => {
            format!("{reason}; nor in the other {} cases", cases - 1)
        }
        Some(reason) => reason,
        None => "a term is constant and never comes out as asserted".to_owned(),
    })
}

/// For callers that need no reason: no text is built.
fn wordless(_: &Clash<'_, '_>, _: &Ty) -> String {
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mode;
    use serde_json::{Value, json};

    fn context() -> Ty {
        Ty::from_schema(&json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["role", "amount", "ok"],
            "properties": {
                "role": {"enum": ["agent", "lead"]},
                "amount": {"type": "number", "minimum": 0},
                "limit": {"type": "number"},
                "ok": {"type": "boolean"},
                "note": {"type": ["string", "null"]},
                "code": {"enum": [1, 2, 3]},
                "gap": {"anyOf": [
                    {"type": "number", "minimum": 0, "maximum": 1},
                    {"type": "number", "minimum": 5, "maximum": 6}
                ]}
            }
        }))
    }

    fn solve_in(mode: Mode, rules: &[(Value, bool)]) -> Sat {
        let programs: Vec<(Program, bool)> =
            rules.iter().map(|(rule, holds)| (Program::compile(rule, mode).unwrap(), *holds)).collect();
        let terms: Vec<Term<'_>> = programs.iter().map(|(program, holds)| Term { program, holds: *holds }).collect();
        satisfiable(&terms, &context())
    }

    fn solve(rules: &[(Value, bool)]) -> Sat {
        solve_in(Mode::Strict, rules)
    }

    fn never(rules: &[(Value, bool)], expected: &str) {
        assert_eq!(solve(rules), Sat::Never { reason: expected.to_owned() });
    }

    fn v(path: &str) -> Value {
        json!({ "var": path })
    }

    #[test]
    fn intervals() {
        let over = json!({">": [v("amount"), 3000]});
        never(
            &[(over.clone(), true), (json!({"<=": [v("amount"), 3000]}), true)],
            "`amount` > 3000 and `amount` <= 3000 cannot hold together",
        );
        never(
            &[(over.clone(), true), (json!({">": [v("amount"), 1000]}), false)],
            "`amount` > 3000 and `amount` <= 1000 cannot hold together",
        );
        never(&[(json!({"<": [v("amount"), 0]}), true)], "`amount` < 0 cannot hold: `amount` is at least 0");
        assert_eq!(solve(&[(json!({">=": [v("amount"), 0]}), true)]), Sat::Always);
        assert_eq!(solve(&[(over, true)]), Sat::Sometimes);
        never(
            &[(json!({"<=": [5, v("amount"), 5]}), true), (json!({"!=": [v("amount"), 5]}), true)],
            "5 <= `amount` <= 5 and `amount` != 5 cannot hold together",
        );
    }

    #[test]
    fn finite_sets() {
        let is = |role: &str| json!({"==": [v("role"), role]});
        never(
            &[(is("agent"), true), (is("lead"), true)],
            "`role` == \"agent\" and `role` == \"lead\" cannot hold together",
        );
        never(&[(is("boss"), true)], "`role` == \"boss\" cannot hold: `role` is one of \"agent\", \"lead\"");
        let Sat::Never { .. } = solve(&[(is("agent"), false), (is("lead"), false)]) else {
            panic!("a role is one or the other");
        };
        assert_eq!(solve(&[(json!({"or": [is("agent"), is("lead")]}), true)]), Sat::Always);
        let either = json!({"in": [v("role"), ["agent", "lead"]]});
        assert_eq!(solve(&[(either, true)]), Sat::Always);
        let others = json!({"in": [v("code"), [4, 5]]});
        assert!(matches!(solve(&[(others, true)]), Sat::Never { .. }));
        assert_eq!(solve(&[(json!({"or": [v("ok"), {"!": v("ok")}]}), true)]), Sat::Always);
    }

    #[test]
    fn a_null_is_unequal_to_everything_but_null() {
        let text = json!({"==": [v("note"), "a"]});
        let number = json!({"==": [v("note"), 1]});
        // Only a null can be compared with both, and then it equals neither.
        assert_eq!(solve(&[(text.clone(), false), (number.clone(), false)]), Sat::Sometimes);
        let null = json!({"==": [v("note"), null]});
        assert!(matches!(solve(&[(text, false), (number, false), (null, false)]), Sat::Never { .. }));
    }

    #[test]
    fn two_intervals_are_not_one() {
        assert_eq!(solve(&[(json!({"==": [v("gap"), 5]}), true)]), Sat::Sometimes);
        assert_eq!(solve(&[(json!({"==": [v("gap"), 1]}), true)]), Sat::Sometimes);
    }

    #[test]
    fn the_same_thing_both_ways() {
        let some = json!({"some": [v("note"), true]});
        assert!(matches!(solve(&[(some.clone(), true), (some, false)]), Sat::Never { .. }));
        let less = json!({"<": [v("amount"), v("limit")]});
        let more = json!({"<=": [v("limit"), v("amount")]});
        assert!(matches!(solve(&[(less, true), (more, true)]), Sat::Never { .. }));
    }

    #[test]
    fn missing_is_a_condition_and_not_a_boolean() {
        let limit = json!({"missing": ["limit"]});
        assert_eq!(solve(&[(limit.clone(), true)]), Sat::Sometimes);
        never(
            &[(limit.clone(), true), (json!({"!": limit}), true)],
            "`missing` of \"limit\" and not `missing` of \"limit\" contradict each other",
        );
        // The list is never equal to a boolean, so this says nothing about it.
        let unequal = json!({"!==": [limit, true]});
        assert_eq!(solve(&[(limit.clone(), true), (unequal, true)]), Sat::Sometimes);
        // What the type of the context says is known.
        let constant = |rule: Value, holds: bool| matches!(solve(&[(rule, holds)]), Sat::Never { .. });
        assert!(constant(json!({"missing": ["role", "amount"]}), true));
        assert!(constant(json!({"missing": [["role", "nowhere"]]}), false));
        assert!(!constant(json!({"missing": ["role", "limit"]}), false));
        assert!(!constant(json!({"missing_some": [1, ["role"]]}), true));
    }

    #[test]
    fn compat_trusts_only_types() {
        let over = json!({">": [v("amount"), 5]});
        let under = json!({"<=": [v("amount"), 5]});
        let rules = [(over, true), (under, true)];
        assert!(matches!(solve_in(Mode::Compat, &rules), Sat::Never { .. }));
        let over = json!({">": [v("limit"), 5]});
        let under = json!({"<=": [v("limit"), 5]});
        // An absent limit is neither over nor under.
        let rules = [(over, false), (under, false)];
        assert_eq!(solve_in(Mode::Compat, &rules), Sat::Sometimes);
        assert!(matches!(solve(&rules), Sat::Never { .. }));
    }

    #[test]
    fn implication() {
        let compile = |rule: Value| Program::compile(&rule, Mode::Strict).unwrap();
        let high = compile(json!({"and": [{">": [v("amount"), 5000]}, v("ok")]}));
        let low = compile(json!({">": [v("amount"), 3000]}));
        assert!(implies(&high, &low, &context()));
        assert!(!implies(&low, &high, &context()));
    }
}
