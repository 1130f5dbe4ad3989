//! What was found on a context: a verdict with every rule, or what is wrong with the text.

use contract::id::TenantId;
use leptos::prelude::*;

use crate::{
    page::decision::rules::{PolicyRules, Show},
    problem::Problem,
    text::words,
    ui::{
        badge::VerdictBadge,
        icon::{Icon, icon},
        problem::ProblemNote,
        quoted::quoted,
        time::Exact,
    },
    view::tried::{Fault, Found, Tried},
};

/// The answer beside the text. It keeps its place while a newer one is on its way.
#[component]
pub(in crate::page) fn FoundView(
    tenant: TenantId,
    found: RwSignal<Option<Result<Found, Problem>>>,
    working: RwSignal<bool>,
    /// What is said while there is nothing to show.
    #[prop(default = words::tried::NOTHING_YET)]
    nothing: &'static str,
) -> impl IntoView {
    let shown = move || match found.get() {
        None => view! { <p class="text-muted pad">{nothing}</p> }.into_any(),
        Some(Ok(Found::Verdict(tried))) => view! { <Judged tenant tried=*tried/> }.into_any(),
        Some(Ok(Found::Faults(faults))) => view! { <Faults faults/> }.into_any(),
        Some(Ok(Found::NoPolicy(_))) => view! { <NoPolicy/> }.into_any(),
        Some(Err(problem)) => view! { <div class="pad"><ProblemNote problem/></div> }.into_any(),
    };
    // Read out after each change: the verdict, not every rule.
    let said = move || match found.get() {
        Some(Ok(Found::Verdict(tried))) => {
            format!("{}. {}", tried.verdict, tried.why.first().cloned().unwrap_or_default())
        }
        Some(Ok(Found::Faults(_))) => words::tried::NOT_READ.to_owned(),
        Some(Ok(Found::NoPolicy(_))) => words::tried::NO_POLICY.to_owned(),
        _ => String::new(),
    };
    view! {
        <section
            class="card flush found"
            aria-labelledby="found"
            aria-busy=move || working.get().to_string()
        >
            <h2 id="found" class="pad">{words::tried::RESULT}</h2>
            <p class="sr-only" role="status">
                {said}
            </p>
            {shown}
        </section>
    }
}

#[component]
fn Judged(tenant: TenantId, tried: Tried) -> impl IntoView {
    let original = tried.original.map(|original| {
        view! {
            <div class="note shadow">
                {icon(Icon::Shadow)}
                <p>{words::decision::WITHOUT_SHADOW} " " <VerdictBadge verdict=original/></p>
            </div>
        }
    });
    let policy = move |policy| view! { <PolicyRules policy tenant show=Show::All/> };
    let mut why = tried.why.into_iter();
    let (first, rest) = (why.next(), why.collect::<Vec<_>>().join(" "));
    view! {
        <div class="pad stack">
            <p class="row">
                <VerdictBadge verdict=tried.verdict/>
                <span class="badge shadow">{icon(Icon::Shadow)} {words::tried::DRY_RUN}</span>
            </p>
            <p>
                <strong>{first}</strong>
                " "
                {rest}
            </p>
            {original}
            <p class="text-xs text-muted">
                {words::decision::EVALUATED_AT} " " <Exact at=tried.evaluated_at/> ", "
                {words::decision::took(&tried.took)}
            </p>
        </div>
        {tried.policies.into_iter().map(policy).collect_view()}
    }
}

/// What is wrong with a text, each with its place.
#[component]
pub(in crate::page) fn FaultList(faults: Vec<Fault>) -> impl IntoView {
    let fault = |fault: Fault| {
        let place = words::tried::place(fault.line, fault.column, fault.pointer.as_deref());
        let place = place.into_iter().map(|text| view! { <bdi class="field-name">{text}</bdi> });
        view! {
            <li>
                <p class="row">{place.collect_view()}</p>
                <p>
                    <bdi>{quoted(&fault.message)}</bdi>
                </p>
            </li>
        }
    };
    view! { <ul class="plain-list faults">{faults.into_iter().map(fault).collect_view()}</ul> }
}

#[component]
fn Faults(faults: Vec<Fault>) -> impl IntoView {
    view! {
        <div class="pad">
            <div class="note warn">
                {icon(Icon::Warn)}
                <div>
                    <p class="font-semibold">{words::tried::NOT_READ}</p>
                    <FaultList faults/>
                </div>
            </div>
        </div>
    }
}

#[component]
fn NoPolicy() -> impl IntoView {
    view! {
        <div class="pad">
            <div class="note warn">
                {icon(Icon::Warn)}
                <div>
                    <p class="font-semibold">{words::tried::NO_POLICY}</p>
                    <p>{words::tried::NO_POLICY_NEXT}</p>
                </div>
            </div>
        </div>
    }
}
