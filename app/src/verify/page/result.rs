//! The result of a verification, or the reason why there is none.

use std::{sync::Arc, time::Duration};

use leptos::{html, prelude::*};

use super::{
    claims::{ClaimLine, OverallBadge},
    selected_file,
    session::{State, VerifySession},
};
use crate::{
    text::messages,
    ui::{
        badge::VerdictBadge,
        code::{CodeBlock, Digest, Id},
        facts::fact,
        icon::{Icon, icon},
        inline_code::quoted,
        time::ExactUtc,
    },
    verify::{
        view::{self, CheckError, Checked, OwnCheck, Stated, StatedPolicy},
        words,
    },
};

/// The status of the verification, announced to screen readers, and its result.
#[component]
pub(super) fn VerificationResult(session: VerifySession) -> impl IntoView {
    let progress = move || match session.state() {
        State::Fetching => Some(words::FETCHING),
        State::Checking => Some(words::CHECKING),
        State::Empty | State::Done(_) | State::NotChecked(_) => None,
    };
    let announcement = move || match session.state() {
        State::Done(checked) => {
            format!("{}. {}", checked.report.overall.label(), checked.report.counts())
        }
        _ => String::new(),
    };
    let content = move || match session.state() {
        State::Done(checked) => view! { <ResultView session checked /> }.into_any(),
        State::NotChecked(error) => view! { <NotChecked error /> }.into_any(),
        State::Empty | State::Fetching | State::Checking => ().into_any(),
    };
    view! {
        <div class="progress" role="status">
            {move || {
                progress().map(|text| view! { <p class="note na">{icon(Icon::Wait)} {text}</p> })
            }}
            <p class="sr-only">{announcement}</p>
        </div>
        {content}
    }
}

/// The reason why nothing was checked, which is not a verification result.
#[component]
fn NotChecked(error: CheckError) -> impl IntoView {
    view! {
        <div class="note warn" role="alert">
            {icon(Icon::Warn)}
            <div>
                <p class="font-semibold">{words::NOTHING_CHECKED}</p>
                <p>
                    <bdi>{quoted(&error.text())}</bdi>
                </p>
            </div>
        </div>
    }
}

