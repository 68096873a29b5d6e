//! Compiles rules to programs. Every error is collected, not only the first.

mod error;
mod size;

use serde_json::{Map, Value};

pub use error::{CompileError, CompileErrorKind};
pub(crate) use size::Size;

use crate::expr::{Expr, ExprKind, Path, Variable};
use crate::js;
use crate::limits::{DEEPEST, Limits};
use crate::mode::Mode;
use crate::op::{self, Arity, Op};
use crate::pointer;

/// Compiles a rule to an expression with its size, or returns all errors.
pub(crate) fn compile(rule: &Value, mode: Mode, limits: Limits) -> Result<(Expr, Size), Vec<CompileError>> {
    let mut compiler = Compiler { mode, limits, nodes: 0, too_large: false, errors: Vec::new() };
    let root = compiler.expr(rule, String::new(), 1);
    if !compiler.errors.is_empty() {
        return Err(compiler.errors);
    }
    let size = Size::of(&root);
    if size.cost > limits.max_cost {
        let kind = CompileErrorKind::TooCostly { cost: size.cost, limit: limits.max_cost };
        return Err(vec![CompileError { pointer: String::new(), kind }]);
    }
    Ok((root, size))
}

struct Compiler {
    mode: Mode,
    limits: Limits,
    nodes: usize,
    too_large: bool,
    errors: Vec<CompileError>,
}

impl Compiler {
    fn expr(&mut self, rule: &Value, at: String, depth: usize) -> Expr {
        let kind = if self.admit(&at, depth) { self.kind(rule, &at, depth) } else { ExprKind::Literal(Value::Null) };
        Expr { pointer: at, kind }
    }

    /// Counts one more expression; past a limit nothing below is read, so the work stays bounded.
    fn admit(&mut self, at: &str, depth: usize) -> bool {
        let deepest = self.limits.max_depth.min(DEEPEST);
        if depth > deepest {
            self.fault(at, CompileErrorKind::TooDeep { limit: deepest });
            return false;
        }
        self.nodes += 1;
        if self.nodes > self.limits.max_nodes {
            if !self.too_large {
                self.too_large = true;
                self.fault("", CompileErrorKind::TooLarge { limit: self.limits.max_nodes });
            }
            return false;
        }
        true
    }

    fn kind(&mut self, rule: &Value, at: &str, depth: usize) -> ExprKind {
        match rule {
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => ExprKind::Literal(rule.clone()),
            Value::Array(items) => ExprKind::List(self.all(items, at, depth)),
            Value::Object(fields) => self.operation(fields, rule, at, depth),
        }
    }

    fn all(&mut self, items: &[Value], at: &str, depth: usize) -> Vec<Expr> {
        items
            .iter()
            .enumerate()
            .map(|(i, item)| self.expr(item, pointer::child(at, &i.to_string()), depth + 1))
            .collect()
    }

    fn operation(&mut self, fields: &Map<String, Value>, rule: &Value, at: &str, depth: usize) -> ExprKind {
        let mut entries = fields.iter();
        let (Some((name, values)), None) = (entries.next(), entries.next()) else {
            // json-logic-js passes such an object through; strict mode refuses it as a probable mistake.
            if self.mode == Mode::Strict {
                self.fault(at, CompileErrorKind::NotAnOperator { keys: fields.len() });
            }
            return ExprKind::Literal(rule.clone());
        };
        let below = pointer::child(at, name);
        let args = match values {
            Value::Array(items) => self.all(items, &below, depth),
            single => vec![self.expr(single, below, depth + 1)],
        };
        if name == op::VAR {
            return self.variable(args, at);
        }
        match Op::named(name) {
            Some(op) => {
                self.admissible(op, args.len(), at);
                ExprKind::Call { op, args }
            }
            None => {
                self.unknown(name, at);
                ExprKind::Literal(Value::Null)
            }
        }
    }

    fn admissible(&mut self, op: Op, count: usize, at: &str) {
        match self.mode {
            // json-logic-js accepts any number: missing arguments are undefined, extra ones are ignored.
            Mode::Compat => {}
            Mode::Strict => {
                if op == Op::Log {
                    let reason = "writing to a log is an effect, and a rule has none";
                    let name = op.name().to_owned();
                    self.fault(at, CompileErrorKind::RefusedOperator { name, reason });
                }
                self.arity(op.name(), op.arity(), count, at);
            }
        }
    }

    fn arity(&mut self, op: &str, arity: Arity, got: usize, at: &str) {
        if !arity.accepts(got) {
            let (op, expected) = (op.to_owned(), arity.to_string());
            self.fault(at, CompileErrorKind::Arity { op, expected, got });
        }
    }

    fn unknown(&mut self, name: &str, at: &str) {
        let name = name.to_owned();
        let kind = if name == "method" {
            let reason = "calling a method of the data would run code that the rule does not show";
            CompileErrorKind::RefusedOperator { name, reason }
        } else {
            let suggestion = op::suggest(&name);
            CompileErrorKind::UnknownOperator { name, suggestion }
        };
        self.fault(at, kind);
    }

