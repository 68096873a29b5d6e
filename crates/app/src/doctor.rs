//! Examines this machine: what it can enforce, what is missing, and how to install it.

use crate::clock;
use crate::error::AppError;
use crate::runs::{store, tools_missing};
use crate::session::Session;
use deed_model::IsolationLevel;
use deed_ports::JournalRead as _;
use deed_sandbox::{Language, PrivatePaths, Probe, ProbeOptions, Tools, find_interpreter, probe};
use jiff::Timestamp;
use nix::sys::statvfs::statvfs;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// The level that the contracts of steps demand unless a plan says otherwise.
const DEMANDED: IsolationLevel = IsolationLevel::L2;
/// Free space below which a run may not be able to store its files.
const LITTLE_SPACE: u64 = 1 << 30;

/// The severity of a finding, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckStatus {
    /// As it should be.
    Ok,
    /// Usable, with something weaker or slower than it could be.
    Warning,
    /// Steps that need it are refused.
    Missing,
}

impl CheckStatus {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Missing => "missing",
        }
    }
}

/// One thing that was examined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Check {
    /// Its name, such as `sandbox` or `python`.
    pub name: &'static str,
    /// Its status.
    pub status: CheckStatus,
    /// The finding.
    pub found: String,
    /// The fix, with the command where there is one.
    pub fix: Option<String>,
}

/// Everything that was examined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Examination {
    /// The operating system and architecture.
    pub platform: String,
    /// The isolation level that sandboxes reach: L3 (best) to L0 (none).
    #[schemars(with = "String")]
    pub level: IsolationLevel,
    /// The checks.
    pub checks: Vec<Check>,
}

impl Examination {
    /// Returns the worst status.
    pub fn worst(&self) -> CheckStatus {
        self.checks.iter().map(|check| check.status).max().unwrap_or(CheckStatus::Ok)
    }
}

/// Examines the machine and the project of a session. `options` leave out what must not be used.
///
/// # Errors
/// The programs that sandboxes are started with cannot be written, or the project is damaged.
pub fn examine(session: &Session, options: &ProbeOptions) -> Result<Examination, AppError> {
    let home = session.maybe_home()?;
    let temporary = tempfile::tempdir().map_err(|error| AppError::writing(&std::env::temp_dir(), &error))?;
    let folder = home.as_ref().map_or_else(|| temporary.path().to_owned(), crate::Home::tools);
    let tools = Tools::prepare(&folder).map_err(|error| AppError::environment(tools_missing(&error)))?;
    let probed = probe(&tools, options);
    let private = home.as_ref().map_or_else(|| PrivatePaths::of_caller(&[]), |home| home.private());
    let mut checks = sandbox(&probed);
    checks.extend([Language::Python, Language::JavaScript, Language::Shell].map(|one| interpreter(one, &private)));
    let root = home.as_ref().map_or(Path::new("."), |home| home.root());
    checks.extend([project(session)?, disk(root)?, umask(), clock(session)?]);
    let platform = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    Ok(Examination { platform, level: probed.level, checks })
}

/// The layers of the sandbox, and the level that follows from them.
fn sandbox(probed: &Probe) -> Vec<Check> {
    let fix = |level: IsolationLevel| -> Option<String> {
        let helps: Vec<&str> =
            probed.missing.iter().filter(|one| one.level == level).map(|one| one.help.as_str()).collect();
        let mut distinct: Vec<&str> = Vec::new();
        helps.into_iter().for_each(|help| {
            if !distinct.contains(&help) {
                distinct.push(help)
            }
        });
        (!distinct.is_empty()).then(|| distinct.join("; "))
    };
    let layer = |name, ok: bool, found: String, level: IsolationLevel, otherwise: CheckStatus| Check {
        name,
        status: if ok { CheckStatus::Ok } else { otherwise },
        found,
        fix: if ok { None } else { fix(level) },
    };
    let said = |result: &Result<(), String>| result.as_ref().map_or_else(Clone::clone, |()| "usable".to_owned());
    let bwrap = match &probed.bwrap {
        Ok(bwrap) => format!("{} at {}", bwrap.version, bwrap.path.display()),
        Err(why) => why.clone(),
    };
    let landlock = match probed.landlock_abi {
        0 => "the kernel has none".to_owned(),
        abi => format!("ABI {abi}"),
    };
    let controllers: Vec<&str> =
        probed.groups.iter().flat_map(|group| group.controllers.iter().map(String::as_str)).collect();
    let limited = ["memory", "pids", "cpuacct"].iter().all(|name| controllers.contains(name));
    let groups = match limited {
        true => format!("limit {}", controllers.join(", ")),
        false => probed.groups_missing.join("; "),
    };
    let root = match (probed.root, &probed.ordinary_user) {
        (false, _) => "deed does not run as root".to_owned(),
        (true, Ok(())) => "deed runs as root, code runs as an ordinary user".to_owned(),
        (true, Err(why)) => format!("code would be root to the host: {why}"),
    };
    let missing = CheckStatus::Missing;
    let below = format!(
        "below L2: steps with Python, shell or Node.js code are refused unless their contract says L1; there, {}",
        probed.sockets_in_reach()
    );
    let level = match probed.level {
        level if level >= IsolationLevel::L3 => (CheckStatus::Ok, "every layer is enforced"),
        level if level >= DEMANDED => (CheckStatus::Warning, "enough for plans that demand no more than L2"),
        IsolationLevel::L1 => (missing, below.as_str()),
        _ => (missing, "below L2: steps with Python, shell or Node.js code are refused"),
    };
    let next = probed.missing.iter().map(|one| one.level).min().and_then(fix);
    vec![
        Check { name: "sandbox", status: level.0, found: format!("{}: {}", probed.level, level.1), fix: next },
        layer("bubblewrap", probed.bwrap.is_ok(), bwrap, IsolationLevel::L2, missing),
        layer("namespaces", probed.namespaces.is_ok(), said(&probed.namespaces), IsolationLevel::L2, missing),
        layer("seccomp", probed.seccomp.is_ok(), said(&probed.seccomp), IsolationLevel::L1, missing),
        layer("landlock", probed.landlock_abi > 0, landlock, IsolationLevel::L1, missing),
        layer("cgroups", limited, groups, IsolationLevel::L3, CheckStatus::Warning),
        layer("user", !probed.root || probed.ordinary_user.is_ok(), root, IsolationLevel::L2, CheckStatus::Warning),
    ]
}

