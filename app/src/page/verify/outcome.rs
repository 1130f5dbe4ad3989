//! What a check came to, or why there was none.

use std::{sync::Arc, time::Duration};

use leptos::{html, prelude::*};

use super::{
    claims::{ClaimLine, OverallBadge},
    desk::{Desk, State},
    given,
};
use crate::{
    text::words,
    ui::{
        code::{CodeBlock, Digest, Id},
        icon::{Icon, icon},
        quoted::quoted,
        time::Exact,
    },
    view::verify::{self, Checked, OwnCheck, Refused},
};

/// How the check stands, which is read out, and its result.
#[component]
pub(super) fn Outcome(desk: Desk) -> impl IntoView {
    let working = move || match desk.state() {
        State::Fetching => Some(words::verify::FETCHING),
        State::Checking => Some(words::verify::CHECKING),
        State::Empty | State::Done(_) | State::Refused(_) => None,
    };
    let said = move || match desk.state() {
        State::Done(checked) => format!(
            "{}. {}",
            words::verify::overall(checked.report.overall),
            words::verify::counts(&checked.report.claims)
        ),
        _ => String::new(),
    };
    let shown = move || match desk.state() {
        State::Done(checked) => view! { <Found desk checked/> }.into_any(),
        State::Refused(refused) => view! { <NotChecked refused/> }.into_any(),
        State::Empty | State::Fetching | State::Checking => ().into_any(),
    };
    view! {
        <div class="progress" role="status">
            {move || working().map(|word| view! { <p class="note na">{icon(Icon::Wait)} {word}</p> })}
            <p class="sr-only">{said}</p>
        </div>
        {shown}
    }
}

/// Why nothing was checked. It judges nothing.
#[component]
fn NotChecked(refused: Refused) -> impl IntoView {
    view! {
        <div class="note warn" role="alert">
            {icon(Icon::Warn)}
            <div>
                <p class="font-semibold">{words::verify::NOT_CHECKED}</p>
                <p>
                    <bdi>{quoted(&words::verify::refused(&refused))}</bdi>
                </p>
            </div>
        </div>
    }
}

#[component]
fn Found(desk: Desk, checked: Arc<Checked>) -> impl IntoView {
    let heading = NodeRef::<html::H2>::new();
    Effect::new(move || {
        if let Some(heading) = heading.get()
            && desk.leads()
        {
            let _ = heading.focus();
        }
    });
    let overall = checked.report.overall;
    let claims = checked.report.claims.clone().into_iter();
    view! {
        <section
            class="card receipt outcome"
            aria-labelledby="result"
            data-overall=words::verify::overall(overall).to_lowercase()
        >
            <h2 id="result" node_ref=heading tabindex="-1">
                {words::verify::RESULT}
            </h2>
            <p class="verdict-line">
                <OverallBadge overall/>
                <span>{words::verify::counts(&checked.report.claims)}</span>
            </p>
            <p>{words::verify::meaning(&checked)}</p>
            {checked.is_published.then(Published)}
            <ol class="claims">{claims.map(|claim| view! { <ClaimLine claim/> }).collect_view()}</ol>
            <Follows report=checked.report.clone()/>
            <About checked=checked.clone()/>
            <Report checked/>
        </section>
    }
}

/// What the service itself finds: claim by claim, and worth no more than its word.
#[component]
pub(super) fn OwnResult(found: OwnCheck) -> impl IntoView {
    let OwnCheck::Found(report) = found else {
        return view! { <p class="note warn grow">{icon(Icon::Warn)} {words::verify::OWN_MISSING}</p> }
            .into_any();
    };
    let (overall, counts) = (report.overall, words::verify::counts(&report.claims));
    let claims = report.claims.clone().into_iter();
    view! {
        <section
            class="card receipt outcome grow"
            aria-labelledby="own-result"
            data-overall=words::verify::overall(overall).to_lowercase()
        >
            <h2 id="own-result">{words::verify::OWN}</h2>
            <p class="verdict-line">
                <OverallBadge overall/>
                <span>{counts}</span>
            </p>
            <p>{words::verify::OWN_SAYS}</p>
            <ol class="claims">{claims.map(|claim| view! { <ClaimLine claim/> }).collect_view()}</ol>
            <Follows report=*report/>
        </section>
    }
    .into_any()
}

/// What a result is worth that rests on keys of the service itself.
#[component]
fn Published() -> impl IntoView {
    view! {
        <div class="note warn">
            {icon(Icon::Warn)}
            <p>
                <strong>{words::verify::NOT_INDEPENDENT}</strong>
                " "
                {words::verify::NOT_INDEPENDENT_SAYS}
            </p>
        </div>
    }
}

