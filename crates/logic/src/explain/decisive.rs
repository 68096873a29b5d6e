//! The expressions that decided an outcome.

use serde_json::Value;

use super::{Explanation, Label, Outcome};
use crate::js;
use crate::op::Op;
use crate::value::Val;

impl Explanation {
    /// The path from the root to the sub-expression that decided the result: the one that failed, the operand that made
    /// an `and` false or an `or` true, the branch that was taken. It ends at an expression that no single
    /// sub-expression decided.
    pub fn decisive(&self) -> Vec<&Explanation> {
        let mut way = vec![self];
        let mut node = self;
        while let Some(next) = node.decider() {
            way.push(next);
            node = next;
        }
        way
    }

    fn decider(&self) -> Option<&Explanation> {
        let last = self.evaluated().last();
        match &self.outcome {
            Outcome::NotEvaluated => None,
            // An operand that is not a boolean has a value; the error is its connective's.
            Outcome::Error(error) => {
                last.filter(|child| child.outcome == self.outcome || child.pointer == error.pointer)
            }
            Outcome::Value(value) => match &self.label {
                Label::Operator(op) => last.filter(|_| decided_by_last(*op, value)),
                Label::Literal | Label::List | Label::Variable(_) | Label::ComputedVariable => None,
            },
            Outcome::Other(_) => None,
        }
    }

    fn evaluated(&self) -> impl Iterator<Item = &Explanation> {
        self.children.iter().filter(|child| child.outcome != Outcome::NotEvaluated)
    }
}

/// Returns true if the operand that was evaluated last decided the value.
fn decided_by_last(op: Op, value: &Value) -> bool {
    match op {
        Op::And | Op::All | Op::None => !js::truthy(&Val::of(value)),
        Op::Or | Op::Some => js::truthy(&Val::of(value)),
        Op::Not | Op::Truthy | Op::If | Op::Log => true,
        Op::Missing
        | Op::MissingSome
        | Op::Equal
        | Op::StrictEqual
        | Op::NotEqual
        | Op::StrictNotEqual
        | Op::Greater
        | Op::GreaterEqual
        | Op::Less
        | Op::LessEqual
        | Op::Max
        | Op::Min
        | Op::Add
        | Op::Subtract
        | Op::Multiply
        | Op::Divide
        | Op::Remainder
        | Op::Map
        | Op::Reduce
        | Op::Filter
        | Op::Merge
        | Op::In
        | Op::Cat
        | Op::Substr => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Mode, Program};
    use serde_json::{Value, json};

    fn check(rule: Value, data: Value, way: &[&str]) {
        let explanation = Program::compile(&rule, Mode::Strict).unwrap().explain(&data);
        let seen: Vec<&str> = explanation.decisive().iter().map(|e| e.pointer.as_str()).collect();
        assert_eq!(seen, way, "{explanation}");
    }

    #[test]
    fn the_way_to_the_operand_that_decided() {
        let rule = json!({"and": [
            {"==": [{"var": "role"}, "agent"]},
            {"!": [{">": [{"var": "amount"}, 100]}]}
        ]});
        let at = ["", "/and/1", "/and/1/!/0"];
        check(rule.clone(), json!({"role": "agent", "amount": 200}), &at);
        check(rule.clone(), json!({"role": "boss", "amount": 200}), &["", "/and/0"]);
        check(rule.clone(), json!({"role": "agent", "amount": 20}), &[""]);
        let failing = ["", "/and/1", "/and/1/!/0", "/and/1/!/0/>/0"];
        check(rule, json!({"role": "agent"}), &failing);
    }

    #[test]
    fn an_operand_that_is_no_boolean_is_to_blame() {
        check(json!({"and": [true, {"var": "x"}]}), json!({"x": 1}), &["", "/and/1"]);
    }

    #[test]
    fn an_all_is_decided_by_its_last_element() {
        let rule = json!({"all": [{"var": "n"}, {"<": [{"var": ""}, 3]}]});
        check(rule, json!({"n": [1, 5, 2]}), &["", "/all/1"]);
    }
}
