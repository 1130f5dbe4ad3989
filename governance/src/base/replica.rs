//! Reads from a streaming replica that are as fresh as reads from the primary.
//!
//! A read runs on the replica only if the replica has applied every change that was committed when the read
//! began. Before the read, the replica must have replayed the write-ahead log up to the current position of the
//! primary. After the read, the replica must not have been restarted, because a restarted server can accept
//! connections at an earlier position. In all other cases, the read runs on the primary.

use std::{collections::HashMap, sync::Arc, time::Duration};

use parking_lot::Mutex;
use sea_orm::DatabaseConnection;
use tokio::{
    sync::OnceCell,
    time::{Instant, sleep, timeout},
};

use crate::{
    Governance,
    base::{
        batch_lookup::{BatchLookup, Waiters, resolve},
        cx::Cx,
        database::{ConnectError, connect},
        error::{Error, Result},
        observe::Observed,
        sql,
    },
};

/// The time limit of the part of a check that uses the replica, including its first connection.
const CHECK_TIMEOUT: Duration = Duration::from_millis(500);

/// The pauses before the queries for the position of the replica, in milliseconds.
const POLL_PAUSES_MS: [u64; 6] = [0, 1, 2, 4, 8, 16];

/// The time limit of a read. A read that takes longer is repeated on the primary.
const READ_TIMEOUT: Duration = Duration::from_secs(10);

/// The time for which the replica is not used after it was behind, failed or did not respond.
const PAUSE: Duration = Duration::from_secs(2);

// SQL, like the next statements: functions of the server return its position.
const SELECT_POSITION: &str = "SELECT pg_current_wal_flush_lsn()::text, \
     left(pg_walfile_name(pg_current_wal_flush_lsn()), 8), system_identifier::text \
     FROM pg_control_system()";

// A replica reports the timeline of its last restartpoint, which can be earlier than the one that it replays.
const SELECT_REPLAYED: &str = "SELECT pg_postmaster_start_time()::text, \
     coalesce(pg_last_wal_replay_lsn() >= ($1::text)::pg_lsn, false) \
         AND lpad(upper(to_hex(c.timeline_id)), 8, '0') = $2, \
     s.system_identifier::text = $3 FROM pg_control_checkpoint() c, pg_control_system() s";

const SELECT_START: &str = "SELECT pg_postmaster_start_time()::text";

/// A streaming replica of the database.
#[derive(Debug)]
pub struct Replica {
    url: String,
    connections_max: u32,
    /// Empty until the replica accepts a connection.
    pool: OnceCell<DatabaseConnection>,
    checks: BatchLookup<(), CheckedReplica>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    paused_until: Option<Instant>,
    /// Whether the last log line says that reads use the primary.
    is_reported: bool,
}

/// A replica that has applied all changes of the time of a check.
#[derive(Debug)]
pub(crate) struct CheckedReplica {
    pub(crate) pool: DatabaseConnection,
    /// The start time of the server.
    started_at: String,
}

/// The position of the primary in its write-ahead log.
struct Position {
    lsn: String,
    timeline: String,
    /// The identifier of the database cluster, which its replicas share.
    system: String,
}

/// A reason why a read does not use the replica.
#[derive(Debug, thiserror::Error)]
enum Obstacle {
    /// The position of the primary is unknown.
    #[error("the primary is unavailable")]
    Primary,
    #[error("{0}")]
    Connect(ConnectError),
    #[error("{0}")]
    Failed(Error),
    #[error("it is not a replica of the database of the service")]
    OtherCluster,
    #[error("it is behind the primary")]
    Behind,
    #[error("it was restarted during a read")]
    Restarted,
    #[error("it does not respond")]
    Timeout,
}

impl From<Error> for Obstacle {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl Replica {
    /// Opens a replica with at most `connections_max` connections. An unavailable replica is connected later.
    ///
    /// # Errors
    /// The sessions of the replica are not as the service requires.
    pub async fn open(url: &str, connections_max: u32) -> Result<Self, ConnectError> {
        let replica = Self {
            url: url.to_owned(),
            connections_max,
            pool: OnceCell::new(),
            checks: BatchLookup::default(),
            state: Mutex::default(),
        };
        match replica.pool().await {
            Ok(_) => {}
            Err(error @ ConnectError::Database(_)) => replica.pause(&Obstacle::Connect(error)),
            Err(error) => return Err(error),
        }
        Ok(replica)
    }

    async fn pool(&self) -> Result<&DatabaseConnection, ConnectError> {
        self.pool.get_or_try_init(|| connect(&self.url, self.connections_max)).await
    }

    /// Checks the replica, once for all waiting reads. A read that arrives during a check joins the next one.
    /// Returns `None` if the read must use the primary.
    async fn check(&self, governance: &Governance) -> Option<Arc<CheckedReplica>> {
        if self.state.lock().paused_until.is_some_and(|until| Instant::now() < until) {
            return None;
        }
        let pending = self.checks.join(());
        if pending.is_leader {
            tokio::spawn(run_checks(governance.clone()));
        }
        pending.result().await.ok().flatten()
    }

