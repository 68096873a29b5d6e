//! Selects the host files and folders that an interpreter needs beyond `/usr`: the program itself, its standard library,
//! and the packages of a virtual environment. Whole prefixes are not shown: `~/.local` or a project folder can be one.

use super::InterpreterPath;
use super::ask::Facts;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders that are never shown: they contain more than an interpreter.
const TOO_WIDE: &[&str] =
    &["/", "/home", "/root", "/etc", "/var", "/tmp", "/proc", "/sys", "/dev", "/run", "/opt", "/srv", "/mnt"];

/// Paths that the sandbox creates itself, where nothing of the host can be shown.
const OWN_PLACES: &[&str] = &["/dev", "/proc", "/sys", "/workspace"];

/// The program as it is started inside, and all paths that it needs to see.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SelectedPaths {
    pub(super) executable: PathBuf,
    pub(super) paths: Vec<InterpreterPath>,
}

/// An error of selecting paths.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PathError {
    /// A file is missing or unreadable.
    Unreadable(String),
    /// A folder contains more than the interpreter, or private files of the caller.
    TooWide(PathBuf),
    /// A path leads out of the environment and of the installation.
    Outside {
        /// The path, as the interpreter knows it.
        path: PathBuf,
        /// The path that it leads to.
        target: PathBuf,
    },
}

/// Folders that the system's administrator installs programs in.
const SYSTEM: &[&str] = &["/usr", "/opt", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store", "/snap"];

/// The folders that everything shown of an interpreter must lie in, with all links resolved: its virtual environment and
/// the installation of its program. A virtual environment comes with a project, and a link in it may lead anywhere.
struct Owners<'f> {
    folders: Vec<PathBuf>,
    facts: &'f Facts,
}

impl<'f> Owners<'f> {
    fn new(facts: &'f Facts, program: &Path, environment: Option<&Path>) -> Result<Self, PathError> {
        let environment = environment.map(canonical).transpose()?;
        // `bin/python3.11` lies in the installation; the environment's own file says where that is, and may lie.
        let installation = program.parent().and_then(Path::parent).map(Path::to_owned);
        Ok(Self { folders: environment.into_iter().chain(installation).collect(), facts })
    }

    /// Returns whether a resolved path may be shown.
    fn own(&self, host: &Path, private: &[PathBuf]) -> bool {
        SYSTEM.iter().any(|system| host.starts_with(system))
            || self.folders.iter().any(|own| self.is_of(own, host, private))
    }

    /// Returns whether a path belongs to a folder. Of a folder that is or contains a private one, such as a project that is
    /// an environment itself, only the usual places do.
    fn is_of(&self, own: &Path, host: &Path, private: &[PathBuf]) -> bool {
        let Ok(inner) = host.strip_prefix(own) else { return false };
        if !private.iter().any(|one| one.starts_with(own)) {
            return true;
        }
        let library = |lib: &String| Path::new(lib).join(&self.facts.series);
        let mut libraries = self.facts.lib_folders.iter().map(library);
        inner == Path::new("pyvenv.cfg")
            || libraries.any(|library| inner == library || inner == library.join("site-packages"))
            || inner.parent().is_some_and(|folder| {
                let name = inner.file_name().map(|name| name.to_string_lossy().starts_with("libpython"));
                self.facts.lib_folders.iter().any(|lib| folder == Path::new(lib)) && name == Some(true)
            })
    }
}

