//! Explanations as aligned lines for a terminal. Invariant: text that users wrote cannot move the cursor or turn the
//! direction of the text.

use super::{ExplainedCost, ExplainedInput, ExplainedOutput, Explanation};
use deed_diag::quote;
use unicode_normalization::char::is_combining_mark;

const COLUMNS: usize = 100;
/// Narrower terminals break lines themselves.
const LEAST_COLUMNS: usize = 60;

impl Explanation {
    /// The explanation for a terminal, at most a hundred columns wide where words let it.
    pub fn text(&self) -> String {
        self.text_within(COLUMNS)
    }

    /// The explanation for a terminal of so many columns, at most a hundred.
    pub fn text_within(&self, columns: usize) -> String {
        let mut sheet = Sheet { text: String::new(), columns: columns.clamp(LEAST_COLUMNS, COLUMNS) };
        sheet.wrap("", &format!("{}: {}", self.step, self.label));
        sheet.wrap("  ", &self.objective);
        sheet.rows("Runs", self.runs.iter().map(|line| (String::new(), vec![line.clone()])).collect());
        let mut inputs: Vec<(String, Vec<String>)> = self.inputs.iter().map(ExplainedInput::lines).collect();
        inputs.extend(self.files.iter().map(|path| ("by its path".to_owned(), vec![path.clone()])));
        inputs.extend(self.after.iter().map(|step| ("only after".to_owned(), vec![format!("step {}", quote(step))])));
        sheet.rows("Reads", inputs);
        sheet.rows("Gives", self.outputs.iter().map(ExplainedOutput::lines).collect());
        let named = |words: &str, lines: &[String]| (words.to_owned(), lines.to_vec());
        let mut policy = self.rules.iter().map(|rule| named("", std::slice::from_ref(rule))).collect::<Vec<_>>();
        policy.insert(
            0,
            named(
                "",
                &[if self.policies.is_empty() {
                    "under no policy".to_owned()
                } else {
                    format!("under {}", self.policies.join(", "))
                }],
            ),
        );
        sheet.rows("Policy", policy);
        sheet.rows("Gates", self.gates.iter().map(|gate| named("", std::slice::from_ref(gate))).collect());
        sheet.rows("Checks", self.checks.iter().map(|phase| named(phase.phase, &phase.checks)).collect());
        sheet.rows("Succeeds when", self.success.iter().map(|one| named("", std::slice::from_ref(one))).collect());
        let mut repair = vec![named("in general", std::slice::from_ref(&self.retries))];
        repair.extend(self.repair.iter().map(|end| named(end.failure, &[end.then.to_owned()])));
        sheet.rows("Fails", repair);
        sheet.rows("Spends at most", self.budget.iter().map(ExplainedCost::lines).collect());
        sheet.rows("Hash", vec![named("", &[self.hash.to_string()])]);
        sheet.text
    }
}

impl ExplainedInput {
    fn lines(&self) -> (String, Vec<String>) {
        let mut lines = vec![self.what.clone()];
        match &self.from {
            Some(from) => lines.push(format!("from {from}")),
            None => lines.push("not bound; it is left out".to_owned()),
        }
        lines.extend(self.rank.zip(self.why.as_ref()).map(|(rank, why)| format!("{rank}: {why}")));
        lines.extend(self.adapters.iter().map(|adapter| format!("by {adapter}")));
        lines.extend(self.loses.iter().map(|lost| format!("lost: {lost}")));
        (self.slot.clone(), lines)
    }
}

impl ExplainedOutput {
    fn lines(&self) -> (String, Vec<String>) {
        let mut lines = vec![self.path.clone()];
        lines.extend(self.contract.iter().cloned());
        lines.extend(self.read_by.iter().map(|reader| format!("read by {reader}")));
        if self.read_by.is_empty() {
            lines.push("read by no step".to_owned());
        }
        (self.slot.clone().unwrap_or_else(|| "a file".to_owned()), lines)
    }
}

impl ExplainedCost {
    fn lines(&self) -> (String, Vec<String>) {
        let whole = match (self.each, self.attempts) {
            (Some(each), attempts) if attempts > 1 && each > 0 => {
                format!("{} = {attempts} attempts × {each}", self.most)
            }
            _ => self.most.to_string(),
        };
        (self.part.to_owned(), vec![whole])
    }
}

/// Text with names at the left and what belongs to them beside.
struct Sheet {
    text: String,
    columns: usize,
}

impl Sheet {
    fn rows(&mut self, title: &str, rows: Vec<(String, Vec<String>)>) {
        if rows.is_empty() {
            return;
        }
        self.text.push_str(&format!("\n{title}\n"));
        let wide = rows.iter().map(|(name, _)| columns(name)).max().unwrap_or(0).min(30);
        for (name, lines) in rows {
            let mut name = plain(&name);
            for line in lines {
                let room = if wide == 0 { 0 } else { wide + 2 };
                let pad = " ".repeat(room.saturating_sub(columns(&name)));
                self.wrap(&format!("  {name}{pad}"), &line);
                name.clear();
            }
        }
    }

    /// A paragraph whose further lines stand beneath the first.
    fn wrap(&mut self, lead: &str, text: &str) {
        let indent = columns(lead);
        let (mut line, mut used, mut fresh) = (lead.to_owned(), indent, true);
        for word in plain(text).split(' ').filter(|word| !word.is_empty()) {
            if !fresh && used + 1 + columns(word) > self.columns {
                self.text.push_str(line.trim_end());
                self.text.push('\n');
                (line, used, fresh) = (" ".repeat(indent), indent, true);
            }
            if !fresh {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += columns(word);
            fresh = false;
        }
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }
}

/// One line: no line ends, and nothing that a terminal takes for a command.
fn plain(text: &str) -> String {
    text.chars().map(deed_diag::visible).collect()
}

/// The number of terminal columns that a text takes.
fn columns(text: &str) -> usize {
    let wide = |c: char| match c {
        c if is_combining_mark(c) || matches!(c, '\u{200b}'..='\u{200f}') => 0,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' => 2,
        '\u{ff00}'..='\u{ff60}' | '\u{1f300}'..='\u{1faff}' | '\u{20000}'..='\u{3ffff}' => 2,
        _ => 1,
    };
    text.chars().map(wide).sum()
}
