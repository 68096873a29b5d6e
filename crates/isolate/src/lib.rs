//! Small pure JavaScript under caps, in this process.
//!
//! What enters: the source of one step, the bytes of its inputs, the paths it may write, and what it is given in
//! place of a clock and of chance. What leaves: the bytes of its outputs, its log and what it spent, or the one
//! reason why there are none. What must hold: the same inputs give the same bytes, nothing outside is reached, and
//! `run` returns whatever the script does.
//!
//! # What a script looks like
//! The source is an ES module of at most [`IsolateLimits::source`] bytes that exports a default function:
//!
//! ```
//! use deed_isolate::{Given, IsolateLimits, run};
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
//! let done = run(source, &inputs, &writes, &Given::default(), &IsolateLimits::default())?;
//! assert_eq!(done.outputs["out/total.json"], b"{\"total\":5}\n");
//! assert_eq!(done.outputs["out/note.txt"], b"done\n");
//! assert_eq!(done.log, ["rows 2"]);
//! # Ok::<(), deed_isolate::Failed>(())
//! ```
//!
//! * `inputs` is a frozen object without prototype, from read path to text. An input that is not UTF-8 is a
//!   `Uint8Array`. `context.json(path)` parses an input, as strictly as `JSON.parse`, anew at each call.
//! * `context` is `{ read, write, now, json, input, inputs }`: the paths, and the given instant as ISO text or `null`.
//!   `context.input(slot, entity)` returns the path of the input that is bound to a slot (see [`Given::inputs`]), and
//!   `context.inputs(slot, entity)` the paths of all such files. Both throw an `InputNotFound` as the clients do.
//! * The function returns an object from write path to content: a string is written as it is, a `Uint8Array` as
//!   bytes, any other JSON value as `JSON.stringify(value)` and a newline. A declared path may be left out; whether
//!   that is allowed is for the contract to say. Refused, with the reason: a path that is not declared, `undefined`,
//!   functions, symbols, a `BigInt`, `NaN` and infinities, lone surrogates, circular values, `Map`, `Set` and other
//!   objects that JSON would empty, and promises (the function must not be `async`).
//!
//! # What a script does not have
//! No file, network, timer, module or job queue. No `eval`, no `Function` constructor, no `Proxy`, `Promise`,
//! `Atomics`, `SharedArrayBuffer`, `WeakRef`, `FinalizationRegistry` or `performance`, no helpers of iterators
//! (`values().map()`; spread into an array first). `import` finds nothing, and `await` never comes back. The words
//! `async` before a function and `import` before a parenthesis are refused wherever they stand, in text and comments
//! too, because the engine lets them swallow the end of a budget. `Date.now()` and `new Date()` throw unless
//! [`Given::now_ms`] is set, `Math.random()` throws unless [`Given::seed`] is. The local time zone is UTC:
//! `getHours()` is `getUTCHours()`. Text with a zone, ISO text, and plain text without signs (`Jan 5, 2024`) is read
//! as dates, other text is an invalid date. Formatting for a locale throws; `localeCompare` is the engine's own,
//! which knows no locale.
//!
//! # Limits, and what they do not promise
//! Three nets hold a script. The budget of operations is counted by the engine and is the same on every machine.
//! The wall limit is for the operations that are slow. Both end the script in a way it cannot catch. The third net
//! is for the engine's own long loops, which ask nobody (a `BigInt` product of a million bits, `reverse` of a
//! made-up length): the script is given up with its thread, [`Timeout::Abandoned`] says so, and after
//! [`MAX_ABANDONED`] such threads further runs are refused.
//!
//! The engine is C code in this process, and a fault in it ends the process. The faults that were found (chains of
//! bound functions and of iterator helpers that overflow the C stack) are closed; that there are no others is not
//! promised. Scripts of unknown origin belong in a process of their own that can be killed.
//!
//! Running out of memory or stack is an ordinary exception that a script may catch; it then goes on within its
//! budget. How deep it got depends on the build, so a step that leans on it is not reproducible elsewhere. `Math`
//! functions such as `sin` are those of the C library.

mod bound;
mod engine;
mod error;
mod fault;
mod given;
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
pub use given::Given;
pub use inspect::{SourceFinding, SourceProblem, inspect};
pub use limits::IsolateLimits;
pub use run::{Failed, Isolated, Spent, run};
pub use worker::{MAX_ABANDONED, abandoned};
