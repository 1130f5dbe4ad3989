//! The result of a verification, or the reason why there is none.

use leptos::html;

use super::{
    banner::Banner,
    claims::ClaimResults,
    selected_file,
    session::{State, VerifySession},
};
use crate::{
    prelude::*,
    ui::{
        code::{Digest, Id},
        time::exact_utc,
    },
    verify::{
        view::{CheckError, Checked, OwnCheck, report::Trusted},
        words,
    },
};

/// The status of the verification, announced to screen readers, and its result.
#[component]
pub(super) fn VerificationResult(session: VerifySession) -> impl IntoView {
    let progress = move || match session.state() {
        State::Fetching => Some("Fetching from the service."),
        State::Checking => Some("Checking."),
        State::Empty | State::Done(_) | State::NotChecked(_) => None,
    };
    let announcement = move || match session.state() {
        State::Done(checked) => {
            format!("{}. {}", checked.report.overall.label(), checked.report.counts())
        }
        _ => String::new(),
    };
    let content = move || match session.state() {
        State::Done(checked) => any_view! { <ResultView session checked /> },
        State::NotChecked(error) => any_view! { <NotChecked error /> },
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
                <p class="font-semibold">"Nothing was checked"</p>
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
    let report = checked.report.clone();
    let (overall, claims) = (report.overall, report.claims.clone());
    let heading = view! {
        <h2 id="result" class="result-word" node_ref=heading tabindex="-1">
            <span class="sr-only">{words::RESULT} ": "</span>
            {overall.label()}
        </h2>
    };
    view! {
        <section
            class="verify-result"
            aria-labelledby="result"
            data-overall=overall.label().to_lowercase()
        >
            <Banner
                report=report.clone()
                stated=checked.stated.clone()
                heading=heading.into_any()
                meaning=checked.meaning()
                anchor="claim"
            />
            <div class="result-main stack">
                {checked.is_published.then(PublishedKeysNote)} <h3>{words::TEN_CLAIMS}</h3>
                <ClaimResults claims anchor="claim" /> <Established sentences=report.established />
                <About checked=checked.clone() /> <ReportText text=checked.text.clone() />
            </div>
            <div class="result-side stack">
                <KeysUsed trust=report.trust />
                <NotEstablished sentences=report.not_established />
                <ReportActions checked />
            </div>
        </section>
    }
}

/// The verification by the service itself. It proves no more than a statement of the service.
#[component]
pub fn OwnResult(check: OwnCheck) -> impl IntoView {
    let OwnCheck::Checked(report, stated) = check else {
        return any_view! {
            <p class="note warn grow">
                {icon(Icon::Warn)} "This service has no bundle for this ID."
            </p>
        };
    };
    let report = *report;
    let (overall, claims) = (report.overall, report.claims.clone());
    let heading = view! {
        <h2 id="own-result">"Checked by this service, not by you"</h2>
        <p class="result-word">{overall.label()}</p>
    };
    any_view! {
        <section
            class="stack grow"
            aria-labelledby="own-result"
            data-overall=overall.label().to_lowercase()
        >
            <Banner
                report=report.clone()
                stated
                heading=heading.into_any()
                meaning="The service that made this decision checked its bundle with the keys that it publishes. For independent assurance, verify the bundle yourself with keys from another source."
                anchor="own"
            />
            <h3>{words::TEN_CLAIMS}</h3>
            <ClaimResults claims anchor="own" />
            <KeysUsed trust=report.trust />
            <Established sentences=report.established />
            <NotEstablished sentences=report.not_established />
        </section>
    }
}

/// The note that the result relies on keys that the service itself published.
#[component]
fn PublishedKeysNote() -> impl IntoView {
    view! {
        <div class="note warn">
            {icon(Icon::Warn)} <p>
                <strong>"Keys not checked independently."</strong>
                " "
                "These keys came from this service. Compare its roots with a copy from an independent source."
            </p>
        </div>
    }
}

/// What follows from the result.
#[component]
fn Established(sentences: Vec<String>) -> impl IntoView {
    view! {
        <div class="stack">
            <h3>"What this establishes"</h3>
            {points(sentences)}
        </div>
    }
}

/// The limits of the result.
#[component]
fn NotEstablished(sentences: Vec<String>) -> impl IntoView {
    view! {
        <div class="stack">
            <h3>"What this does not establish"</h3>
            {points(sentences)}
        </div>
    }
}

fn points(sentences: Vec<String>) -> AnyView {
    if sentences.is_empty() {
        return any_view! { <p>"Nothing."</p> };
    }
    let line = |text: String| view! { <li>{quoted(&text)}</li> };
    any_view! { <ul class="points">{sentences.into_iter().map(line).collect_view()}</ul> }
}

/// The registry and the pinned keys that the verification used.
#[component]
fn KeysUsed(trust: Trusted) -> impl IntoView {
    let registry =
        trust.registry_version.map(|version| fact(words::REGISTRY, words::version(version)));
    let is_empty = registry.is_none() && trust.pins.is_empty();
    let pins = trust.pins.into_iter().map(|kid| digest("Pinned key", kid)).collect_view();
    view! {
        <div class="stack">
            <h3>"Keys used"</h3>
            {is_empty.then(|| view! { <p>"None. The signers are unknown."</p> })}
            <dl class="facts">{registry} {pins}</dl>
        </div>
    }
}

/// The subject of the verification.
#[component]
fn About(checked: Arc<Checked>) -> impl IntoView {
    let report = &checked.report;
    let subject = report.subject.clone().map(|subject| {
        let steps = subject.step_count.map(|steps| fact("Steps", steps));
        view! {
            {subject.decision_id.map(|id| identity("Decision", id))}
            {subject.chain_id.map(|id| identity("Chain", id))}
            {subject.tenant_id.map(|id| identity("Tenant", id))}
            {subject.receipt_digest.map(|value| digest("Receipt digest", value))}
            {steps}
            {subject.head.map(|value| digest("Last link", value))}
        }
    });
    let log = report.checkpoint.as_ref().map(|checkpoint| {
        fact("Log", view! { <bdi>{words::log(&checkpoint.origin, checkpoint.size)}</bdi> })
    });
    let at = checked.at.map(|at| fact("Checked at", exact_utc(at)));
    view! {
        <h3>{words::ABOUT}</h3>
        <dl class="facts">
            <dt>"File"</dt>
            <dd>
                <bdi>{checked.name.clone()}</bdi>
                <span data-took=checked.took_ms>{checked.size_and_time()}</span>
            </dd>
            {subject}
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

/// The buttons that copy, save and print the report.
#[component]
fn ReportActions(checked: Arc<Checked>) -> impl IntoView {
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
        <div class="stack report-actions">
            <h3>"Report"</h3>
            <div class="row">
                <button type="button" on:click=copy>
                    {icon(Icon::Copy)}
                    "Copy report"
                </button>
                <button type="button" on:click=save>
                    {icon(Icon::Download)}
                    "Download report"
                </button>
                <button type="button" on:click=|_| drop(window().print())>
                    {icon(Icon::Print)}
                    "Print"
                </button>
                <span role="status" class="copied">
                    {move || copied.get().then_some(messages::COPIED)}
                </span>
            </div>
        </div>
    }
}

/// The report in machine-readable form.
#[component]
fn ReportText(text: String) -> impl IntoView {
    view! {
        <details class="disclosure">
            <summary>{words::REPORT}</summary>
            <CodeBlock text label=words::REPORT />
        </details>
    }
}
