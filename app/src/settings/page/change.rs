//! The confirmation of a changed setting: the values before and after, the affected versions, and the reason.

use contract::{api_key::ApiKey, id::TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    flash::RejectedForm,
    settings::{
        act::ChangeSetting,
        view::{Change, Setting, Waiting},
        words,
    },
    text::url,
    ui::{
        facts::fact,
        field::TextArea,
        icon::{Icon, icon},
        panel::submit_or_cancel,
        problem::ProblemNote,
    },
};

#[component]
pub(super) fn ChangeCard(
    tenant: TenantId,
    change: Change,
    rejected: Option<RejectedForm>,
) -> impl IntoView {
    use crate::settings::words as strings;
    let setting = change.setting;
    let is_same = change.before == change.after;
    let effect = (!is_same).then(|| view! { <Effect tenant change=change.clone() /> });
    let (before, after) =
        (setting.choice_label(&change.before), setting.choice_label(&change.after));
    let form = if is_same {
        view! { <p>{strings::UNCHANGED}</p> }.into_any()
    } else {
        let setting_name = setting.word();
        view! { <Form tenant setting_name before=change.before value=change.after rejected /> }
            .into_any()
    };
    view! {
        <section class="card stack" aria-labelledby="change">
            <h2 id="change">{strings::change(setting.label())}</h2>
            <dl class="facts">
                {fact(strings::BEFORE, before)}
                {fact(strings::AFTER, view! { <strong>{after}</strong> })}
            </dl>
            {effect}
            {form}
        </section>
    }
}

/// The consequences: what a weakened safeguard no longer prevents, the affected versions, the alert, and the API keys
/// that the setting restricts.
#[component]
fn Effect(tenant: TenantId, change: Change) -> impl IntoView {
    use crate::settings::words as strings;
    let Change { setting, alert, waiting, keys, .. } = change;
    let weakening = alert.map(|severity| {
        let count = setting.waiting(waiting.len());
        let versions = waiting.into_iter().map(|version| version_link(tenant, version));
        view! {
            <div class="note warn">
                {icon(Icon::Warn)} <div>
                    <p class="font-semibold">{setting.weakening()} " " {count}</p>
                    <ul class="plain-list">{versions.collect_view()}</ul>
                    <p>{strings::creates_alert(severity)}</p>
                </div>
            </div>
        }
    });
    let keys = (setting == Setting::HumanChangesOnly).then(|| view! { <Keys tenant keys /> });
    view! {
        {weakening}
        {keys}
    }
}

fn version_link(tenant: TenantId, waiting: Waiting) -> impl IntoView {
    let href = url::version(tenant, waiting.policy, waiting.version);
    view! {
        <li>
            <a href=href>
                <bdi>{waiting.name}</bdi>
                " v"
                {waiting.version}
            </a>
        </li>
    }
}

/// The API keys that the setting restricts.
#[component]
fn Keys(tenant: TenantId, keys: Vec<ApiKey>) -> impl IntoView {
    use crate::settings::words as strings;
    if keys.is_empty() {
        return view! { <p class="text-muted">{strings::NO_KEYS_RESTRICTED}</p> }.into_any();
    }
    let key = |key: ApiKey| {
        view! {
            <li>
                <bdi class="font-semibold">{key.name}</bdi>
                " "
                <span class="font-mono text-muted">{key.key_preview}</span>
            </li>
        }
    };
    view! {
        <p>{strings::KEYS_RESTRICTED} " " <a href=url::keys(tenant)>{"API keys"}</a></p>
        <ul class="plain-list">{keys.into_iter().map(key).collect_view()}</ul>
    }
    .into_any()
}

#[component]
fn Form(
    tenant: TenantId,
    setting_name: &'static str,
    before: String,
    value: String,
    rejected: Option<RejectedForm>,
) -> impl IntoView {
    let (problem, reason) = rejected.map(|rejected| (rejected.problem, rejected.text)).unzip();
    let problem_note = problem.map(|problem| view! { <ProblemNote problem /> });
    view! {
        <form method="post" action=ChangeSetting::url() class="stack" data-once="">
            {problem_note}
            <input type="hidden" name="form[tenant]" value=tenant.to_string() />
            <input type="hidden" name="form[setting]" value=setting_name />
            <input type="hidden" name="form[before]" value=before />
            <input type="hidden" name="form[value]" value=value />
            <TextArea
                label=words::REASON
                hint=words::REASON_HINT
                name="form[reason]"
                id="reason".to_owned()
                value=reason.unwrap_or_default()
                maxlength=500
                required=true
            />
            {submit_or_cancel(words::SAVE, url::settings(tenant))}
        </form>
    }
}
