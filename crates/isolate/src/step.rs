//! The stages of one run: prepare the globals, compile, evaluate, call, collect.

use std::collections::BTreeMap;
use std::rc::Rc;

use rquickjs::context::EvalOptions;
use rquickjs::promise::PromiseState;
use rquickjs::{Array, ArrayBuffer, Ctx, Function, IntoJs, Module, Object, Persistent, Promise, TypedArray, Value};

use crate::bound;
use crate::engine::failed;
use crate::error::{IsolateError, Waiting};
use crate::fault::{self, SOURCE_NAME};
use crate::grants::Grants;
use crate::host::{self, Host};
use crate::limits::IsolateLimits;
use crate::meter::{Meter, RESERVE};

/// The name of the prelude's files in a stack; such lines are not shown.
pub(crate) const PRELUDE_NAME: &str = "deed:prelude";

/// The prelude, in the order in which it runs. It captures everything that it needs before the script can change it.
const PRELUDE: [&str; 3] = [include_str!("js/world.js"), include_str!("js/date.js"), include_str!("js/step.js")];

/// The parameters of a run.
pub(crate) struct Step {
    pub(crate) source: String,
    pub(crate) inputs: Vec<(String, Vec<u8>)>,
    pub(crate) writes: Vec<String>,
    pub(crate) grants: Grants,
    pub(crate) limits: IsolateLimits,
}

/// The objects that are prepared before the limits start.
pub(crate) struct World {
    /// The log and the outputs of the script, also if it fails.
    pub(crate) host: Rc<Host>,
    open: Persistent<Function<'static>>,
    collect: Persistent<Function<'static>>,
}

/// Restricts the globals and sets up the reserve. Nothing here comes from the script.
pub(crate) fn prepare(ctx: &Ctx<'_>, step: &Step, meter: &Meter) -> Result<World, IsolateError> {
    let host = Host::new(&step.writes, &step.limits);
    let ready = || -> rquickjs::Result<World> {
        let object = host::object(ctx, &host, &step.grants, &step.limits)?;
        for source in PRELUDE {
            let mut options = EvalOptions::default();
            options.filename = Some(PRELUDE_NAME.to_owned());
            let part: Function<'_> = ctx.eval_with_options(source, options)?;
            part.call::<_, ()>((object.clone(),))?;
        }
        meter.keep(Persistent::save(ctx, ArrayBuffer::new_copy(ctx.clone(), vec![0_u8; RESERVE])?));
        let open = Persistent::save(ctx, object.get::<_, Function<'_>>("open")?);
        let collect = Persistent::save(ctx, object.get::<_, Function<'_>>("collect")?);
        Ok(World { host: Rc::clone(&host), open, collect })
    };
    ready().map_err(|error| failed(&error))
}

/// Runs the script and takes its outputs.
pub(crate) fn perform(
    ctx: &Ctx<'_>,
    step: &Step,
    world: World,
    meter: &Meter,
) -> Result<BTreeMap<String, Vec<u8>>, IsolateError> {
    let World { host, open, collect } = world;
    let fault = |error| fault::read(ctx, &error, meter, &host);
    let collect = collect.restore(ctx).map_err(fault)?;
    let open = open.restore(ctx).map_err(fault)?;
    let (inputs, context) = hand_in(ctx, step, &open).map_err(fault)?;
    let module = Module::declare(ctx.clone(), SOURCE_NAME, step.source.as_str());
    let module = module.map_err(|error| fault::of_source(ctx, &error, meter, &host))?;
    let (module, promise) = module.eval().map_err(fault)?;
    settle(ctx, &promise).unwrap_or_else(|| Err(fault(rquickjs::Error::Exception)))?;
    let default: Value<'_> = module.get("default").map_err(|error| match fault(error) {
        IsolateError::Threw { .. } => IsolateError::NoDefaultExport,
        other => other,
    })?;
    let default = default.into_function().ok_or(IsolateError::NoDefaultExport)?;
    let returned: Value<'_> = default.call((inputs, context)).map_err(fault)?;
    if returned.is_promise() {
        return Err(IsolateError::Waits(Waiting::Promise));
    }
    collect.call::<_, ()>((returned,)).map_err(fault)?;
    // A recorded reason counts even if a script swallowed the error that came with it.
    let refusal = meter.stopped().map(IsolateError::OutOfTime).or_else(|| host.outputs.borrow().refusal());
    refusal.map_or_else(|| Ok(host.outputs.borrow_mut().take()), Err)
}

/// Returns whether the module has been evaluated; `None` if it threw and the exception waits to be read.
fn settle(ctx: &Ctx<'_>, promise: &Promise<'_>) -> Option<Result<(), IsolateError>> {
    match promise.state() {
        PromiseState::Resolved => Some(Ok(())),
        PromiseState::Pending => Some(Err(IsolateError::Waits(Waiting::TopLevelAwait))),
        PromiseState::Rejected => match promise.result::<Value<'_>>() {
            Some(Err(_)) => None,
            Some(Ok(_)) | None => {
                drop(ctx.catch());
                let why = "the module was rejected without an exception".to_owned();
                Some(Err(IsolateError::Engine { why }))
            }
        },
    }
}

/// Makes the two arguments of the default function.
fn hand_in<'js>(ctx: &Ctx<'js>, step: &Step, open: &Function<'js>) -> rquickjs::Result<(Value<'js>, Value<'js>)> {
    let (paths, contents) = (Array::new(ctx.clone())?, Array::new(ctx.clone())?);
    for (at, (path, bytes)) in step.inputs.iter().enumerate() {
        paths.set(at, path.as_str())?;
        contents.set(at, content(ctx, bytes)?)?;
    }
    let writes = Array::new(ctx.clone())?;
    for (at, path) in step.writes.iter().enumerate() {
        writes.set(at, path.as_str())?;
    }
    let bound = bound::list(ctx, &step.grants.inputs)?;
    let arguments: Object<'js> = open.call((paths, contents, writes, bound))?;
    Ok((arguments.get("inputs")?, arguments.get("context")?))
}

/// An input as text, or as bytes if it is not UTF-8.
fn content<'js>(ctx: &Ctx<'js>, bytes: &[u8]) -> rquickjs::Result<Value<'js>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into_js(ctx),
        Err(_) => Ok(TypedArray::<u8>::new_copy(ctx.clone(), bytes)?.into_value()),
    }
}
