//! The rules of a draft, to open one.

use leptos::prelude::*;

use super::desk::Desk;
use crate::{
    text::{rule::shape, url, words},
    view::{
        editor::{NEW, Place},
        version::RuleLine,
    },
};

/// Opens another rule; what was typed into the open one is saved first.
#[component]
pub(super) fn RuleNav(desk: Desk, place: Place) -> impl IntoView {
    let page = place.page();
    let json = url::with_query(&page, &[("look", "json")]);
    let add = {
        let page = page.clone();
        move || {
            // A number that was never there before, so that the address is a new one each time.
            let number = desk.revision.get().to_string();
            url::with_query(&page, &[("rule", NEW), ("n", &number)])
        }
    };
    let leave = move |event: leptos::ev::MouseEvent| {
        let elsewhere = event.ctrl_key() || event.meta_key() || event.shift_key();
        let link = event_target::<web_sys::Element>(&event).closest("a[href]");
        if let Ok(Some(link)) = link
            && desk.is_unsaved()
            && !elsewhere
        {
            event.prevent_default();
            desk.save_and_leave(link.get_attribute("href").unwrap_or_default());
        }
    };
    let is_new = move || desk.was.with(String::is_empty);
    let new = move || {
        is_new().then(|| {
            view! {
                <li>
                    <span aria-current="true" class="nav-rule">
                        {words::editor::NEW_RULE}
                    </span>
                </li>
            }
        })
    };
    let lines = move || {
        let item = |rule| view! { <Item rule place=place.clone() desk/> };
        desk.lines.get().into_iter().map(item).collect_view()
    };
    view! {
        <nav class="card rule-nav" aria-label=words::editor::RULES on:click=leave>
            <h2>{words::editor::RULES} " " <span class="text-muted tabular-nums">{move || desk.lines.with(Vec::len)}</span></h2>
            <ol>{lines} {new}</ol>
            <p class="row">
                <a class="button" href=add data-key="n">
                    {words::editor::ADD}
                </a>
            </p>
            <p>
                <a href=json>{words::editor::AS_JSON}</a>
            </p>
        </nav>
    }
}

#[component]
fn Item(rule: RuleLine, place: Place, desk: Desk) -> impl IntoView {
    let href = place.rule(&rule.code);
    let code = rule.code.clone();
    let current = move || desk.was.with(|was| *was == code).then_some("true");
    let kind = shape(rule.rule_type).map_or("", |shape| shape.label);
    let off = (!rule.is_active).then_some(words::version::INACTIVE);
    view! {
        <li class:off=!rule.is_active>
            <a href=href aria-current=current class="nav-rule" data-row="">
                <bdi class="rule-code">{rule.code}</bdi>
                <bdi>{rule.name}</bdi>
                <span class="plain">{kind} {off.map(|word| view! { " · " {word} })}</span>
            </a>
        </li>
    }
}