/// Selects the paths; none of them may contain one of the `private` paths or lie in one of the `closed` folders.
pub(super) fn select(facts: &Facts, private: &[PathBuf], closed: &[PathBuf]) -> Result<SelectedPaths, PathError> {
    let real = canonical(&facts.executable)?;
    let mut list = Vec::new();
    let environment = environment_of(&facts.executable);
    let executable = match &environment {
        Some(_) => facts.executable.clone(),
        None => real.clone(),
    };
    let owners = Owners::new(facts, &real, environment.as_deref())?;
    list.push(InterpreterPath { inside: executable.clone(), host: real.clone() });
    for folder in &facts.libraries {
        list.push(InterpreterPath { inside: folder.clone(), host: canonical(folder)? });
    }
    list.extend(shared_libraries(facts)?);
    if let Some(environment) = &environment {
        list.extend(packages_of(environment, facts)?);
    }
    list.retain(|path| !path.inside.starts_with("/usr"));
    list.sort();
    list.dedup();
    for path in &list {
        check(path, private, closed)?;
        if path.host != real && !owners.own(&path.host, private) {
            return Err(PathError::Outside { path: path.inside.clone(), target: path.host.clone() });
        }
    }
    let all = list.clone();
    list.retain(|path| !all.iter().any(|other| within(path, other)));
    Ok(SelectedPaths { executable, paths: list })
}

/// Returns whether another path shows a path already.
fn within(path: &InterpreterPath, other: &InterpreterPath) -> bool {
    let below = |path: &Path, other: &Path| path.strip_prefix(other).ok().map(Path::to_owned);
    let inside = below(&path.inside, &other.inside);
    path != other && inside.is_some() && inside == below(&path.host, &other.host)
}

fn check(path: &InterpreterPath, private: &[PathBuf], closed: &[PathBuf]) -> Result<(), PathError> {
    let wide = TOO_WIDE.iter().any(|wide| Path::new(wide) == path.host || Path::new(wide) == path.inside);
    let own = OWN_PLACES.iter().any(|place| path.inside.starts_with(place));
    let holds = private.iter().chain(closed).any(|one| one.starts_with(&path.host));
    let lies = closed.iter().any(|folder| path.host.starts_with(folder));
    if wide || own || holds || lies { Err(PathError::TooWide(path.host.clone())) } else { Ok(()) }
}

fn canonical(path: &Path) -> Result<PathBuf, PathError> {
    fs::canonicalize(path).map_err(|error| PathError::Unreadable(format!("`{}`: {error}", path.display())))
}

/// The virtual environment that a program belongs to: the folder above its `bin` that contains `pyvenv.cfg`.
fn environment_of(executable: &Path) -> Option<PathBuf> {
    let folder = executable.parent()?;
    [folder.parent()?, folder].into_iter().find(|folder| folder.join("pyvenv.cfg").is_file()).map(Path::to_owned)
}

/// The file that marks a virtual environment, and its packages.
fn packages_of(environment: &Path, facts: &Facts) -> Result<Vec<InterpreterPath>, PathError> {
    let mark = environment.join("pyvenv.cfg");
    let folders = facts.lib_folders.iter().map(|lib| environment.join(lib).join(&facts.series).join("site-packages"));
    let present = std::iter::once(mark).chain(folders.filter(|folder| folder.is_dir()));
    present.map(|inside| Ok(InterpreterPath { host: canonical(&inside)?, inside })).collect()
}

