//! A primary and a streaming replica for one test.

use std::process::Stdio;

use testkit::database::{connect, texts};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt as _, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/it/replica/servers");

/// Two running servers. They stop when this value is dropped.
pub(super) struct Servers {
    pub(super) primary_url: String,
    replica_url: String,
    commands: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
    _script: Child,
}

impl Servers {
    pub(super) async fn start() -> Self {
        let mut script = Command::new(SCRIPT)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the script can be run");
        let commands = script.stdin.take().expect("a pipe");
        let mut answers = BufReader::new(script.stdout.take().expect("a pipe")).lines();
        let primary_url = next(&mut answers).await;
        let replica_url = next(&mut answers).await;
        Self { primary_url, replica_url, commands, answers, _script: script }
    }

    /// Returns `url`, of a database of the primary, with the address of the replica.
    pub(super) fn on_replica(&self, url: &str) -> String {
        let address = |url: &str| url.rsplit_once('@').expect("a user").1.to_owned();
        let (primary, replica) = (address(&self.primary_url), address(&self.replica_url));
        let server = |address: &str| address.trim_end_matches("postgres").to_owned();
        url.replace(&server(&primary), &server(&replica))
    }

    /// Runs a query on the replica.
    pub(super) async fn replica_sql(&self, url: &str, sql: &str) -> Vec<String> {
        query(&self.on_replica(url), sql).await
    }

    /// Waits until the replica has applied all changes of the primary.
    pub(super) async fn wait_for_replay(&self) {
        let position = query(&self.primary_url, "select pg_current_wal_flush_lsn()::text").await;
        let has_replayed = format!("select (pg_last_wal_replay_lsn() >= '{}')::text", position[0]);
        while query(&self.replica_url, &has_replayed).await != ["true"] {}
    }

    /// Stops replaying changes on the replica, which still receives them.
    pub(super) async fn pause_replay(&self) {
        query(&self.replica_url, "select pg_wal_replay_pause()::text").await;
        while query(&self.replica_url, "select pg_get_wal_replay_pause_state()").await != ["paused"]
        {
        }
    }

    pub(super) async fn resume_replay(&self) {
        query(&self.replica_url, "select pg_wal_replay_resume()::text").await;
        self.wait_for_replay().await;
    }

    pub(super) async fn stop_replica(&mut self) {
        self.command("stop").await;
    }

    pub(super) async fn start_replica(&mut self) {
        self.command("start").await;
    }

    async fn command(&mut self, command: &str) {
        let line = format!("{command}\n");
        self.commands.write_all(line.as_bytes()).await.expect("the script runs");
        assert_eq!(next(&mut self.answers).await, command);
    }
}

async fn next(answers: &mut Lines<BufReader<ChildStdout>>) -> String {
    answers.next_line().await.expect("text").expect("the servers run")
}

async fn query(url: &str, sql: &str) -> Vec<String> {
    let connection = connect(url).await;
    let rows = texts(&connection, sql).await;
    connection.close().await.expect("the connection closes");
    rows
}
