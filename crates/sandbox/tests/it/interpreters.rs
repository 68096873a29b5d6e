//! Interpreters from everywhere: of the system, of a virtual environment, of a version manager.

use crate::common::{Stage, err, out};
use deed_sandbox::{Ended, InterpreterError, Language, PrivatePaths, find_interpreter};
use std::path::Path;
use std::process::Command;

const WHERE: &str = "import sys, json, ssl, sqlite3, ctypes; print(sys.prefix)";

fn check(python: &Path, prefix: &str) {
    let stage = Stage::new();
    let found = find_interpreter(Language::Python, Some(python), &PrivatePaths::default()).unwrap();
    println!("{found:?}");
    let outcome = stage.run(&stage.job(&found, &["-c", WHERE]));
    assert_eq!((outcome.ended.clone(), out(&outcome).trim()), (Ended::Exited(0), prefix), "{}", err(&outcome));
}

#[test]
fn the_python_of_the_system() {
    check(Path::new("/usr/bin/python3"), "/usr");
}

#[test]
fn the_first_python_on_the_path() {
    let found = find_interpreter(Language::Python, None, &PrivatePaths::default()).unwrap();
    let said = Command::new(&found.executable).args(["-c", "import sys; print(sys.prefix)"]).output().unwrap();
    check(&found.executable, String::from_utf8(said.stdout).unwrap().trim());
}

#[test]
fn a_virtual_environment() {
    let folder = tempfile::tempdir().unwrap();
    let made = find_interpreter(Language::Python, None, &PrivatePaths::default()).unwrap();
    let venv = folder.path().join("venv");
    let status = Command::new(&made.executable).args(["-m", "venv", "--without-pip"]).arg(&venv).status().unwrap();
    assert!(status.success());
    check(&venv.join("bin/python3"), venv.to_str().unwrap());
}

#[test]
fn a_program_that_is_no_interpreter() {
    let error =
        find_interpreter(Language::Python, Some(Path::new("/usr/bin/false")), &PrivatePaths::default()).unwrap_err();
    assert!(matches!(error, InterpreterError::Unusable { .. }), "{error}");
    assert!("ruby".parse::<Language>().is_err());
}

/// Copies the system's Python to a folder outside of `/usr`, as a version manager would install one.
fn installed(folder: &Path) -> std::path::PathBuf {
    let real = std::fs::canonicalize("/usr/bin/python3").unwrap();
    let series = real.file_name().unwrap().to_str().unwrap().to_owned();
    std::fs::create_dir_all(folder.join("bin")).unwrap();
    std::fs::create_dir_all(folder.join("lib")).unwrap();
    std::fs::copy(&real, folder.join("bin").join(&series)).unwrap();
    let status =
        Command::new("cp").arg("-r").arg(format!("/usr/lib/{series}")).arg(folder.join("lib")).status().unwrap();
    assert!(status.success());
    folder.join("bin").join(series)
}

/// A home folder with keys in it, whose `bin` has a link to a Python outside of `/usr`, and a project in which a
/// virtual environment lies where the project does. Code sees nothing of either.
#[test]
fn neither_home_nor_project_is_visible_through_an_interpreter() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap().join("home");
    let python = installed(&home.join("versions/one"));
    let project = home.join("project");
    for (path, text) in [
        (home.join(".ssh/id_ed25519"), "private"),
        (home.join(".local/share/keyring"), "private"),
        (project.join(".deed/keys/workspace"), "private"),
        (project.join("notes.txt"), "private"),
    ] {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let private = PrivatePaths { contained: vec![home.clone(), project.clone()], closed: vec![project.join(".deed")] };
    let mut programs = vec![home.join("bin/python3"), home.join(".local/bin/python3")];
    for link in &programs {
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&python, link).unwrap();
    }
    let made = Command::new(&python).args(["-I", "-m", "venv", "--without-pip"]).arg(&project).status().unwrap();
    assert!(made.success());
    programs.push(project.join("bin/python3"));
    let code = format!(
        "import json, os\nfound = [os.path.join(top, name) for top, _, names in os.walk({home:?}) for name in names if os.path.isfile(os.path.join(top, name))]\n\
         print(json.dumps([name for name in found if open(name, 'rb').read() == b'private']))\n\
         print(len(found) > 10)"
    );
    for program in programs {
        let found = find_interpreter(Language::Python, Some(&program), &private).unwrap();
        let stage = Stage::new();
        let outcome = stage.run(&stage.job(&found, &["-c", &code]));
        let expected = (Ended::Exited(0), "[]\nTrue\n".to_owned());
        assert_eq!((outcome.ended.clone(), out(&outcome)), expected, "{}: {}", program.display(), err(&outcome));
    }
}

