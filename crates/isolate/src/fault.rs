//! Conversion of the engine's exceptions to errors.
//!
//! A timeout or a refusal that this crate recorded takes precedence over anything the script threw, as it may throw
//! anything.

use rquickjs::{Ctx, Error, Object, Value};

use crate::engine::failed;
use crate::error::{IsolateError, MissingReference, cut};
use crate::host::Host;
use crate::meter::Meter;
use crate::step::PRELUDE_NAME;

/// The name of the source in a stack.
pub const SOURCE_NAME: &str = "step.js";

/// The maximum length of a message.
const LONGEST_MESSAGE: usize = 2_000;
/// The maximum number of lines of a stack.
const DEEPEST_STACK: usize = 10;

/// A thrown value, as text.
struct ThrownValue {
    name: String,
    message: String,
    stack: String,
}

/// The error of evaluating, calling or collecting.
pub(crate) fn read(ctx: &Ctx<'_>, error: &Error, meter: &Meter, host: &Host) -> IsolateError {
    match known(ctx, error, meter, host) {
        Ok(reason) => reason,
        Err(thrown) => threw(thrown),
    }
}

/// The error of compiling the source.
pub(crate) fn of_source(ctx: &Ctx<'_>, error: &Error, meter: &Meter, host: &Host) -> IsolateError {
    if matches!(error, Error::InvalidString(_)) {
        return IsolateError::Syntax { message: "the source holds a zero byte".to_owned(), line: 0, column: 0 };
    }
    match known(ctx, error, meter, host) {
        Ok(reason) => reason,
        Err(thrown) if thrown.name == "SyntaxError" => {
            let (line, column) = place(&thrown.stack).unwrap_or((0, 0));
            IsolateError::Syntax { message: thrown.message, line, column }
        }
        Err(thrown) => threw(thrown),
    }
}

/// The message and the line of an error of compiling or linking.
pub(crate) fn compile_error(ctx: &Ctx<'_>, error: &Error) -> (String, Option<usize>) {
    match error {
        Error::InvalidString(_) => ("the source holds a zero byte".to_owned(), None),
        Error::Exception => {
            let thrown = describe(ctx, &ctx.catch());
            let line = place(&thrown.stack).map(|(line, _)| line as usize);
            (thrown.message, line)
        }
        other => (other.to_string(), None),
    }
}

/// The errors other than a value that the script threw.
fn known(ctx: &Ctx<'_>, error: &Error, meter: &Meter, host: &Host) -> Result<IsolateError, ThrownValue> {
    let recorded = || meter.stopped().map(IsolateError::OutOfTime).or_else(|| host.outputs.borrow().refusal());
    let Error::Exception = error else {
        return Ok(recorded().unwrap_or_else(|| failed(error)));
    };
    let value = ctx.catch();
    if let Some(reason) = recorded() {
        return Ok(reason);
    }
    if value.is_null() {
        return Ok(IsolateError::OutOfMemory);
    }
    let thrown = describe(ctx, &value);
    // Reading the thrown value may have called the script once more.
    if let Some(stopped) = meter.stopped() {
        return Ok(IsolateError::OutOfTime(stopped));
    }
    match (thrown.name.as_str(), thrown.message.as_str()) {
        ("InternalError", message) if message.starts_with("out of memory") => Ok(IsolateError::OutOfMemory),
        ("RangeError", "Maximum call stack size exceeded") => Ok(IsolateError::StackOverflow),
        _ => Err(thrown),
    }
}

fn threw(thrown: ThrownValue) -> IsolateError {
    let missing = missing(&thrown);
    let line = place(&thrown.stack).map(|(line, _)| line);
    let message = if thrown.name.is_empty() { thrown.message } else { format!("{}: {}", thrown.name, thrown.message) };
    IsolateError::Threw { message, line, stack: thrown.stack, missing }
}

/// The missing reference of an error. The engine reports it only in the name and the message
/// of the error; `tests/it/contract.rs` checks them for the built-in version.
fn missing(thrown: &ThrownValue) -> Option<MissingReference> {
    if thrown.name != "ReferenceError" {
        return None;
    }
    let module = missing_module(&thrown.message).map(|module| MissingReference::Module(module.to_owned()));
    let name = || thrown.message.strip_suffix(" is not defined");
    module.or_else(|| Some(MissingReference::Name(name()?.trim_matches('\'').to_owned())))
}

/// The module of the engine's message for an import that cannot be loaded.
pub(crate) fn missing_module(message: &str) -> Option<&str> {
    message.strip_prefix("could not load module '")?.strip_suffix('\'')
}

/// Reads name, message and stack of an error, or describes another value.
fn describe(ctx: &Ctx<'_>, value: &Value<'_>) -> ThrownValue {
    match value.as_object() {
        Some(object) if value.is_error() => ThrownValue {
            name: property(ctx, object, "name").unwrap_or_default(),
            message: property(ctx, object, "message").unwrap_or_default(),
            stack: trimmed(&property(ctx, object, "stack").unwrap_or_default()),
        },
        _ => ThrownValue { name: String::new(), message: format!("threw {}", shown(value)), stack: String::new() },
    }
}

/// A property as text; `None` if its getter throws.
fn property(ctx: &Ctx<'_>, object: &Object<'_>, name: &str) -> Option<String> {
    let Ok(value) = object.get::<_, Value<'_>>(name) else {
        drop(ctx.catch());
        return None;
    };
    let text = value.as_string()?.to_string();
    if text.is_err() {
        drop(ctx.catch());
    }
    text.ok().map(|text| cut(&text, LONGEST_MESSAGE))
}

/// A value other than an error, without calling the script.
fn shown(value: &Value<'_>) -> String {
    let text = value.as_string().and_then(|text| text.to_string().ok());
    let text = text.map(|text| format!("`{}`", cut(&text, LONGEST_MESSAGE)));
    let text = text.or_else(|| value.as_number().map(|number| number.to_string()));
    let text = text.or_else(|| value.as_bool().map(|truth| truth.to_string()));
    text.unwrap_or_else(|| format!("a value of type {}", value.type_name()))
}

/// The innermost calls, without those of the prelude.
fn trimmed(stack: &str) -> String {
    let lines = stack.lines().map(str::trim).filter(|line| !line.is_empty() && !line.contains(PRELUDE_NAME));
    lines.take(DEEPEST_STACK).collect::<Vec<_>>().join("\n")
}

/// The first line and column of the source that a stack names.
fn place(stack: &str) -> Option<(u32, u32)> {
    let (_, rest) = stack.split_once(SOURCE_NAME)?;
    let mut numbers = rest.strip_prefix(':')?.split(|c: char| !c.is_ascii_digit());
    let line = numbers.next()?.parse().ok()?;
    Some((line, numbers.next()?.parse().ok()?))
}
