//! Parsing and formatting of dates, independent of the engine and the contract.

use std::sync::LazyLock;

use regex::Regex;

const DAY: i64 = 86_400_000;

static DATE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\A([0-9]{4})-([0-9]{2})-([0-9]{2})\z").unwrap());
static DATE_TIME: LazyLock<Regex> = LazyLock::new(|| {
    let clock = r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?";
    let zone = r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))";
    Regex::new(&format!(r"\A([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})[Tt]{clock}{zone}\z")).unwrap()
});

/// Returns the first and the last millisecond since 1970 of a date or a date-time.
pub(crate) fn read(text: &str) -> Option<(i64, i64)> {
    if let Some(start) = day(text) {
        return Some((start, start + DAY - 1));
    }
    let parts = DATE_TIME.captures(text)?;
    let number = |group| parts.get(group).map_or(0, |part| part.as_str().parse::<i64>().unwrap());
    let (hour, minute, second) = (number(2), number(3), number(4));
    let (zone_hour, zone_minute) = (number(7), number(8));
    if hour > 23 || minute > 59 || second > 59 || zone_hour > 23 || zone_minute > 59 {
        return None;
    }
    let fraction: String = parts.get(5).map_or("", |part| part.as_str()).chars().take(3).collect();
    let millis: i64 = format!("{fraction:0<3}").parse().unwrap();
    let sign = if parts.get(6).is_some_and(|sign| sign.as_str() == "-") { -1 } else { 1 };
    let offset = sign * (zone_hour * 60 + zone_minute) * 60_000;
    let clock = ((hour * 60 + minute) * 60 + second) * 1_000 + millis;
    let time = day(&parts[1])? + clock - offset;
    (days_before(0) * DAY <= time && time < days_before(10_000) * DAY).then_some((time, time))
}

/// Formats a timestamp as `YYYY-MM-DDTHH:MM:SS.mmmZ`.
pub(crate) fn write(time: i64) -> String {
    let (days, millis) = (time.div_euclid(DAY), time.rem_euclid(DAY));
    let year = (0..10_000).rev().find(|year| days_before(*year) <= days).unwrap();
    let mut rest = days - days_before(year);
    let mut month = 0;
    while rest >= MONTHS[month] + i64::from(month == 1 && is_leap_year(year)) {
        rest -= MONTHS[month] + i64::from(month == 1 && is_leap_year(year));
        month += 1;
    }
    let (second, milli) = (millis / 1_000, millis % 1_000);
    format!(
        "{year:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{milli:03}Z",
        month + 1,
        rest + 1,
        second / 3_600,
        second / 60 % 60,
        second % 60
    )
}

const MONTHS: [i64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

fn is_leap_year(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Returns the days from 1970-01-01 to the first day of `year`.
fn days_before(year: i64) -> i64 {
    let leap_years = |year: i64| (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400;
    year * 365 + leap_years(year) - 719_528
}

fn day(text: &str) -> Option<i64> {
    let parts = DATE.captures(text)?;
    let number = |group: usize| parts[group].parse::<i64>().unwrap();
    let (year, month, day) = (number(1), number(2), number(3));
    let before = usize::try_from(month).ok()?.checked_sub(1)?;
    let length = MONTHS.get(before)? + i64::from(month == 2 && is_leap_year(year));
    if day < 1 || day > length {
        return None;
    }
    let months: i64 = MONTHS.iter().take(before).sum();
    let leap_day = i64::from(month > 2 && is_leap_year(year));
    Some((days_before(year) + months + leap_day + day - 1) * DAY)
}
