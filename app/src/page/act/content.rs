//! What a person signs, said in full: the same in the dialog and on its page.

use leptos::prelude::*;

use crate::{
    page::{review::record::Recorded, version::Bytes},
    text::{number::count, url, words},
    ui::{
        code::{Digest, Id},
        field::TextArea,
        form::{Dialog, VersionForm},
        icon::{Icon, icon},
        time::Minute,
    },
    view::{acts::Act, kept::Kept, version::VersionPage as Version},
};

/// "Ratify Vendor payments v18"
pub(super) fn title(act: Act, version: StoredValue<Version>) -> String {
    version.with_value(|version| words::act::title(act, &version.policy_name, version.version))
}

/// The form of an act that is signed or gives a reason.
#[component]
pub(super) fn ActContent(
    act: Act,
    version: StoredValue<Version>,
    kept: Option<Kept>,
    dialog: Option<Dialog>,
) -> impl IntoView {
    let confirmed = kept.as_ref().is_some_and(|kept| kept.problem.asks_for_confirmation());
    let confirmed = confirmed.then(|| {
        view! {
            <div class="note low" role="status">
                {icon(Icon::Seal)}
                <p>{words::act::CONFIRMED}</p>
            </div>
        }
    });
    let text = kept.as_ref().map(|kept| kept.text.clone()).unwrap_or_default();
    // An approval is signed by the service, on behalf of the person.
    let key = version.with_value(|version| version.key.clone()).filter(|_| act == Act::Ratify);
    let place = if dialog.is_some() { "dialog" } else { "page" };
    view! {
        <VersionForm act version kept>
            {confirmed}
            <p>{words::act::says(act)}</p>
            <Seen version key/>
            <Typed act version text id=format!("{}-{place}-text", act.word())/>
            <Buttons act version dialog/>
        </VersionForm>
    }
}

/// Exactly what the act is about.
#[component]
pub(in crate::page) fn Seen(
    version: StoredValue<Version>,
    /// The key that signs it.
    #[prop(default = None)]
    key: Option<String>,
) -> impl IntoView {
    let version = version.get_value();
    let key = key.map(|key| {
        view! {
            <dt>{words::act::SIGNED_WITH}</dt>
            <dd>
                <Id id=key what=words::act::SIGNED_WITH/>
            </dd>
        }
    });
    let replaces = match version.deciding {
        Some(deciding) => view! {
            <span class="tabular-nums">"v" {deciding.version}</span>
            {deciding.since.map(|since| view! { ", " {words::act::SINCE} " " <Minute at=since/> })}
        }
        .into_any(),
        None => words::act::REPLACES_NOTHING.into_any(),
    };
    let review = version.review.map(|record| {
        view! {
            <dt>{words::act::REVIEW}</dt>
            <dd>
                {record.verdict.as_str()} " " {words::BY} " " <bdi>{record.by}</bdi> ", "
                <Minute at=record.at/> " "
                <Digest digest=record.digest what=words::review::RECORD/>
            </dd>
        }
    });
    view! {
        <dl class="seen">
            <dt>{words::act::POLICY}</dt>
            <dd>
                <bdi>{version.policy_code}</bdi>
                " "
                <Id id=version.policy.to_string() what=words::act::POLICY/>
            </dd>
            <dt>{words::act::VERSION}</dt>
            <dd class="tabular-nums">{version.version} ", " {words::act::REVISION} " " {version.revision}</dd>
            <dt>{words::version::DIGEST}</dt>
            <dd>
                <Digest digest=version.rules_digest what=words::version::DIGEST/>
            </dd>
            <dt>{words::act::REPLACES}</dt>
            <dd>{replaces}</dd>
            {review}
            <dt>{words::act::SIGNED_AS}</dt>
            <dd>
                <bdi>{version.person.name}</bdi>
                ", "
                <bdi>{version.person.email}</bdi>
            </dd>
            {key}
        </dl>
        <Bytes canonical=version.canonical/>
    }
}

/// What the person adds: a note, a tick, or a reason.
#[component]
fn Typed(act: Act, version: StoredValue<Version>, text: String, id: String) -> impl IntoView {
    let rules = version.with_value(|version| count(version.rules.len(), "rule", "rules"));
    let tick = view! {
        <label class="tick">
            <input type="checkbox" name="form[read]" value="yes" required=true/>
            <span>{words::act::read(&rules)}</span>
        </label>
    };
    match act {
        Act::Reject | Act::SetAside | Act::Supersede => view! {
            <TextArea
                label=words::act::REASON
                hint=words::act::REASON_HINT
                name="form[text]"
                id
                value=text
                maxlength=500
                required=true
            />
        }
        .into_any(),
        Act::Ratify => view! {
            <TextArea
                label=words::act::NOTE
                hint=words::act::NOTE_HINT
                name="form[text]"
                id
                value=text
                maxlength=2000
                required=false
            />
            {tick}
        }
        .into_any(),
        Act::Send => version.with_value(answers).into_any(),
        Act::Delete => ().into_any(),
        _ => tick.into_any(),
    }
}

/// The return that the next send answers, chosen for the author, with everything that was said.
fn answers(version: &Version) -> Option<impl IntoView + use<>> {
    let record = version.answers.clone()?;
    let id = record.id.clone();
    Some(view! {
        <section class="stack">
            <h3>{words::review::ANSWERS}</h3>
            <input type="hidden" name="form[answers]" value=id/>
            <Recorded record/>
        </section>
    })
}

#[component]
fn Buttons(act: Act, version: StoredValue<Version>, dialog: Option<Dialog>) -> impl IntoView {
    let (number, back) = version.with_value(|version| {
        (version.version, url::version(version.tenant, version.policy, version.version))
    });
    let close = move |event: leptos::ev::MouseEvent| {
        if let Some(dialog) = dialog {
            dialog.close(&event);
        }
    };
    let class = if matches!(act, Act::Reject | Act::Delete | Act::SetAside) {
        "button danger"
    } else {
        "button primary"
    };
    view! {
        <div class="row end">
            <a class="button" href=back on:click=close>
                {words::CANCEL}
            </a>
            <button class=class>{words::act::sign(act, number)}</button>
        </div>
    }
}
