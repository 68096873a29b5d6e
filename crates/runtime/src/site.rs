//! The machine that sandboxes run on: looked at once, when the first sandbox is needed.

use deed_sandbox::{Probe, ProbeOptions, Tools, probe};
use std::sync::OnceLock;

/// The machine that sandboxes run on.
#[derive(Debug)]
pub struct Site {
    tools: Tools,
    options: ProbeOptions,
    probe: OnceLock<Probe>,
}

impl Site {
    /// A machine that is not looked at yet.
    pub fn new(tools: Tools, options: ProbeOptions) -> Self {
        Self { tools, options, probe: OnceLock::new() }
    }

    /// What it offers.
    pub fn probe(&self) -> &Probe {
        self.probe.get_or_init(|| probe(&self.tools, &self.options))
    }
}
