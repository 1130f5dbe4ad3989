//! A change before it is made: what was, what will be, whom it touches, and why.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::settings::ChangeSetting,
    text::{url, words},
    ui::{
        field::TextArea,
        icon::{Icon, icon},
        problem::ProblemNote,
    },
    view::{
        kept::Kept,
        settings::{Change, Waiting},
    },
};

#[component]
pub(super) fn ChangeCard(tenant: TenantId, change: Change, kept: Option<Kept>) -> impl IntoView {
    use words::settings as say;
    let setting = change.setting;
    let is_same = change.before == change.after;
    let off = (setting.ends_maker_checker(&change.after) && !is_same)
        .then(|| view! { <Off tenant waiting=change.waiting/> });
    let (before, after) = (say::value(setting, &change.before), say::value(setting, &change.after));
    let form = if is_same {
        view! { <p>{say::SAME}</p> }.into_any()
    } else {
        let word = setting.word();
        view! { <Form tenant word before=change.before value=change.after kept/> }.into_any()
    };
    view! {
        <section class="card stack" aria-labelledby="change">
            <h2 id="change">{say::change(setting)}</h2>
            <dl class="facts">
                <dt>{say::BEFORE}</dt>
                <dd>{before}</dd>
                <dt>{say::AFTER}</dt>
                <dd>
                    <strong>{after}</strong>
                </dd>
            </dl>
            {off}
            {form}
        </section>
    }
}

/// What goes with maker-checker.
#[component]
fn Off(tenant: TenantId, waiting: Vec<Waiting>) -> impl IntoView {
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
    let waiting = if waiting.is_empty() {
        view! { <p>{words::settings::NONE_WAITING}</p> }.into_any()
    } else {
        view! {
            <p>{words::settings::WAITING}</p>
            <ul class="plain-list">{waiting.into_iter().map(version).collect_view()}</ul>
        }
        .into_any()
    };
    view! {
        <div class="note warn">
            {icon(Icon::Warn)}
            <div>
                <p class="font-semibold">{words::settings::OFF}</p>
                {waiting}
            </div>
        </div>
    }
}

#[component]
fn Form(
    tenant: TenantId,
    word: &'static str,
    before: String,
    value: String,
    kept: Option<Kept>,
) -> impl IntoView {
    let (problem, reason) = kept.map(|kept| (kept.problem, kept.text)).unzip();
    let confirmed = problem.as_ref().is_some_and(crate::problem::Problem::asks_for_confirmation);
    let refused = problem.filter(|_| !confirmed).map(|problem| view! { <ProblemNote problem/> });
    let confirmed = confirmed.then(|| {
        view! {
            <div class="note low" role="status">
                {icon(Icon::Seal)}
                <p>{words::settings::CONFIRMED}</p>
            </div>
        }
    });
    view! {
        <form method="post" action=ChangeSetting::url() class="stack" data-once="">
            {refused}
            {confirmed}
            <input type="hidden" name="form[tenant]" value=tenant.to_string()/>
            <input type="hidden" name="form[setting]" value=word/>
            <input type="hidden" name="form[before]" value=before/>
            <input type="hidden" name="form[value]" value=value/>
            <TextArea
                label=words::settings::REASON
                hint=words::settings::REASON_HINT
                name="form[reason]"
                id="reason".to_owned()
                value=reason.unwrap_or_default()
                maxlength=500
                required=true
            />
            <div class="row end">
                <a class="button" href=url::settings(tenant)>
                    {words::CANCEL}
                </a>
                <button class="primary">{words::settings::SAVE}</button>
            </div>
        </form>
    }
}
