//! The page of one decision chain: its steps in order, the result of its verification, and its seal.

use contract::chain::{ChainItem, ChainSeal, ChainStatus, ChainVerification};
use governance::deciding::chain;
use page_kit::{list::Row, prelude::*, ui::badge::validity_badge};

use super::status_badge;
use crate::receipt;

/// The number of steps that the page shows. The decision list shows all of them with the chain's filter.
const SHOWN_MAX: usize = 200;

/// `/t/{tenant}/chains/{chain}`
pub async fn chain() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let id = page::param("chain")?;
    let verification = chain::read(&cx, id).await?;
    let is_sealed = verification.status == ChainStatus::Sealed;
    let seal = if is_sealed {
        match chain::read_seal(&cx, id).await {
            Err(error) if error.code() == ErrorCode::NotFound => None,
            seal => Some(seal?),
        }
    } else {
        None
    };
    let seal = match seal {
        Some(seal) => Some(seal_card(&seal)),
        None => is_sealed.then(|| {
            let text = "The chain is sealed, but its seal is missing.";
            any_view! { <p class="note warn">{icon(Icon::Warn)} {text}</p> }
        }),
    };
    let file = format!("chain-{id}.tar");
    Ok(any_view! {
        <Crumb href=url::chains(tenant) label=super::TITLE />
        <div class="page-head">
            <Heading title="Chain" />
            {status_badge(verification.status)}
            <span class="grow"></span>
            <a class="button" href=url::chain(tenant, id) rel="external">
                "Check again"
            </a>
            <a class="button" href=url::decisions_of(tenant, id)>
                "As a list of decisions"
            </a>
            <a class="button primary" href=url::chain_archive(id) rel="external" download=file>
                "Download the bundle"
            </a>
        </div>
        <p class="intro">
            "Decisions in the order they were recorded. Each link contains a receipt and the hash of the previous link, so changes, deletions and insertions are detectable."
        </p>
        <div class="stack">
            {summary(&verification)}
            <dl class="card facts">{id_fact("Chain ID", id.to_string())}</dl>
            {steps(tenant, &verification)} {seal} <p>
                <a href=url::VERIFY>"Verify it yourself"</a>
            </p>
        </div>
    })
}

/// Returns whether the only error is an unknown key: signatures are then neither valid nor invalid.
fn is_undecided(verification: &ChainVerification) -> bool {
    verification.problems == ["KEY_UNKNOWN"]
}

/// Renders the result of verifying links and step numbers, and whether the chain is open.
fn summary(verification: &ChainVerification) -> AnyView {
    let status = match verification.status {
        ChainStatus::Open => "Open: more steps can be added",
        ChainStatus::Sealed => "Sealed. No step can be added.",
    };
    if verification.problems.is_empty() {
        let steps = count(verification.steps as usize, "step", "steps");
        let missing = missing(verification.items.iter().map(|item| item.chain_step).collect());
        // In an invalid chain it is unknown whether a missing step ever existed.
        let missing = (!missing.is_empty()).then(|| view! { <p>{unused_steps(&missing)}</p> });
        let paragraphs = view! {
            <p class="font-semibold">
                {format!("All links are valid: {steps}, verified from the stored data.")}
            </p>
            <p>{status}</p>
            {missing}
        };
        return long_note(Tone::Allow, Some("status"), paragraphs);
    }
    let is_undecided = is_undecided(verification);
    let is_bad = |item: &ChainItem| {
        !item.link_valid || (item.signature_valid == Some(false) && !is_undecided)
    };
    let first = verification
        .items
        .iter()
        .position(is_bad)
        .zip(verification.items.iter().find(|item| is_bad(item)));
    let first = first.map(|(index, item)| {
        // Only a step that is on the page can be a link target.
        let href = (index < SHOWN_MAX).then(|| format!("#step-{}", item.chain_step));
        view! {
            <p>
                "First invalid step: " <a href=href rel="external">
                    {item.chain_step}
                </a> "."
            </p>
        }
    });
    let problems = verification.problems.iter().map(|code| {
        view! { <li>{problem(code)} " " <span class="text-xs text-muted">{code.clone()}</span></li> }
    });
    // A signature by an unknown key is not evidence of tampering.
    let (tone, message) = if is_undecided {
        (Tone::Warn, "Some signatures could not be checked.")
    } else {
        (Tone::Deny, "Chain verification failed.")
    };
    let paragraphs = view! {
        <p class="font-semibold">{message}</p>
        {first}
        <ul class="plain-list">{problems.collect_view()}</ul>
        <p>{status}</p>
    };
    long_note(tone, Some("alert"), paragraphs)
}

/// Returns the ranges of numbers from 1 that are not among `steps`.
fn missing(mut steps: Vec<u32>) -> Vec<(u32, u32)> {
    steps.sort_unstable();
    let mut next = 1;
    let mut ranges = Vec::new();
    for step in steps {
        if step > next {
            ranges.push((next, step - 1));
        }
        next = step.saturating_add(1);
    }
    ranges
}

