//! The few functions of this crate that the prelude, never the script, can call.

use std::cell::RefCell;
use std::rc::Rc;

use rquickjs::{Ctx, Error, Exception, Function, Object, Result};

use crate::given::Given;
use crate::limits::IsolateLimits;
use crate::log::Log;
use crate::outputs::Outputs;
use crate::seed::Draws;

/// What the functions write to.
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
    given: &Given,
    limits: &IsolateLimits,
) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    let now = given.now_ms;
    // JavaScript knows instants as numbers; every instant it can show is exact as one.
    object.set("now", now.map(|ms| ms as f64))?;
    object.set("longestLine", limits.log as f64)?;
    object.set("random", random(ctx, given)?)?;
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
fn random<'js>(ctx: &Ctx<'js>, given: &Given) -> Result<Function<'js>> {
    let draws = given.seed.map(Draws::new);
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

/// Takes one output as hexadecimal digits, the one way out for bytes that needs no trust in the engine's pointers.
fn bytes<'js>(ctx: &Ctx<'js>, host: &Rc<Host>) -> Result<Function<'js>> {
    let to = Rc::clone(host);
    Function::new(ctx.clone(), move |path: String, digits: rquickjs::String<'js>| -> Result<bool> {
        let digits = digits.to_string().map_err(|error| match error {
            Error::Unknown => Error::Exception,
            other => other,
        })?;
        Ok(to.outputs.borrow_mut().put(path, from_hex(&digits)))
    })
}

/// The bytes that hexadecimal digits stand for.
fn from_hex(digits: &str) -> Vec<u8> {
    let nibble = |digit: u8| char::from(digit).to_digit(16).unwrap_or(0) as u8;
    let pairs = digits.as_bytes().chunks_exact(2);
    pairs.map(|pair| pair.iter().fold(0_u8, |byte, digit| (byte << 4) | nibble(*digit))).collect()
}
