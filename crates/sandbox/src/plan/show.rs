//! The text form of a plan, which `deed sandbox plan` prints.

use super::{MountKind, SandboxPlan, User};
use deed_init::Sockets;
use std::fmt;

impl fmt::Display for SandboxPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "level {}", self.level)?;
        writeln!(f, "program\n  {} {}", self.program.display(), self.args.join(" "))?;
        writeln!(f, "  in {}, as {}", self.cwd.display(), user(self.user))?;
        for note in &self.notes {
            writeln!(f, "note\n  {note}")?;
        }
        section(f, "namespaces", [self.namespaces.join(" ")])?;
        section(f, "environment", self.env.iter().map(|(name, value)| format!("{name}={value}")))?;
        section(
            f,
            "mounts",
            self.mounts.iter().map(|mount| format!("{:<26} {}", mount.inside.display(), kind(&mount.kind))),
        )?;
        section(
            f,
            "limits of each process",
            self.rlimits.iter().map(|one| format!("{:<10} {}", one.resource.as_str(), one.value)),
        )?;
        for group in &self.groups {
            let title = format!("limits of all processes (cgroup v{} {})", group.version, group.controllers.join(" "));
            section(f, &title, group.settings.iter().map(|one| format!("{} {}", one.file, one.value)))?;
        }
        let limits = &self.limits;
        let watched = [
            format!("{} s wall-clock, {} s of CPU", limits.wall_seconds, limits.cpu_seconds),
            format!("{} bytes in {} files written", limits.output_bytes, limits.output_files),
            format!("{} bytes kept of each stream", limits.captured_bytes),
        ];
        section(f, "watched", watched)?;
        self.rules(f)
    }
}

impl SandboxPlan {
    fn rules(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(rules) = &self.landlock {
            let paths = rules.paths.iter().map(|rule| format!("{:<26} {}", rule.path.display(), rule.access.as_str()));
            let ports = rules.connect.iter().map(|port| format!("{:<26} connect", format!("tcp port {port}")));
            section(f, "landlock", paths.chain(ports))?;
        }
        if let Some(calls) = &self.syscalls {
            let sockets = match calls.sockets {
                Sockets::Unix => "sockets: unix",
                Sockets::UnixAndTcp => "sockets: unix, tcp",
            };
            let lists = [
                format!("allowed: {}", calls.allowed.join(" ")),
                format!("not known: {}", calls.unknown.join(" ")),
                sockets.to_owned(),
            ];
            section(f, "system calls", lists.into_iter().chain(calls.conditional.iter().cloned()))?;
        }
        section(f, "missing", self.report.missing.iter().cloned())
    }
}

fn section(f: &mut fmt::Formatter<'_>, title: &str, lines: impl IntoIterator<Item = String>) -> fmt::Result {
    let mut lines = lines.into_iter().filter(|line| !line.is_empty()).peekable();
    if lines.peek().is_some() {
        writeln!(f, "{title}")?;
    }
    lines.try_for_each(|line| writeln!(f, "  {line}"))
}

fn user(user: User) -> String {
    match user {
        User::Same => "the user who asks".to_owned(),
        User::Ordinary(first) => format!("an ordinary user from {first} on"),
    }
}

fn kind(kind: &MountKind) -> String {
    match kind {
        MountKind::ReadOnly(host) => format!("read-only {}", host.display()),
        MountKind::Writable(host) => format!("writable  {}", host.display()),
        MountKind::Device(host) => format!("device    {}", host.display()),
        MountKind::Link(target) => format!("link to   {}", target.display()),
        MountKind::Memory(bytes) => format!("memory    {bytes} bytes"),
        MountKind::Processes => "processes of the sandbox".to_owned(),
        MountKind::Folder => "folder".to_owned(),
        MountKind::Sealed => "sealed: read-only from here on".to_owned(),
    }
}
