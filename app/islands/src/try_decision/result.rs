//! The result of an evaluation: a verdict with every rule, or the errors of the text.

use crate::{
    editor::words as editor_words,
    explanation::{
        self,
        rules::{policy_rules, verdict_without_shadow},
    },
    prelude::*,
    try_decision::{
        view::{Evaluation, TextError, TryResult},
        words,
    },
    ui::time::exact_utc,
};

/// Returns the value of `aria-invalid` for the evaluated text.
pub fn invalid(
    evaluation: RwSignal<Option<Result<Evaluation, Problem>>>,
) -> Signal<Option<&'static str>> {
    let has_errors = move || matches!(&*evaluation.read(), Some(Ok(Evaluation::Errors(_))));
    Signal::derive(move || has_errors().then_some("true"))
}

/// The evaluation next to the text. It stays visible until a newer one arrives.
#[component]
pub fn EvaluationView(
    tenant: TenantId,
    evaluation: RwSignal<Option<Result<Evaluation, Problem>>>,
    is_evaluating: RwSignal<bool>,
    /// The text that is shown without an evaluation.
    #[prop(default = "Enter a context or load one from a decision.")]
    placeholder: &'static str,
) -> impl IntoView {
    let content = move || match evaluation.get() {
        None => any_view! { <p class="text-muted pad">{placeholder}</p> },
        Some(Ok(Evaluation::Verdict(result))) => verdict_summary(tenant, *result),
        Some(Ok(Evaluation::Errors(errors))) => warning(words::INVALID_CONTEXT, error_list(errors)),
        Some(Ok(Evaluation::NoPolicy(_))) => {
            let text = any_view! { <p>"Recording this decision would return 404."</p> };
            warning(words::NO_POLICY, text)
        }
        Some(Err(problem)) => any_view! { <div class="pad">{problem_note(problem)}</div> },
    };
    // Screen readers announce the verdict after each change, but not every rule.
    let announcement = move || match evaluation.get() {
        Some(Ok(Evaluation::Verdict(result))) => {
            format!("{}. {}", result.verdict, result.why.first().cloned().unwrap_or_default())
        }
        Some(Ok(Evaluation::Errors(_))) => words::INVALID_CONTEXT.to_owned(),
        Some(Ok(Evaluation::NoPolicy(_))) => words::NO_POLICY.to_owned(),
        _ => String::new(),
    };
    view! {
        <section
            class="card flush result"
            aria-labelledby="result"
            aria-busy=move || is_evaluating.get().to_string()
        >
            <h2 id="result" class="pad">
                {words::RESULT}
            </h2>
            <p class="sr-only" role="status">
                {announcement}
            </p>
            {content}
        </section>
    }
}

fn verdict_summary(tenant: TenantId, result: TryResult) -> AnyView {
    let original = result.original.map(verdict_without_shadow);
    let policy = move |policy| policy_rules(policy, tenant);
    let draft = result.draft.map(|(revision, is_unsaved)| {
        let text = editor_words::evaluated_with(revision, is_unsaved);
        view! { <span class="text-xs text-muted tabular-nums">{text}</span> }
    });
    let omitted = (result.omitted.all() > 0).then(|| {
        view! { <p class="pad text-xs text-muted">{editor_words::omitted(result.omitted)}</p> }
    });
    let mut explanation = result.why.into_iter();
    let (first, rest) = (explanation.next(), explanation.collect::<Vec<_>>().join(" "));
    any_view! {
        <div class="pad stack">
            <p class="row">
                <VerdictBadge verdict=result.verdict />
                <span class="status shadow">{icon(Icon::Shadow)} {words::DRY_RUN}</span>
                {draft}
            </p>
            <p>
                <strong>{first}</strong>
                " "
                {rest}
            </p>
            {original}
            <p class="text-xs text-muted">
                {explanation::EVALUATED_AT} " " {exact_utc(result.evaluated_at)} ", "
                {explanation::duration(&result.took)}
            </p>
        </div>
        {result.policies.into_iter().map(policy).collect_view()}
        {omitted}
    }
}

/// The errors of a text, each with its position.
pub fn error_list(errors: Vec<TextError>) -> AnyView {
    let item = |error: TextError| {
        let position = words::position(error.line, error.column, error.pointer.as_deref());
        let position =
            position.into_iter().map(|text| view! { <bdi class="field-name">{text}</bdi> });
        view! {
            <li>
                <p class="row">{position.collect_view()}</p>
                <p>
                    <bdi>{quoted(&error.message)}</bdi>
                </p>
            </li>
        }
    };
    any_view! { <ul class="plain-list error-list">{errors.into_iter().map(item).collect_view()}</ul> }
}

fn warning(title: &'static str, content: AnyView) -> AnyView {
    let paragraphs = view! {
        <p class="font-semibold">{title}</p>
        {content}
    };
    any_view! { <div class="pad">{long_note(Tone::Warn, None, paragraphs)}</div> }
}
