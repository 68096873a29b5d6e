//! A hook before each durable step, so that tests can fail or end the program at every one of them.

use std::fmt;
use std::io;

/// The hook that is called with the name of each step before it happens. In production there is none.
pub(crate) struct Steps(Option<Box<Hook>>);

/// The hook of a test.
pub(crate) type Hook = dyn Fn(&'static str) -> io::Result<()> + Send + Sync;

impl Steps {
    pub(crate) fn none() -> Self {
        Self(None)
    }

    pub(crate) fn hook(hook: impl Fn(&'static str) -> io::Result<()> + Send + Sync + 'static) -> Self {
        Self(Some(Box::new(hook)))
    }

    pub(crate) fn before(&self, step: &'static str) -> io::Result<()> {
        self.0.as_ref().map_or(Ok(()), |hook| hook(step))
    }
}

impl fmt::Debug for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Steps(hooked)" } else { "Steps(none)" })
    }
}
