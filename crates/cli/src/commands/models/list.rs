//! `deed models list`: the providers, and the models with a price.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, models};
use deed_model::ModelPrice;
use std::fmt::Write as _;

/// List the providers that are known and the models that have a price.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed models list
  deed models list --provider anthropic")]
pub(crate) struct List {
    /// Provider [default: all].
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let known = models::list(&global.session(), self.provider.as_deref())?;
        let mut text = String::new();
        for own in &known.providers {
            let absent = if own.name == "local" { "(deed models local serve)" } else { "(give --base-url)" };
            let url = own.base_url.as_deref().unwrap_or(absent);
            let _ = writeln!(text, "{:<12} {:<18} {:<15} {url}", own.name, own.protocol.as_str(), own.key.as_str());
        }
        if !known.models.is_empty() {
            let (currency, dated) = (&known.currency, &known.prices_dated);
            let _ = writeln!(text, "\nprices of {dated}, {currency} for a million tokens: input, output");
        }
        for price in &known.models {
            row(&mut text, &price.model.to_string(), (price.input, price.output), &source(price));
            if let Some(long) = &price.long {
                let above = format!("  with more than {} tokens of input", long.above);
                row(&mut text, &above, (long.input, long.output), "");
            }
        }
        Ok(Success::new(known, text))
    }
}

fn row(text: &mut String, name: &str, (input, output): (u64, u64), more: &str) {
    let line = format!("{name:<42} {:>8} {:>8}  {more}", units(input), units(output));
    let _ = writeln!(text, "{}", line.trim_end());
}

/// Writes what a price was compared with, and whether the model is still there.
fn source(price: &ModelPrice) -> String {
    let checked = match &price.checked {
        None => "not checked".to_owned(),
        Some(checked) if checked.official => format!("provider's page, {}", checked.on),
        Some(checked) => format!("other pages, {}", checked.on),
    };
    match &price.retired {
        None => checked,
        Some(day) => format!("{checked}; retired {day}"),
    }
}

/// Writes millionths as units with two digits or more behind the point.
fn units(micros: u64) -> String {
    let digits = format!("{:06}", micros % 1_000_000);
    let digits = digits.trim_end_matches('0');
    format!("{}.{digits:0<2}", micros / 1_000_000)
}
