//! One engine for one run: a runtime and a context with chosen intrinsics, capped, used once and dropped.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rquickjs::allocator::RustAllocator;
use rquickjs::context::intrinsic;
use rquickjs::{Context, Runtime};

use crate::error::IsolateError;
use crate::meter::Meter;
use crate::run::{Failed, Isolated, Spent};
use crate::step::{self, Step};

/// What a script may use. The compiler of modules comes with `Eval`, modules report through `Promise`; what these
/// two let a script do beyond that is taken away again before it starts. `Proxy` is left out because its traps make
/// every operation a call.
pub(crate) type Intrinsics = (
    intrinsic::Date,
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::MapSet,
    intrinsic::TypedArrays,
    intrinsic::Promise,
);

/// Runs the step to its end on this thread.
pub(crate) fn execute(step: &Step, time_is_up: Arc<AtomicBool>) -> Result<Isolated, Failed> {
    // The engine reckons what a block can hold. The system's allocator gives a block that lies ready, a little larger
    // at one run than at the next; this one says what was asked for, so that a heap is full at the same place each time.
    let runtime = Runtime::new_with_alloc(RustAllocator).map_err(|error| failed(&error))?;
    let context = Context::custom::<Intrinsics>(&runtime).map_err(|error| failed(&error))?;
    runtime.set_max_stack_size(step.limits.stack);
    let meter = Rc::new(Meter::new(step.limits.operations, time_is_up));
    let world = context.with(|ctx| step::prepare(&ctx, step, &meter))?;
    let host = Rc::clone(&world.host);
    // The engine does not survive a full heap while its own objects are made, so the caps start here.
    runtime.set_memory_limit(step.limits.memory);
    let counting = Rc::clone(&meter);
    runtime.set_interrupt_handler(Some(Box::new(move || counting.tick())));
    let done = context.with(|ctx| step::perform(&ctx, step, world, &meter));
    runtime.set_interrupt_handler(None);
    meter.release();
    let memory_at_end = u64::try_from(runtime.memory_usage().malloc_size).unwrap_or(0);
    let log = host.log.borrow_mut().take();
    match done {
        Ok(outputs) => Ok(Isolated { outputs, log, spent: Spent { operations: meter.operations(), memory_at_end } }),
        Err(error) => Err(Failed { error, log }),
    }
}

/// The engine's own error.
pub(crate) fn failed(error: &rquickjs::Error) -> IsolateError {
    match error {
        rquickjs::Error::Allocation => IsolateError::OutOfMemory,
        other => IsolateError::Engine { why: other.to_string() },
    }
}