    fn variable(&mut self, args: Vec<Expr>, at: &str) -> ExprKind {
        if self.mode == Mode::Strict {
            self.arity(op::VAR, Arity::Between(1, 2), args.len(), at);
        }
        let mut args = args.into_iter();
        let path = match args.next() {
            None => Path::Whole,
            Some(path) => self.path(path),
        };
        let default = args.next();
        ExprKind::Var(Box::new(Variable { path, default, ignored: args.collect() }))
    }

    fn path(&mut self, expr: Expr) -> Path {
        let ExprKind::Literal(value) = &expr.kind else {
            if let (Mode::Strict, ExprKind::List(_)) = (self.mode, &expr.kind) {
                self.bad_path(&expr.pointer, "[…]", "a path is a string or an index");
            }
            return Path::Computed(expr);
        };
        match (self.mode, value) {
            (_, Value::String(text)) if text.is_empty() => Path::Whole,
            (Mode::Compat, Value::Null) => Path::Whole,
            (Mode::Compat, Value::Object(_)) => Path::Computed(expr),
            (_, Value::String(text)) => {
                if self.mode == Mode::Strict && text.split('.').any(str::is_empty) {
                    self.bad_path(&expr.pointer, text, "a part of the path is empty");
                }
                Path::Fields(split(text))
            }
            (Mode::Strict, Value::Number(number)) if number.as_u64().is_some() => {
                Path::Fields(vec![number.to_string()])
            }
            (Mode::Strict, value) => {
                let reason = "a path is a string or an index";
                self.bad_path(&expr.pointer, &value.to_string(), reason);
                Path::Whole
            }
            (Mode::Compat, Value::Number(number)) => {
                Path::Fields(split(&js::number_text(number.as_f64().unwrap_or(f64::NAN))))
            }
            (Mode::Compat, value) => Path::Fields(split(&value.to_string())),
        }
    }

    fn bad_path(&mut self, at: &str, path: &str, reason: &'static str) {
        self.fault(at, CompileErrorKind::BadVarPath { path: path.to_owned(), reason });
    }

    fn fault(&mut self, at: &str, kind: CompileErrorKind) {
        self.errors.push(CompileError { pointer: at.to_owned(), kind });
    }
}

fn split(path: &str) -> Vec<String> {
    path.split('.').map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(rule: Value, mode: Mode, expected: &[&str]) {
        let found: Vec<String> = match compile(&rule, mode, Limits::default()) {
            Ok(_) => Vec::new(),
            Err(errors) => errors.iter().map(|e| format!("{} {e}", e.pointer)).collect(),
        };
        assert_eq!(found, expected, "{mode} {rule}");
    }

    #[test]
    fn all_faults_are_reported() {
        let rule = json!({"and": [
            {"=": [{"var": "a..b"}, 1]},
            {"!": [true, false]},
            {"a": 1, "b": 2},
            {"log": 1},
            {"if": [true, 1]},
            {"var": [null]},
            {"method": ["x", "y"]}
        ]});
        check(
            rule,
            Mode::Strict,
            &[
                "/and/0/=/0/var `var` cannot read `a..b`: a part of the path is empty",
                "/and/0 unknown operator `=`",
                "/and/1 `!` takes 1 argument, got 2",
                "/and/2 an operation is an object with exactly one key, this one has 2",
                "/and/3 operator `log` is refused: writing to a log is an effect, and a rule has \
                 none",
                "/and/4 `if` takes an odd number of arguments, at least 3, got 2",
                "/and/5/var/0 `var` cannot read `null`: a path is a string or an index",
                "/and/6 operator `method` is refused: calling a method of the data would run code \
                 that the rule does not show",
            ],
        );
    }

    #[test]
    fn compat_only_refuses_what_would_throw() {
        check(json!({"and": [{"!": []}, {"a": 1, "b": {"c": 2}}, {}]}), Mode::Compat, &[]);
        check(json!({"if": [true, 1, {"iff": 1}]}), Mode::Compat, &["/if/2 unknown operator `iff`"]);
    }

    #[test]
    fn nesting_is_bounded() {
        let nest = |levels: usize| (1..levels).fold(json!(true), |rule, _| json!({"!": [rule]}));
        assert!(compile(&nest(64), Mode::Strict, Limits::default()).is_ok());
        let at = "/!/0".repeat(64);
        let deep = format!("{at} the rule is nested deeper than 64 levels");
        check(nest(65), Mode::Strict, &[&deep]);
        check(nest(300), Mode::Strict, &[&deep]);
        let generous = Limits { max_depth: usize::MAX, ..Limits::default() };
        let deepest = crate::Program::compile_with(&nest(128), Mode::Strict, generous).unwrap();
        assert_eq!(deepest.clone().test(&json!({})), Ok(false));
        assert_eq!(deepest.explain(&json!({})).decisive().len(), 128);
        assert!(compile(&nest(129), Mode::Strict, generous).is_err());
    }

    #[test]
    fn size_and_cost_are_bounded() {
        let wide = json!({"or": vec![json!(true); 5000]});
        check(wide, Mode::Strict, &[" the rule has more than 4096 expressions"]);
        let loops = (0..5).fold(json!({"var": ""}), |body, _| json!({"map": [[1], body]}));
        let cost = " the rule would take about 1258291 steps, the limit is 1000000";
        check(loops, Mode::Strict, &[cost]);
    }
}
