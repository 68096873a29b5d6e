//! Names of types and of members.

/// Returns a name as an identifier: words joined in capitals, and no digit first.
pub(super) fn identifier(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let joined: String = words
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
        })
        .collect();
    match joined.chars().next() {
        Some(first) if first.is_ascii_digit() => format!("T{joined}"),
        Some(_) => joined,
        None => "Anonymous".to_owned(),
    }
}

/// Returns the name of a member, in quotes where it is no identifier.
pub(super) fn member(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let identifier = name.chars().all(plain) && name.starts_with(|c: char| !c.is_ascii_digit());
    if identifier && !name.is_empty() { name.to_owned() } else { serde_json::Value::from(name).to_string() }
}