/// The shared libraries that the program is linked with: Conda puts all of them into `lib`, others only `libpython`.
fn shared_libraries(facts: &Facts) -> Result<Vec<InterpreterPath>, PathError> {
    if facts.prefix.as_os_str().is_empty() || facts.prefix.starts_with("/usr") {
        return Ok(Vec::new());
    }
    let lib = facts.prefix.join("lib");
    if facts.prefix.join("conda-meta").is_dir() {
        return Ok(vec![InterpreterPath { host: canonical(&lib)?, inside: lib }]);
    }
    // A static interpreter has no such folder. What is not listed is not shown, and the program does not start without it.
    let entries = fs::read_dir(&lib).into_iter().flatten().flatten();
    let named = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("libpython"));
    let files = named.map(|entry| entry.path()).filter(|path| path.is_file());
    files.map(|inside| Ok(InterpreterPath { host: canonical(&inside)?, inside })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An installation in a temporary folder: `bin/python3.11`, `lib/python3.11` and a shared library.
    struct Installed {
        folder: tempfile::TempDir,
    }

    impl Installed {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
            for name in ["py/bin", "py/lib/python3.11", "home/bin", "home/.ssh", "home/.deed", "home/.local/bin"] {
                fs::create_dir_all(at(name)).unwrap();
            }
            for name in ["py/bin/python3.11", "py/lib/libpython3.11.so.1.0", "py/lib/other.txt"] {
                fs::write(at(name), "").unwrap();
            }
            Self { folder }
        }

        fn at(&self, name: &str) -> PathBuf {
            self.folder.path().canonicalize().unwrap().join(name)
        }

        fn facts(&self, executable: PathBuf) -> Facts {
            Facts {
                executable,
                prefix: self.at("py"),
                libraries: vec![self.at("py/lib/python3.11"); 2],
                lib_folders: vec!["lib".to_owned()],
                version: String::new(),
                series: "python3.11".to_owned(),
            }
        }

        fn select(&self, facts: &Facts) -> Result<SelectedPaths, PathError> {
            select(facts, &[self.at("home"), self.at("home/project")], &[self.at("home/.deed")])
        }

        fn same(&self, names: &[&str]) -> Vec<InterpreterPath> {
            let one = |name: &&str| InterpreterPath { inside: self.at(name), host: self.at(name) };
            let mut list: Vec<_> = names.iter().map(one).collect();
            list.sort();
            list
        }
    }

    #[test]
    fn a_link_in_the_home_folder_shows_the_installation_alone() {
        let installed = Installed::new();
        for link in ["home/bin/python3", "home/.local/bin/python3"] {
            std::os::unix::fs::symlink(installed.at("py/bin/python3.11"), installed.at(link)).unwrap();
            let shown = installed.select(&installed.facts(installed.at(link))).unwrap();
            assert_eq!(shown.executable, installed.at("py/bin/python3.11"));
            let expected = ["py/bin/python3.11", "py/lib/python3.11", "py/lib/libpython3.11.so.1.0"];
            assert_eq!(shown.paths, installed.same(&expected));
        }
    }

    #[test]
    fn a_virtual_environment_shows_its_packages_alone() {
        let installed = Installed::new();
        fs::create_dir_all(installed.at("home/project/bin")).unwrap();
        fs::create_dir_all(installed.at("home/project/lib/python3.11/site-packages")).unwrap();
        fs::write(installed.at("home/project/pyvenv.cfg"), "").unwrap();
        let link = installed.at("home/project/bin/python3");
        std::os::unix::fs::symlink(installed.at("py/bin/python3.11"), &link).unwrap();
        let shown = installed.select(&installed.facts(link.clone())).unwrap();
        assert_eq!(shown.executable, link);
        let mut expected = installed.same(&[
            "home/project/lib/python3.11/site-packages",
            "home/project/pyvenv.cfg",
            "py/lib/libpython3.11.so.1.0",
            "py/lib/python3.11",
        ]);
        expected.push(InterpreterPath { inside: link, host: installed.at("py/bin/python3.11") });
        expected.sort();
        assert_eq!(shown.paths, expected);
    }

    /// A virtual environment in a project, whose program is the installed one.
    fn environment(installed: &Installed) -> PathBuf {
        let folder = installed.at("home/project/.venv");
        for name in ["bin", "lib/python3.11/site-packages"] {
            fs::create_dir_all(folder.join(name)).unwrap();
        }
        fs::write(folder.join("pyvenv.cfg"), "").unwrap();
        std::os::unix::fs::symlink(installed.at("py/bin/python3.11"), folder.join("bin/python3")).unwrap();
        folder
    }

    #[test]
    fn a_link_out_of_a_virtual_environment_is_refused() {
        let installed = Installed::new();
        fs::write(installed.at("home/.ssh/pyvenv.cfg"), "").unwrap();
        fs::create_dir_all(installed.at("home/other/python3.11/site-packages")).unwrap();
        for (link, target, shown) in [
            ("lib/python3.11/site-packages", "../../../../.ssh", ".ssh"),
            ("lib/python3.11/site-packages", "../../../src", "project/src"),
            ("lib/python3.11", "../../../other/python3.11", "other/python3.11/site-packages"),
            ("lib", "../../other", "other/python3.11/site-packages"),
            ("pyvenv.cfg", "../../.ssh/pyvenv.cfg", ".ssh/pyvenv.cfg"),
        ] {
            fs::create_dir_all(installed.at("home/project/src")).unwrap();
            let folder = environment(&installed);
            let place = folder.join(link);
            if place.is_dir() {
                fs::remove_dir_all(&place).unwrap()
            } else {
                fs::remove_file(&place).unwrap()
            };
            std::os::unix::fs::symlink(target, &place).unwrap();
            let refused = installed.select(&installed.facts(folder.join("bin/python3")));
            let Err(PathError::Outside { path, target }) = refused else { panic!("{link}: {refused:?}") };
            assert!(path.starts_with(&folder), "{path:?}");
            assert_eq!(target, installed.at("home").join(shown), "{link}");
            fs::remove_dir_all(&folder).unwrap();
        }
        // A link within it leads nowhere else.
        let folder = environment(&installed);
        fs::rename(folder.join("lib"), folder.join("lib64")).unwrap();
        std::os::unix::fs::symlink("lib64", folder.join("lib")).unwrap();
        installed.select(&installed.facts(folder.join("bin/python3"))).unwrap();
    }

    /// A project that is an environment itself shows the usual places of one, and no link to another of its folders.
    #[test]
    fn a_project_that_is_an_environment_shows_no_other_folder() {
        let installed = Installed::new();
        for name in ["bin", "lib/python3.11", "src"] {
            fs::create_dir_all(installed.at("home/project").join(name)).unwrap();
        }
        fs::write(installed.at("home/project/pyvenv.cfg"), "").unwrap();
        let program = installed.at("home/project/bin/python3");
        std::os::unix::fs::symlink(installed.at("py/bin/python3.11"), &program).unwrap();
        let packages = installed.at("home/project/lib/python3.11/site-packages");
        std::os::unix::fs::symlink("../../src", &packages).unwrap();
        let refused = installed.select(&installed.facts(program));
        let expected = PathError::Outside { path: packages, target: installed.at("home/project/src") };
        assert_eq!(refused, Err(expected));
    }

    /// The file of an environment says where the library is, and may name any folder.
    #[test]
    fn a_library_outside_the_installation_is_refused() {
        let installed = Installed::new();
        fs::create_dir_all(installed.at("home/project/fake/lib/python3.11")).unwrap();
        let mut facts = installed.facts(installed.at("py/bin/python3.11"));
        facts.libraries = vec![installed.at("home/project/fake/lib/python3.11")];
        assert!(matches!(installed.select(&facts), Err(PathError::Outside { .. })));
    }

    #[test]
    fn folders_with_private_files_are_refused() {
        let installed = Installed::new();
        for library in ["home", "home/.deed", "home/.deed/lib", ""] {
            fs::create_dir_all(installed.at(library)).unwrap();
            let mut facts = installed.facts(installed.at("py/bin/python3.11"));
            facts.libraries = vec![installed.at(library)];
            let refused = Err(PathError::TooWide(installed.at(library).components().collect()));
            assert_eq!(installed.select(&facts), refused, "{library}");
        }
    }

    #[test]
    fn nothing_of_usr_is_listed() {
        let facts = Facts {
            executable: "/usr/bin/env".into(),
            prefix: "/usr".into(),
            libraries: vec!["/usr/lib".into()],
            lib_folders: Vec::new(),
            version: String::new(),
            series: String::new(),
        };
        assert_eq!(select(&facts, &[], &[]).unwrap().paths, []);
    }
}
