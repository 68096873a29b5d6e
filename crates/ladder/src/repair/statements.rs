//! Statements of a program behind a value that was assigned to a variable: `console.log(order);`, `export default order;`.
//!
//! They hand the variable on and change nothing, so they say nothing of the value. The list is closed: any other
//! statement, such as one that assigns to a part of the variable, is judged as prose is, and refuses the value.

use super::edit::Repair;
use super::kind::RepairKind;

/// Statements without blanks, semicolons and the names of what they export; `$` stands for the variable.
const FORMS: [&str; 34] = [
    "$",
    "return$",
    "return($)",
    "exportdefault$",
    "export{$}",
    "export{$asdefault}",
    "module.exports=$",
    "module.exports={$}",
    "module.exports.$=$",
    "exports.$=$",
    "exports.default=$",
    "export=$",
    "console.log($)",
    "console.table($)",
    "console.dir($)",
    "console.info($)",
    "console.debug($)",
    "console.log(JSON.stringify($))",
    "console.log(JSON.stringify($,null,2))",
    "process.stdout.write(JSON.stringify($))",
    "JSON.stringify($)",
    "returnJSON.stringify($)",
    "returnjson.dumps($)",
    "print($)",
    "pprint($)",
    "print(json.dumps($))",
    "print(json.dumps($,indent=2))",
    "print(json.dumps($,indent=4))",
    "json.dumps($)",
    "puts$",
    "puts$.to_json",
    "echojson_encode($)",
    "fmt.Println($)",
    "System.out.println($)",
];

/// Gives the prose behind an assigned value its own kind, where all of it is statements that hand the variable on.
pub(super) fn mark_statements(text: &str, repairs: &mut [Repair]) {
    let before = repairs.iter().rev().find(|repair| repair.kind == RepairKind::ProseBefore);
    let Some(name) = before.and_then(|repair| assigned(repair.removed(text))) else { return };
    for repair in repairs.iter_mut().filter(|repair| repair.kind == RepairKind::ProseAfter) {
        if repair.removed(text).split(['\n', ';']).all(|line| hands_on(line, name)) {
            repair.kind = RepairKind::ProgramCode;
        }
    }
}

/// The variable that a text assigns what follows it to: `const order: Order =`, `order =`, `$order =`.
fn assigned(text: &str) -> Option<&str> {
    const WORDS: [&str; 9] = ["const", "let", "var", "export", "final", "auto", "val", "static", "local"];
    let line = text.trim_end().lines().next_back()?.strip_suffix('=')?.trim_end();
    let line = line.strip_suffix(':').unwrap_or(line);
    // A type may stand behind the name.
    let (names, _) = line.split_once(':').unwrap_or((line, ""));
    let mut words: Vec<&str> = names.split_whitespace().collect();
    let name = words.pop()?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let plain = !name.is_empty() && name.chars().all(is_name) && !name.starts_with(|c: char| c.is_ascii_digit());
    (plain && words.iter().all(|word| WORDS.contains(word))).then_some(name)
}

/// Whether a line is empty, or one statement that hands a variable on.
fn hands_on(line: &str, name: &str) -> bool {
    let line = line.trim();
    // Words are kept apart where a blank parts them: `return order` is no variable `returnorder`.
    let spaced = line.split_whitespace().next().is_some_and(|first| first != line) || !line.contains(name);
    let is_keyword = |form: &str| ["return", "export", "puts", "echo"].iter().any(|word| form.starts_with(word));
    let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let exported = compact.strip_prefix("exports.").and_then(|rest| rest.split_once('='));
    let exports = exported.is_some_and(|(key, value)| value == name && key.chars().all(|c| c.is_alphanumeric()));
    let is_form =
        |form: &str| compact == form.replace('$', name) && (spaced || !is_keyword(form) || form.contains('('));
    line.is_empty() || exports || FORMS.into_iter().any(is_form)
}

#[cfg(test)]
mod tests {
    use super::{assigned, hands_on};

    #[test]
    fn variables_are_found() {
        assert_eq!(assigned("const order ="), Some("order"));
        assert_eq!(assigned("Here it is:\n\nexport const order: Order ="), Some("order"));
        assert_eq!(assigned("order: dict ="), Some("order"));
        assert_eq!(assigned("order :="), Some("order"));
        assert_eq!(assigned("The wrong order ="), None);
        assert_eq!(assigned("order.total ="), None);
    }

    #[test]
    fn statements_hand_on_or_do_something_else() {
        for line in
            ["console.log(order)", "export default order", "exports.y = order", "return order", "print( order )", ""]
        {
            assert!(hands_on(line, "order"), "{line}");
        }
        for line in [
            "order.total = 5",
            "console.log(other)",
            "returnorder",
            "print(order) # wrong",
            "order.push(1)",
            "delete order",
        ] {
            assert!(!hands_on(line, "order"), "{line}");
        }
    }
}
