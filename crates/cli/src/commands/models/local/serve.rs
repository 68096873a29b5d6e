//! `deed models local serve`: a server of one model on the loopback.

use super::ModelArgs;
use super::progress::Display;
use crate::args::Global;
use crate::output::Success;
use clap::{Args, ValueEnum};
use deed_app::AppError;
use deed_app::models::local::{LocalServe, Missing, serve};

/// Start a server of a model on this machine, and get first what is missing.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed models local serve
  deed models local serve --model smollm2-135m --port 18115 --threads 1

The server goes on in the background:
  deed models test local:qwen2.5-coder-1.5b
  deed models local stop")]
pub(crate) struct Serve {
    #[command(flatten)]
    args: ModelArgs,
    /// Port [default: a free one].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
    /// Threads that compute [default: half of the processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// What is fetched first.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Fetched::Missing)]
    fetch: Fetched,
    /// How long loading the model may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

/// What is fetched before a server starts.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Fetched {
    /// What is missing.
    Missing,
    /// Nothing.
    Nothing,
}

impl Serve {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let ModelArgs { model, catalog, python } = &self.args;
        let wanted = LocalServe {
            model: model.clone(),
            catalog: catalog.clone(),
            python: python.clone(),
            port: self.port,
            threads: self.threads,
            missing: match self.fetch {
                Fetched::Missing => Missing::Fetch,
                Fetched::Nothing => Missing::Refuse,
            },
            timeout_seconds: self.timeout,
        };
        let display = Display::new(global);
        let server = serve(&wanted, &|progress| display.show(&progress))?;
        drop(display);
        let text = format!("{}\n", server.url.as_deref().unwrap_or_default());
        let remark = format!(
            "process {}, log {}; try `deed models test local:{}`",
            server.pid,
            server.log.display(),
            server.model
        );
        Ok(Success::new(server, text).remark(remark))
    }
}
