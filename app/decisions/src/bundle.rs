//! The verification bundle of a decision: the decision's provenance, the files, and how to verify them.

mod lineage;

use contract::verification::Claim;
use governance::{
    bundle::{self, Bundle, BundleFile},
    deciding::decision,
};
use page_kit::prelude::*;

use crate::{decision as decisions, verify::words as verify_words};

/// The number of bytes of a file that the page shows. The archive contains the complete file.
const SHOWN_MAX: usize = 200_000;

const TITLE: &str = "Bundle";

/// `/t/{tenant}/decisions/{decision}/bundle`. The parameter `file` opens a file.
pub async fn bundle() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let id = page::param("decision")?;
    // A bundle is public for callers who know its ID. This page requires permission to read the decision.
    let provenance = decision::provenance(&cx, id).await?;
    let bundle = bundle::of_decision(&cx, id).await?;
    let names = &directory(&cx).await?.names;
    let decision_type = provenance.decision.decision_type.clone();
    let archive = request::governance().link(&url::archive(id));
    let command =
        format!("curl -o {id}.tar {archive}\ngovern-verify --trust trust.json --explain {id}.tar");
    let (path, open) = (url::bundle(tenant, id), page::query("file"));
    let files = bundle.members();
    Ok(any_view! {
        <Crumb
            href=url::decisions(tenant)
            label=decisions::TITLE
            inner=(url::decision(tenant, id), decision_type.clone())
        />
        <div class="page-head">
            <Heading title=format!(
                "{TITLE}: {}",
                isolated(&decision_type),
            )>{TITLE} " " <bdi>{decision_type.clone()}</bdi></Heading>
            <span class="grow"></span>
            <a
                class="button"
                href=url::with_query(&url::archive(id), &[("format", "json")])
                rel="external"
            >
                "As JSON"
            </a>
            <a
                class="button primary"
                href=url::archive(id)
                rel="external"
                download=format!("{id}.tar")
            >
                "Download the bundle"
            </a>
        </div>
        <p class="intro">
            "Everything needed to verify this decision offline. This page lists the contents; it does not verify them."
        </p>
        <div class="stack">
            {lineage::diagram(provenance, names)}
            <section class="card stack" aria-labelledby="check">
                <h2 id="check">"Verify it yourself"</h2>
                <p>
                    {quoted(
                        "Verify the bundle on your own machine with this command, or in your browser. Use a trust document that you obtained separately (`govern trust show --trust-document`).",
                    )}
                </p>
                {code_block(command, "Command")}
                <p>
                    <a href=url::verify(id)>"Verify in the browser"</a>
                </p>
            </section> {claims(&files)} {open_file(&bundle, &open, path.clone())}
            {file_list(&files, &path, &open)}
        </div>
    })
}

/// Renders the ten claims in the order of reports, what each one checks, and the number of its files.
fn claims(files: &[BundleFile]) -> AnyView {
    const TITLE: &str = "Claims to verify";
    let files = |name: &str| {
        let is_of_claim =
            |file: &&BundleFile| file.claim.is_some_and(|claim| claim.to_string() == name);
        match files.iter().filter(is_of_claim).count() {
            0 => "none".to_owned(),
            files => number(files),
        }
    };
    let table = Table::new(TITLE)
        .column("Claim", |claim: &&str| verify_words::claim(claim))
        .column("What is checked", |claim| checked(claim))
        .numbers("Files", |claim| files(claim));
    any_view! {
        <section class="card flush" aria-labelledby="claims">
            <div class="pad">
                <h2 id="claims">{TITLE}</h2>
                <p class="text-muted">
                    "Ten claims, in the order of the verification report. They have not been verified on this page."
                </p>
            </div>
            {table.of(&Claim::NAMES)}
        </section>
    }
}