fn interpreter(language: Language, private: &PrivatePaths) -> Check {
    let (name, package) = match language {
        Language::Python => ("python", "python3"),
        Language::JavaScript => ("node", "nodejs"),
        Language::Shell => ("shell", "bash"),
    };
    match find_interpreter(language, None, private) {
        Ok(found) => {
            let found = format!("{} at {}", found.version, found.executable.display()).trim_start().to_owned();
            Check { name, status: CheckStatus::Ok, found, fix: None }
        }
        Err(error) => Check {
            name,
            status: CheckStatus::Warning,
            found: error.to_string(),
            fix: Some(format!("install it if plans have steps in this language: `apt-get install {package}`")),
        },
    }
}

fn project(session: &Session) -> Result<Check, AppError> {
    let name = "project";
    Ok(match session.maybe_home()? {
        None => Check {
            name,
            status: CheckStatus::Warning,
            found: "there is no `.deed` here or in any folder above".to_owned(),
            fix: Some("make one: `deed init`, or a whole job: `deed new demo`".to_owned()),
        },
        Some(home) => {
            let found = format!("{}, tenant `{}`", home.root().display(), home.config.tenant);
            Check { name, status: CheckStatus::Ok, found, fix: None }
        }
    })
}

fn disk(folder: &Path) -> Result<Check, AppError> {
    let volume = statvfs(folder).map_err(|error| AppError::reading(folder, &error.into()))?;
    let free = volume.blocks_available().saturating_mul(volume.fragment_size());
    let found = format!("{}.{} GiB free", free >> 30, ((free & ((1 << 30) - 1)) * 10) >> 30);
    let low = free < LITTLE_SPACE;
    let fix = low.then(|| "make room, or keep the project on another volume with `--home DIR`".to_owned());
    Ok(Check { name: "disk", status: if low { CheckStatus::Warning } else { CheckStatus::Ok }, found, fix })
}

/// Files that a umask leaves writable to others could be changed between two commands.
fn umask() -> Check {
    let status = std::fs::read_to_string("/proc/self/status").ok();
    let mask = status.as_deref().and_then(|text| text.lines().find_map(|line| line.strip_prefix("Umask:")));
    let mask = mask.and_then(|text| u32::from_str_radix(text.trim(), 8).ok());
    match mask {
        Some(mask) if mask & 0o002 != 0 => {
            Check { name: "umask", status: CheckStatus::Ok, found: format!("{mask:04o}"), fix: None }
        }
        Some(mask) => Check {
            name: "umask",
            status: CheckStatus::Warning,
            found: format!("{mask:04o}: every user may change new files"),
            fix: Some("set it in the profile of the shell: `umask 022`".to_owned()),
        },
        None => Check {
            name: "umask",
            status: CheckStatus::Warning,
            found: "cannot be read from /proc/self/status".to_owned(),
            fix: Some("mount /proc".to_owned()),
        },
    }
}

/// Approvals lapse by the clock: one that is behind the journal's last event is wrong.
fn clock(session: &Session) -> Result<Check, AppError> {
    let name = "clock";
    let text = session.stamp()?.at;
    let now = clock::parse(&text);
    let last = match session.maybe_home()? {
        Some(_) => match store(session)?.1 {
            Some(store) => {
                let newest = store.newest(1).map_err(|error| crate::runs::store_error(&error))?.pop();
                let events = newest.map(|run| store.events(&run.run_id, 0)).transpose();
                let events = events.map_err(|error| crate::runs::store_error(&error))?;
                events.and_then(|events| events.last().map(|entry| entry.record.at.clone()))
            }
            None => None,
        },
        None => None,
    };
    let behind = last.as_deref().and_then(|last| last.parse::<Timestamp>().ok()).zip(now);
    let behind = behind.filter(|(last, now)| last.as_second() > now.as_second());
    Ok(match behind {
        None => Check { name, status: CheckStatus::Ok, found: text, fix: None },
        Some((last, _)) => Check {
            name,
            status: CheckStatus::Warning,
            found: format!("{text}, before the last event of the journal at {last}"),
            fix: Some("set the clock: `timedatectl set-ntp true`".to_owned()),
        },
    })
}