/// What follows from the result, and what does not.
#[component]
fn Follows(report: verify::Report) -> impl IntoView {
    let list = |sentences: Vec<String>| {
        if sentences.is_empty() {
            return view! { <p>{words::verify::NOTHING}</p> }.into_any();
        }
        let line = |text: String| view! { <li>{quoted(&text)}</li> };
        view! { <ul class="points">{sentences.into_iter().map(line).collect_view()}</ul> }
            .into_any()
    };
    view! {
        <div>
            <h3>{words::verify::ESTABLISHED}</h3>
            {list(report.established)}
        </div>
        <div>
            <h3>{words::verify::NOT_ESTABLISHED}</h3>
            {list(report.not_established)}
        </div>
    }
}

/// What was checked, and with what.
#[component]
fn About(checked: Arc<Checked>) -> impl IntoView {
    let report = &checked.report;
    let subject = report.subject.clone().map(|subject| {
        let steps = subject.step_count.map(|steps| {
            view! {
                <dt>{words::verify::STEPS}</dt>
                <dd>{steps}</dd>
            }
        });
        view! {
            {subject.decision_id.map(|id| identity(words::verify::DECISION, id))}
            {subject.chain_id.map(|id| identity(words::verify::CHAIN, id))}
            {subject.tenant_id.map(|id| identity(words::verify::TENANT, id))}
            {subject.receipt_digest.map(|value| digest(words::verify::RECEIPT_DIGEST, value))}
            {steps}
            {subject.head.map(|value| digest(words::verify::HEAD, value))}
        }
    });
    let registry = report.trust.registry_version.map(|version| {
        view! {
            <dt>{words::verify::REGISTRY}</dt>
            <dd>{words::verify::version(version)}</dd>
        }
    });
    let pins = report.trust.pins.clone().into_iter();
    let pins = pins.map(|kid| digest(words::verify::PINNED, kid)).collect_view();
    let log = report.checkpoint.as_ref().map(|checkpoint| {
        view! {
            <dt>{words::verify::LOG}</dt>
            <dd>
                <bdi>{words::verify::log(&checkpoint.origin, checkpoint.size)}</bdi>
            </dd>
        }
    });
    let at = checked.at.map(|at| {
        view! {
            <dt>{words::verify::CHECKED_AT}</dt>
            <dd>
                <Exact at/>
            </dd>
        }
    });
    view! {
        <h3>{words::verify::ABOUT}</h3>
        <dl class="facts">
            <dt>{words::verify::FILE}</dt>
            <dd>
                <bdi>{checked.name.clone()}</bdi>
                <span data-took=checked.took_ms>{words::verify::file(&checked)}</span>
            </dd>
            {subject}
            {registry}
            {pins}
            {log}
            {at}
        </dl>
    }
}

fn identity(what: &'static str, id: String) -> impl IntoView {
    view! {
        <dt>{what}</dt>
        <dd>
            <Id id what/>
        </dd>
    }
}

fn digest(what: &'static str, digest: String) -> impl IntoView {
    view! {
        <dt>{what}</dt>
        <dd>
            <Digest digest what/>
        </dd>
    }
}

/// How long the button says that it has copied.
const SAID_FOR: Duration = Duration::from_secs(2);

/// The report as programs read it.
#[component]
fn Report(checked: Arc<Checked>) -> impl IntoView {
    let copied = RwSignal::new(false);
    let unsay = move || {
        let _ = copied.try_set(false);
    };
    let held = StoredValue::new(checked.clone());
    let copy = move |_| {
        held.with_value(|checked| {
            let _ = window().navigator().clipboard().write_text(&checked.text);
        });
        copied.set(true);
        set_timeout(unsay, SAID_FOR);
    };
    let save = move |_| {
        held.with_value(|checked| {
            given::save(&checked.text, &format!("{}.report.json", checked.name));
        });
    };
    view! {
        <div class="row">
            <button type="button" on:click=copy>
                {icon(Icon::Copy)}
                {words::verify::COPY_REPORT}
            </button>
            <button type="button" on:click=save>
                {icon(Icon::Down)}
                {words::verify::DOWNLOAD_REPORT}
            </button>
            <button type="button" on:click=|_| drop(window().print())>
                {words::verify::PRINT}
            </button>
            <span role="status" class="copied">
                {move || copied.get().then_some(words::COPIED)}
            </span>
        </div>
        <details class="disclosure">
            <summary>{words::verify::REPORT}</summary>
            <CodeBlock text=checked.text.clone() label=words::verify::REPORT/>
        </details>
    }
}
