//! The filters of a list on its page. Their parameters are declared with the filter of the service (`contract::filter`);
//! a page adds their labels and menus.

mod bar;
mod reader;

use contract::{evaluation::Verdict, filter::ListFilter};
use governance::PageRequest;

pub use self::reader::filter;
use crate::{
    page,
    request::page_at,
    text::{messages, query::range_in_utc, time, url},
};

/// A filter: the query parameter, its label, and how a user sets the value.
#[derive(Debug)]
pub struct Filter {
    name: &'static str,
    label: &'static str,
    /// The label of its chip.
    chip: &'static str,
    field: Field,
    /// The label of the menu with the field. Filters with the same menu share it.
    menu: &'static str,
    /// Whether the field is the first one of its menu.
    is_first: bool,
    /// The parameter that belongs to the value. It is cleared with the filter.
    part: &'static str,
    /// The message for a value that cannot be parsed.
    invalid: &'static str,
}

#[derive(Debug)]
enum Field {
    /// A search field before the chips.
    Search,
    /// A menu of links: the values and their labels.
    Choices(Vec<(String, String)>),
    /// A menu of links: the verdicts as badges.
    Verdicts,
    Text,
    /// A text field that suggests values.
    Suggest(Vec<String>),
    /// A field that selects one of the values by their labels.
    Select(Vec<(String, String)>),
    /// The start or the end of a range of time.
    Time,
    /// A part of the address without a menu, such as a tab. It is not counted as a filter.
    Parameter,
}

impl Filter {
    fn new(name: impl Into<&'static str>, label: &'static str, field: Field) -> Self {
        Self {
            name: name.into(),
            label,
            chip: label,
            field,
            menu: label,
            is_first: false,
            part: "",
            invalid: messages::BAD_FILTER,
        }
    }

    pub fn search(name: impl Into<&'static str>, label: &'static str) -> Self {
        Self::new(name, label, Field::Search)
    }

    pub fn text(name: impl Into<&'static str>, label: &'static str) -> Self {
        Self::new(name, label, Field::Text)
    }

    pub fn suggest(
        name: impl Into<&'static str>,
        label: &'static str,
        suggestions: Vec<String>,
    ) -> Self {
        Self::new(name, label, Field::Suggest(suggestions))
    }

    pub fn verdicts(name: impl Into<&'static str>, label: &'static str) -> Self {
        Self::new(name, label, Field::Verdicts)
    }

    /// A menu of values and their labels. Without any, the filter has no menu.
    pub fn choice<V: Into<String>, L: Into<String>>(
        name: impl Into<&'static str>,
        label: &'static str,
        choices: impl IntoIterator<Item = (V, L)>,
    ) -> Self {
        Self::new(name, label, Field::Choices(owned(choices)))
    }

    /// A field that selects a value by its label, for many values.
    pub fn select<V: Into<String>, L: Into<String>>(
        name: impl Into<&'static str>,
        label: &'static str,
        choices: impl IntoIterator<Item = (V, L)>,
    ) -> Self {
        Self::new(name, label, Field::Select(owned(choices)))
    }

    /// The parameters `from` and `to`, in one menu. [`ListQuery`] has their values in UTC.
    pub fn range(menu: &'static str, from: &'static str, to: &'static str) -> [Self; 2] {
        [("from", from), ("to", to)]
            .map(|(name, label)| Self::new(name, label, Field::Time).in_menu(menu))
    }

    pub fn parameter(name: impl Into<&'static str>) -> Self {
        Self::new(name, "", Field::Parameter)
    }

    /// Puts the field into the menu with this label.
    pub fn in_menu(self, menu: &'static str) -> Self {
        Self { menu, ..self }
    }

    /// Puts the field before the others of its menu.
    pub fn first(self) -> Self {
        Self { is_first: true, ..self }
    }

    /// Clears a parameter with the filter.
    pub fn with_part(self, part: &'static str) -> Self {
        Self { part, ..self }
    }

    /// Sets the label of its chip, if it is not that of the field.
    pub fn chip(self, chip: &'static str) -> Self {
        Self { chip, ..self }
    }

    /// Sets the message for a value that cannot be parsed.
    pub fn invalid(self, message: &'static str) -> Self {
        Self { invalid: message, ..self }
    }

    /// Returns the text of a value on its chip.
    fn text_of(&self, value: &str) -> String {
        let text = match &self.field {
            Field::Choices(choices) | Field::Select(choices) => label_of(choices, value),
            Field::Time => value.parse().ok().map(time::minute),
            _ => None,
        };
        text.unwrap_or_else(|| value.to_owned())
    }
}

fn owned<V: Into<String>, L: Into<String>>(
    choices: impl IntoIterator<Item = (V, L)>,
) -> Vec<(String, String)> {
    choices.into_iter().map(|(value, label)| (value.into(), label.into())).collect()
}

fn label_of(choices: &[(String, String)], value: &str) -> Option<String> {
    let choice = choices.iter().find(|(choice, _)| choice == value);
    choice.map(|(_, label)| label.clone())
}

/// The filters of a list with their values in the address of the current page.
#[derive(Debug)]
pub struct ListQuery {
    path: String,
    filters: Vec<Filter>,
    /// The value of each filter. An empty value matches everything.
    values: Vec<String>,
    cursor: String,
    /// A chip after those of the filters: its label, its text, and the address without it.
    chip: Option<(&'static str, String, String)>,
}

/// The verdicts, the most severe one first.
pub const VERDICTS: [Verdict; 4] = [Verdict::Deny, Verdict::Review, Verdict::Alert, Verdict::Allow];

impl ListQuery {
    /// Reads the values of the filters from the address of the current page, whose path is `path`.
    pub fn read(path: String, filters: Vec<Filter>) -> Self {
        Self::new(path, filters, page::query)
    }