/// Returns, for example, "Unused step numbers: 2, 5 to 7."
fn unused_steps(ranges: &[(u32, u32)]) -> String {
    let range = |(first, last): &(u32, u32)| match last - first {
        0 => first.to_string(),
        _ => format!("{first} to {last}"),
    };
    let ranges = ranges.iter().map(range).collect::<Vec<_>>().join(", ");
    format!("Unused step numbers: {ranges}. This is allowed; callers choose step numbers.")
}

/// Returns the description of an error code of a chain.
fn problem(code: &str) -> &'static str {
    match code {
        "CHAIN_FORK" => "Two links follow the same one.",
        "LINK_GAP" => "A position is missing.",
        "LINK_MISMATCH" => "A link does not match its hash or its decision.",
        "RECEIPT_MISSING" => "A decision of the chain is missing.",
        "LINK_SIGNATURE_INVALID" => "A link has an invalid signature.",
        "PARENT_NOT_IN_CHAIN" => {
            "The parent of a decision is not an earlier decision of the chain."
        }
        "SEAL_MISMATCH" => "The seal does not match the links.",
        "SEAL_SIGNATURE_INVALID" => "The seal has an invalid signature.",
        "KEY_UNKNOWN" => "Unknown signing key.",
        "KEY_PURPOSE" => "A key was used for another purpose than its own.",
        "KEY_REVOKED" => "A key was revoked.",
        _ => "Verification failed.",
    }
}

/// Renders the first steps, in the order of recording.
fn steps(tenant: TenantId, verification: &ChainVerification) -> AnyView {
    const VALIDITY: [&str; 2] = ["Valid", "Invalid"];
    let is_undecided = is_undecided(verification);
    let plain = |text: &'static str| any_view! { <span class="text-muted">{text}</span> };
    let table = Table::new("Steps")
        .column("Step", |item: &ChainItem| {
            let label = format!("Step {}", item.chain_step);
            view! { <a href=url::decision(tenant, item.decision_id)>{label}</a> }
        })
        .column("Verdict", |item| match item.decision {
            Some(verdict) => any_view! { <VerdictBadge verdict /> },
            None => plain("Decision missing"),
        })
        .column("Recorded (UTC)", |item| item.recorded_at.map(second))
        .column("Actor", |item| {
            let actor = item.actor.as_ref().and_then(actor_name);
            actor.map(|actor| view! { <bdi>{actor}</bdi> })
        })
        .column("Link", |item| validity_badge(item.link_valid, VALIDITY))
        .column("Signature", |item| match item.signature_valid {
            None => plain("Unsigned"),
            Some(false) if is_undecided => plain("Unknown key"),
            Some(is_valid) => validity_badge(is_valid, VALIDITY),
        })
        .column("Log", |item| if item.anchored { "Anchored" } else { "Pending" })
        .rows(|item| Row { id: Some(format!("step-{}", item.chain_step)), ..Row::default() });
    let shown = verification.items.len().min(SHOWN_MAX);
    let items = verification.items.get(..shown).unwrap_or_default();
    let more = (shown < verification.steps as usize).then(|| {
        let all = count(verification.steps as usize, "step", "steps");
        view! { <p class="text-muted">{format!("The first {shown} of {all}.")}</p> }
    });
    any_view! {
        {table.of(items)}
        {more}
    }
}

fn seal_card(chain_seal: &ChainSeal) -> AnyView {
    let text = |name| chain_seal.seal.get(name).and_then(Value::as_str).map(str::to_owned);
    let digests = [
        ("Seal digest", Some(chain_seal.seal_digest.clone())),
        ("Last link", text("head")),
        ("Root over all links", text("merkle_root")),
        ("Key ID", text("kid")),
    ];
    let digests = digests.into_iter().filter_map(|(label, text)| Some(digest_fact(label, text?)));
    let at = text("sealed_at").and_then(|at| at.parse().ok());
    let at = at.map(|at| fact("Sealed at", exact(at)));
    let log = match chain_seal.transparency_anchor {
        Some(_) => "Anchored",
        None => receipt::NOT_ANCHORED,
    };
    any_view! {
        <section class="card" aria-labelledby="seal">
            <h2 id="seal">"Seal"</h2>
            <dl class="facts">
                {at} {digests.collect_view()} <dt>"Transparency log"</dt> <dd>{log}</dd>
            </dl>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_returns_the_ranges_of_absent_step_numbers() {
        assert_eq!(missing(vec![1, 2, 3]), []);
        assert_eq!(missing(vec![7, 3, 2, 10]), [(1, 1), (4, 6), (8, 9)]);
        assert_eq!(missing(Vec::new()), []);
    }
}