#[component]
fn ResultView(session: VerifySession, checked: Arc<Checked>) -> impl IntoView {
    let heading = NodeRef::<html::H2>::new();
    Effect::new(move || {
        if let Some(heading) = heading.get()
            && session.should_focus_result()
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
            data-overall=overall.label().to_lowercase()
        >
            <h2 id="result" node_ref=heading tabindex="-1">
                {words::RESULT}
            </h2>
            <p class="verdict-line">
                <OverallBadge overall />
                <span>{checked.report.counts()}</span>
            </p>
            <p>{checked.meaning()}</p>
            {stated_line(checked.report.is_receipt_verified(), checked.stated.clone())}
            {checked.is_published.then(PublishedKeysNote)}
            <ol class="claims">
                {claims.map(|claim| view! { <ClaimLine claim /> }).collect_view()}
            </ol>
            <Conclusions report=checked.report.clone() />
            <About checked=checked.clone() />
            <Report checked />
        </section>
    }
}

/// The verification by the service itself. It proves no more than a statement of the service.
#[component]
pub(super) fn OwnResult(check: OwnCheck) -> impl IntoView {
    let OwnCheck::Checked(report, stated) = check else {
        return view! { <p class="note warn grow">{icon(Icon::Warn)} {words::SERVICE_BUNDLE_MISSING}</p> }
        .into_any();
    };
    let (overall, counts) = (report.overall, report.counts());
    let stated = stated_line(report.is_receipt_verified(), stated);
    let claims = report.claims.clone().into_iter();
    view! {
        <section
            class="card receipt outcome grow"
            aria-labelledby="own-result"
            data-overall=overall.label().to_lowercase()
        >
            <h2 id="own-result">{words::SERVICE_CHECK}</h2>
            <p class="verdict-line">
                <OverallBadge overall />
                <span>{counts}</span>
            </p>
            {stated}
            <p>{words::SERVICE_CHECK_NOTE}</p>
            <ol class="claims">
                {claims.map(|claim| view! { <ClaimLine claim /> }).collect_view()}
            </ol>
            <Conclusions report=*report />
        </section>
    }
    .into_any()
}

/// The verdict, the policy and the time that the receipt states.
fn stated_line(is_verified: bool, stated: Option<Stated>) -> Option<AnyView> {
    let Stated { verdict, decision_type, recorded_at, policy } = stated?;
    let policy = policy.map(|StatedPolicy { name, version }| {
        view! {
            <span>
                <bdi>{name}</bdi>
                " v"
                {version}
            </span>
        }
    });
    let line = view! {
        <p class="stated" data-stated="">
            <VerdictBadge verdict />
            {decision_type
                .map(|decision_type| {
                    view! {
                        <code>
                            <bdi>{decision_type}</bdi>
                        </code>
                    }
                })}
            {policy}
            {recorded_at.map(|at| view! { <ExactUtc at /> })}
            {(!is_verified)
                .then(|| {
                    view! { <span class="text-muted">{words::STATED_ONLY}</span> }
                })}
        </p>
    };
    Some(line.into_any())
}

/// The note that the result relies on keys that the service itself published.
#[component]
fn PublishedKeysNote() -> impl IntoView {
    view! {
        <div class="note warn">
            {icon(Icon::Warn)} <p>
                <strong>{words::NOT_INDEPENDENT}</strong>
                " "
                {words::NOT_INDEPENDENT_NOTE}
            </p>
        </div>
    }
}

/// The conclusions from the result, and their limits.
#[component]
fn Conclusions(report: view::Report) -> impl IntoView {
    let list = |sentences: Vec<String>| {
        if sentences.is_empty() {
            return view! { <p>{words::NOTHING_ESTABLISHED}</p> }.into_any();
        }
        let line = |text: String| view! { <li>{quoted(&text)}</li> };
        view! { <ul class="points">{sentences.into_iter().map(line).collect_view()}</ul> }
            .into_any()
    };
    view! {
        <div>
            <h3>{words::ESTABLISHED}</h3>
            {list(report.established)}
        </div>
        <div>
            <h3>{words::NOT_ESTABLISHED}</h3>
            {list(report.not_established)}
        </div>
    }
}

/// The subject of the verification and the trust input.
#[component]
fn About(checked: Arc<Checked>) -> impl IntoView {
    let report = &checked.report;
    let subject = report.subject.clone().map(|subject| {
        let steps = subject.step_count.map(|steps| fact(words::STEPS, steps));
        view! {
            {subject.decision_id.map(|id| identity(words::DECISION, id))}
            {subject.chain_id.map(|id| identity(words::CHAIN, id))}
            {subject.tenant_id.map(|id| identity(words::TENANT, id))}
            {subject.receipt_digest.map(|value| digest(words::RECEIPT_DIGEST, value))}
            {steps}
            {subject.head.map(|value| digest(words::HEAD, value))}
        }
    });
    let registry =
        report.trust.registry_version.map(|version| fact(words::REGISTRY, words::version(version)));
    let pins = report.trust.pins.clone().into_iter();
    let pins = pins.map(|kid| digest(words::PINNED, kid)).collect_view();
    let log = report.checkpoint.as_ref().map(|checkpoint| {
        fact(words::LOG, view! { <bdi>{words::log(&checkpoint.origin, checkpoint.size)}</bdi> })
    });
    let at = checked.at.map(|at| fact(words::CHECKED_AT, view! { <ExactUtc at /> }));
    view! {
        <h3>{words::ABOUT}</h3>
        <dl class="facts">
            <dt>{words::FILE}</dt>
            <dd>
                <bdi>{checked.name.clone()}</bdi>
                <span data-took=checked.took_ms>{checked.size_and_time()}</span>
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
    fact(what, view! { <Id id what /> })
}

fn digest(what: &'static str, digest: String) -> impl IntoView {
    fact(what, view! { <Digest digest what /> })
}

/// The report in machine-readable form.
#[component]
fn Report(checked: Arc<Checked>) -> impl IntoView {
    let copied = RwSignal::new(false);
    let reset = move || {
        let _ = copied.try_set(false);
    };
    let stored = StoredValue::new(checked.clone());
    let copy = move |_| {
        stored.with_value(|checked| {
            let _ = window().navigator().clipboard().write_text(&checked.text);
        });
        copied.set(true);
        set_timeout(reset, Duration::from_secs(2));
    };
    let save = move |_| {
        stored.with_value(|checked| {
            selected_file::save(&checked.text, &format!("{}.report.json", checked.name));
        });
    };
    view! {
        <div class="row">
            <button type="button" on:click=copy>
                {icon(Icon::Copy)}
                {words::COPY_REPORT}
            </button>
            <button type="button" on:click=save>
                {icon(Icon::Down)}
                {words::DOWNLOAD_REPORT}
            </button>
            <button type="button" on:click=|_| drop(window().print())>
                {words::PRINT}
            </button>
            <span role="status" class="copied">
                {move || copied.get().then_some(messages::COPIED)}
            </span>
        </div>
        <details class="disclosure">
            <summary>{words::REPORT}</summary>
            <CodeBlock text=checked.text.clone() label=words::REPORT />
        </details>
    }
}
