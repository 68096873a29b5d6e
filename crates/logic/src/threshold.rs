//! The response of a rule to a change of one of its numbers.
//!
//! The answer is by polarity: it follows the number up through comparisons, `and`, `or`, `!` and `!!`, and gives up at
//! anything else. Errors count as in force, as everywhere in Deed: if a rule is said to grow, then wherever it held or
//! failed before the move it holds or fails after it. Short-circuiting makes that stronger than polarity, because an
//! operand that is reached only after the move may fail; see [`Move`].

use std::collections::BTreeSet;

use serde_json::Value;

use crate::pointer;

/// The direction in which a number must move for the rule to be in force more often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Monotone {
    /// The rule is in force wherever it was before, and perhaps elsewhere, when the number is lowered.
    GrowsWhenLowered,
    /// The same, when the number is raised.
    GrowsWhenRaised,
    /// Neither is proven, for this reason.
    Unproven(&'static str),
}

/// Returns the response of a rule to the number literal at this pointer.
pub fn threshold(rule: &Value, pointer: &str) -> Monotone {
    let Some(tokens) = pointer::tokens(pointer) else {
        return Monotone::Unproven("the pointer is malformed");
    };
    if !rule.pointer(pointer).is_some_and(Value::is_number) {
        return Monotone::Unproven("the pointer does not lead to a number");
    }
    match follow(rule, &tokens) {
        Err(reason) => Monotone::Unproven(reason),
        Ok(response) if response.moves.iter().any(|(from, to)| *from != State::False && *to == State::False) => {
            Monotone::Unproven("an operand that fails could come into play")
        }
        Ok(response) => match response.grows {
            Grows::Lowered => Monotone::GrowsWhenLowered,
            Grows::Raised => Monotone::GrowsWhenRaised,
        },
    }
}

/// The result of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    True,
    False,
    Error,
}

/// The changes of an expression's result when the number moves in the direction of growth.
type Move = (State, State);

/// The direction of growth.
#[derive(Clone, Copy)]
enum Grows {
    Lowered,
    Raised,
}

/// The response of an expression when the number moves.
struct Response {
    grows: Grows,
    moves: BTreeSet<Move>,
}

impl Response {
    /// A comparison changes from false to true; its errors do not depend on the number.
    fn comparison(grows: Grows) -> Response {
        Response { grows, moves: BTreeSet::from([(State::False, State::True)]) }
    }

    fn negated(self) -> Response {
        let grows = match self.grows {
            Grows::Lowered => Grows::Raised,
            Grows::Raised => Grows::Lowered,
        };
        // Growth is now in the other direction, so each change is reversed, on the opposite truths.
        let moves = self.moves.into_iter().map(|(from, to)| (opposite(to), opposite(from))).collect();
        Response { grows, moves }
    }

    /// The response as an operand of a connective that continues with `follows` while the operand is `passing`.
    fn connected(self, passing: State, follows: &[State]) -> Response {
        let mut moves = BTreeSet::new();
        for (from, to) in self.moves {
            for later in follows {
                let result = |state: State| if state == passing { *later } else { state };
                moves.insert((result(from), result(to)));
            }
        }
        moves.retain(|(from, to)| from != to);
        Response { grows: self.grows, moves }
    }
}

fn opposite(state: State) -> State {
    match state {
        State::True => State::False,
        State::False => State::True,
        State::Error => State::Error,
    }
}

