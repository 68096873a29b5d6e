//! The rates, and the floors below which a run fails.
//!
//! A floor is well below what was measured when it was set: a rate that falls under it says that something broke, not that the
//! model had a bad day. Properties that Deed promises have no floor but all.

use std::time::Instant;

/// The floor of a rate for each model, in answers of ten. Models without a row are held to nothing but the properties.
const FLOORS: [(&str, &str, usize); 9] = [
    ("smollm2-135m", "schema-bound fills that are valid", 8),
    ("qwen2.5-coder-1.5b", "schema-bound fills that are valid", 9),
    ("qwen2.5-coder-1.5b", "schema-bound fills with every fact right", 8),
    ("qwen2.5-coder-1.5b", "template fills that are valid after the ladder", 8),
    ("qwen2.5-coder-1.5b", "template fills with every fact right", 7),
    ("qwen2.5-coder-1.5b", "the right tool, by schema", 8),
    ("qwen2.5-coder-1.5b", "the right tool, as a tool call", 6),
    ("qwen2.5-coder-1.5b", "verdicts of the evaluator in its form", 7),
    ("qwen2.5-coder-1.5b", "verdicts of the evaluator that are right", 4),
];

/// A row of the table.
struct Row {
    what: String,
    right: usize,
    of: usize,
    /// The least number of right answers.
    floor: usize,
    seconds: u64,
}

/// The rates of one model.
pub(crate) struct Rates {
    model: String,
    rows: Vec<Row>,
    began: Instant,
}

impl Rates {
    pub(crate) fn new(model: &str) -> Self {
        Self { model: model.to_owned(), rows: Vec::new(), began: Instant::now() }
    }

    /// A property that must hold each time.
    pub(crate) fn property(&mut self, what: &str, held: usize, of: usize) {
        self.row(what, held, of, of);
    }

    /// A rate with a floor, where the model has one.
    pub(crate) fn rate(&mut self, what: &str, right: usize, of: usize) {
        let own = FLOORS.iter().find(|(model, name, _)| *model == self.model && *name == what);
        let floor = own.map_or(0, |(_, _, tenths)| of * tenths / 10);
        self.row(what, right, of, floor);
    }

    fn row(&mut self, what: &str, right: usize, of: usize, floor: usize) {
        let seconds = self.began.elapsed().as_secs();
        eprintln!("{}: {what}: {right} of {of}", self.model);
        self.rows.push(Row { what: what.to_owned(), right, of, floor, seconds });
        self.began = Instant::now();
    }

    /// Prints the table; false if a rate is below its floor.
    pub(crate) fn print(&self) -> bool {
        println!("{:<22} {:<58} {:>8}  {:>5}  {:>7}  met", "model", "what", "right", "floor", "seconds");
        for row in &self.rows {
            let met = if row.right >= row.floor { "yes" } else { "NO" };
            let right = format!("{}/{}", row.right, row.of);
            println!("{:<22} {:<58} {right:>8}  {:>5}  {:>7}  {met}", self.model, row.what, row.floor, row.seconds);
        }
        self.rows.iter().all(|row| row.right >= row.floor)
    }
}
