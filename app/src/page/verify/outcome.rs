//! What a check came to, or why there was none.

use std::{sync::Arc, time::Duration};

use leptos::{html, prelude::*};
use verify::Subject;

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
        time::Exact,
    },
    view::verify::{Checked, Refused},
};

/// How the check stands, which is read out, and its result.
#[component]
pub(super) fn Outcome(desk: Desk) -> impl IntoView {
    let working = move || match desk.state() {
        State::Reading => Some(words::verify::READING),
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
        State::Empty | State::Reading | State::Fetching | State::Checking => ().into_any(),
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
                    <bdi>{words::verify::refused(&refused)}</bdi>
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
            data-overall=overall.as_str()
        >
            <h2 id="result" node_ref=heading tabindex="-1">
                {words::verify::RESULT}
            </h2>
            <p class="verdict-line">
                <OverallBadge overall/>
                <span>{words::verify::counts(&checked.report.claims)}</span>
            </p>
            <p>{words::verify::meaning(&checked)}</p>
            <ol class="claims">{claims.map(|claim| view! { <ClaimLine claim/> }).collect_view()}</ol>
            <Follows checked=checked.clone()/>
            <About checked=checked.clone()/>
            <Report checked/>
        </section>
    }
}

/// What follows from the result, and what does not.
#[component]
fn Follows(checked: Arc<Checked>) -> impl IntoView {
    let list = |sentences: Vec<String>| {
        if sentences.is_empty() {
            return view! { <p>{words::verify::NOTHING}</p> }.into_any();
        }
        let line = |text: String| view! { <li>{text}</li> };
        view! { <ul class="points">{sentences.into_iter().map(line).collect_view()}</ul> }
            .into_any()
    };
    let established = checked.report.established().into_iter().map(str::to_owned).collect();
    view! {
        <div>
            <h3>{words::verify::ESTABLISHED}</h3>
            {list(established)}
        </div>
        <div>
            <h3>{words::verify::NOT_ESTABLISHED}</h3>
            {list(checked.report.not_established())}
        </div>
    }
}

/// What was checked, and with what.
#[component]
fn About(checked: Arc<Checked>) -> impl IntoView {
    let report = &checked.report;
    let subject = report.subject.as_ref().map(|subject| match subject {
        Subject::Decision { decision_id, tenant_id, receipt_digest } => view! {
            <dt>{words::verify::DECISION}</dt>
            <dd>
                <Id id=decision_id.to_string() what=words::verify::DECISION/>
            </dd>
            <dt>{words::verify::TENANT}</dt>
            <dd>
                <Id id=tenant_id.to_string() what=words::verify::TENANT/>
            </dd>
            <dt>{words::verify::RECEIPT_DIGEST}</dt>
            <dd>
                <Digest digest=receipt_digest.to_string() what=words::verify::RECEIPT_DIGEST/>
            </dd>
        }
        .into_any(),
        Subject::Chain { chain_id, tenant_id, step_count, head } => view! {
            <dt>{words::verify::CHAIN}</dt>
            <dd>
                <Id id=chain_id.to_string() what=words::verify::CHAIN/>
            </dd>
            <dt>{words::verify::TENANT}</dt>
            <dd>
                <Id id=tenant_id.to_string() what=words::verify::TENANT/>
            </dd>
            <dt>{words::verify::STEPS}</dt>
            <dd>{*step_count}</dd>
            <dt>{words::verify::HEAD}</dt>
            <dd>
                <Digest digest=head.to_string() what=words::verify::HEAD/>
            </dd>
        }
        .into_any(),
    });
    let registry = report.registry_version.map(|version| {
        view! {
            <dt>{words::verify::REGISTRY}</dt>
            <dd>{words::verify::version(version)}</dd>
        }
    });
    let pin = |kid: &String| {
        view! {
            <dt>{words::verify::PINNED}</dt>
            <dd>
                <Digest digest=kid.clone() what=words::verify::PINNED/>
            </dd>
        }
    };
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
            {report.pins.iter().map(pin).collect_view()}
            {log}
            {at}
        </dl>
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
