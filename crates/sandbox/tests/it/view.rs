//! The mounts, names and kinds of files inside are the same for every user: root stages most of the mounts, other users
//! leave all of them to bubblewrap.

use crate::common::{Stage, err, out, probed, python};
use deed_model::IsolationLevel;
use deed_sandbox::{Bind, Control, Ended, Outcome, User, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns whether this machine has root and namespaces.
fn both() -> bool {
    nix::unistd::geteuid().is_root() && probed().level >= IsolationLevel::L2
}

fn output(outcome: &Outcome) -> String {
    assert_eq!(outcome.ended, Ended::Exited(0), "{}", err(outcome));
    out(outcome)
}

/// Every mount with what can be done there, and what lies in the folders that were put together.
const VIEW: &str = r#"
import os
for line in open('/proc/self/mountinfo'):
    words = line.split()
    flags = [flag for flag in words[5].split(',') if flag in ('ro', 'rw', 'nosuid', 'nodev', 'noexec')]
    print('mount', words[4], *flags)
for folder in ('/', '/dev', '/etc', '/run', '/run/deed', '/workspace', '/workspace/output', '/tmp'):
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        print(path, oct(os.lstat(path).st_mode & 0o170000), os.path.islink(path) and os.readlink(path))
for path in ('/new', '/dev/new', '/etc/new', '/run/new', '/workspace/new', '/workspace/input/new', '/usr/new'):
    try:
        open(path, 'w')
        print(path, 'was made')
    except OSError as error:
        print(path, error.errno)
assert open('/dev/zero', 'rb').read(3) == bytes(3) and len(open('/dev/urandom', 'rb').read(9)) == 9
open('/dev/null', 'w').write('x')
"#;

#[test]
fn the_view_does_not_depend_on_the_user_who_starts_it() {
    if !both() {
        return;
    }
    let seen_by = |same: bool| {
        let stage = Stage::new();
        fs::write(stage.path("input/a.txt"), "a").unwrap();
        let mut job = stage.job(&python(), &["-c", VIEW]);
        job.inputs.push(Bind { host: stage.path("input/a.txt"), inside: PathBuf::from("/workspace/output/in/a.txt") });
        let mut plan = stage.plan(&job);
        assert!(matches!(plan.user, User::Ordinary(_)));
        if same {
            plan.user = User::Same;
        }
        // The mounts are compared, also those that Landlock hides.
        plan.landlock = None;
        let text = output(&run(&plan, &Control::new()));
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let (seen, by_others) = (seen_by(false), seen_by(true));
    assert_eq!(seen.join("\n"), by_others.join("\n"));
    for line in ["mount / ro nosuid nodev", "mount /usr ro nosuid nodev", "mount /workspace/output rw nosuid nodev"] {
        assert!(seen.iter().any(|one| one == line), "`{line}` is not in\n{}", seen.join("\n"));
    }
    assert!(seen.iter().any(|one| one == "mount /workspace/output/in/a.txt ro nosuid nodev"), "{seen:?}");
}

#[test]
fn a_mount_below_a_shown_folder_is_read_only_too() {
    const TEST: &str = "view::a_mount_below_a_shown_folder_is_read_only_too";
    if !both() {
        return;
    }
    if std::env::var_os("DEED_TEST_OUTER").is_none() {
        // In a mount namespace of its own, where another mount does no harm.
        let mut again = Command::new("unshare");
        again.args(["--mount", "--propagation", "private"]).arg(std::env::current_exe().unwrap());
        again.args(["--exact", TEST, "--nocapture"]).env("DEED_TEST_OUTER", "1");
        let output = again.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
        return;
    }
    let stage = Stage::new();
    let below = stage.path("input/below");
    fs::create_dir(&below).unwrap();
    mount(&["-t", "tmpfs", "-o", "mode=777"], Path::new("below"), &below);
    let code = "import os\nprint(open('/proc/self/mountinfo').read().count('/workspace/input/below'))\n\
                try:\n    open('/workspace/input/below/x', 'w')\nexcept OSError as error:\n    print(error.errno)";
    let mut plan = stage.plan(&stage.job(&python(), &["-c", code]));
    // The mount alone has to hold: Landlock would refuse it as well.
    plan.landlock = None;
    assert_eq!(output(&run(&plan, &Control::new())), "1\n30\n");
    plan.user = User::Same;
    assert_eq!(output(&run(&plan, &Control::new())), "1\n30\n");
    assert!(Command::new("umount").arg(&below).status().unwrap().success());
}

#[test]
fn nothing_is_made_in_a_folder_of_the_host() {
    if !both() {
        return;
    }
    let stage = Stage::new();
    let mut plan = stage.plan(&stage.job(&python(), &["-c", "pass"]));
    let inner = deed_sandbox::PlannedMount {
        inside: PathBuf::from("/workspace/input/inner"),
        kind: deed_sandbox::MountKind::ReadOnly(PathBuf::from("/usr")),
        private: true,
    };
    plan.mounts.push(inner);
    let outcome = run(&plan, &Control::new());
    assert!(matches!(&outcome.ended, Ended::CouldNotStart(why) if why.contains("inner")), "{:?}", outcome.ended);
    assert_eq!(fs::read_dir(stage.path("input")).unwrap().count(), 0);

    // Nor through a link that leads into one.
    fs::write(stage.path("input/kept"), "kept").unwrap();
    fs::write(stage.path("meta/other"), "other").unwrap();
    for (name, host, begins) in [("new", "meta/other", false), ("new", "meta", false), ("kept", "meta/other", true)] {
        let mut plan = stage.plan(&stage.job(&python(), &["-c", "print(open('/workspace/input/kept').read())"]));
        let link = deed_sandbox::MountKind::Link(PathBuf::from("workspace/input"));
        let through = deed_sandbox::MountKind::ReadOnly(stage.path(host));
        for (inside, kind, private) in [("/link".to_owned(), link, false), (format!("/link/{name}"), through, true)] {
            plan.mounts.push(deed_sandbox::PlannedMount { inside: PathBuf::from(inside), kind, private });
        }
        let outcome = run(&plan, &Control::new());
        assert_eq!(outcome.ended == Ended::Exited(0), begins, "{name}, {host}: {:?}", outcome.ended);
        assert_eq!(if begins { out(&outcome) } else { "other\n".to_owned() }, "other\n");
        assert_eq!(fs::read_dir(stage.path("input")).unwrap().count(), 1);
        assert_eq!(fs::read_to_string(stage.path("input/kept")).unwrap(), "kept");
    }
}

fn mount(options: &[&str], what: &Path, to: &Path) {
    assert!(Command::new("mount").args(options).arg(what).arg(to).status().unwrap().success());
}