fn number(number: usize) -> String {
    whole(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Returns what a verifier checks for a claim.
fn checked(claim: &str) -> &'static str {
    match claim {
        "receipt" => {
            "The signature over the receipt, and that the receipt matches the signed statement"
        }
        "policy_snapshot" => "The policies and rules that were active",
        "chain_proofs" => "The position in a chain, its links and its seal",
        "transparency_proof" => "That the receipt is in the transparency log",
        "trust_roots" => "That the keys are in the trust registry, from the version that you trust",
        "canonicalisation" => "That every file is in canonical form",
        "evidence" => "That the evidence is the evidence of the decision",
        "approval_lineage" => {
            "Who ratified the versions and when, and that the author did not ratify"
        }
        "manifest" => "That no file was added, changed or removed",
        "evaluation" => "That the rules give this verdict for this context, by re-evaluation",
        _ => "",
    }
}

/// Renders the files in the order of the archive. A file name opens the file.
fn file_list(files: &[BundleFile], path: &str, open: &str) -> AnyView {
    let table = Table::new("Files")
        .class("list files")
        .styled("File", "font-mono", |file: &BundleFile| {
            let href = format!("{}#open", url::with_query(path, &[("file", &file.name)]));
            view! {
                <a href=href aria-current=(open == file.name).then_some("true")>
                    {parts(&file.name)}
                </a>
            }
        })
        .column("Description", |file| description(&file.name))
        .numbers("Bytes", |file| number(file.size))
        .column("SHA-256", |file| digest_code(file.digest.clone(), "SHA-256"));
    any_view! {
        <section class="card flush" aria-labelledby="files">
            <div class="pad">
                <h2 id="files">"Files"</h2>
            </div>
            {table.of(files)}
        </section>
    }
}

/// Renders a file name that may wrap after a slash.
fn parts(name: &str) -> AnyView {
    let part = |part: &str| {
        view! {
            {part.to_owned()}
            <wbr />
        }
    };
    name.split_inclusive('/').map(part).collect_view().into_any()
}

/// Renders one file in readable form, followed by the exact text that is hashed.
fn open_file(bundle: &Bundle, name: &str, path: String) -> Option<AnyView> {
    const CONTENTS: &str = "Contents";
    const ENVELOPE: &str = "Envelope content";
    const EXACT: &str = "Exact bytes";
    if name.is_empty() {
        return None;
    }
    let Some(text) = bundle.text(name) else {
        let missing = view! {
            <p class="note warn" role="status">
                "The bundle has no file of this name."
            </p>
        };
        return Some(missing.into_any());
    };
    let readable = indented(text);
    let exact = readable.is_some().then(|| {
        view! {
            <details class="disclosure">
                <summary>{EXACT}</summary>
                {code_block(truncate(text), EXACT)}
            </details>
        }
    });
    let signed = bundle.payload(name).map(|payload| {
        let text = truncate(&indented(&payload).unwrap_or(payload));
        view! {
            <h3>{ENVELOPE}</h3>
            {code_block(text, ENVELOPE)}
        }
    });
    let cut = (text.len() > SHOWN_MAX).then(|| {
        view! { <p class="text-muted">"Preview truncated. Download the bundle for the full file."</p> }
    });
    Some(any_view! {
        <section class="card stack" id="open" aria-labelledby="opened">
            <div class="card-head">
                <h2 id="opened" class="font-mono">
                    {parts(name)}
                </h2>
                <a href=path>"Close the file"</a>
            </div>
            <p>{description(name)}</p>
            {signed}
            <h3>{CONTENTS}</h3>
            {code_block(truncate(&readable.unwrap_or_else(|| text.to_owned())), CONTENTS)}
            {exact}
            {cut}
        </section>
    })
}

/// Formats a JSON text over several lines; returns `None` if it is not JSON.
fn indented(text: &str) -> Option<String> {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_FILE).ok().map(|value| json::indented(&value))
}

/// Returns the part of a text that the page shows.
fn truncate(text: &str) -> String {
    text.get(..text.floor_char_boundary(SHOWN_MAX)).unwrap_or_default().to_owned()
}

/// Returns the description of a bundle file, by its name.
fn description(name: &str) -> &'static str {
    match name {
        "manifest.json" => "List of all files and their digests",
        "manifest.dsse.json" => "The same list, signed",
        "receipt/receipt.json" => "Public receipt",
        "receipt/statement.json" => "Signed statement about the decision",
        "receipt/receipt.dsse.json" => "The statement with its signature",
        "receipt/integrity.json" => "Input of the integrity hash",
        "policy/snapshot.json" => "Active policies, with all their rules",
        "policy/evaluated_rules.json" => "Rules as evaluated",
        "chain/links.json" => "Links of the chain",
        "chain/seal.dsse.json" | "chain/seal.json" => "Seal of the chain",
        "chain/proof.json" => "Proof that the seal includes the link",
        "transparency/entry.json" => "Entry in the transparency log",
        "transparency/anchor.json" => "Position of the entry, with its proof",
        "transparency/proof.tlog-proof" => "The same proof as text",
        "transparency/final.tlog-proof" => "Proof that the entry is in the frozen log",
        "transparency/seal/entry.json" => "Entry of the seal in the transparency log",
        "transparency/seal/anchor.json" => "Position of the seal's entry, with its proof",
        "transparency/seal/proof.tlog-proof" => "The same proof of the seal as text",
        "transparency/seal/final.tlog-proof" => "Proof that the seal is in the frozen log",
        "trust/registry.dsse.json" => "Trust registry, newest version",
        "canonicalisation/profile.json" => "Byte formats of the files",
        "evidence/manifest.json" => "Digests of the evidence",
        "evaluation/context.json" => "Decision context",
        "trusted_keys.json" => "Keys, for information only",
        _ if name.starts_with("trust/history/") => "Earlier version of the trust registry",
        _ if name.starts_with("approval/") => "Approval of a version, signed",
        _ if name.starts_with("evidence/data/") => "Evidence",
        _ => "Another file",
    }
}
