//! The filters of the log: a plain form whose fields stand in the address.

use contract::id::PolicyId;
use leptos::prelude::*;

use crate::{
    text::words,
    ui::field::{SelectField, TextField},
    view::query::DecisionQuery,
};

#[component]
pub(super) fn Filters(
    path: String,
    query: DecisionQuery,
    policies: Vec<(PolicyId, String)>,
) -> impl IntoView {
    use words::decisions as say;
    let clear = query.filters().then(|| view! { <a href=path.clone()>{words::CLEAR_FILTERS}</a> });
    let rare = query.has_rare();
    view! {
        <form method="get" action=path class="filters" aria-label=words::FILTER>
            <SelectField
                label=say::VERDICT
                name="verdict"
                choices=say::VERDICTS.to_vec()
                value=query.verdict
            />
            <TextField label=say::TYPE name="type" value=query.decision_type/>
            <PolicyField policies value=query.policy/>
            <TextField label=say::RULE name="rule" value=query.rule/>
            <TextField label=say::FROM name="from" kind="datetime-local" value=query.from/>
            <TextField label=say::TO name="to" kind="datetime-local" value=query.to/>
            <details class="rare" open=rare>
                <summary>{say::MORE_FILTERS}</summary>
                <div class="filters">
                    <TextField label=say::ACTOR name="actor" value=query.actor/>
                    <TextField
                        label=words::CORRELATION_ID
                        name="correlation"
                        value=query.correlation_id
                    />
                    <TextField label=say::CHAIN name="chain" value=query.chain/>
                    <TextField label=say::IDEMPOTENCY name="key" value=query.idempotency_key/>
                </div>
            </details>
            <button>{words::FILTER}</button>
            {clear}
        </form>
    }
}

/// One of the tenant's policies, by name.
#[component]
fn PolicyField(policies: Vec<(PolicyId, String)>, value: String) -> impl IntoView {
    let option = |(id, name): (PolicyId, String)| {
        let id = id.to_string();
        let selected = id == value;
        view! { <option value=id selected=selected>{name}</option> }
    };
    let options = policies.into_iter().map(option).collect_view();
    view! {
        <label class="field">
            <span>{words::decisions::POLICY}</span>
            <select name="policy">
                <option value="">{words::decisions::ANY}</option>
                {options}
            </select>
        </label>
    }
}
