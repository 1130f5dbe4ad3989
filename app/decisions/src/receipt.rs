//! `/r/{decision}`: the public receipt of a decision, for reading and for printing.

use contract::receipt::{Receipt, ReceiptApproval, Redaction};
use governance::deciding::decision;
use page_kit::{
    prelude::*,
    text::{json::indented, qr_code::QrCode},
    ui::{
        badge::verdict_look,
        qr_code::qr_code,
        stamp::{notch_rule, stamp},
    },
};

pub(crate) const INTEGRITY: &str = "Integrity hash";
pub(crate) const SNAPSHOT: &str = "Snapshot digest";
pub(crate) const RULES: &str = "Evaluated rules hash";
pub(crate) const SIGNATURE: &str = "Signature (Ed25519)";
pub(crate) const KEY: &str = "Key ID";
pub(crate) const UNSIGNED: &str = "Unsigned. Signing was not configured.";
pub(crate) const APPROVAL: &str = "Approval digest";
pub(crate) const NOT_ANCHORED: &str = "Not yet anchored";

/// `/r/{decision}`
pub async fn receipt() -> PageResult {
    let content = page::or_problem(content().await);
    Ok(any_view! { <PublicFrame width="reading">{content}</PublicFrame> })
}

async fn content() -> PageResult {
    let id = page::param("decision")?;
    let service = request::governance();
    let cx = service.public(request::correlation_id());
    let receipt = decision::receipt(&cx, id).await?;
    let (path, counts) = (url::receipt(id), rule_counts(&receipt));
    let link = service.link(&path);
    let is_signed = receipt.signature.is_some() && receipt.signature_kid.is_some();
    let is_anchored = log_entry(&receipt).is_some();
    let states = [
        (!is_signed).then(|| {
            note(
                Tone::Warn,
                None,
                "This receipt is not signed. No signing key was configured when the decision was recorded.",
            )
        }),
        (is_signed && !is_anchored).then(|| {
            note(
                Tone::Info,
                None,
                "Anchor pending. The receipt is not in the transparency log yet.",
            )
        }),
        (receipt.redaction == Redaction::Values).then(|| {
            note(Tone::Info, None, "Values are redacted in this public receipt.")
        }),
    ];
    Ok(any_view! {
        {actions(id)}
        <article class="card sheet">
            {letterhead(&link)} {notch_rule(&receipt.result.integrity_hash)}
            {verdict(&receipt, counts, is_signed, is_anchored)}
            {states.into_iter().flatten().collect_view()} {why(&receipt.result.violations)}
            {steps(&receipt)} {proof(&receipt)} {stub(path, link, cx.now)}
        </article>
    })
}

/// Returns a text of the signed statement.
fn stated<'r>(receipt: &'r Receipt, name: &str) -> Option<&'r str> {
    receipt.statement.as_ref()?.get(name)?.as_str()
}

/// Returns the numbers of passed, violated and not applicable rules. A rule with several violations is counted once.
fn rule_counts(receipt: &Receipt) -> [u32; 3] {
    let result = &receipt.result;
    let violated = result.violations.iter();
    let violated: BTreeSet<_> =
        violated.map(|violation| (violation.policy_id, &violation.rule_code)).collect();
    let violated = u32::try_from(violated.len()).unwrap_or(u32::MAX);
    [result.rules_evaluated.saturating_sub(violated), violated, result.rules_na]
}

/// Returns the time of anchoring from a transparency anchor.
pub(crate) fn logged_at(anchor: Option<&Value>) -> Option<Timestamp> {
    anchor?.get("anchored_at")?.as_str()?.parse().ok()
}

/// Returns the place in the transparency log, for example "Anchored as entry 17 of 147"; `None` while pending.
fn log_entry(receipt: &Receipt) -> Option<String> {
    let anchor = receipt.transparency_anchor.as_ref().filter(|anchor| **anchor != Value::Null)?;
    let size = anchor.get("inclusion_proof").and_then(|proof| proof.get("tree_size"));
    let size = size.map(|size| format!(" of {}", size.to_canonical())).unwrap_or_default();
    Some(format!("Anchored as entry {}{size}", anchor.get("log_index")?.to_canonical()))
}

fn actions(id: DecisionId) -> AnyView {
    any_view! {
        <div class="row end sheet-actions">
            <a class="button" href=url::verify(id)>
                "Verify it yourself"
            </a>
            <a class="button" href=url::archive(id) rel="external" download=format!("{id}.tar")>
                "Download the bundle"
            </a>
            <button type="button" class="primary with-scripts" data-print="">
                "Print"
            </button>
        </div>
    }
}

/// Renders the product, and the host of the service that issued the receipt.
fn letterhead(link: &str) -> AnyView {
    let host = link.split_once("://").and_then(|(_, rest)| rest.split('/').next());
    let issuer = host.map(|host| {
        view! {
            <p class="issued">
                <span class="text-muted">"Issued by"</span>
                <bdi>{host.to_owned()}</bdi>
            </p>
        }
    });
    any_view! {
        <header class="letterhead">
            <div>
                <p class="brand">{logo()} {messages::PRODUCT}</p>
                <p class="text-muted">"Decision receipt"</p>
            </div>
            {issuer}
        </header>
    }
}

