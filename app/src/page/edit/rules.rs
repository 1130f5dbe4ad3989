//! The navigation list of a draft's rules.

use leptos::prelude::*;

use super::editor_state::RuleEditorState;
use crate::{
    text::{messages, rule::rule_type_info, url},
    view::{
        editor::{EditorTarget, NEW},
        rule::RuleLine,
    },
};

/// A rule with unsaved changes is saved before another one opens.
#[component]
pub(super) fn RuleNav(editor: RuleEditorState, target: EditorTarget) -> impl IntoView {
    let page = target.page();
    let json = url::with_query(&page, &[("look", "json")]);
    let add = move || {
        // The parameter `n` makes the address unique, so that the page is reloaded.
        let number = editor.revision.get().to_string();
        url::with_query(&page, &[("rule", NEW), ("n", &number)])
    };
    let leave = move |event: leptos::ev::MouseEvent| {
        let opens_new_tab = event.ctrl_key() || event.meta_key() || event.shift_key();
        let link = event_target::<web_sys::Element>(&event).closest("a[href]");
        if let Ok(Some(link)) = link
            && editor.is_unsaved()
            && !opens_new_tab
        {
            event.prevent_default();
            editor.save_and_leave(link.get_attribute("href").unwrap_or_default());
        }
    };
    let new_item = move || {
        editor.saved_code.with(String::is_empty).then(|| {
            view! {
                <li>
                    <span aria-current="true" class="nav-rule">
                        {messages::editor::NEW_RULE}
                    </span>
                </li>
            }
        })
    };
    let items = move || {
        let item = |rule| view! { <Item rule target=target.clone() editor /> };
        editor.rules.get().into_iter().map(item).collect_view()
    };
    view! {
        <nav class="card rule-nav" aria-label=messages::editor::RULES on:click=leave>
            <h2>
                {messages::editor::RULES} " "
                <span class="text-muted tabular-nums">{move || editor.rules.with(Vec::len)}</span>
            </h2>
            <ol>{items} {new_item}</ol>
            <p class="row">
                <a class="button" href=add data-key="n">
                    {messages::editor::ADD}
                </a>
            </p>
            <p>
                <a href=json>{messages::editor::AS_JSON}</a>
            </p>
        </nav>
    }
}

#[component]
fn Item(rule: RuleLine, target: EditorTarget, editor: RuleEditorState) -> impl IntoView {
    let href = target.rule(&rule.code);
    let code = rule.code.clone();
    let current = move || editor.saved_code.with(|saved| *saved == code).then_some("true");
    let kind = rule_type_info(rule.rule_type).map_or("", |info| info.label);
    let inactive = (!rule.is_active).then_some(messages::version::INACTIVE);
    view! {
        <li class:off=!rule.is_active>
            <a href=href aria-current=current class="nav-rule" data-row="">
                <bdi class="rule-code">{rule.code}</bdi>
                <bdi>{rule.name}</bdi>
                <span class="plain">
                    {kind}
                    {inactive
                        .map(|text| {
                            view! {
                                " · "
                                {text}
                            }
                        })}
                </span>
            </a>
        </li>
    }
}
