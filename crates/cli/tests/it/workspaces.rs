//! Workspaces at the shell: files in versions, people with roles, settings, and the runs that read and write them.

mod commands;
mod contexts;
mod files;
mod fixture;
mod freeze;
mod limits;
mod order;
mod people;
mod runs;
