//! `/log`: the checkpoint of the transparency log, the entries of a digest, and earlier logs.

use governance::proof::{
    rekor::{self, RekorRecord},
    transparency_log::{self, HaltReason, LogEntry, TreeInfo},
};
use page_kit::{prelude::*, request::governance};

const ORIGIN: &str = "Log";
const SIZE: &str = "Entries";
const ROOT: &str = "Root";
const KEY: &str = "Key of the log";
const NOTE: &str = "Signed note";

/// The page; `/log?digest=` also shows the entries of a digest.
pub async fn log() -> PageResult {
    let content = page::or_problem(content(page::query("digest")).await);
    Ok(any_view! { <PublicFrame width="reading">{content}</PublicFrame> })
}

async fn content(digest: String) -> PageResult {
    let governance = governance();
    let mut state = transparency_log::state(&governance).await?;
    let rekor = rekor::latest_record(&governance).await?;
    let found = match entered_digest(&digest) {
        None => None,
        Some(Err(error)) => Some(Err(error)),
        Some(Ok(digest)) => Some(Ok(transparency_log::entries(&governance, &digest).await?)),
    };
    let head = view! {
        <Heading title="Transparency log" />
        <p class="intro">
            "An append-only log of the digests of receipts, chain seals, approvals, registry versions and audit checkpoints. Save a checkpoint to prove later that no entry before it was changed or removed."
        </p>
    };
    let Some(current) = state.trees.pop() else {
        let (title, text) = if state.is_enabled {
            ("No checkpoint yet.", "The first checkpoint is signed when the log starts.")
        } else {
            (
                "The transparency log is disabled.",
                "No signing key is configured, so nothing is logged. The operator can configure a signing key.",
            )
        };
        let page = view! {
            {head}
            {empty_state(title, text)}
        };
        return Ok(page.into_any());
    };
    state.trees.reverse();
    let halted = match state.halt_reason {
        Some(reason) => halted(reason),
        None if state.is_enabled => ().into_any(),
        None => note(
            Tone::Warn,
            None,
            "The transparency log is disabled. No signing key is configured, so no entries are added. Existing entries remain readable.",
        ),
    };
    Ok(any_view! {
        {head}
        <div class="stack">
            {halted} {checkpoint(current, rekor)}
            {look_up(digest, found, state.halt_reason.is_some())}
            {(!state.trees.is_empty()).then(|| earlier(&state.trees))} <p>
                <a href=url::TRUST>"Signing keys"</a>
            </p>
        </div>
    })
}

/// Normalizes a digest as a user enters it: with gaps, or in capital letters. Empty input is `None`.
///
/// # Errors
/// Returns an error message for the user.
pub fn entered_digest(text: &str) -> Option<Result<String, &'static str>> {
    let text: String = text.split_whitespace().collect::<String>().to_ascii_lowercase();
    let digest = text.strip_prefix("sha256:").unwrap_or(&text).to_owned();
    if digest.is_empty() {
        return None;
    }
    let is_valid = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    Some(if is_valid {
        Ok(digest)
    } else {
        Err("Enter a digest of 64 characters, each of which is 0 to 9 or a to f.")
    })
}

/// Renders the reason why no entries are added.
fn halted(reason: HaltReason) -> AnyView {
    let code = reason.as_str();
    let sentence = match code {
        "LOG_ROLLBACK_DETECTED" => {
            "The database is older than the last signed checkpoint, or differs from it. Signing would create a second history."
        }
        "LOG_KEY_CHANGED" => "This service does not have the key with which the log was started.",
        _ => "The log accepts no entries.",
    };
    warning(view! {
        <p class="font-semibold">"The log is halted."</p>
        <p>{sentence} " " <code class="rule-code">{code}</code></p>
        <p>
            "Decisions are still recorded and signed. Their anchors remain pending until the log continues."
        </p>
    })
}

