//! What the overview is made of, drawn as HTML: the browser gets the charts and no code for them.

mod charts;

use contract::{id::TenantId, scope::Right};
use governance::{
    Cx, inbox, permission,
    rollup::{self, Span, Standing},
};
use leptos::prelude::*;

use super::{alert, answer, webhook};
use crate::{
    problem::Problem,
    text::{
        number::counted,
        url,
        words::overview::{TITLE, chart as say},
    },
    ui::icon::{Icon, icon},
    view::overview::{OverviewPage, OverviewQuery},
};

/// The charts of a range. A range that is none shows no charts, and says so.
pub(in crate::api) async fn read(
    cx: &Cx,
    tenant: TenantId,
    query: &OverviewQuery,
) -> Result<OverviewPage, Problem> {
    let path = url::overview(tenant);
    let Some((from, to)) = query.ends(cx.now) else {
        let fault = note(say::BAD_RANGE, "alert");
        return Ok(drawn((ranges(&path, query), fault)));
    };
    let overview = answer(rollup::overview(cx, Span::of(from, to)).await)?;
    if overview.is_new {
        return Ok(OverviewPage::New);
    }
    let behind = overview.is_behind.then(|| note(say::BEHIND, "status"));
    let counts = counts(cx, tenant, overview.standing).await?;
    let charts = charts::all(tenant, &overview, standing(counts));
    Ok(drawn((ranges(&path, query), behind, charts)))
}

fn drawn(parts: impl RenderHtml) -> OverviewPage {
    OverviewPage::Drawn(parts.to_html())
}

pub(super) fn note(text: &'static str, role: &'static str) -> AnyView {
    view! {
        <div class="note warn" role=role>
            {icon(Icon::Warn)}
            <p>{text}</p>
        </div>
    }
    .into_any()
}

/// The ranges to choose from: links, and two days for one's own.
pub(super) fn ranges(path: &str, query: &OverviewQuery) -> AnyView {
    let link = |(range, word): (&'static str, &'static str)| {
        let href = url::with_query(path, &[("range", range)]);
        let current = (query.range == range).then_some("page");
        view! {
            <li>
                <a href=href aria-current=current>
                    {word}
                </a>
            </li>
        }
    };
    let day = |label: &'static str, name: &'static str, value: &str| {
        view! {
            <label class="field">
                <span>{label}</span>
                <input type="date" name=name value=value.to_owned() required=true/>
            </label>
        }
    };
    view! {
        <div class="ranges">
            <nav aria-label=say::RANGE class="tabs">
                <ul class="plain-list row">{say::RANGES.map(link).collect_view()}</ul>
            </nav>
            <form method="get" action=path.to_owned() class="filters" aria-label=say::RANGE>
                <input type="hidden" name="range" value="custom"/>
                {day(say::FROM_DAY, "from", &query.from)}
                {day(say::TO_DAY, "to", &query.to)}
                <button>{say::SHOW}</button>
            </form>
        </div>
    }
    .into_any()
}

/// A number that stands at this moment, and the list of what it counts.
struct Count {
    word: &'static str,
    number: u64,
    list: String,
}

/// What stands at this moment, whatever the range; only what has a page for whoever asks.
async fn counts(cx: &Cx, tenant: TenantId, standing: Standing) -> Result<Vec<Count>, Problem> {
    let count = |word, number, list| Count { word, number, list };
    let mut counts = Vec::new();
    if cx.role().is_some_and(|role| role.may(Right::Operate)) {
        let mine = answer(inbox::needs_me(cx).await)?;
        let mine = u64::try_from(mine).unwrap_or(u64::MAX);
        counts.push(count(say::NEEDS_ME, mine, url::inbox(tenant)));
    }
    let open = answer(alert::open(cx).await)?;
    counts.push(count(say::OPEN_ALERTS, open, url::alerts(tenant)));
    if cx.tenant(permission::READ_DELIVERIES).is_ok() {
        counts.push(count(say::DEAD, webhook::dead(cx).await, url::dead_deliveries(tenant)));
    }
    let shadow = standing.shadow_policies.unsigned_abs();
    counts.push(count(say::SHADOW_POLICIES, shadow, url::shadow_policies(tenant)));
    let waiting = standing.waiting_versions.unsigned_abs();
    counts.push(count(say::WAITING, waiting, url::policies(tenant)));
    Ok(counts)
}

fn standing(counts: Vec<Count>) -> AnyView {
    let count = |Count { word, number, list }: Count| {
        view! {
            <li>
                <a href=list>
                    <strong>{counted(number)}</strong>
                    {word}
                </a>
            </li>
        }
    };
    view! {
        <section class="card standing" aria-label=format!("{TITLE}: {}", say::STANDING)>
            <h2>{say::STANDING}</h2>
            <ul class="plain-list">{counts.into_iter().map(count).collect_view()}</ul>
        </section>
    }
    .into_any()
}
