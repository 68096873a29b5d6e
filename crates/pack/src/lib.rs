//! Context Packs: load, lint through eight gates, overlay, diff, lifecycle
