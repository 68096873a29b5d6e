//! The paths that the code sees: fixed ones with a mount namespace, those of the host without.

use crate::job::{Bind, Job};
use crate::probe::Probe;
use deed_init::Forward;
use std::path::{Path, PathBuf};

/// The folder of the job.
pub(crate) const WORKSPACE: &str = "/workspace";
/// The folder with the step's part of the plan.
pub(crate) const META: &str = "/workspace/meta";
/// The socket of the bridge.
pub(crate) const BRIDGE: &str = "/run/deed/bridge.sock";
/// The socket of the proxy.
pub(crate) const PROXY: &str = "/run/deed/proxy.sock";
/// The port that is forwarded to the proxy.
pub(crate) const PROXY_PORT: u16 = 3128;
/// The certificates.
pub(crate) const CA: &str = "/run/deed/ca.pem";
/// The static binary.
pub(crate) const INIT: &str = "/run/deed/init";
/// The running program, whatever its name is.
pub(crate) const ITSELF: &str = "/proc/self/exe";

/// The paths that the code sees.
pub(super) enum Layout {
    /// Fixed paths, in a mount namespace.
    Fixed,
    /// The host's paths: the stage, and the binds.
    Host(PathBuf, Vec<Bind>),
}

impl Layout {
    pub(super) fn new(job: &Job, probe: &Probe) -> Self {
        if probe.is_namespaced() {
            return Self::Fixed;
        }
        let meta = job.meta.iter().map(|host| Bind { host: host.clone(), inside: PathBuf::from(META) });
        Self::Host(job.stage.clone(), job.inputs.iter().chain(&job.writable).cloned().chain(meta).collect())
    }

    pub(super) fn is_namespaced(&self) -> bool {
        matches!(self, Self::Fixed)
    }

    pub(super) fn namespaces(&self) -> Vec<String> {
        let kinds: &[&str] = match self {
            Self::Fixed => &["user", "mount", "pid", "network", "ipc", "uts", "cgroup"],
            Self::Host(..) => &[],
        };
        kinds.iter().map(|kind| (*kind).to_owned()).collect()
    }

    pub(super) fn cwd(&self) -> PathBuf {
        match self {
            Self::Fixed => PathBuf::from(WORKSPACE),
            Self::Host(stage, _) => stage.clone(),
        }
    }

    /// The path of a bind, as the code sees it.
    pub(super) fn place(&self, bind: &Bind) -> PathBuf {
        match self {
            Self::Fixed => bind.inside.clone(),
            Self::Host(..) => bind.host.clone(),
        }
    }

    /// The path of something that has one path inside and another on the host, as the code sees it.
    pub(super) fn at(&self, inside: impl AsRef<Path>, host: &Path) -> PathBuf {
        match self {
            Self::Fixed => inside.as_ref().to_owned(),
            Self::Host(..) => host.to_owned(),
        }
    }

    /// An argument, which may be a path inside.
    pub(super) fn argument(&self, arg: &str) -> String {
        let Self::Host(_, binds) = self else { return arg.to_owned() };
        let found = binds.iter().find_map(|bind| Some((bind, Path::new(arg).strip_prefix(&bind.inside).ok()?)));
        match found {
            Some((bind, rest)) if rest.as_os_str().is_empty() => bind.host.to_string_lossy().into_owned(),
            Some((bind, rest)) => bind.host.join(rest).to_string_lossy().into_owned(),
            None => arg.to_owned(),
        }
    }

    pub(super) fn forward(&self, job: &Job) -> Option<Forward> {
        let wanted = self.is_namespaced() && job.proxy.is_some();
        wanted.then(|| Forward { port: PROXY_PORT, socket: PathBuf::from(PROXY) })
    }

    /// Notes about differences without a mount namespace.
    pub(super) fn notes(&self, job: &Job, probe: &Probe) -> Vec<String> {
        let Self::Host(stage, _) = self else { return Vec::new() };
        let mut notes = vec![
            format!("there is no mount namespace: the code starts in `{}` and sees the host's paths", stage.display()),
            "there is no private `/tmp`: scratch files go to the first writable folder".to_owned(),
            format!("there is no network namespace: {}", probe.sockets_in_reach()),
        ];
        if job.proxy.is_some() {
            notes.push("the proxy cannot be reached without a network namespace; the bridge can".to_owned());
        }
        notes
    }
}
