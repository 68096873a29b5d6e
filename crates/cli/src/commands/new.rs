//! `deed new`: a job that runs at once.

use crate::args::Global;
use crate::output::Success;
use clap::{Args, ValueEnum};
use deed_app::AppError;
use deed_app::scaffold::demo;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Write a job that runs at once: a plan, its code, an input and an approval gate.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed new demo
  cd demo && deed run plan.yaml")]
pub(crate) struct New {
    /// The job: `demo` is a small expense report with an approval gate.
    #[arg(value_enum, value_name = "JOB")]
    job: Job,
    /// Folder to write to, which must be empty or absent [default: the name of the job].
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Job {
    Demo,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NewJob {
    /// The folder of the job.
    folder: String,
    /// Its files.
    files: Vec<String>,
    /// The home that was made for it; null where `--home` names one.
    home: Option<String>,
}

impl New {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let Job::Demo = self.job;
        let folder = self.dir.clone().unwrap_or_else(|| PathBuf::from("demo"));
        let made = demo(&global.session(), &folder)?;
        let files: Vec<String> = made.files.iter().map(|path| path.display().to_string()).collect();
        let text = files.iter().map(|path| format!("{path}\n")).collect::<String>();
        let home = made.home.map(|home| home.display().to_string());
        let data = NewJob { folder: made.folder.display().to_string(), files, home };
        Ok(Success::new(data, text).remark(format!("next: `cd {} && deed run plan.yaml`", made.folder.display())))
    }
}