    /// Creates a query with the values that `get` returns by the names of the filters.
    pub fn new(path: String, filters: Vec<Filter>, get: impl Fn(&str) -> String) -> Self {
        let values = filters.iter().map(|filter| get(filter.name)).collect();
        let mut query = Self { path, filters, values, cursor: get("cursor"), chip: None };
        let (from, to) = range_in_utc(query.value("from"), query.value("to"));
        for (filter, value) in query.filters.iter().zip(&mut query.values) {
            match (&filter.field, filter.name) {
                (Field::Time, "from") => value.clone_from(&from),
                (Field::Time, _) => value.clone_from(&to),
                _ => {}
            }
        }
        query
    }

    /// Adds an active filter of several parameters: its label, its text, and the address without it.
    pub fn with_chip(self, label: &'static str, text: String, clear: String) -> Self {
        Self { chip: Some((label, text, clear)), ..self }
    }

    /// Returns the value of a filter, or an empty string.
    pub fn value(&self, name: &str) -> &str {
        self.pairs().find(|(filter, _)| filter.name == name).map_or("", |(_, value)| value)
    }

    /// Returns the filter of the service.
    ///
    /// # Errors
    /// The message of the first filter whose value cannot be parsed.
    pub fn filter<T: ListFilter>(&self) -> Result<T, &'static str> {
        let invalid = |page: &str| {
            let filter = self.filters.iter().find(|filter| filter.name == page);
            filter.map_or(messages::BAD_FILTER, |filter| filter.invalid)
        };
        filter(|page| self.value(page).to_owned(), invalid)
    }

    /// Returns whether a filter is set.
    pub fn is_filtered(&self) -> bool {
        let is_filter = |filter: &Filter| !matches!(filter.field, Field::Parameter);
        self.chip.is_some()
            || self.pairs().any(|(filter, value)| is_filter(filter) && !value.is_empty())
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the address of the first page with these filters, of which `changes` replace values.
    pub fn address(&self, changes: &[(&str, &str)]) -> String {
        url::with_other(&self.path, &self.parameters(), changes)
    }

    /// Returns the query string of the first page with these filters. It starts with a question mark, if it is not
    /// empty.
    pub fn query_string(&self) -> String {
        url::with_query("", &self.parameters())
    }

    fn parameters(&self) -> Vec<(&str, &str)> {
        self.pairs().map(|(filter, value)| (filter.name, value)).collect()
    }

    /// Returns the address of the page that starts at `cursor`.
    pub fn at(&self, cursor: &str) -> String {
        self.address(&[("cursor", cursor)])
    }

    /// Returns the labels and the names of the filters that are set.
    pub fn set(&self) -> Vec<(&'static str, &'static str)> {
        let is_set = |(filter, value): &(&Filter, &str)| {
            !value.is_empty() && !matches!(filter.field, Field::Parameter)
        };
        self.pairs().filter(is_set).map(|(filter, _)| (filter.label, filter.name)).collect()
    }

    /// Returns the request for the page of the address.
    pub fn page(&self) -> PageRequest {
        page_at(self.cursor.clone())
    }

    fn pairs(&self) -> impl Iterator<Item = (&Filter, &str)> {
        self.filters.iter().zip(self.values.iter().map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use contract::chain::ChainFilter;

    use super::*;

    fn query(values: &[(&str, &str)]) -> ListQuery {
        let filters = vec![
            Filter::parameter("tab"),
            Filter::search("q", "Name"),
            Filter::choice(ChainFilter::STATUS, "Status", [("open", "Open")])
                .invalid("Status: select a value."),
        ];
        let filters = filters.into_iter().chain(Filter::range("Time", "From", "To")).collect();
        let get = |name: &str| {
            let value = values.iter().find(|(own, _)| *own == name);
            value.map_or_else(String::new, |(_, value)| (*value).to_owned())
        };
        ListQuery::new("/list".to_owned(), filters, get)
    }

    #[test]
    fn an_address_contains_the_set_filters_and_the_changes() {
        let query = query(&[("tab", "all"), ("q", "a b"), ("status", "open")]);
        assert_eq!(query.at("abc"), "/list?tab=all&q=a%20b&status=open&cursor=abc");
        assert_eq!(query.address(&[("q", "")]), "/list?tab=all&status=open");
    }

    #[test]
    fn a_parameter_without_a_menu_is_no_filter() {
        assert!(!query(&[("tab", "all")]).is_filtered());
        assert!(query(&[("q", "a")]).is_filtered());
    }

    #[test]
    fn a_value_that_cannot_be_parsed_has_the_message_of_its_filter() {
        let filter = |values| query(values).filter::<ChainFilter>();
        assert_eq!(filter(&[("status", "x")]), Err("Status: select a value."));
        assert_eq!(filter(&[("q", "a")]), Ok(ChainFilter::default()));
    }

    #[test]
    fn times_are_in_utc() {
        let query = query(&[("from", "2026-11-20"), ("to", "2026-11-20")]);
        assert_eq!(query.value("from"), "2026-11-20T00:00:00.000Z");
        assert_eq!(query.value("to"), "2026-11-20T23:59:59.999Z");
    }
}
