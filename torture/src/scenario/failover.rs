//! A deployment (`deploy/up`) whose server is killed, whose servers are restarted on the schema of a newer version, and
//! whose replica is promoted and then rebuilt.

use std::{
    fs,
    net::SocketAddr,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use harness::Service;
use tokio::process::Command;

use super::Recording;
use crate::{
    Plan,
    load::Load,
    report::Row,
    world::{World, directory},
};

/// The acknowledged records between two faults.
const PROGRESS: usize = 500;

/// The time in which a record must be acknowledged after the promotion has begun.
const FAILOVER_LIMIT: Duration = Duration::from_secs(15);

pub(super) async fn run(plan: &Plan, deployment: &Path) -> Result<Row> {
    let scripts = Scripts { deployment };
    let settings = settings(&deployment.join("govern.env"))?;
    let world = World::of_service(first_server(plan, deployment, settings)?, directory()?)
        .await
        .context("setting up")?;
    let mut recording = Recording::prepare(&world, "failover").await?;
    let load = recording.start(&world)?;
    load.progress(PROGRESS).await?;

    scripts.run(&["server", "kill", "1"]).await?;
    load.progress(PROGRESS).await?;
    scripts.run(&["server", "start", "1"]).await?;
    load.progress(PROGRESS).await?;

    // An upgrade: the newer version migrates, then the servers are replaced one after the other.
    scripts.run(&["test-newer-schema"]).await?;
    load.progress(PROGRESS).await?;
    scripts.run(&["upgrade"]).await?;
    load.progress(PROGRESS).await?;

    let mut outages = Vec::new();
    for _ in 0..plan.choose(1, 3) {
        outages.push(promote(&scripts, &load).await?);
        load.progress(PROGRESS).await?;
        scripts.run(&["replica"]).await?;
        load.progress(PROGRESS).await?;
    }
    let ledger = load.finish().await?;
    recording.wait_until_ready(&world, Instant::now())?;
    let longest = outages.into_iter().max().unwrap_or_default();
    if longest > FAILOVER_LIMIT {
        recording.findings.push(format!("an outage of {:.1} s", longest.as_secs_f64()));
    }
    for server in ["server-1", "server-2"] {
        let log = fs::read_to_string(deployment.join(server).with_extension("log"))?;
        let panics = log.lines().filter(|line| line.contains("panicked"));
        recording.findings.extend(panics.map(|line| format!("{server}: {line}")));
    }
    let done = format!(
        "a server killed, both restarted on a newer schema, the replica promoted and replaced; records again after {:.1} s",
        longest.as_secs_f64()
    );
    recording.audit(&world, &ledger, done).await
}

/// Promotes the replica, and returns the time until a record is acknowledged again.
async fn promote(scripts: &Scripts<'_>, load: &Load) -> Result<Duration> {
    let since = Instant::now();
    scripts.run(&["promote"]).await?;
    load.progress(1).await?;
    Ok(since.elapsed())
}

/// Returns the first server, with the address of the proxy in front of both.
fn first_server(
    plan: &Plan,
    deployment: &Path,
    settings: Vec<(String, String)>,
) -> Result<Service> {
    let url = settings.iter().find(|(name, _)| name == "GOVERN_PUBLIC_URL");
    let (_, url) = url.context("the deployment has no URL")?;
    let address: SocketAddr = url.trim_start_matches("http://").parse()?;
    Service::running(&plan.govern, &deployment.join("server-1"), settings, address)
}

/// Reads the variables of a file with one assignment a line.
fn settings(file: &Path) -> Result<Vec<(String, String)>> {
    let text = fs::read_to_string(file)?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    Ok(lines
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect())
}

/// The scripts of `deploy`.
struct Scripts<'a> {
    deployment: &'a Path,
}

impl Scripts<'_> {
    async fn run(&self, arguments: &[&str]) -> Result<()> {
        let [name, arguments @ ..] = arguments else { return Ok(()) };
        let script = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../deploy")).join(name);
        let status = Command::new(script)
            .args(arguments)
            .env("DEPLOY_DIR", self.deployment)
            .status()
            .await?;
        ensure!(status.success(), "deploy/{name} failed");
        Ok(())
    }
}