    /// Compares the position of the replica with that of the primary.
    async fn compare(&self, primary: &DatabaseConnection) -> Result<CheckedReplica, Obstacle> {
        let position = Position::of_primary(primary).await.map_err(|_| Obstacle::Primary)?;
        let catch_up = timeout(CHECK_TIMEOUT, self.catch_up(&position));
        catch_up.await.map_err(|_| Obstacle::Timeout)?
    }

    /// Waits a short time until the replica has replayed the log up to `position`.
    async fn catch_up(&self, position: &Position) -> Result<CheckedReplica, Obstacle> {
        let pool = self.pool().await.map_err(Obstacle::Connect)?;
        for pause in POLL_PAUSES_MS {
            sleep(Duration::from_millis(pause)).await;
            let values = [&position.lsn, &position.timeline, &position.system];
            let (started_at, has_replayed, is_same_cluster): (_, bool, bool) =
                sql::only(pool, SELECT_REPLAYED, values.map(|value| value.as_str().into())).await?;
            if !is_same_cluster {
                return Err(Obstacle::OtherCluster);
            }
            if has_replayed {
                return Ok(CheckedReplica { pool: pool.clone(), started_at });
            }
        }
        Err(Obstacle::Behind)
    }

    /// Does not use the replica for a while.
    fn pause(&self, obstacle: &Obstacle) {
        let mut state = self.state.lock();
        state.paused_until = Some(Instant::now() + PAUSE);
        if !std::mem::replace(&mut state.is_reported, true) {
            tracing::warn!(reason = %obstacle, "the replica is not used; reads use the primary");
        }
    }

    fn resume(&self) {
        if std::mem::take(&mut *self.state.lock()).is_reported {
            tracing::info!("reads use the replica again");
        }
    }
}

impl Position {
    async fn of_primary(primary: &DatabaseConnection) -> Result<Self, Obstacle> {
        let (lsn, timeline, system) = sql::only(primary, SELECT_POSITION, []).await?;
        Ok(Self { lsn, timeline, system })
    }
}

impl CheckedReplica {
    /// Checks that the server was not restarted since the check.
    async fn still_runs(&self) -> Result<(), Obstacle> {
        let started_at: String = sql::only(&self.pool, SELECT_START, []).await?;
        if started_at == self.started_at { Ok(()) } else { Err(Obstacle::Restarted) }
    }
}

/// Runs checks while reads wait, in a task that does not depend on any caller.
async fn run_checks(governance: Governance) {
    let Some(replica) = governance.replica() else { return };
    loop {
        // Lets reads that have already arrived join this check.
        tokio::task::yield_now().await;
        let Some(waiting) = replica.checks.next(1) else { return };
        // A separate task: if it panics, its waiters receive an error and later checks continue.
        let _ = tokio::spawn(check_waiting(governance.clone(), waiting)).await;
    }
}

async fn check_waiting(governance: Governance, waiting: Waiters<(), CheckedReplica>) {
    let Some(replica) = governance.replica() else { return };
    let mut checked = HashMap::new();
    match replica.compare(governance.database()).await {
        Ok(current) => {
            replica.resume();
            checked.insert((), Arc::new(current));
        }
        // The read on the primary reports the error.
        Err(Obstacle::Primary) => {}
        Err(obstacle) => replica.pause(&obstacle),
    }
    resolve(waiting, &Ok(checked));
}

impl Governance {
    /// Runs a read on the replica if that has applied every change that was committed before this call, and
    /// otherwise on the primary. `read` gets a handle of the database to use, and only reads.
    ///
    /// # Errors
    /// The errors of `read`. An error of the replica repeats the read on the primary.
    pub(crate) async fn read<T, F>(&self, read: impl Fn(Self) -> F) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        let Some(replica) = self.replica() else { return read(self.clone()).await };
        if let Some(checked) = replica.check(self).await {
            let on_replica = async {
                match read(self.with_replica(Arc::clone(&checked))).await {
                    result @ (Ok(_) | Err(Error::Refused(_))) => {
                        checked.still_runs().await.map(|()| result)
                    }
                    Err(error) => Err(Obstacle::Failed(error)),
                }
            };
            match timeout(READ_TIMEOUT, on_replica).await.unwrap_or(Err(Obstacle::Timeout)) {
                Ok(result) => {
                    self.emit(Observed::RoutedRead { is_by_replica: true });
                    return result;
                }
                Err(obstacle) => replica.pause(&obstacle),
            }
        }
        self.emit(Observed::RoutedRead { is_by_replica: false });
        read(self.clone()).await
    }
}

impl Cx {
    /// Runs a read as [`Governance::read`] does, with the context to use.
    pub(crate) async fn read<T, F>(&self, read: impl Fn(Self) -> F) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        self.governance.read(|governance| read(Self { governance, ..self.clone() })).await
    }
}
