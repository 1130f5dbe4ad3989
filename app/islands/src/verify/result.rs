//! The result of a verification, or the reason why there is none.

use leptos::html;

use super::{
    banner::banner,
    claims::claim_results,
    selected_file,
    session::{State, VerifySession},
};
use crate::{
    prelude::*,
    ui::{
        facts::{digest_fact, id_fact},
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
        State::NotChecked(error) => not_checked(&error),
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
fn not_checked(error: &CheckError) -> AnyView {
    let paragraphs = view! {
        <p class="font-semibold">"Nothing was checked"</p>
        <p>
            <bdi>{quoted(&error.text())}</bdi>
        </p>
    };
    long_note(Tone::Warn, Some("alert"), paragraphs)
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
    let published_keys = checked.is_published.then(|| {
        view! {
            <div class="note warn">
                {icon(Icon::Warn)} <p>
                    <strong>"Keys not checked independently."</strong>
                    " "
                    "These keys came from this service. Compare its roots with a copy from an independent source."
                </p>
            </div>
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
            {banner(
                report.clone(),
                checked.stated.clone(),
                heading.into_any(),
                checked.meaning(),
                "claim",
            )}
            <div class="result-main stack">
                {published_keys} <h3>{words::TEN_CLAIMS}</h3> {claim_results(claims, "claim")}
                {points("What this establishes", report.established)} {about(&checked)}
                <details class="disclosure">
                    <summary>{words::REPORT}</summary>
                    {code_block(checked.text.clone(), words::REPORT)}
                </details>
            </div>
            <div class="result-side stack">
                {keys_used(report.trust)}
                {points("What this does not establish", report.not_established)}
                {report_actions(checked)}
            </div>
        </section>
    }
}

/// The verification by the service itself. It proves no more than a statement of the service.
pub fn own_result(check: OwnCheck) -> AnyView {
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
            {banner(
                report.clone(),
                stated,
                heading.into_any(),
                "The service that made this decision checked its bundle with the keys that it publishes. For independent assurance, verify the bundle yourself with keys from another source.",
                "own",
            )}
            <h3>{words::TEN_CLAIMS}</h3>
            {claim_results(claims, "own")}
            {keys_used(report.trust)}
            {points("What this establishes", report.established)}
            {points("What this does not establish", report.not_established)}
        </section>
    }
}

/// Renders what follows from the result, or its limits.
fn points(title: &'static str, sentences: Vec<String>) -> AnyView {
    let line = |text: String| view! { <li>{quoted(&text)}</li> };
    let points = if sentences.is_empty() {
        any_view! { <p>"Nothing."</p> }
    } else {
        any_view! { <ul class="points">{sentences.into_iter().map(line).collect_view()}</ul> }
    };
    any_view! {
        <div class="stack">
            <h3>{title}</h3>
            {points}
        </div>
    }
}

/// The registry and the pinned keys that the verification used.
fn keys_used(trust: Trusted) -> AnyView {
    let registry =
        trust.registry_version.map(|version| fact(words::REGISTRY, words::version(version)));
    let is_empty = registry.is_none() && trust.pins.is_empty();
    let pins = trust.pins.into_iter().map(|kid| digest_fact("Pinned key", kid)).collect_view();
    any_view! {
        <div class="stack">
            <h3>"Keys used"</h3>
            {is_empty.then(|| view! { <p>"None. The signers are unknown."</p> })}
            <dl class="facts">{registry} {pins}</dl>
        </div>
    }
}

/// The subject of the verification.
fn about(checked: &Checked) -> AnyView {
    let report = &checked.report;
    let subject = report.subject.clone().map(|subject| {
        let steps = subject.step_count.map(|steps| fact("Steps", steps));
        view! {
            {subject.decision_id.map(|id| id_fact("Decision", id))}
            {subject.chain_id.map(|id| id_fact("Chain", id))}
            {subject.tenant_id.map(|id| id_fact("Tenant", id))}
            {subject.receipt_digest.map(|value| digest_fact("Receipt digest", value))}
            {steps}
            {subject.head.map(|value| digest_fact("Last link", value))}
        }
    });
    let log = report.checkpoint.as_ref().map(|checkpoint| {
        fact("Log", view! { <bdi>{words::log(&checkpoint.origin, checkpoint.size)}</bdi> })
    });
    let at = checked.at.map(|at| fact("Checked at", exact_utc(at)));
    any_view! {
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

/// The buttons that copy, save and print the report.
fn report_actions(checked: Arc<Checked>) -> AnyView {
    let copied = RwSignal::new(false);
    let reset = move || {
        let _ = copied.try_set(false);
    };
    let stored = StoredValue::new(checked);
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
    any_view! {
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
