//! The mounts of a plan as arguments of bubblewrap, and the mounts that are staged before it is started.
//!
//! Bubblewrap reads the whole mount table after each mount that it makes. If root starts it, all read-only mounts are
//! therefore staged beforehand and passed as one tree, which bubblewrap makes read-only at once. Other users cannot do
//! that, and let bubblewrap make all mounts one by one. Inside there are the same mounts, names and kinds of files; only
//! the folders above them have another owner.

use crate::plan::{MountKind, PlannedMount};
use deed_init::{Put, Staged};
use std::path::{Path, PathBuf};

/// The staged mounts, and the arguments of bubblewrap.
#[derive(Debug, Default)]
pub(super) struct MountSetup {
    pub(super) staged: Vec<Staged>,
    pub(super) args: Vec<String>,
}

/// Leaves all mounts to bubblewrap.
pub(super) fn one_by_one(mounts: &[PlannedMount]) -> MountSetup {
    let args = mounts.iter().flat_map(|mount| bwrap_args(&mount.kind, &mount.inside, text)).collect();
    MountSetup { staged: Vec::new(), args }
}

/// Stages most of the mounts beforehand.
pub(super) fn as_a_tree(mounts: &[PlannedMount]) -> MountSetup {
    let sealed = mounts.iter().filter(|mount| mount.kind == MountKind::Sealed).map(|mount| mount.inside.as_path());
    let mut tree = Tree { sealed: sealed.collect(), bases: Vec::new(), setup: MountSetup::default(), places: 0 };
    tree.lay("--ro-bind", Path::new("/"), Put::Folder);
    mounts.iter().for_each(|mount| tree.add(mount));
    tree.setup
}

struct Tree<'a> {
    sealed: Vec<&'a Path>,
    bases: Vec<Base<'a>>,
    setup: MountSetup,
    places: usize,
}

/// A mount that contains other mounts: staged at a place, or made later by bubblewrap.
struct Base<'a> {
    inside: &'a Path,
    place: Option<PathBuf>,
}

impl<'a> Tree<'a> {
    fn add(&mut self, mount: &'a PlannedMount) {
        if mount.kind == MountKind::Sealed {
            return self.seal(mount);
        }
        let Some(to) = self.place_of(&mount.inside) else {
            return self.leave_to_bwrap(mount);
        };
        let what = match &mount.kind {
            MountKind::ReadOnly(host) | MountKind::Device(host) => Put::Bind(host.clone()),
            MountKind::Link(target) => Put::Link(target.clone()),
            MountKind::Folder | MountKind::Sealed => Put::Folder,
            MountKind::Memory(_) | MountKind::Writable(_) | MountKind::Processes => {
                self.base(mount);
                Put::Folder
            }
        };
        self.setup.staged.push(Staged { to, what });
    }

    /// Adds a mount that contains others. Memory that is sealed later is staged as a folder.
    fn base(&mut self, mount: &'a PlannedMount) {
        let inside = mount.inside.as_path();
        if matches!(mount.kind, MountKind::Memory(_)) && self.sealed.contains(&inside) {
            self.lay("--dev-bind", inside, Put::Ground);
        } else {
            self.bases.push(Base { inside, place: None });
            self.leave_to_bwrap(mount);
        }
    }

    /// The staging path of a path inside, if the mount that contains it is staged.
    fn place_of(&self, inside: &Path) -> Option<PathBuf> {
        let below = self.bases.iter().filter(|base| inside.starts_with(base.inside));
        let base = below.max_by_key(|base| base.inside.components().count())?;
        let rest = inside.strip_prefix(base.inside).ok().filter(|rest| !rest.as_os_str().is_empty())?;
        Some(base.place.as_ref()?.join(rest))
    }

    /// Begins a part of the tree that bubblewrap mounts as a whole.
    fn lay(&mut self, word: &str, inside: &'a Path, what: Put) {
        let place = next(&mut self.places);
        self.setup.args.extend([word.to_owned(), text(&place), text(inside)]);
        self.setup.staged.push(Staged { to: place.clone(), what });
        self.bases.push(Base { inside, place: Some(place) });
    }

    /// Seals a mount. Bubblewrap keeps staged mounts as they are, and makes the tree itself read-only.
    fn seal(&mut self, mount: &PlannedMount) {
        let base = self.bases.iter().find(|base| base.inside == mount.inside);
        match base.and_then(|base| base.place.clone()) {
            Some(_) if mount.inside == Path::new("/") => {}
            Some(to) => self.setup.staged.push(Staged { to, what: Put::Seal }),
            None => self.leave_to_bwrap(mount),
        }
    }

    /// Leaves one mount to bubblewrap. A source that the other user cannot reach is staged first.
    fn leave_to_bwrap(&mut self, mount: &PlannedMount) {
        let (staged, places) = (&mut self.setup.staged, &mut self.places);
        let args = bwrap_args(&mount.kind, &mount.inside, |host| {
            if !mount.private {
                return text(host);
            }
            let to = next(places);
            staged.push(Staged { to: to.clone(), what: Put::Bind(host.to_owned()) });
            text(&to)
        });
        self.setup.args.extend(args);
    }
}

fn next(places: &mut usize) -> PathBuf {
    *places += 1;
    PathBuf::from(format!("/tmp/{places}"))
}

/// The arguments for one mount; `source` gives the path of its source.
fn bwrap_args(kind: &MountKind, inside: &Path, mut source: impl FnMut(&Path) -> String) -> Vec<String> {
    let inside = text(inside);
    let word = |text: &str| text.to_owned();
    match kind {
        MountKind::ReadOnly(host) => vec![word("--ro-bind"), source(host), inside],
        MountKind::Writable(host) => vec![word("--bind"), source(host), inside],
        MountKind::Device(host) => vec![word("--dev-bind"), source(host), inside],
        MountKind::Link(target) => vec![word("--symlink"), text(target), inside],
        MountKind::Memory(bytes) => vec![word("--size"), bytes.to_string(), word("--tmpfs"), inside],
        MountKind::Processes => vec![word("--proc"), inside],
        MountKind::Folder => vec![word("--dir"), inside],
        MountKind::Sealed => vec![word("--remount-ro"), inside],
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
