//! Dates that are written in another form than ISO and can only be one.

use crate::rungs::transforms::{DateOrder, is_date};
use deed_diag::quote;

/// The only date that three numbers can be, as ISO has it; an error if they can be two. A date in an order that the
/// contract does not list is none.
pub(super) fn only_date(text: &str, orders: &[DateOrder]) -> Result<Option<String>, String> {
    let Some(text) = without_weekday(text) else { return Ok(None) };
    let text = midnight(text).unwrap_or(text);
    if let Some((order, (year, month, day))) = spoken_date(text) {
        let allowed = orders.contains(&order) && is_date(year, month, day);
        return Ok(allowed.then(|| format!("{year:04}-{month:02}-{day:02}")));
    }
    let separator = |c: char| matches!(c, '/' | '.' | '-');
    let parts: Vec<&str> = text.trim().split(separator).collect();
    let [a, b, c] = parts.as_slice() else { return Ok(None) };
    let number = |part: &str| part.parse::<u16>().ok().filter(|_| (1..=4).contains(&part.len()));
    let (Some(x), Some(y), Some(z)) = (number(a), number(b), number(c)) else { return Ok(None) };
    let small = |n: u16| u8::try_from(n).unwrap_or(u8::MAX);
    let mut dates = Vec::new();
    if a.len() == 4 {
        dates.push((DateOrder::Year, (x, small(y), small(z))));
    } else if c.len() == 4 {
        dates.push((DateOrder::Month, (z, small(x), small(y))));
        dates.push((DateOrder::Day, (z, small(y), small(x))));
    }
    dates.retain(|(_, (year, month, day))| is_date(*year, *month, *day));
    dates.dedup_by_key(|(_, date)| *date);
    match dates.as_slice() {
        [] => Ok(None),
        [(order, _)] if !orders.contains(order) => Ok(None),
        [(_, (year, month, day))] => Ok(Some(format!("{year:04}-{month:02}-{day:02}"))),
        _ => Err(format!("{} can be two dates", quote(text))),
    }
}

/// The dates that a text may be, in the orders that a contract lists, as ISO has them.
pub(super) fn possible_dates(text: &str, orders: &[DateOrder]) -> Vec<String> {
    let single = |order: &DateOrder| only_date(text, std::slice::from_ref(order)).ok().flatten();
    if let Ok(only) = only_date(text, orders) {
        return only.into_iter().collect();
    }
    let parts: Vec<u16> = text.trim().split(['/', '.', '-']).filter_map(|part| part.parse().ok()).collect();
    let [x, y, year] = parts.as_slice() else { return orders.iter().filter_map(single).collect() };
    let small = |n: u16| u8::try_from(n).unwrap_or(u8::MAX);
    let read = |order: &DateOrder| match order {
        DateOrder::Month => Some((small(*x), small(*y))),
        DateOrder::Day => Some((small(*y), small(*x))),
        DateOrder::Year => None,
    };
    let dates = orders.iter().filter_map(read).filter(|(month, day)| is_date(*year, *month, *day));
    dates.map(|(month, day)| format!("{year:04}-{month:02}-{day:02}")).collect()
}

/// The date of a moment that is written as the beginning of a day: `2025-01-31T00:00:00Z`.
fn midnight(text: &str) -> Option<&str> {
    let (date, rest) = text.trim().split_at_checked(10)?;
    let time = rest.strip_prefix(['T', 't', ' '])?;
    let time = ["Z", "z", "+00:00", "+0000", " UTC"].iter().find_map(|zone| time.strip_suffix(zone)).unwrap_or(time);
    let clock = time.split('.').collect::<Vec<_>>();
    let is_zero = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte == b'0');
    let is_midnight = match clock.as_slice() {
        ["00:00" | "00:00:00"] => true,
        ["00:00:00", fraction] => is_zero(fraction),
        _ => false,
    };
    is_midnight.then_some(date)
}

/// A text without the day of the week before its date; none where it is another day of the week.
fn without_weekday(text: &str) -> Option<&str> {
    const DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
    let (name, rest) = text.trim().split_once([',', ' ']).unwrap_or((text, ""));
    let name = name.trim_end_matches('.').to_lowercase();
    let is_day = |day: &&str| **day == *name || (name.len() >= 3 && day.starts_with(&name));
    let Some(named) = DAYS.iter().position(is_day) else { return Some(text) };
    let rest = rest.trim_start_matches([',', ' ']);
    let (_, (year, month, day)) = spoken_date(rest)?;
    (weekday(year, month, day) == named).then_some(rest)
}

/// The day of the week of a date, from Sunday (Sakamoto).
fn weekday(year: u16, month: u8, day: u8) -> usize {
    const SHIFTS: [usize; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let year = usize::from(year) - usize::from(month < 3 && year > 0);
    let shift = usize::from(month).checked_sub(1).and_then(|at| SHIFTS.get(at)).copied().unwrap_or_default();
    (year + year / 4 - year / 100 + year / 400 + shift + usize::from(day)) % 7
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
fn spoken_date(text: &str) -> Option<(DateOrder, (u16, u8, u8))> {
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
        (Some(month), Some(day), ..) => Some((DateOrder::Month, (year, month, day))),
        (_, _, Some(day), Some(month)) => Some((DateOrder::Day, (year, month, day))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::DateOrder;

    fn only_date(text: &str) -> Result<Option<String>, String> {
        super::only_date(text, &DateOrder::ALL)
    }

    #[test]
    fn a_date_in_an_order_that_is_not_listed_is_none() {
        let day_first = [DateOrder::Year, DateOrder::Day];
        assert_eq!(super::only_date("12/31/2024", &day_first), Ok(None));
        assert_eq!(super::only_date("May 4, 2026", &day_first), Ok(None));
        assert_eq!(super::only_date("4 May 2026", &day_first), Ok(Some("2026-05-04".to_owned())));
        assert_eq!(super::only_date("31.12.2024", &day_first), Ok(Some("2024-12-31".to_owned())));
    }

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
        assert_eq!(only_date("2025-01-31T00:00:00Z"), Ok(Some("2025-01-31".to_owned())));
        assert_eq!(only_date("2025-01-31T13:00:00Z"), Ok(None));
        assert_eq!(only_date("2025-01-31T00:00:00+05:00"), Ok(None));
        assert_eq!(only_date("Thursday, 14 November 2024"), Ok(Some("2024-11-14".to_owned())));
        assert_eq!(only_date("Thu, 14 Nov 2024"), Ok(Some("2024-11-14".to_owned())));
        assert_eq!(only_date("Friday, 14 November 2024"), Ok(None));
    }

    #[test]
    fn a_date_that_can_be_two_is_both() {
        let both = super::possible_dates("03/04/2024", &DateOrder::ALL);
        assert_eq!(both, ["2024-03-04", "2024-04-03"]);
        assert_eq!(super::possible_dates("12/31/2024", &DateOrder::ALL), ["2024-12-31"]);
    }
}
