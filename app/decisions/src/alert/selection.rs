//! The alerts that a form selects: some of them, or all that match the filters of the list.

use contract::alert::{AlertFilter, AlertStatus};
use governance::notify::alert::selection::{self as service, SELECTION_MAX, SelectedAlerts};
use page_kit::{list, prelude::*, text::messages::BAD_FILTER};

use super::PAGE;

/// The filters of the list as fields of a form, by their names in the address. An empty value matches everything,
/// except that an empty status means open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)] // a form has no value for a tuple
pub(super) struct Filters(BTreeMap<String, String>);

impl Filters {
    pub(super) fn of(query: &ListQuery) -> Self {
        let filters = query.set().into_iter().map(|(_, name)| name);
        let names = filters.chain([AlertFilter::STATUS.page]);
        Self(names.map(|name| (name.to_owned(), query.value(name).to_owned())).collect())
    }

    /// Returns the hidden fields of a form after `others`.
    pub(super) fn fields<const N: usize>(
        &self,
        others: [(&str, String); N],
    ) -> Vec<(String, String)> {
        let filter = |(name, value): (&String, &String)| {
            (format!("selection[query][{name}]"), value.clone())
        };
        named(others).chain(self.0.iter().map(filter)).collect()
    }

    /// Returns the filter of the page with this number for the service.
    ///
    /// # Errors
    /// Returns an error message for the user.
    pub(super) fn filter(&self, page: u32) -> Result<AlertFilter, &'static str> {
        let get = |name: &str| self.0.get(name).cloned().unwrap_or_default();
        let filter: AlertFilter = list::filter(get, |_| BAD_FILTER)?;
        Ok(AlertFilter {
            status: filter.status.or(Some(AlertStatus::Open)),
            limit: PAGE,
            offset: page.saturating_sub(1).saturating_mul(PAGE),
            ..filter
        })
    }
}

fn named<const N: usize>(fields: [(&str, String); N]) -> impl Iterator<Item = (String, String)> {
    fields.map(|(name, value)| (name.to_owned(), value)).into_iter()
}

/// The alerts selected on a page, as fields of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Selection {
    /// The IDs of the selected alerts. An element may contain several IDs, separated by commas.
    pub(super) ids: Vec<String>,
    /// The ID of the alert whose own button was used. It replaces `ids`.
    pub(super) only: String,
    /// If not empty, all alerts that matched the filters at the time of the page are selected.
    pub(super) all: String,
    /// The filters of the list.
    pub(super) query: Filters,
    /// The time of the page.
    pub(super) at: String,
}

impl Selection {
    /// Returns whether nothing is selected.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.alert_ids().is_empty()
    }

    /// Returns the distinct IDs of the selected alerts.
    fn alert_ids(&self) -> Vec<AlertId> {
        let only = std::slice::from_ref(&self.only);
        let values = if self.only.is_empty() { &*self.ids } else { only };
        let ids = values.iter().flat_map(|value| value.split(',')).filter_map(|id| id.parse().ok());
        ids.collect::<BTreeSet<AlertId>>().into_iter().collect()
    }

    /// Returns the hidden fields of a form with this selection after `others`: their names and values.
    pub(super) fn fields<const N: usize>(
        &self,
        others: [(&str, String); N],
    ) -> Vec<(String, String)> {
        let others = named(others).chain(named([("selection[at]", self.at.clone())]));
        if self.all.is_empty() {
            let ids = ("selection[ids][]", self.ids.join(","));
            return others.chain(named([ids, ("selection[only]", self.only.clone())])).collect();
        }
        let all = named([("selection[all]", self.all.clone())]);
        others.chain(all).chain(self.query.fields([])).collect()
    }

    /// Returns the selection for the service. A form without a time selects at the current time.
    pub(super) fn selected(&self, cx: &Cx) -> Result<service::Selection, Problem> {
        let alerts = if self.all.is_empty() {
            let ids = self.alert_ids();
            match ids.len() {
                0 => return Err(Problem::of_form("select at least one alert")),
                1..=SELECTION_MAX => SelectedAlerts::Ids(ids),
                _ => return Err(Problem::of_form("you can change up to 500 alerts at a time")),
            }
        } else {
            let filter = self.query.filter(1).map_err(Problem::of_form)?;
            let status = filter.status.filter(|status| *status != AlertStatus::Acknowledged);
            let status = status.or(Some(AlertStatus::Open));
            SelectedAlerts::Matching(AlertFilter { status, ..filter })
        };
        let at = self.at.parse().map_or(cx.now, |at: Timestamp| at.min(cx.now));
        Ok(service::Selection { alerts, at })
    }
}

/// The form that opens a confirmation page, or its form if that was rejected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SelectionForm {
    pub(super) selection: Selection,
    /// The address of the list.
    pub(super) back: String,
    /// The entered end of a snooze time.
    pub(super) date: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_filter_defaults_to_open() {
        let filters = |status: &str| Filters([("status".into(), status.into())].into());
        let filter = filters("").filter(3).unwrap();
        assert_eq!((filter.status, filter.offset), (Some(AlertStatus::Open), 100));
        let filter = filters("snoozed").filter(1).unwrap();
        assert_eq!((filter.status, filter.offset), (Some(AlertStatus::Snoozed), 0));
        assert!(filters("gone").filter(1).is_err());
    }

    #[test]
    fn a_selection_is_posted_as_ids_or_as_the_filter_with_the_time_of_the_page() {
        let id = "00000000-0000-4000-8000-000000000001";
        let query = Filters([("rule".into(), "A".into())].into());
        let at = "2026-11-20T23:04:11.302Z".to_owned();
        let ids = vec![format!("{id},x"), id.to_owned()];
        let selection = Selection { ids, query, at: at.clone(), ..Selection::default() };
        assert_eq!(selection.alert_ids(), [id.parse().unwrap()]);
        let set = |selection: &Selection| -> Vec<_> {
            let fields = selection.fields([]).into_iter();
            fields.filter(|(_, value)| !value.is_empty()).collect()
        };
        let time = ("selection[at]".to_owned(), at);
        let ids = ("selection[ids][]".to_owned(), format!("{id},x,{id}"));
        assert_eq!(set(&selection), [time.clone(), ids]);
        let all = Selection { all: "1".into(), ..selection };
        let rule = ("selection[query][rule]".to_owned(), "A".to_owned());
        assert_eq!(set(&all), [time, ("selection[all]".to_owned(), "1".to_owned()), rule]);
        assert!(Selection::default().is_empty() && !all.is_empty());
    }
}
