//! The navigation list of a draft's rules.

use contract::fold::fold_text;

use super::{
    editor_state::RuleEditorState,
    view::{EditorTarget, NEW, RuleOutcome},
    words,
};
use crate::{
    explanation,
    prelude::*,
    rule::{self, RuleLine, RulePage, RulePosition, pager},
    text::rule::rule_type_info,
    ui::badge::severity_chip,
};

/// The rules of the draft. `find` and `part` are the search and the part of the list in the address.
#[island]
pub fn RuleNav(find: String, part: String) -> impl IntoView {
    let editor = expect_context::<RuleEditorState>();
    let target = editor.target.get_value();
    let page = target.page();
    let json = url::with_query(&page, &[("look", "json")]);
    let add = url::with_query(&page, &[("rule", NEW)]);
    let new_item = move || {
        editor.saved_code.with(String::is_empty).then(|| {
            view! {
                <li>
                    <span aria-current="true" class="nav-rule">
                        {words::NEW_RULE}
                    </span>
                </li>
            }
        })
    };
    let text = RwSignal::new(find.clone());
    let shown = Memo::new(move |_| {
        let text = fold_text(text.read().trim());
        let rules = editor.rules.get().into_iter().filter(|rule| rule.contains(&text)).collect();
        let number = part.clone();
        let code = if number.is_empty() { editor.saved_code.get() } else { String::new() };
        RulePage::all(rules).at(&RulePosition { number, code })
    });
    let search = view! { <RuleSearch editor target=target.clone() find text /> };
    let parts_target = target.clone();
    let parts = move || {
        let pairs = [("rule", editor.saved_code.get()), ("find", text.get())];
        let pairs = pairs.each_ref().map(|(name, value)| (*name, value.as_str()));
        let path = url::with_query(&parts_target.page(), &pairs);
        shown.with(|page| page.is_paged().then(|| pager(&path, page)))
    };
    let items = move || {
        let item = |rule| view! { <Item rule target=target.clone() editor /> };
        shown.with(|page| page.rules.clone()).into_iter().map(item).collect_view()
    };
    view! {
        <nav class="card rule-nav" aria-label=words::RULES>
            <h2>
                {words::RULES} " "
                <span class="text-muted tabular-nums">{move || editor.rules.with(Vec::len)}</span>
            </h2>
            {search}
            <ol>{items} {new_item}</ol>
            {parts}
            <p class="row">
                <a class="button" href=add data-key="n">
                    "Add a rule"
                </a>
            </p>
            <p>
                <a href=json>{words::AS_JSON}</a>
            </p>
        </nav>
    }
}

/// The field that limits the list to rules with a text in their code or name. Without scripts, Enter reloads the
/// page.
#[component]
fn RuleSearch(
    editor: RuleEditorState,
    target: EditorTarget,
    find: String,
    text: RwSignal<String>,
) -> impl IntoView {
    view! {
        <form
            method="get"
            action=target.page()
            role="search"
            class="rule-search"
            on:submit=|event| event.prevent_default()
        >
            <input type="hidden" name="rule" value=editor.saved_code.get_untracked() />
            <input
                type="search"
                name="find"
                value=find
                aria-label=words::FIND_RULE
                placeholder=words::FIND_RULE
                autocomplete="off"
                spellcheck="false"
                on:input=move |event| text.set(event_target_value(&event))
            />
        </form>
    }
}

#[component]
fn Item(rule: RuleLine, target: EditorTarget, editor: RuleEditorState) -> impl IntoView {
    let href = target.rule(&rule.code);
    let code = rule.code.clone();
    let (outcomes, marked_code) = (editor.outcomes(), code.clone());
    let current = move || editor.saved_code.with(|saved| *saved == code).then_some("true");
    let mark = move || {
        let outcome = outcomes.with(|outcomes| outcomes.get(&marked_code).copied())?;
        let (class, drawing, text) = match outcome {
            RuleOutcome::Violated => ("outcome deny", Icon::Cross, explanation::VIOLATION),
            RuleOutcome::NotApplicable => ("outcome na", Icon::Dash, explanation::NOT_APPLICABLE),
            RuleOutcome::Passed => ("outcome allow", Icon::Tick, explanation::PASS),
        };
        Some(view! {
            <span class=class title=text>
                {icon(drawing)}
                <span class="sr-only">{text}</span>
            </span>
        })
    };
    let kind = rule_type_info(rule.rule_type).map_or("", |info| info.label);
    let inactive = (!rule.is_active).then_some(rule::INACTIVE);
    view! {
        <li class:off=!rule.is_active>
            <a href=href aria-current=current class="nav-rule" data-row="">
                <bdi class="rule-code">{rule.code}</bdi>
                <bdi>{rule.name}</bdi>
                <span class="plain">
                    {severity_chip(rule.severity)} {kind}
                    {inactive
                        .map(|text| {
                            view! {
                                " · "
                                {text}
                            }
                        })}
                </span>
                {mark}
            </a>
        </li>
    }
}
