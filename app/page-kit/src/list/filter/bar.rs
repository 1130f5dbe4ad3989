//! The bar of the filters of a list: the search field, chips and menus.

use contract::evaluation::Verdict;
use leptos::prelude::*;

use super::{Field, Filter, ListQuery, VERDICTS};
use crate::{
    text::{messages, time},
    ui::{
        badge::VerdictBadge,
        field::{SuggestField, TextField, options},
        icon::{Icon, icon},
    },
};

impl ListQuery {
    /// Renders the search field, the active filters as chips, and the menus. `end` follows them.
    pub fn bar(&self, end: impl IntoView + 'static) -> AnyView {
        self.bar_before(end, ())
    }

    /// Renders the bar with `last` at the end of the line.
    pub fn bar_before(
        &self,
        end: impl IntoView + 'static,
        last: impl IntoView + 'static,
    ) -> AnyView {
        let search = self.pairs().find(|(filter, _)| matches!(filter.field, Field::Search));
        let search = search.map(|(filter, value)| self.search(filter, value));
        let menus = self.menus();
        let clear = self.is_filtered().then(|| {
            view! {
                <a class="quiet" href=self.path.clone()>
                    {messages::CLEAR_FILTERS}
                </a>
            }
        });
        let (end, last) = (end.into_any(), last.into_any());
        view! { <div class="chip-bar">{search} {self.chips()} {menus} {end} {clear} {last}</div> }
            .into_any()
    }

    fn search(&self, filter: &Filter, value: &str) -> AnyView {
        view! {
            <form method="get" action=self.path.clone() class="row" role="search">
                {self.hidden(&[filter.name])}
                <input
                    type="search"
                    name=filter.name
                    value=value.to_owned()
                    aria-label=filter.label
                    placeholder=filter.label
                    autocomplete="off"
                    spellcheck="false"
                />
                <button>{messages::FILTER}</button>
            </form>
        }
        .into_any()
    }

    /// Renders the active filters as chips.
    pub fn chips(&self) -> Option<AnyView> {
        let of_filter = |(filter, value): (&Filter, &str)| {
            if value.is_empty() || matches!(filter.field, Field::Parameter) {
                return None;
            }
            let clear = self.address(&[(filter.part, ""), (filter.name, "")]);
            Some((filter.chip, filter.text_of(value), clear))
        };
        let chip = |(label, text, clear): (&'static str, String, String)| {
            view! {
                <li class="chip on">
                    {label} " " <b>
                        <bdi>{text}</bdi>
                    </b> <a class="x" href=clear aria-label=format!("Clear filter: {label}")>
                        {icon(Icon::Cross)}
                    </a>
                </li>
            }
        };
        let chips = self.pairs().filter_map(of_filter).chain(self.chip.clone());
        let chips: Vec<_> = chips.map(chip).collect();
        (!chips.is_empty()).then(|| {
            view! {
                <ul class="chips" aria-label="Active filters">
                    {chips}
                </ul>
            }
            .into_any()
        })
    }

    /// Renders a menu for each choice, and for the fields of each menu, in the order of the filters.
    pub fn menus(&self) -> Vec<AnyView> {
        let mut menus = Vec::new();
        let mut last = "";
        for (filter, value) in self.pairs() {
            match &filter.field {
                Field::Search | Field::Parameter => {}
                Field::Choices(choices) if choices.is_empty() => {}
                Field::Choices(choices) => {
                    let choices = choices.iter().filter(|(value, _)| !value.is_empty());
                    let choice = |(own, label): &(String, String)| {
                        self.choice(filter, value, own, None, view! { <bdi>{label.clone()}</bdi> })
                    };
                    menus.push(link_menu(filter.label, choices.map(choice).collect()));
                }
                Field::Verdicts => {
                    let choice = |verdict: Verdict| {
                        let label = Some(format!("Only {verdict}"));
                        let badge = view! { <VerdictBadge verdict /> };
                        self.choice(filter, value, verdict.as_str(), label, badge)
                    };
                    menus.push(link_menu(filter.label, VERDICTS.map(choice).into()));
                }
                _ if filter.menu == last => {}
                _ => menus.push(self.fields(filter.menu)),
            }
            last = filter.menu;
        }
        menus
    }

