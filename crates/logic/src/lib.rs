//! JsonLogic compiled once, evaluated many times, explained and checked before it runs.
//!
//! ```
//! use deed_logic::{Mode, Program, Sat, Term, Ty, check, satisfiable};
//! use serde_json::json;
//!
//! let rule = json!({">": [{"var": "request.amount"}, 3000]});
//! let program = Program::compile(&rule, Mode::Strict).unwrap();
//! let data = json!({"request": {"amount": 5000}});
//! assert_eq!(program.test(&data), Ok(true));
//!
//! let error = program.test(&json!({"request": {}})).unwrap_err();
//! assert_eq!(error.to_string(), "the context has no `request.amount`");
//! assert_eq!(error.pointer, "/>/0");
//!
//! let context = Ty::infer(&data);
//! assert!(check(&program, &context).is_empty());
//! let terms = [Term { program: &program, holds: true }];
//! assert_eq!(satisfiable(&terms, &context), Sat::Sometimes);
//! ```
//!
//! # Strict mode
//! Nothing is converted and nothing is guessed.
//! - A variable that is not there and has no default is an error; a null that is there is there,
//!   for `var`, `missing` and `missing_some` alike. A default is evaluated only when it is needed.
//! - Paths lead through the fields of objects, the elements of arrays by index, and the `length`
//!   of arrays. Strings have no parts. A path with an empty part is refused at compile.
//! - `==` and `!=` compare within one type, deeply, and anything with null; `===` and `!==` say
//!   "different" across types. Parts of arrays and objects that differ in type are different.
//! - `<`, `<=`, `>`, `>=` order numbers, and strings by UTF-16 code units as JavaScript does. All
//!   pairs of a between are compared, so a mixed one cannot hide behind a false one.
//! - A condition is a boolean, or a `missing` or `missing_some` itself: its list holds if something
//!   is missing. Any other list, and any other value, is an error. Conditions are the predicate as a
//!   whole, those of `if`, the operands of `and`, `or`, `!` and `!!`, which give booleans, and the
//!   bodies of `filter`, `all`, `none` and `some`.
//! - An `if` has an else. A `reduce` has an initial value. The number of arguments is checked at
//!   compile.
//! - Arithmetic takes numbers and gives finite ones; division and remainder by zero are errors.
//!   `cat` joins strings and numbers, which are written as JavaScript writes them. `substr` counts
//!   UTF-16 code units. `in` looks for a string in a string, or for any value in an array.
//! - `all` of an empty array is false, as in json-logic-js.
//! - An object is an operation; one that has not exactly one key is refused. So is `log`.
//!
//! # Compat mode
//! The results of json-logic-js 2, with arrays and objects compared by identity as JavaScript does.
//! It differs only where it refuses:
//! - Only own properties are read: fields, elements, `length` of arrays and strings, and single code
//!   units of strings, but not `constructor` or `toString`.
//! - A result with NaN, an infinity, undefined or half a character in it is an error.
//! - Data given to `missing` or `missing_some` is never run as a rule.
//! - An unknown operator is found at compile, also where json-logic-js would not come past it.
//! - `log` is the identity and writes nothing.
//!
//! In both modes `method`, which older json-logic-js has, is refused: it would call whatever the
//! data carries. Evaluations have a budget of steps, and the arrays they build a limit of depth.

mod check;
mod compile;
mod eval;
mod explain;
mod expr;
mod js;
mod limits;
mod mode;
mod op;
mod ops;
mod partial;
mod pointer;
mod program;
mod scope;
mod shown;
mod solve;
mod suggest;
mod threshold;
mod ty;
mod value;
mod variables;

pub use check::{Finding, FindingKind, Severity, check, check_value};
pub use compile::{CompileError, CompileErrorKind};
pub use eval::{EvalError, EvalErrorKind};
pub use explain::{Explanation, Label, Outcome};
pub use expr::{Expr, ExprKind, Path, Variable};
pub use limits::Limits;
pub use mode::{Mode, UnknownMode};
pub use op::Op;
pub use partial::Truth;
pub use program::Program;
pub use scope::Scope;
pub use solve::{Sat, Term, implies, satisfiable};
pub use threshold::{Monotone, threshold};
pub use ty::{Lookup, Ty};
pub use variables::VarUse;
