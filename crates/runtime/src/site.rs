//! The machine that sandboxes run on, probed once, when the first sandbox is needed.

use deed_sandbox::{
    Interpreter, InterpreterError, Language, PrivatePaths, Probe, ProbeOptions, Tools, find_interpreter, probe,
};
use std::sync::OnceLock;

/// The machine that sandboxes run on.
#[derive(Debug)]
pub struct Site {
    tools: Tools,
    options: ProbeOptions,
    private: PrivatePaths,
    probe: OnceLock<Probe>,
}

impl Site {
    /// A machine that is probed on first use, and the paths on it that no sandbox may see.
    pub fn new(tools: Tools, options: ProbeOptions, private: PrivatePaths) -> Self {
        Self { tools, options, private, probe: OnceLock::new() }
    }

    /// Finds the interpreter of a language on this machine.
    pub(crate) fn interpreter(&self, language: Language) -> Result<Interpreter, InterpreterError> {
        find_interpreter(language, None, &self.private)
    }

    /// Returns what the machine offers, probed once.
    pub fn probe(&self) -> &Probe {
        self.probe.get_or_init(|| probe(&self.tools, &self.options))
    }
}