/// Renders a warning of several paragraphs.
fn warning(text: impl IntoView) -> AnyView {
    long_note(Tone::Warn, Some("status"), text)
}

/// Renders the last checkpoint of the newest log, its cosignatures, and the last one that Rekor recorded.
fn checkpoint(tree: TreeInfo, rekor: Option<RekorRecord>) -> AnyView {
    let cosignatures = if tree.cosigners.is_empty() {
        any_view! { <span class="text-muted">"None. No witness cosigned this checkpoint."</span> }
    } else {
        let name = |name| {
            view! {
                <li>
                    <bdi class="breaks">{name}</bdi>
                </li>
            }
        };
        any_view! { <ul class="plain-list">{tree.cosigners.into_iter().map(name).collect_view()}</ul> }
    };
    let rekor = match rekor {
        Some(record) => recorded(record),
        None => {
            any_view! { <span class="text-muted">"No checkpoint was submitted to Rekor."</span> }
        }
    };
    any_view! {
        <section class="card stack" aria-labelledby="checkpoint">
            <h2 id="checkpoint">"Current checkpoint"</h2>
            <dl class="facts">
                <dt>{ORIGIN}</dt>
                <dd>
                    <bdi class="breaks">{tree.origin}</bdi>
                </dd>
                {fact(SIZE, view! { <span class="tabular-nums">{counted(tree.size)}</span> })}
                {digest_fact(ROOT, tree.root)}
                {tree.signed_at.map(|at| fact("Signed", exact(at)))}
                {fact("Cosignatures", cosignatures)}
                {fact("Rekor", rekor)}
                {id_fact(KEY, tree.vkey)}
            </dl>
            <details class="disclosure">
                <summary>{NOTE}</summary>
                {code_block(tree.checkpoint, NOTE)}
                <p>
                    <a href=url::CHECKPOINT rel="external">
                        "Open the signed note"
                    </a>
                </p>
            </details>
        </section>
    }
}

/// Renders, for example, "Checkpoint of 84,112 entries, as entry 17, 20 Nov 2026 23:04 UTC".
fn recorded(RekorRecord { size, recorded_at, log_index }: RekorRecord) -> AnyView {
    let entry = log_index.map(|index| format!(", as entry {index}")).unwrap_or_default();
    let at = recorded_at.map(|at| {
        view! {
            ", "
            {minute(at)}
        }
    });
    any_view! {
        <p>{format!("Checkpoint of {}{entry}", entries(size))} {at}</p>
        <p>
            <a href=url::REKOR rel="external">
                "Proof (JSON)"
            </a>
        </p>
    }
}

/// Returns, for example, "84,112 entries".
fn entries(number: u64) -> String {
    let noun = if number == 1 { "entry" } else { "entries" };
    format!("{} {noun}", counted(number))
}

/// Renders the form that looks up a digest, and its entries. The request is read-only, so its address can be
/// bookmarked.
fn look_up(
    digest: String,
    found: Option<Result<Vec<LogEntry>, &'static str>>,
    is_halted: bool,
) -> AnyView {
    let found = found.map(|found| match found {
        Ok(entries) if entries.is_empty() => {
            let next = if is_halted {
                "Digests that were recorded after the log was halted are logged when it continues."
            } else {
                "A digest that was recorded just now is usually logged within a second."
            };
            warning(view! {
                <p class="font-semibold">"The log has no entry for this digest."</p>
                <p>{next}</p>
            })
        }
        Ok(entries) => entries.into_iter().map(entry).collect_view().into_any(),
        Err(error) => note(Tone::Deny, Some("alert"), error),
    });
    any_view! {
        <section class="card stack" aria-labelledby="look-up">
            <h2 id="look-up">"Look up a digest"</h2>
            <p class="text-muted">
                "Finds the entry of a digest, such as the digest of a receipt, and its inclusion proof. Entries contain no other data."
            </p>
            <form method="get" action=url::LOG class="stack" aria-labelledby="look-up">
                <TextField label="Digest (64 hexadecimal characters)" name="digest" value=digest />
                <div class="row">
                    <button>"Look up"</button>
                </div>
            </form>
            {found}
        </section>
    }
}