#[test]
fn an_interpreter_whose_library_holds_private_files_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    let python = installed(&home);
    let library = python.file_name().map(|name| home.join("lib").join(name)).unwrap();
    let private = PrivatePaths { contained: vec![library.join("project")], closed: Vec::new() };
    let error = find_interpreter(Language::Python, Some(&python), &private).unwrap_err();
    assert_eq!(error, InterpreterError::TooWide { program: python, folder: library });
}

/// An entry of `site-packages` that is a link to a folder elsewhere leads nowhere inside: the folder is not mounted.
#[test]
fn a_link_inside_a_virtual_environment_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap().join("home");
    let python = installed(&home.join("versions/one"));
    std::fs::create_dir_all(home.join(".ssh")).unwrap();
    std::fs::write(home.join(".ssh/id_ed25519"), "private").unwrap();
    let venv = home.join("project/.venv");
    let made = Command::new(&python).args(["-I", "-m", "venv", "--without-pip"]).arg(&venv).status().unwrap();
    assert!(made.success());
    let series = python.file_name().unwrap().to_str().unwrap();
    let packages = venv.join("lib").join(series).join("site-packages");
    std::os::unix::fs::symlink(home.join(".ssh"), packages.join("keys")).unwrap();
    let private = PrivatePaths { contained: vec![home.clone(), home.join("project")], closed: Vec::new() };
    let found = find_interpreter(Language::Python, Some(&venv.join("bin/python3")), &private).unwrap();
    let stage = Stage::new();
    let code = format!(
        "import os\nprint(os.path.islink({keys:?}), os.path.exists({keys:?}))\ntry: print(os.listdir({keys:?}))\nexcept OSError: print('closed')",
        keys = packages.join("keys")
    );
    let outcome = stage.run(&stage.job(&found, &["-c", &code]));
    assert_eq!(out(&outcome), "True False\nclosed\n", "{}", err(&outcome));
    // The folder itself as a link is refused, and names both.
    std::fs::remove_dir_all(&packages).unwrap();
    std::os::unix::fs::symlink("../../../../.ssh", &packages).unwrap();
    let private = PrivatePaths { closed: vec![home.join(".deed")], ..private };
    let program = venv.join("bin/python3");
    let error = find_interpreter(Language::Python, Some(&program), &private).unwrap_err();
    assert_eq!(error, InterpreterError::Outside { program, path: packages, target: home.join(".ssh") });
}

/// The environment and the working folder of the caller do not reach an interpreter that is asked for its facts.
#[test]
fn an_interpreter_is_asked_in_isolation() {
    const AGAIN: &str = "DEED_TEST_ISOLATED";
    if std::env::var_os(AGAIN).is_some() {
        for language in [Language::Python, Language::JavaScript, Language::Shell] {
            find_interpreter(language, None, &PrivatePaths::default()).unwrap();
        }
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let sprung = folder.path().join("sprung");
    for name in ["json", "sysconfig", "os", "sitecustomize", "usercustomize", "encodings"] {
        std::fs::write(folder.path().join(format!("{name}.py")), format!("open({sprung:?}, 'w')")).unwrap();
    }
    std::fs::write(folder.path().join("trap.js"), format!("require('fs').writeFileSync({sprung:?}, '')")).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "interpreters::an_interpreter_is_asked_in_isolation"])
        .current_dir(folder.path())
        .env(AGAIN, "1")
        .env("PYTHONPATH", folder.path())
        .env("PYTHONHOME", folder.path())
        .env("NODE_OPTIONS", format!("--require {}", folder.path().join("trap.js").display()))
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
    assert!(!sprung.exists());
}
