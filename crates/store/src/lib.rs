//! The embedded registry: SQLite for events, a content-addressed directory for bytes
