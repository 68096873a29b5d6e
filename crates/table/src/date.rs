//! Dates of the proleptic Gregorian calendar, as `YYYY-MM-DD` and as days since 1970-01-01.

/// The days since 1970-01-01 of a date written `YYYY-MM-DD`; `None` if the date does not exist.
#[inline]
pub fn days(text: impl AsRef<[u8]>) -> Option<i32> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text.as_ref() else { return None };
    let number =
        |digits: &[u8]| digits.iter().try_fold(0_i32, |n, d| d.is_ascii_digit().then(|| n * 10 + i32::from(d - b'0')));
    let (year, month, day) = (number(&[*y1, *y2, *y3, *y4])?, number(&[*m1, *m2])?, number(&[*d1, *d2])?);
    if !(1..=12).contains(&month) || day < 1 || day > length(year, month) {
        return None;
    }
    // Years that begin in March, so that the leap day is the last; eras of 400 years.
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

fn length(year: i32, month: i32) -> i32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// The date of a day since 1970-01-01; none where its year does not have four digits.
pub fn text(days: i64) -> Option<String> {
    let shifted = days.checked_add(719_468)?;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (0..=9999).contains(&year).then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// An instant as text: the date, the time with `digits` digits of a second, and `Z` where it is in UTC.
pub fn instant(seconds: i64, nanos: u32, digits: usize, utc: bool) -> Option<String> {
    let date = text(seconds.div_euclid(86_400))?;
    let time = clock(seconds.rem_euclid(86_400), nanos, digits);
    Some(format!("{date}T{time}{}", if utc { "Z" } else { "" }))
}

/// A time of day as text, with `digits` digits of a second.
pub fn clock(seconds: i64, nanos: u32, digits: usize) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let fraction: String = format!("{nanos:09}").chars().take(digits.min(9)).collect();
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{hours:02}:{minutes:02}:{seconds:02}{point}{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_four_digit_years_comes_back() {
        assert_eq!(days("1970-01-01"), Some(0));
        assert_eq!(days("2000-03-01"), Some(11_017));
        let first = days("0000-01-01").unwrap();
        let last = days("9999-12-31").unwrap();
        for day in (first..=last).step_by(13) {
            assert_eq!(days(text(i64::from(day)).unwrap()), Some(day));
        }
        assert_eq!(text(i64::from(last) + 1), None);
    }

    #[test]
    fn days_that_do_not_exist_are_none() {
        for text in ["2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-04-31", "2024-1-1", "24-01-01", ""] {
            assert_eq!(days(text), None, "{text}");
        }
        assert!(days("2024-02-29").is_some());
    }
}
