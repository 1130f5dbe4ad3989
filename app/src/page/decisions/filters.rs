//! The filters of the decision list.

use contract::id::PolicyId;
use leptos::prelude::*;

use crate::{
    text::messages,
    ui::{
        field::{SelectField, TextField, options},
        list::FilterForm,
    },
    view::query::DecisionQuery,
};

#[component]
pub(super) fn Filters(
    path: String,
    query: DecisionQuery,
    policies: Vec<(PolicyId, String)>,
) -> impl IntoView {
    use messages::decisions as strings;
    let is_filtered = query.has_filters();
    let is_expanded = query.has_advanced_filters();
    view! {
        <FilterForm path is_filtered>
            <SelectField
                label=strings::VERDICT
                name="verdict"
                choices=strings::VERDICTS.to_vec()
                value=query.verdict
            />
            <TextField label=strings::TYPE name="type" value=query.decision_type />
            <PolicyField policies value=query.policy />
            <TextField label=strings::RULE name="rule" value=query.rule />
            <TextField label=strings::FROM name="from" kind="datetime-local" value=query.from />
            <TextField label=strings::TO name="to" kind="datetime-local" value=query.to />
            <details class="secondary-action" open=is_expanded>
                <summary>{strings::MORE_FILTERS}</summary>
                <div class="filters">
                    <TextField label=strings::ACTOR name="actor" value=query.actor />
                    <TextField
                        label=messages::CORRELATION_ID
                        name="correlation"
                        value=query.correlation_id
                    />
                    <TextField label=strings::CHAIN name="chain" value=query.chain />
                    <TextField label=strings::IDEMPOTENCY name="key" value=query.idempotency_key />
                </div>
            </details>
        </FilterForm>
    }
}

#[component]
fn PolicyField(policies: Vec<(PolicyId, String)>, value: String) -> impl IntoView {
    let choices = policies.into_iter().map(|(id, name)| (id.to_string(), name));
    view! {
        <label class="field">
            <span>{messages::decisions::POLICY}</span>
            <select name="policy">
                <option value="">{messages::decisions::ANY}</option>
                {options(choices, &value)}
            </select>
        </label>
    }
}