    /// Renders the link that sets a filter.
    fn choice(
        &self,
        filter: &Filter,
        current: &str,
        value: &str,
        label: Option<String>,
        content: impl IntoView + 'static,
    ) -> AnyView {
        let href = self.address(&[(filter.name, value)]);
        view! {
            <li>
                <a href=href aria-current=(value == current).then_some("true") aria-label=label>
                    {content}
                </a>
            </li>
        }
        .into_any()
    }

    /// Renders the menu with the fields of the filters in it.
    fn fields(&self, menu: &'static str) -> AnyView {
        let own = || self.pairs().filter(|(filter, _)| filter.menu == menu);
        let names: Vec<_> = own().map(|(filter, _)| filter.name).collect();
        let (first, rest): (Vec<_>, Vec<_>) = own().partition(|(filter, _)| filter.is_first);
        let fields = first.into_iter().chain(rest).map(field).collect_view();
        self.form_menu("filter-menu", menu, &names, false, fields.into_any())
    }

    /// Renders the fields of all filters with a menu, in the order of the menus.
    pub fn all_fields(&self) -> AnyView {
        let mut fields: Vec<_> =
            self.pairs().filter(|(filter, _)| !matches!(filter.field, Field::Parameter)).collect();
        fields.sort_by_key(|(filter, _)| {
            let menu = self.filters.iter().position(|other| other.menu == filter.menu);
            (menu, !filter.is_first)
        });
        fields.into_iter().map(field).collect_view().into_any()
    }

    /// Renders a menu with a form that sets the filters `names`.
    pub fn form_menu(
        &self,
        class: &'static str,
        label: &'static str,
        names: &[&str],
        is_current: bool,
        fields: AnyView,
    ) -> AnyView {
        let chip = if is_current { "chip on" } else { "chip" };
        view! {
            <details class=class name="filter">
                <summary class=chip aria-current=is_current.then_some("true")>
                    {icon(Icon::Plus)}
                    {label}
                </summary>
                <form method="get" action=self.path.clone() class="filter-panel" aria-label=label>
                    {self.hidden(names)}
                    {fields}
                    <button>"Apply"</button>
                </form>
            </details>
        }
        .into_any()
    }

    /// Renders all values except those of `names` as hidden fields of a form.
    pub fn hidden(&self, names: &[&str]) -> Vec<AnyView> {
        let others = self
            .pairs()
            .filter(|(filter, value)| !names.contains(&filter.name) && !value.is_empty());
        let field = |(filter, value): (&Filter, &str)| {
            view! { <input type="hidden" name=filter.name value=value.to_owned() /> }.into_any()
        };
        others.map(field).collect()
    }
}

fn link_menu(label: &'static str, choices: Vec<AnyView>) -> AnyView {
    view! {
        <details class="filter-menu" name="filter">
            <summary class="chip">{icon(Icon::Plus)} {label}</summary>
            <ul class="filter-panel plain-list">{choices}</ul>
        </details>
    }
    .into_any()
}

/// Renders the field that sets a filter in a form.
fn field((filter, value): (&Filter, &str)) -> AnyView {
    let (label, name) = (filter.label, filter.name);
    let select = |choices: Vec<(String, String)>| {
        let any = (String::new(), "Any".to_owned());
        view! {
            <label class="field">
                <span>{label}</span>
                <select name=name>{options(std::iter::once(any).chain(choices), value)}</select>
            </label>
        }
        .into_any()
    };
    match &filter.field {
        Field::Select(choices) | Field::Choices(choices) => select(choices.clone()),
        Field::Verdicts => {
            select(VERDICTS.map(|verdict| (verdict.to_string(), verdict.to_string())).into())
        }
        Field::Time => {
            let value = time::field(value);
            view! { <TextField label name kind="datetime-local" value /> }.into_any()
        }
        Field::Suggest(suggestions) => {
            let suggestions = suggestions.clone();
            view! { <SuggestField label name value=value.to_owned() suggestions /> }.into_any()
        }
        _ => view! { <TextField label name value=value.to_owned() /> }.into_any(),
    }
}