fn follow(rule: &Value, tokens: &[String]) -> Result<Response, &'static str> {
    let (op, rest) = tokens.split_first().ok_or("the number is itself the condition")?;
    let fields =
        rule.as_object().filter(|fields| fields.len() == 1).ok_or("the number stands in a list or an object")?;
    let values = fields.get(op).ok_or("the pointer does not follow the rule")?;
    // A single argument may stand without its array.
    let args = values.as_array().map_or(std::slice::from_ref(values), Vec::as_slice);
    let (index, rest) = match rest.split_first() {
        Some((token, rest)) if values.is_array() => {
            (token.parse().map_err(|_| "the pointer does not follow the rule")?, rest)
        }
        Some(_) | None => (0_usize, rest),
    };
    let arg = args.get(index).ok_or("the pointer does not follow the rule")?;
    // A constant operand that follows cannot fail, but is treated like one that can.
    let follows = |passing: State| match args.len() - index {
        1 => vec![passing],
        _ => vec![State::True, State::False, State::Error],
    };
    match op.as_str() {
        "and" => Ok(follow(arg, rest)?.connected(State::True, &follows(State::True))),
        "or" => Ok(follow(arg, rest)?.connected(State::False, &follows(State::False))),
        "!" | "!!" if index > 0 => Err("the argument is ignored"),
        "!!" => follow(arg, rest),
        "!" => Ok(follow(arg, rest)?.negated()),
        "<" | "<=" | ">" | ">=" if !rest.is_empty() => Err("the number is not an operand of the comparison itself"),
        "<" | "<=" => ascending(index, args.len()),
        ">" | ">=" if args.len() == 2 => ascending(1 - index, args.len()),
        "==" | "===" | "!=" | "!==" => Err("an equality moves with its number, it does not grow"),
        "if" | "?:" => Err("the number stands in an `if`"),
        "var" => Err("the number stands in a variable or its default"),
        "map" | "filter" | "reduce" | "all" | "none" | "some" => Err("the number stands in an iteration"),
        "+" | "-" | "*" | "/" | "%" | "min" | "max" => Err("the number stands in arithmetic"),
        _ => Err("the operator around the number has no direction"),
    }
}

/// `a < b` and `a < b < c`: lowering the left end, or raising the right end, makes it true more often. The middle of
/// three has no direction.
fn ascending(index: usize, count: usize) -> Result<Response, &'static str> {
    match (index, count) {
        (0, 2 | 3) => Ok(Response::comparison(Grows::Lowered)),
        (1, 2) | (2, 3) => Ok(Response::comparison(Grows::Raised)),
        (1, 3) => Err("the number is the middle of three"),
        _ => Err("the comparison has an odd number of operands"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(rule: Value, pointer: &str, expected: Monotone) {
        assert_eq!(threshold(&rule, pointer), expected, "{rule} at {pointer}");
    }

    #[test]
    fn by_polarity() {
        use Monotone::{GrowsWhenLowered, GrowsWhenRaised};
        let x = json!({"var": "x"});
        check(json!({">": [x, 3]}), "/>/1", GrowsWhenLowered);
        check(json!({"<": [x, 3]}), "/</1", GrowsWhenRaised);
        check(json!({"<": [3, x]}), "/</0", GrowsWhenLowered);
        check(json!({"<=": [1, x, 9]}), "/<=/0", GrowsWhenLowered);
        check(json!({"<=": [1, x, 9]}), "/<=/2", GrowsWhenRaised);
        check(json!({"!": {">": [x, 3]}}), "/!/>/1", GrowsWhenRaised);
        check(json!({"!": [{"!": [{">=": [x, 3]}]}]}), "/!/0/!/0/>=/1", GrowsWhenLowered);
        check(json!({"and": [{">": [x, 3]}, {"var": "y"}]}), "/and/0/>/1", GrowsWhenLowered);
        check(json!({"or": [{"and": [{">": [x, 3]}, x]}, x]}), "/or/0/and/0/>/1", GrowsWhenLowered);
        check(json!({"and": [true, {"or": [{">": [x, 3]}]}]}), "/and/1/or/0/>/1", GrowsWhenLowered);
    }

    #[test]
    fn gives_up_with_a_reason() {
        let unproven = |rule: Value, pointer: &str, part: &str| match threshold(&rule, pointer) {
            Monotone::Unproven(reason) => assert!(reason.contains(part), "{reason}"),
            proven => panic!("{rule}: {proven:?}"),
        };
        let x = json!({"var": "x"});
        unproven(json!({"==": [x, 3]}), "/==/1", "equality");
        unproven(json!({">": [{"+": [x, 1]}, 3]}), "/>/0/+/1", "not an operand");
        unproven(json!({"if": [{">": [x, 3]}, true, false]}), "/if/0/>/1", "`if`");
        unproven(json!({"var": ["x", 3]}), "/var/1", "default");
        unproven(json!({"<": [1, 5, x]}), "/</1", "middle");
        unproven(json!({">": [x, 3]}), "/>/0", "does not lead");
        unproven(json!({"some": [x, {">": [x, 3]}]}), "/some/1/>/1", "iteration");
        unproven(json!({">": [x, 3]}), ">", "malformed");
        unproven(json!(3), "", "itself");
        // If `y` is missing, the rule fails for a high number; for a low one it is false.
        let masked = json!({"and": [{"or": [{">": [x, 3]}, {"var": "y"}]}, false]});
        unproven(masked, "/and/0/or/0/>/1", "could come into play");
    }
}
