//! Dates that are written in another form than ISO and can only be one.

use crate::rungs::transforms::is_date;
use deed_diag::quote;

/// The only date that three numbers, or numbers and the name of a month, can be, as ISO has it; an error if they can be two.
pub(super) fn only_date(text: &str) -> Result<Option<String>, String> {
    if let Some((year, month, day)) = spoken_date(text) {
        return Ok(is_date(year, month, day).then(|| format!("{year:04}-{month:02}-{day:02}")));
    }
    let separator = |c: char| matches!(c, '/' | '.' | '-');
    let parts: Vec<&str> = text.trim().split(separator).collect();
    let [a, b, c] = parts.as_slice() else { return Ok(None) };
    let number = |part: &str| part.parse::<u16>().ok().filter(|_| (1..=4).contains(&part.len()));
    let (Some(x), Some(y), Some(z)) = (number(a), number(b), number(c)) else { return Ok(None) };
    let small = |n: u16| u8::try_from(n).unwrap_or(u8::MAX);
    let mut dates = Vec::new();
    if a.len() == 4 {
        dates.push((x, small(y), small(z)));
    } else if c.len() == 4 {
        dates.push((z, small(x), small(y)));
        dates.push((z, small(y), small(x)));
    }
    dates.retain(|(year, month, day)| is_date(*year, *month, *day));
    dates.dedup();
    match dates.as_slice() {
        [] => Ok(None),
        [(year, month, day)] => Ok(Some(format!("{year:04}-{month:02}-{day:02}"))),
        _ => Err(format!("{} can be two dates", quote(text))),
    }
}

/// The only moment that a text can be, as RFC 3339 has it: with a blank in the place of the `T`, without seconds, or with
/// its zone in another form. A text without a zone is none.
pub(super) fn only_date_time(text: &str) -> Option<String> {
    let text = text.trim();
    let (date, rest) = (text.get(..10)?, text.get(10..)?);
    let parts: Vec<&str> = date.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return None };
    if (year.len(), month.len(), day.len()) != (4, 2, 2)
        || !is_date(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
    {
        return None;
    }
    let rest = rest.strip_prefix(['T', 't', ' ', '_'])?.trim_start();
    let end = rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.'))).unwrap_or(rest.len());
    let (time, zone) = (rest.get(..end)?, rest.get(end..)?.trim());
    let (clock, fraction) = time.split_once('.').map_or((time, None), |(clock, fraction)| (clock, Some(fraction)));
    let clock: Vec<&str> = clock.split(':').collect();
    let (hour, minute, second) = match clock.as_slice() {
        [hour, minute] if fraction.is_none() => (*hour, *minute, "00"),
        [hour, minute, second] => (*hour, *minute, *second),
        _ => return None,
    };
    let within = |part: &str, most: u8| part.len() == 2 && part.parse::<u8>().is_ok_and(|value| value <= most);
    if !within(hour, 23) || !within(minute, 59) || !within(second, 59) {
        return None;
    }
    let zone = match zone {
        "Z" | "z" | "UTC" | "GMT" | "utc" => "Z".to_owned(),
        offset => {
            let (sign, digits) = offset.split_at_checked(1).filter(|(sign, _)| matches!(*sign, "+" | "-"))?;
            let digits = digits.replace(':', "");
            let (hours, minutes) = match digits.len() {
                2 => (digits.as_str(), "00"),
                4 => digits.split_at_checked(2)?,
                _ => return None,
            };
            (within(hours, 23) && within(minutes, 59)).then(|| format!("{sign}{hours}:{minutes}"))?
        }
    };
    let fraction = fraction.map(|fraction| format!(".{fraction}")).unwrap_or_default();
    Some(format!("{date}T{hour}:{minute}:{second}{fraction}{zone}"))
}

/// The names of the months.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A date with the English name of its month: `May 4, 2026` or `4 May 2026`.
fn spoken_date(text: &str) -> Option<(u16, u8, u8)> {
    let parts: Vec<&str> = text.split([' ', ',']).filter(|part| !part.is_empty()).collect();
    let [first, second, year] = parts.as_slice() else { return None };
    let month = |part: &str| {
        let name = part.trim_end_matches('.').to_lowercase();
        let is_it = |month: &&str| **month == *name || (name.len() >= 3 && month.get(..3) == Some(name.as_str()));
        MONTHS.iter().position(is_it).and_then(|at| u8::try_from(at + 1).ok())
    };
    let day = |part: &str| {
        let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| part.strip_suffix(end)).unwrap_or(part);
        digits.parse::<u8>().ok().filter(|_| digits.len() <= 2)
    };
    let year = year.parse::<u16>().ok().filter(|_| year.len() == 4)?;
    match (month(first), day(second), day(first), month(second)) {
        (Some(month), Some(day), ..) => Some((year, month, day)),
        (_, _, Some(day), Some(month)) => Some((year, month, day)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::only_date;

    #[test]
    fn a_date_is_read_where_it_can_only_be_one() {
        assert_eq!(only_date("12/31/2024"), Ok(Some("2024-12-31".to_owned())));
        assert_eq!(only_date("31.12.2024"), Ok(Some("2024-12-31".to_owned())));
        assert_eq!(only_date("2024/02/03"), Ok(Some("2024-02-03".to_owned())));
        assert_eq!(only_date("05/05/2024"), Ok(Some("2024-05-05".to_owned())));
        assert!(only_date("03/04/2024").is_err());
        assert_eq!(only_date("31/31/2024"), Ok(None));
        assert_eq!(only_date("1/2/24"), Ok(None));
        assert_eq!(only_date("soon"), Ok(None));
    }
}
