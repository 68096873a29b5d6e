//! Files planted in the working folder, and variables planted in the environment, run nothing outside the sandbox.

use super::example::TALLY;
use crate::common::Project;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// Modules that Python would import from the working folder or from `PYTHONPATH`.
const PYTHON: &[&str] = &[
    "json",
    "platform",
    "sysconfig",
    "os",
    "site",
    "sitecustomize",
    "usercustomize",
    "encodings",
    "codecs",
    "io",
    "re",
    "ast",
    "types",
    "warnings",
];

/// Programs that a relative entry of `PATH` would find first.
const PROGRAMS: &[&str] = &["python3", "python", "node", "sh", "bash", "env", "bwrap", "true", "cat", "ls", "deed"];

/// A workspace whose folder holds a trap for every program that could be started there. Each trap writes its name to a
/// file outside of the folder.
struct Trapped {
    project: Project,
    sprung: tempfile::NamedTempFile,
}

impl Trapped {
    fn new() -> Self {
        let project = Project::bare();
        let sprung = tempfile::NamedTempFile::new().unwrap();
        let file = sprung.path().to_str().unwrap();
        project.write("tally.yaml", TALLY);
        project.write("input/orders.csv", "order,amount\na,40\nb,2\n");
        for name in PYTHON {
            let trap = format!("open({file:?}, 'a').write('module {name}\\n')\n");
            project.write(&format!("{name}.py"), &trap);
            project.write(&format!("input/{name}.py"), &trap);
        }
        let script = format!("require('fs').appendFileSync({file:?}, 'node\\n');\n");
        project.write("planted.js", &script);
        project.write("node_modules/planted/index.js", &script);
        project.write("package.json", r#"{"type": "commonjs", "main": "planted.js"}"#);
        project.write("planted.sh", format!("echo shell >> {file}\n"));
        project.write(".python-version", "planted\n");
        for name in PROGRAMS {
            project.write(name, format!("#!/bin/sh\necho program {name} >> {file}\n"));
            fs::set_permissions(project.path(name), fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self { project, sprung }
    }

    /// The command in the trapped folder, with variables that make interpreters load what lies there.
    fn command(&self, args: &[&str]) -> Command {
        let here = self.project.path("");
        let path = format!(".::{}", std::env::var("PATH").unwrap());
        let mut command = self.project.command(args);
        command
            .env("PATH", path)
            .env("PYTHONPATH", &here)
            .env("PYTHONSTARTUP", self.project.path("json.py"))
            .env("PYTHONUSERBASE", &here)
            .env("PYTHONINSPECT", "1")
            .env("NODE_OPTIONS", format!("--require {}", self.project.path("planted.js").display()))
            .env("NODE_PATH", self.project.path("node_modules"))
            .env("BASH_ENV", self.project.path("planted.sh"))
            .env("ENV", self.project.path("planted.sh"));
        command
    }

    #[track_caller]
    fn springs_no_trap(&self, args: &[&str], exit: i32) {
        let out = self.command(args).output().unwrap();
        let words = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        assert_eq!(out.status.code(), Some(exit), "deed {}\n{words}", args.join(" "));
        let sprung = fs::read_to_string(self.sprung.path()).unwrap();
        assert_eq!(sprung, "", "deed {} ran what lies in the working folder\n{words}", args.join(" "));
    }
}

#[test]
fn no_command_runs_what_lies_in_the_working_folder() {
    let trapped = Trapped::new();
    for (args, exit) in [
        (&["init", "--tenant", "acme"][..], 0),
        (&["plan", "check", "tally.yaml"], 0),
        (&["plan", "compile", "tally.yaml"], 0),
        (&["plan", "explain", "tally.yaml", "add"], 0),
        (&["plan", "graph", "tally.yaml"], 0),
        (&["sandbox", "probe"], 0),
        (&["sandbox", "plan", "tally.yaml", "add"], 0),
        (&["run", "--plan", "tally.yaml", "--input", "input", "--id", "one"], 5),
        (&["gate", "approve", "one", "--as", "clerk"], 0),
        (&["runs", "resume", "one"], 0),
        (
            &[
                "run",
                "--plan",
                "tally.yaml",
                "--input",
                "input",
                "--id",
                "two",
                "--from",
                "one",
                "--step",
                "add",
                "--approve",
                "clerk",
            ],
            0,
        ),
        (&["receipts", "verify", "one"], 0),
        (&["journal", "verify"], 0),
    ] {
        trapped.springs_no_trap(args, exit);
    }
}

#[test]
fn no_language_runs_what_lies_in_the_working_folder() {
    for (language, source) in [
        ("javascript", "await import('fs').then(fs => fs.writeFileSync('output/o.json', '{}'))"),
        ("shell", "echo '{}' > output/o.json"),
        ("python", "open('output/o.json', 'w').write('{}')"),
    ] {
        let trapped = Trapped::new();
        trapped.project.write(
            "one.yaml",
            format!(
                "plan: one\nmission: {{ objective: Write }}\nsteps:\n  - id: write\n    label: Write\n    \
                 objective: MUST write\n    tool_needs: [operator.artifact.write]\n    code: {{ language: {language}, source: {source:?} }}\n    \
                 expected_outputs: [{{ path: output/o.json, role: primary }}]\n    \
                 artifact_contracts: {{ output/o.json: {{ format: json, kind_key: object.json }} }}\n    \
                 success_criteria: [output/o.json is valid json]\n"
            ),
        );
        trapped.springs_no_trap(&["init", "--tenant", "acme"], 0);
        trapped.springs_no_trap(&["sandbox", "plan", "one.yaml", "write"], 0);
        trapped.springs_no_trap(&["run", "--plan", "one.yaml", "--id", "one"], 0);
    }
}
