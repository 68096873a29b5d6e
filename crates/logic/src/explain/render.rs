//! Rendering of an explanation as JSON and as indented text.

use std::fmt;

use serde_json::{Map, Value, json};

use super::{Explanation, Label, Outcome};
use crate::shown::{clip, shown};

impl Explanation {
    /// Returns the tree as JSON: `pointer`, `expression`, one of `value`, `other`, `error` or `not_evaluated`, and,
    /// unless they are empty, `element`, `children` and `elided`.
    pub fn to_value(&self) -> Value {
        let mut out = Map::new();
        out.insert("pointer".to_owned(), json!(self.pointer));
        out.insert("expression".to_owned(), json!(self.label.to_string()));
        match &self.outcome {
            Outcome::Value(value) => out.insert("value".to_owned(), value.clone()),
            Outcome::Other(text) => out.insert("other".to_owned(), json!(text)),
            Outcome::Error(error) => {
                let error = json!({"pointer": error.pointer, "message": error.to_string()});
                out.insert("error".to_owned(), error)
            }
            Outcome::NotEvaluated => out.insert("not_evaluated".to_owned(), json!(true)),
        };
        if let Some(index) = self.element {
            out.insert("element".to_owned(), json!(index));
        }
        if self.elided > 0 {
            out.insert("elided".to_owned(), json!(self.elided));
        }
        if !self.children.is_empty() {
            let children = self.children.iter().map(Explanation::to_value).collect();
            out.insert("children".to_owned(), Value::Array(children));
        }
        Value::Object(out)
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, indent: usize) -> fmt::Result {
        write!(f, "{:indent$}", "")?;
        if let Some(index) = self.element {
            write!(f, "[{index}] ")?;
        }
        // A constant is shown by its value alone.
        match (&self.label, &self.outcome) {
            (Label::Literal, Outcome::Value(value)) => writeln!(f, "{}", shown(value))?,
            (label, Outcome::Value(value)) => writeln!(f, "{label} = {}", shown(value))?,
            (label, Outcome::Other(text)) => writeln!(f, "{label} = {text}")?,
            (label, Outcome::NotEvaluated) => writeln!(f, "{label} (not evaluated)")?,
            // The message is shown where the error arose; above it, only that there was one.
            (label, Outcome::Error(error)) if self.arose_below() => {
                writeln!(f, "{label} ! error at {}", error.pointer)?;
            }
            (label, Outcome::Error(error)) => writeln!(f, "{label} ! {error}")?,
        }
        for child in &self.children {
            child.write(f, indent + 2)?;
        }
        if self.elided > 0 {
            writeln!(f, "{:1$}… {2} more", "", indent + 2, self.elided)?;
        }
        Ok(())
    }

    fn arose_below(&self) -> bool {
        self.children.iter().any(|child| child.outcome == self.outcome)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::Literal => f.write_str("constant"),
            Label::List => f.write_str("array"),
            Label::Variable(path) if path.is_empty() => f.write_str("the whole data"),
            Label::Variable(path) => write!(f, "{}", clip(path)),
            Label::ComputedVariable => f.write_str("computed variable"),
            Label::Operator(op) => write!(f, "{op}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Mode, Program};
    use serde_json::json;

    #[test]
    fn a_tree_for_people_and_one_for_programs() {
        let rule = json!({"and": [
            {"some": [{"var": "n"}, {">": [{"var": ""}, 1]}]},
            {"==": [{"var": "role"}, 1]},
            {"var": "late"}
        ]});
        let program = Program::compile(&rule, Mode::Strict).unwrap();
        let explanation = program.explain(&json!({"n": [1, 2, 3], "role": "a"}));
        let text = "\
and ! error at /and/1
  some = true
    n = [1,2,3]
    [0] > = false
      the whole data = 1
      1
    [1] > = true
      the whole data = 2
      1
  == ! `==` cannot compare the string `\"a\"` with the number `1`
    role = \"a\"
    1
  late (not evaluated)
";
        assert_eq!(explanation.to_string(), text);
        assert_eq!(
            explanation.to_value()["children"][2],
            json!({"pointer": "/and/2", "expression": "late", "not_evaluated": true})
        );
    }
}
