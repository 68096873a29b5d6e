//! The whole environment: the fixed variables, and those that the job adds.

use super::within::{BRIDGE, CA, Layout, PROXY_PORT};
use crate::job::Job;
use crate::refusal::Refusal;
use std::collections::BTreeMap;
use std::path::Path;

/// The variables that name the proxy.
const PROXIES: &[&str] = &["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

/// The variables that name the certificates.
const CERTIFICATES: &[&str] = &["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"];

/// Assembles the environment, and refuses variables that a job may not set.
pub(super) fn assembled(job: &Job, layout: &Layout) -> Result<BTreeMap<String, String>, Refusal> {
    let mut env = fixed(job, layout);
    for (name, value) in &job.env {
        let named = !name.is_empty() && !name.contains(['=', '\0']);
        if !named || env.contains_key(name) {
            return Err(Refusal::Variable(name.chars().take(80).collect()));
        }
        env.insert(name.clone(), layout.argument(value));
    }
    Ok(env)
}

fn fixed(job: &Job, layout: &Layout) -> BTreeMap<String, String> {
    let mut env = BTreeMap::new();
    let mut set = |name: &str, value: &str| drop(env.insert(name.to_owned(), value.to_owned()));
    let scratch = job.writable.first().filter(|_| !layout.is_namespaced()).map(|bind| layout.place(bind));
    let scratch = scratch.map_or_else(|| "/tmp".to_owned(), |path| path.to_string_lossy().into_owned());
    set("DEED_WORKSPACE", &layout.cwd().to_string_lossy());
    set("HOME", &scratch);
    set("TMPDIR", &scratch);
    set("LANG", "C.UTF-8");
    set("PATH", &path(job));
    set("PYTHONDONTWRITEBYTECODE", "1");
    set("PYTHONHASHSEED", "0");
    set("TZ", "UTC");
    if let Some(host) = &job.bridge {
        set("DEED_BRIDGE", &layout.at(BRIDGE, host).to_string_lossy());
    }
    if layout.forward(job).is_some() {
        let proxy = format!("http://127.0.0.1:{PROXY_PORT}");
        PROXIES.iter().for_each(|name| set(name, &proxy));
        set("no_proxy", "");
        set("NO_PROXY", "");
    }
    if let Some(host) = &job.ca {
        let ca = layout.at(CA, host);
        CERTIFICATES.iter().for_each(|name| set(name, &ca.to_string_lossy()));
    }
    env
}

fn path(job: &Job) -> String {
    let folder = job.interpreter.executable.parent().unwrap_or(Path::new("/usr/bin"));
    let usual = ["/usr/bin", "/bin"];
    if usual.iter().any(|one| Path::new(one) == folder) || folder.starts_with("/proc") {
        return usual.join(":");
    }
    format!("{}:{}", folder.display(), usual.join(":"))
}
