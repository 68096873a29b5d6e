//! The engine as a compiler: it compiles and links modules, and evaluates none.

use crate::engine::Intrinsics;
use crate::fault::{SOURCE_NAME, compile_error};
use rquickjs::allocator::RustAllocator;
use rquickjs::{Context, Module, Runtime};

use super::STACK;

/// A module that exports nothing, and one whose link always fails, after its import from the source was checked.
const EMPTY_NAME: &str = "deed:empty";
const PROBE: &str = "import value from 'step.js'; import { absent } from 'deed:empty';";

/// Bytes of heap for one compilation.
const MEMORY: usize = 64 << 20;

/// The result of linking a module that must have a default export.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LinkResult {
    /// It has a default export.
    HasDefault,
    /// It exports no default.
    NoDefault,
}

/// The error of a source that does not compile: the message of the engine, and the line.
pub(super) type CompileError = (String, Option<usize>);

/// A compiler. Each source gets an engine of its own, so none sees the names of another.
pub(super) struct Compiler {
    /// Bytes that may still be compiled.
    left: usize,
}

/// The maximum number of bytes that are compiled for one inspection. A source that needs more is inspected in part.
const MOST_BYTES: usize = 64 << 20;

impl Compiler {
    pub(super) fn new() -> Self {
        Self { left: MOST_BYTES }
    }

    /// Returns whether the budget of the compiler is spent.
    pub(super) fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Compiles a module.
    ///
    /// # Errors
    /// The outer error is one of the engine itself.
    pub(super) fn compile(&mut self, source: &str) -> Result<Result<(), CompileError>, String> {
        let (_runtime, context) = context()?;
        Ok(context.with(|ctx| match Module::declare(ctx.clone(), SOURCE_NAME, source) {
            Ok(_) => Ok(()),
            Err(error) => Err(compile_error(&ctx, &error)),
        }))
    }

    /// Returns whether a module compiles.
    pub(super) fn compiles(&mut self, source: &str) -> Result<bool, String> {
        if self.left < source.len() {
            self.left = 0;
            return Err("the source takes too long to inspect".to_owned());
        }
        self.left -= source.len();
        Ok(self.compile(source)?.is_ok())
    }

    /// Links a module that compiles. The module that imports its default export can never be linked itself, so
    /// nothing is evaluated.
    pub(super) fn link(&mut self, source: &str) -> Result<LinkResult, String> {
        let (_runtime, context) = context()?;
        context.with(|ctx| {
            let declare = |name: &str, source: &str| {
                Module::declare(ctx.clone(), name, source).map_err(|error| compile_error(&ctx, &error).0)
            };
            declare(EMPTY_NAME, "export {};")?;
            declare(SOURCE_NAME, source)?;
            let probe = declare("deed:probe", PROBE)?;
            let Err(error) = probe.eval() else { return Err("the probe was linked".to_owned()) };
            let (message, _) = compile_error(&ctx, &error);
            Ok(if message.contains("'absent'") { LinkResult::HasDefault } else { LinkResult::NoDefault })
        })
    }
}

fn context() -> Result<(Runtime, Context), String> {
    let runtime = Runtime::new_with_alloc(RustAllocator).map_err(|error| error.to_string())?;
    runtime.set_max_stack_size(STACK);
    let context = Context::custom::<Intrinsics>(&runtime).map_err(|error| error.to_string())?;
    runtime.set_memory_limit(MEMORY);
    Ok((runtime, context))
}