/// Renders the verdict, one sentence, and the stamp.
fn verdict(receipt: &Receipt, counts: [u32; 3], is_signed: bool, is_anchored: bool) -> AnyView {
    let verdict = receipt.result.decision;
    let recorded_at = stated(receipt, "recorded_at").and_then(|at| at.parse().ok());
    let at = recorded_at.unwrap_or(receipt.result.timestamp);
    let label = match (is_signed, is_anchored) {
        (true, true) => "Stamp: recorded, signed and anchored",
        (true, false) => "Stamp: recorded and signed",
        (false, true) => "Stamp: recorded and anchored",
        (false, false) => "Stamp: recorded",
    };
    let date = time::minute(at).to_uppercase();
    let done = stamped(is_signed, is_anchored);
    let stamp = stamp(&receipt.result.integrity_hash, &done, label, &date);
    let (tone, drawing) = verdict_look(verdict);
    let subject = stated(receipt, "decision_type").unwrap_or_default().to_owned();
    let (policy, version) = (receipt.policy.name.clone(), receipt.policy.version);
    any_view! {
        <div class=format!("sheet-verdict {tone}")>
            <span class="sheet-icon">{icon(drawing)}</span>
            <div class="grow">
                <Heading title=format!("Receipt: {verdict}")>{verdict.as_str()}</Heading>
                <p>
                    <bdi>{subject}</bdi>
                    {sentence(verdict, counts)}
                </p>
                <p class="text-muted">
                    {exact(at)} ". Policy " <bdi>{policy}</bdi> " v" {version} ". "
                    {counted(counts)}
                </p>
            </div>
            {stamp}
        </div>
    }
}

/// Returns the rest of the sentence that begins with the subject of the decision.
fn sentence(verdict: Verdict, [passed, violated, _]: [u32; 3]) -> String {
    let reason = match (verdict, violated) {
        (_, 0) => "no rule is violated".to_owned(),
        (Verdict::Alert, _) => "only rules of policies in shadow mode are violated".to_owned(),
        (_, violated) => {
            let applied = passed.saturating_add(violated);
            let verb = if violated == 1 { "is" } else { "are" };
            let noun = if applied == 1 { "rule" } else { "rules" };
            format!("{violated} of {applied} applicable {noun} {verb} violated")
        }
    };
    format!(": {verdict}, because {reason}.")
}

/// Returns, for example, "16 rules: 12 passed, 2 violated, 2 not applicable."
fn counted([passed, violated, not_applicable]: [u32; 3]) -> String {
    let all = u64::from(passed) + u64::from(violated) + u64::from(not_applicable);
    let noun = if all == 1 { "rule" } else { "rules" };
    format!("{all} {noun}: {passed} passed, {violated} violated, {not_applicable} not applicable.")
}

