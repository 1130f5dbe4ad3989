//! Reads the filter of a use case from the parameters of a page.

use contract::{
    filter::{FilterReader, FilterValue, ListFilter, Parameter, RangeEnd},
    time::Timestamp,
};

use crate::text::query::{BAD_FROM, BAD_TO, end_instant, instant};

/// Reads the filter of the service from the values that `get` returns by the names of the page.
///
/// # Errors
/// What `invalid` returns for the first value that cannot be parsed.
pub fn filter<T: ListFilter>(
    get: impl Fn(&str) -> String,
    invalid: impl Fn(&str) -> &'static str,
) -> Result<T, &'static str> {
    let mut reader = PageReader { get, invalid, error: None };
    let filter = T::read(&mut reader);
    reader.error.map_or(Ok(filter), Err)
}

struct PageReader<G, I> {
    get: G,
    invalid: I,
    error: Option<&'static str>,
}

impl<G: Fn(&str) -> String, I: Fn(&str) -> &'static str> FilterReader for PageReader<G, I> {
    fn read<T: FilterValue>(&mut self, parameter: Parameter) -> Option<T> {
        let text = (self.get)(parameter.page);
        if text.is_empty() {
            return None;
        }
        let (text, invalid) = match parameter.end {
            None => (Some(text), (self.invalid)(parameter.page)),
            Some(RangeEnd::From) => (time_text(instant(&text)), BAD_FROM),
            Some(RangeEnd::To) => (time_text(end_instant(&text)), BAD_TO),
        };
        let value = text.and_then(|text| T::parse(&text));
        if value.is_none() {
            self.error.get_or_insert(invalid);
        }
        value
    }
}

fn time_text(time: Result<Option<Timestamp>, ()>) -> Option<String> {
    time.ok().flatten().map(|time| time.to_string())
}
