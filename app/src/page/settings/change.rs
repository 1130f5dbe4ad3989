//! The confirmation of a changed setting: the values before and after, the affected versions, and the reason.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::settings::ChangeSetting,
    markup::{
        icon::{Icon, icon},
        note::{Tone, note},
    },
    problem::Problem,
    text::{messages, url},
    ui::{facts::fact, field::TextArea, panel::submit_or_cancel, problem::ProblemNote},
    view::{
        flash::RejectedForm,
        settings::{Change, Waiting},
    },
};

#[component]
pub(super) fn ChangeCard(
    tenant: TenantId,
    change: Change,
    rejected: Option<RejectedForm>,
) -> impl IntoView {
    use messages::settings as strings;
    let setting = change.setting;
    let is_same = change.before == change.after;
    let maker_checker_note = (setting.ends_maker_checker(&change.after) && !is_same)
        .then(|| view! { <MakerCheckerOffNote tenant versions=change.waiting /> });
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
            {maker_checker_note}
            {form}
        </section>
    }
}

/// The consequences of disabling maker-checker.
#[component]
fn MakerCheckerOffNote(tenant: TenantId, versions: Vec<Waiting>) -> impl IntoView {
    let version = move |waiting: Waiting| {
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
    };
    let versions = if versions.is_empty() {
        view! { <p>{messages::settings::NONE_WAITING}</p> }.into_any()
    } else {
        view! {
            <p>{messages::settings::WAITING}</p>
            <ul class="plain-list">{versions.into_iter().map(version).collect_view()}</ul>
        }
        .into_any()
    };
    view! {
        <div class="note warn">
            {icon(Icon::Warn)} <div>
                <p class="font-semibold">{messages::settings::OFF}</p>
                {versions}
            </div>
        </div>
    }
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
    let is_confirmed = problem.as_ref().is_some_and(Problem::asks_for_confirmation);
    let problem_note =
        problem.filter(|_| !is_confirmed).map(|problem| view! { <ProblemNote problem /> });
    let confirmed_note = is_confirmed
        .then(|| note(Tone::Low, Some("status"), messages::settings::PASSWORD_CONFIRMED));
    view! {
        <form method="post" action=ChangeSetting::url() class="stack" data-once="">
            {problem_note}
            {confirmed_note}
            <input type="hidden" name="form[tenant]" value=tenant.to_string() />
            <input type="hidden" name="form[setting]" value=setting_name />
            <input type="hidden" name="form[before]" value=before />
            <input type="hidden" name="form[value]" value=value />
            <TextArea
                label=messages::settings::REASON
                hint=messages::settings::REASON_HINT
                name="form[reason]"
                id="reason".to_owned()
                value=reason.unwrap_or_default()
                maxlength=500
                required=true
            />
            {submit_or_cancel(messages::settings::SAVE, url::settings(tenant))}
        </form>
    }
}
