//! Helpers of the tests: a stage with its folders, and a job on it.

use deed_model::{IsolationLevel, SandboxDemand, SandboxLimits};
use deed_sandbox::*;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The tools, prepared once in a folder that vanishes with the machine.
pub fn tools() -> &'static Tools {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    TOOLS.get_or_init(|| {
        // A user who cannot write where the tests were built has a folder of their own.
        let shared = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folder = match nix::unistd::access(shared, nix::unistd::AccessFlags::W_OK) {
            Ok(()) => shared.to_owned(),
            Err(_) => std::env::temp_dir(),
        };
        Tools::prepare(&folder.join("tools")).unwrap()
    })
}

/// The probe of this machine.
pub fn probed() -> &'static Probe {
    static PROBE: OnceLock<Probe> = OnceLock::new();
    PROBE.get_or_init(|| {
        let probe = probe(tools(), &ProbeOptions::default());
        println!("{probe}");
        probe
    })
}

/// A stage with `input`, `work`, `output` and `meta`.
pub struct Stage {
    pub dir: tempfile::TempDir,
    pub limits: SandboxLimits,
}

impl Stage {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["input", "work", "output", "meta"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        let limits = SandboxLimits { wall_seconds: 20, ..SandboxLimits::default() };
        Self { dir, limits }
    }

    /// Lets every user enter, for runs without a mount namespace.
    pub fn open(self) -> Self {
        fs::set_permissions(self.dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn job(&self, interpreter: &Interpreter, args: &[&str]) -> Job {
        let bind = |name: &str| Bind { host: self.path(name), inside: Path::new("/workspace").join(name) };
        Job {
            interpreter: interpreter.clone(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            stage: self.dir.path().to_owned(),
            own_folder: None,
            inputs: vec![bind("input")],
            writable: vec![bind("work"), bind("output")],
            meta: Some(self.path("meta")),
            bridge: None,
            proxy: None,
            ca: None,
            env: BTreeMap::new(),
        }
    }

    pub fn plan(&self, job: &Job) -> SandboxPlan {
        plan(job, &self.demand(probed().level.min(IsolationLevel::L2)), probed()).unwrap()
    }

    pub fn demand(&self, minimum: IsolationLevel) -> SandboxDemand {
        SandboxDemand { minimum, limits: self.limits }
    }

    pub fn python(&self, code: &str) -> Outcome {
        self.run(&self.job(&python(), &["-c", code]))
    }

    pub fn shell(&self, code: &str) -> Outcome {
        self.run(&self.job(&find_interpreter(Language::Shell, None, &PrivatePaths::default()).unwrap(), &["-c", code]))
    }

    pub fn run(&self, job: &Job) -> Outcome {
        run(&self.plan(job), &Control::new())
    }
}

impl Drop for Stage {
    /// The leftovers of a test may be nested too deeply for a recursive removal.
    fn drop(&mut self) {
        remove_tree(self.dir.path()).unwrap();
    }
}

/// The Python of the system.
pub fn python() -> Interpreter {
    find_interpreter(Language::Python, Some(Path::new("/usr/bin/python3")), &PrivatePaths::default()).unwrap()
}

pub fn out(outcome: &Outcome) -> String {
    outcome.stdout.text()
}

pub fn err(outcome: &Outcome) -> String {
    outcome.stderr.text()
}
