//! The two areas of a workspace: files of people, and files of agents.

/// An area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Area {
    /// Files that people uploaded.
    People,
    /// Files that runs wrote.
    Agents,
}

impl Area {
    /// Every area.
    pub const ALL: [Self; 2] = [Self::People, Self::Agents];

    /// Returns the name of the folder.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::People => "people",
            Self::Agents => "agents",
        }
    }

    /// Returns the area of a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|area| area.as_str() == name)
    }
}