/// Returns the words of the stamp: only what is the case.
fn stamped(is_signed: bool, is_anchored: bool) -> String {
    let parts =
        [Some("RECORDED"), is_signed.then_some("SIGNED"), is_anchored.then_some("ANCHORED")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn why(violations: &[Violation]) -> AnyView {
    let violation = |violation: &Violation| {
        view! {
            <li>
                <span class="finding-icon">{icon(Icon::Cross)}</span>
                <div class="grow">
                    <p>
                        <bdi>{violation.reason.clone()}</bdi>
                    </p>
                    <bdi class="rule-code">{violation.rule_code.clone()}</bdi>
                </div>
                {severity_chip(violation.severity)}
            </li>
        }
    };
    let content = if violations.is_empty() {
        any_view! { <p class="text-muted">"No rule is violated."</p> }
    } else {
        any_view! { <ul class="findings">{violations.iter().map(violation).collect_view()}</ul> }
    };
    any_view! {
        <section aria-labelledby="why">
            <h2 id="why">"Why"</h2>
            {content}
        </section>
    }
}

/// Renders the steps of the decision, as far as they are public: approvals, but not the names of users.
fn steps(receipt: &Receipt) -> AnyView {
    const RATIFIED: &str = "Rules ratified";
    const SIGNED: &str = "Signed";
    let policy = &receipt.policy;
    let ratified = |approval: &ReceiptApproval| {
        // The receipt contains the name of one policy.
        let is_named = approval.policy_id == policy.id;
        let name = if is_named { policy.name.clone() } else { approval.policy_id.to_string() };
        let when = view! {
            <bdi>{name}</bdi>
            " v"
            {approval.version}
            ", "
            {minute(approval.ratified_at)}
        };
        step(RATIFIED, when)
    };
    let mut ratified: Vec<_> = receipt.approval.iter().flatten().map(ratified).collect();
    if ratified.is_empty() {
        ratified.push(step(RATIFIED, "The receipt names no approval."));
    }
    let signed = match receipt.signature.as_ref().and(receipt.signature_kid.as_ref()) {
        Some(kid) => {
            let kid = kid.chars().take(8).collect::<String>();
            step(
                SIGNED,
                view! {
                    {KEY}
                    " "
                    <code>{kid}</code>
                },
            )
        }
        None => step(SIGNED, "Not signed"),
    };
    let anchored = match logged_at(receipt.transparency_anchor.as_ref()) {
        Some(at) => step("Anchored", exact(at)),
        None => step("Anchored", "Pending"),
    };
    any_view! {
        <section aria-labelledby="history">
            <h2 id="history">"History"</h2>
            <ol class="steps">
                {ratified} {step("Decided", exact(receipt.result.timestamp))} {signed} {anchored}
            </ol>
            <p class="text-xs text-muted">
                "Public receipts do not include clauses, ratifiers or outcomes."
            </p>
        </section>
    }
}

fn step(title: &'static str, text: impl IntoView + 'static) -> AnyView {
    any_view! {
        <li>
            <b>{title}</b>
            " "
            <span>{text}</span>
        </li>
    }
}

/// Renders digests, signature, chain step and anchor. Folded on the screen, and always printed.
fn proof(receipt: &Receipt) -> AnyView {
    const STATEMENT: &str = "Signed statement";
    let (result, digest) = (&receipt.result, decision::receipt_digest(receipt));
    let signature = match receipt.signature.clone().zip(receipt.signature_kid.clone()) {
        Some((signature, kid)) => any_view! {
            {digest_fact(SIGNATURE, signature)}
            {digest_fact(KEY, kid)}
        },
        None => fact(SIGNATURE, view! { <span class="text-muted">{UNSIGNED}</span> }),
    };
    let chain = receipt.chain.as_ref().map(|link| {
        view! {
            {id_fact("Chain", link.chain_id.to_string())}
            {fact("Step", link.chain_step)}
            {digest_fact("Hash of the link", link.chain_integrity_hash.clone())}
        }
    });
    let approvals = receipt.approval.iter().flatten();
    let approvals =
        approvals.map(|approval| digest_fact(APPROVAL, approval.approval_digest.clone()));
    let anchor = match log_entry(receipt) {
        Some(place) => {
            let entry = digest.as_deref().map(url::log_entry).map(|href| {
                view! {
                    ". "
                    <a href=href>"Show in the transparency log"</a>
                }
            });
            any_view! {
                {place}
                {entry}
            }
        }
        None => any_view! { <span class="text-muted">{NOT_ANCHORED}</span> },
    };
    let statement = receipt.statement.as_ref().map(indented).unwrap_or_default();
    any_view! {
        <details class="disclosure proof">
            <summary>
                <h2>"Proof"</h2>
            </summary>
            <dl class="facts">
                {id_fact("Decision", receipt.decision_id.to_string())}
                {digest.map(|digest| digest_fact("Receipt digest", digest))}
                {digest_fact(INTEGRITY, result.integrity_hash.clone())}
                {digest_fact("Context digest", receipt.context_digest.clone())}
                {digest_fact(SNAPSHOT, result.policy_snapshot_digest.clone().unwrap_or_default())}
                {digest_fact(RULES, result.evaluated_rules_hash.clone())} {signature} {chain}
                {approvals.collect_view()} {fact("Transparency log", anchor)}
            </dl>
            <h3>{STATEMENT}</h3>
            {code_block(statement, STATEMENT)}
        </details>
    }
}

/// Renders the link of the receipt, to save or to scan. A link that is too long has no code.
fn stub(path: String, link: String, read_at: Timestamp) -> AnyView {
    let code = QrCode::of_link(&link).map(|code| qr_code(code, "QR code of this receipt's link"));
    any_view! {
        <footer class="stub">
            {code} <div class="grow">
                <p class="font-semibold">"Save this link"</p>
                <p class="breaks">
                    <a href=path>{link}</a>
                </p>
                <p class="text-muted">"Anyone with this link can read this page."</p>
            </div>
        </footer>
        <p class="print-only">"Retrieved from the service " {exact(read_at)}</p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_gives_the_reason_for_the_verdict() {
        let text = |verdict, counts| sentence(verdict, counts);
        assert_eq!(text(Verdict::Allow, [4, 0, 1]), ": ALLOW, because no rule is violated.");
        assert_eq!(
            text(Verdict::Deny, [9, 2, 5]),
            ": DENY, because 2 of 11 applicable rules are violated."
        );
        assert_eq!(
            text(Verdict::Review, [0, 1, 0]),
            ": REVIEW, because 1 of 1 applicable rule is violated."
        );
        assert_eq!(
            text(Verdict::Alert, [0, 1, 0]),
            ": ALERT, because only rules of policies in shadow mode are violated."
        );
    }

    #[test]
    fn the_stamp_states_only_what_is_the_case() {
        assert_eq!(stamped(true, true), "RECORDED · SIGNED · ANCHORED");
        assert_eq!(stamped(false, false), "RECORDED");
    }
}
