//! One engine for one run: a runtime and a context with chosen intrinsics, capped, used once and dropped.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rquickjs::allocator::RustAllocator;
use rquickjs::context::intrinsic;
use rquickjs::{Context, Runtime};

use crate::error::IsolateError;
use crate::meter::Meter;
use crate::run::{IsolateFailure, IsolateOutput, IsolateUsage};
use crate::step::{self, Step};

/// The intrinsics of a script. The compiler of modules comes with `Eval`, and modules report through `Promise`; the
/// prelude removes the rest of these two before the script starts. `Proxy` is left out because its traps make every
/// operation a call.
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
pub(crate) fn execute(step: &Step, time_is_up: Arc<AtomicBool>) -> Result<IsolateOutput, IsolateFailure> {
    // The engine counts the usable size of a block. The system's allocator returns blocks that are a little larger in one
    // run than in the next; this one reports the requested size, so that a heap is full at the same place each time.
    let runtime = Runtime::new_with_alloc(RustAllocator).map_err(|error| failed(&error))?;
    let context = Context::custom::<Intrinsics>(&runtime).map_err(|error| failed(&error))?;
    runtime.set_max_stack_size(step.limits.stack);
    let meter = Rc::new(Meter::new(step.limits.operations, time_is_up));
    let world = context.with(|ctx| step::prepare(&ctx, step, &meter))?;
    let host = Rc::clone(&world.host);
    // The engine does not survive a full heap while its own objects are created, so the limits start here.
    runtime.set_memory_limit(step.limits.memory);
    let counting = Rc::clone(&meter);
    runtime.set_interrupt_handler(Some(Box::new(move || counting.tick())));
    let done = context.with(|ctx| step::perform(&ctx, step, world, &meter));
    runtime.set_interrupt_handler(None);
    meter.release();
    // The engine counts bytes in a signed number, which is never negative.
    let memory_at_end = runtime.memory_usage().malloc_size.unsigned_abs();
    let log = host.log.borrow_mut().take();
    match done {
        Ok(outputs) => {
            Ok(IsolateOutput { outputs, log, usage: IsolateUsage { operations: meter.operations(), memory_at_end } })
        }
        Err(error) => Err(IsolateFailure { error, log }),
    }
}

/// The engine's own error.
pub(crate) fn failed(error: &rquickjs::Error) -> IsolateError {
    match error {
        rquickjs::Error::Allocation => IsolateError::OutOfMemory,
        other => IsolateError::Engine { why: other.to_string() },
    }
}
