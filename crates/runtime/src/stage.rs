//! Where an attempt is staged: folders of our own that its sandbox sees as `/workspace`, gone when the attempt is over.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folders of an attempt.
#[derive(Debug)]
pub(crate) struct Stage {
    root: PathBuf,
}

impl Stage {
    /// Makes the folders anew; what an attempt before a crash left there is thrown away.
    pub(crate) fn make(root: PathBuf) -> io::Result<Self> {
        remove(&root)?;
        let stage = Self { root };
        for folder in [stage.inputs(), stage.meta(), stage.output("work"), stage.output("output")] {
            fs::create_dir_all(folder)?;
        }
        Ok(stage)
    }

    /// Where inputs lie that have no file of their own.
    pub(crate) fn inputs(&self) -> PathBuf {
        self.root.join("in")
    }

    /// What code can read about its step.
    pub(crate) fn meta(&self) -> PathBuf {
        self.root.join("meta")
    }

    /// The parent of all that code can write to.
    pub(crate) fn outputs(&self) -> PathBuf {
        self.root.join("out")
    }

    /// A file or folder that code can write.
    pub(crate) fn output(&self, path: &str) -> PathBuf {
        self.outputs().join(path)
    }

    /// The socket of the bridge.
    pub(crate) fn bridge(&self) -> PathBuf {
        self.root.join("b")
    }

    /// The socket of the proxy.
    pub(crate) fn proxy(&self) -> PathBuf {
        self.root.join("p")
    }

    /// The certificate that intercepted connections are made with.
    pub(crate) fn ca(&self) -> PathBuf {
        self.root.join("ca.pem")
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // What cannot be removed now is removed when the step is staged again, or with the run's folder.
        let _ = remove(&self.root);
    }
}

/// Removes a folder and all in it, however deep code has nested it and whatever permissions it took away.
pub(crate) fn remove(root: &Path) -> io::Result<()> {
    match deed_sandbox::remove_tree(root) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