fn entry(entry: LogEntry) -> AnyView {
    const PROOF: &str = "Inclusion proof";
    const FINAL_PROOF: &str = "Inclusion proof under the final checkpoint";
    let (kind, anchor) = (entry.kind.as_str(), entry.anchor);
    let title = match kind {
        "receipt" => "Receipt",
        "chain_seal" => "Chain seal",
        "policy_approval" => "Policy approval",
        "trust_registry" => "Trust registry version",
        "audit_checkpoint" => "Audit log checkpoint",
        other => other,
    };
    let final_proof = entry.final_proof.map(|proof| {
        view! {
            <details class="disclosure">
                <summary>{FINAL_PROOF}</summary>
                {code_block(proof, FINAL_PROOF)}
            </details>
        }
    });
    let index = view! { <span class="tabular-nums">{counted(anchor.log_index)}</span> };
    any_view! {
        <article class="stack" data-entry=kind>
            <h3>{title}</h3>
            <dl class="facts">
                <dt>{ORIGIN}</dt>
                <dd>
                    <bdi class="breaks">{entry.origin}</bdi>
                </dd>
                {fact("Entry", index)}
                {fact("Anchored", exact(anchor.anchored_at))}
                {digest_fact("Leaf hash", anchor.entry().1.to_owned())}
                {fact("Under the checkpoint of", entries(anchor.inclusion_proof.tree_size))}
                {digest_fact(ROOT, anchor.inclusion_proof.root_hash.to_string())}
            </dl>
            <details class="disclosure" open>
                <summary>{PROOF}</summary>
                <p class="text-muted">
                    "C2SP tlog-proof: the index, the hashes from the leaf to the root, and the signed checkpoint."
                </p>
                {code_block(entry.proof, PROOF)}
            </details>
            {final_proof}
        </article>
    }
}

/// Renders the logs before the newest one.
fn earlier(trees: &[TreeInfo]) -> AnyView {
    const TITLE: &str = "Earlier logs";
    let table = Table::new(TITLE)
        .column(ORIGIN, |tree: &TreeInfo| {
            view! { <bdi class="breaks">{tree.origin.clone()}</bdi> }
        })
        .numbers(SIZE, |tree| counted(tree.size))
        .column("Active (UTC)", |tree| {
            view! {
                <p>"from " {second(tree.began_at)}</p>
                {tree.frozen_at.map(|at| view! { <p>"until " {second(at)}</p> })}
            }
        })
        .column("Final checkpoint", |tree| {
            view! {
                <details class="disclosure">
                    <summary>"Show"</summary>
                    <p>{ROOT} " " {digest_code(tree.root.clone(), ROOT)}</p>
                    <p>{KEY} " " {id_code(tree.vkey.clone(), KEY)}</p>
                    {code_block(tree.checkpoint.clone(), NOTE)}
                </details>
            }
        });
    any_view! {
        <section class="card flush" aria-labelledby="earlier">
            <div class="pad">
                <h2 id="earlier">{TITLE}</h2>
                <p class="text-muted">"These logs are frozen. Their entries remain provable."</p>
            </div>
            {table.of(trees)}
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_may_have_gaps_capitals_and_a_prefix() {
        let digest = "ab".repeat(32);
        let with_gaps = "ABABABAB ".repeat(8);
        assert_eq!(entered_digest(&with_gaps), Some(Ok(digest.clone())));
        assert_eq!(entered_digest(&format!("sha256:{digest}")), Some(Ok(digest)));
        assert_eq!(entered_digest(" \n"), None);
        for text in ["ab", &"g".repeat(64), &"ä".repeat(32), &"a".repeat(65)] {
            assert!(entered_digest(text).unwrap().is_err(), "{text}");
        }
    }
}
