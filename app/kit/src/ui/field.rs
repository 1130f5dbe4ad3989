//! The options of a selection list.

use contract::text::isolated;
use leptos::prelude::*;

/// Renders the options of a selection list: the value and the label of each choice.
pub fn options<V: Into<String>, L: Into<String>>(
    choices: impl IntoIterator<Item = (V, L)>,
    current: &str,
) -> AnyView {
    let option = |(value, label): (V, L)| {
        let (value, label) = (value.into(), label.into());
        let selected = value == current;
        view! {
            <option value=value selected=selected>
                {isolated(&label).into_owned()}
            </option>
        }
    };
    choices.into_iter().map(option).collect_view().into_any()
}
