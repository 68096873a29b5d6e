//! The few functions of this crate that the prelude, never the script, can call.

use std::cell::RefCell;
use std::rc::Rc;

use rquickjs::{Ctx, Error, Exception, Function, Object, Result};

use crate::grants::Grants;
use crate::limits::IsolateLimits;
use crate::log::Log;
use crate::outputs::Outputs;
use crate::seed::Draws;

/// The outputs and the log that the functions write to.
pub(crate) struct Host {
    pub(crate) outputs: RefCell<Outputs>,
    pub(crate) log: RefCell<Log>,
}

impl Host {
    /// An empty host for one run.
    pub(crate) fn new(writes: &[String], limits: &IsolateLimits) -> Rc<Self> {
        Rc::new(Self {
            outputs: RefCell::new(Outputs::new(writes, limits.output)),
            log: RefCell::new(Log::new(limits.log)),
        })
    }
}

/// The object that the prelude gets.
pub(crate) fn object<'js>(
    ctx: &Ctx<'js>,
    host: &Rc<Host>,
    grants: &Grants,
    limits: &IsolateLimits,
) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    let now = grants.now_ms;
    // Instants are numbers in JavaScript; every instant that it can represent is exact.
    object.set("now", now.map(|ms| ms as f64))?;
    object.set("longestLine", limits.log as f64)?;
    object.set("random", random(ctx, grants)?)?;
    let to = Rc::clone(host);
    object.set("log", Function::new(ctx.clone(), move |line: String| to.log.borrow_mut().push(&line))?)?;
    let to = Rc::clone(host);
    let declared = move |path: String| to.outputs.borrow_mut().declared(&path);
    object.set("declared", Function::new(ctx.clone(), declared)?)?;
    let to = Rc::clone(host);
    let fits = move |units: f64| to.outputs.borrow_mut().fits(units as usize);
    object.set("fits", Function::new(ctx.clone(), fits)?)?;
    let to = Rc::clone(host);
    let refuse = move |why: String| to.outputs.borrow_mut().refuse(&why);
    object.set("refuse", Function::new(ctx.clone(), refuse)?)?;
    object.set("text", text(ctx, host)?)?;
    object.set("bytes", bytes(ctx, host)?)?;
    Ok(object)
}

/// `Math.random`.
fn random<'js>(ctx: &Ctx<'js>, grants: &Grants) -> Result<Function<'js>> {
    let draws = grants.seed.map(Draws::new);
    Function::new(ctx.clone(), move |ctx: Ctx<'js>| match &draws {
        Some(draws) => Ok(draws.next()),
        None => Err(Exception::throw_type(&ctx, "`Math.random` needs a seed, and this step is given none")),
    })
}

/// Takes one output as text.
fn text<'js>(ctx: &Ctx<'js>, host: &Rc<Host>) -> Result<Function<'js>> {
    let to = Rc::clone(host);
    Function::new(ctx.clone(), move |path: String, text: rquickjs::String<'js>| -> Result<bool> {
        // The engine copies the text first, and throws if it has no memory for that.
        let text = text.to_string().map_err(|error| match error {
            Error::Unknown => Error::Exception,
            other => other,
        })?;
        Ok(to.outputs.borrow_mut().put(path, text.into_bytes()))
    })
}

/// Takes one output as hexadecimal digits, which avoids trusting the engine's pointers.
fn bytes<'js>(ctx: &Ctx<'js>, host: &Rc<Host>) -> Result<Function<'js>> {
    let to = Rc::clone(host);
    Function::new(ctx.clone(), move |path: String, digits: rquickjs::String<'js>| -> Result<bool> {
        let digits = digits.to_string().map_err(|error| match error {
            Error::Unknown => Error::Exception,
            other => other,
        })?;
        let mut outputs = to.outputs.borrow_mut();
        let Some(bytes) = from_hex(&digits) else {
            outputs.refuse("the bytes of an output were not passed as hexadecimal digits");
            return Ok(false);
        };
        Ok(outputs.put(path, bytes))
    })
}

/// The bytes of hexadecimal digits; `None` if there is another character, or half a byte.
fn from_hex(digits: &str) -> Option<Vec<u8>> {
    let nibble = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some((nibble(*high)? << 4) | nibble(*low)?));
    rest.is_empty().then(|| bytes.collect())?
}

#[cfg(test)]
mod tests {
    use super::from_hex;

    #[test]
    fn digits_that_are_not_whole_bytes_are_refused() {
        assert_eq!(from_hex("00fFa1"), Some(vec![0, 255, 161]));
        assert_eq!(from_hex(""), Some(Vec::new()));
        for digits in ["0", "0g", "é", "00 1"] {
            assert_eq!(from_hex(digits), None, "{digits}");
        }
    }
}
