//! Runs small pure JavaScript with limits, in this process.
//!
//! Input: the source of one step, the bytes of its inputs, the paths it may write, and the replacements of a clock and of
//! randomness. Output: the bytes of its outputs, its log and its usage, or an error. Invariants: the same inputs give the
//! same bytes, nothing outside is reached, and `run` returns whatever the script does.
//!
//! # What a script looks like
//! The source is an ES module of at most [`IsolateLimits::source`] bytes that exports a default function:
//!
//! ```
//! use deed_isolate::{Grants, IsolateLimits, run};
//!
//! let source = r#"
//!     export default function (inputs, context) {
//!         const rows = context.json("work/rows.json");
//!         const total = rows.reduce((sum, row) => sum + row.amount, 0);
//!         console.log("rows", rows.length);
//!         return { "out/total.json": { total }, "out/note.txt": "done\n" };
//!     }
//! "#;
//! let inputs = [("work/rows.json".to_owned(), br#"[{"amount":2},{"amount":3}]"#.to_vec())];
//! let writes = ["out/total.json".to_owned(), "out/note.txt".to_owned()];
//! let done = run(source, &inputs, &writes, &Grants::default(), &IsolateLimits::default())?;
//! assert_eq!(done.outputs["out/total.json"], b"{\"total\":5}\n");
//! assert_eq!(done.outputs["out/note.txt"], b"done\n");
//! assert_eq!(done.log, ["rows 2"]);
//! # Ok::<(), deed_isolate::IsolateFailure>(())
//! ```
//!
//! * `inputs` is a frozen object without prototype, from read path to text. An input that is not UTF-8 is a
//!   `Uint8Array`. `context.json(path)` parses an input, as strictly as `JSON.parse`, anew at each call.
//! * `context` is `{ read, write, now, json, input, inputs }`: the paths, and the given instant as ISO text or `null`.
//!   `context.input(slot, entity)` returns the path of the input that is bound to a slot (see [`Grants::inputs`]), and
//!   `context.inputs(slot, entity)` the paths of all such files. Both throw an `InputNotFound` as the clients do.
//! * The function returns an object from write path to content: a string is written as it is, a `Uint8Array` as
//!   bytes, any other JSON value as `JSON.stringify(value)` and a newline. A declared path may be left out; the
//!   contract decides whether that is allowed. Refused, with the reason: a path that is not declared, `undefined`,
//!   functions, symbols, a `BigInt`, `NaN` and infinities, lone surrogates, circular values, `Map`, `Set` and other
//!   objects that JSON would empty, and promises (the function must not be `async`).
//!
//! # What a script does not have
//! No file, network, timer, module or job queue. No `eval`, no `Function` constructor, no `Proxy`, `Promise`,
//! `Atomics`, `SharedArrayBuffer`, `WeakRef`, `FinalizationRegistry` or `performance`, no helpers of iterators
//! (`values().map()`; spread into an array first). `import` finds nothing, and `await` never returns. The words
//! `async` before a function and `import` before a parenthesis are refused everywhere, in text and comments too,
//! because the engine lets them swallow the end of a budget. `Date.now()` and `new Date()` throw unless
//! [`Grants::now_ms`] is set, `Math.random()` throws unless [`Grants::seed`] is. The local time zone is UTC:
//! `getHours()` is `getUTCHours()`. Text with a zone, ISO text, and plain text without signs (`Jan 5, 2024`) is read
//! as dates, other text is an invalid date. Formatting for a locale throws; `localeCompare` is the engine's own,
//! which knows no locale.
//!
//! # Limits, and what they do not promise
//! Three limits stop a script. The budget of operations is counted by the engine and is the same on every machine.
//! The wall-clock timeout is for slow operations. Both end the script in a way it cannot catch. The third limit is for
//! the engine's own long loops, which check neither (a `BigInt` product of a million bits, `reverse` of a made-up
//! length): the script is abandoned with its thread, which is reported as [`Timeout::Abandoned`], and after
//! [`MAX_ABANDONED`] such threads further runs are refused.
//!
//! The engine is C code in this process, and a fault in it ends the process. The known faults (chains of bound functions
//! and of iterator helpers that overflow the C stack) are closed; there may be others. Scripts of unknown origin belong
//! in a process of their own that can be killed.
//!
//! Running out of memory or stack is an ordinary exception that a script may catch; it then continues within its
//! budget. The depth it reached depends on the build, so a step that relies on it is not reproducible elsewhere. `Math`
//! functions such as `sin` are those of the C library.

mod bound;
mod engine;
mod error;
mod fault;
mod grants;
mod host;
mod inspect;
mod limits;
mod log;
mod meter;
mod outputs;
mod run;
mod seed;
mod step;
mod words;
mod worker;

pub use bound::BoundInput;
pub use error::{IsolateError, MissingReference, Timeout, Waiting};
pub use fault::SOURCE_NAME;
pub use grants::Grants;
pub use inspect::{SourceFinding, SourceProblem, inspect};
pub use limits::IsolateLimits;
pub use run::{IsolateFailure, IsolateOutput, IsolateUsage, run};
pub use worker::{MAX_ABANDONED, abandoned};
