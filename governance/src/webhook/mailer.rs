//! The worker that delivers: claims what is due, calls the receiver, settles what came of it.

use std::{
    collections::BTreeMap,
    fmt::Debug,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use contract::{
    id::{DeliveryId, TenantId},
    time::Timestamp,
    webhook::FailureReason,
};
use entity::webhook_delivery as table;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, prelude::Uuid};

use super::{
    letter::{Letter, Parcel},
    settle::{Settlement, settle},
    withdrawn::Sending,
};
use crate::{
    Governance,
    error::Result,
    tenancy::{instant, statement},
};

/// How many deliveries of one subscription are under way in a process: a receiver that answers nothing
/// takes no more places than these.
const LANE_MAX: usize = 4;

/// How many deliveries of one tenant are under way in a process, whatever the number of its subscriptions.
const TENANT_MAX: usize = 32;

/// How many are under way in all.
const ALL_MAX: usize = 256;

/// After how long a claim counts as given up, should its process have died, in milliseconds: a call may
/// take 10 seconds.
const LEASE_MS: i64 = 30_000;

/// Carries parcels to receivers.
#[async_trait::async_trait]
pub trait Postman: Debug + Send + Sync {
    /// Makes one call, and tells the status of the answer. It is over after 10 seconds.
    ///
    /// # Errors
    /// Why there is no answer.
    async fn carry(&self, parcel: Parcel) -> Result<u16, FailureReason>;
}

/// Delivers for one process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Mailer {
    postman: Arc<dyn Postman>,
    lanes: Arc<Lanes>,
    sending: Sending,
}

/// What is under way, by tenant and subscription.
#[derive(Debug, Default)]
struct Lanes(Mutex<BTreeMap<(Uuid, Uuid), usize>>);

impl Lanes {
    fn held(&self) -> MutexGuard<'_, BTreeMap<(Uuid, Uuid), usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(self: &Arc<Self>, lane: (Uuid, Uuid)) -> Place {
        *self.held().entry(lane).or_default() += 1;
        Place { lanes: self.clone(), lane }
    }
}

/// A place in a lane, until it is dropped.
#[derive(Debug)]
struct Place {
    lanes: Arc<Lanes>,
    lane: (Uuid, Uuid),
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut held = self.lanes.held();
        match held.get_mut(&self.lane) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                held.remove(&self.lane);
            }
        }
    }
}

/// A delivery that this process may try now, until its lease runs out.
#[derive(Debug)]
pub struct Claimed {
    pub(super) tenant: TenantId,
    pub(super) id: DeliveryId,
    /// Which claim it is; a later one makes this one void.
    pub(super) number: i32,
    _place: Place,
}

/// What came of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The receiver took it.
    Delivered,
    /// The attempt failed; another one comes.
    Failed(FailureReason),
    /// The attempt failed, and was the last.
    Dead(FailureReason),
    /// Somebody else has it by now, or nobody: the attempt counts for nothing.
    Void,
}

// SQL: runs again and again, and chooses and claims in one statement.
//
// The lanes with something in them, by one look into the index each; of every lane as many as there is room
// for in it and in its tenant. What somebody else is claiming at this moment is passed over. Where there is not
// room for all, lanes of a tenant take turns, and so do tenants: the deliveries of a receiver that answers nothing
// are the oldest ones, and must not come first for that.
const CLAIM: &str = "WITH RECURSIVE lanes AS (\
     (SELECT tenant_id, lane FROM outbox ORDER BY tenant_id, lane LIMIT 1) UNION ALL \
     SELECT n.tenant_id, n.lane FROM lanes l CROSS JOIN LATERAL (\
     SELECT o.tenant_id, o.lane FROM outbox o WHERE (o.tenant_id, o.lane) > (l.tenant_id, l.lane) \
     ORDER BY o.tenant_id, o.lane LIMIT 1) n), \
     busy AS (SELECT * FROM unnest($3::uuid[], $4::uuid[], $5::int[]) AS b(tenant_id, lane, busy)), \
     free AS (SELECT l.tenant_id, l.lane, coalesce(b.busy, 0) AS busy, \
     $6 - coalesce(b.busy, 0) AS room, $7 - coalesce(t.busy, 0) AS room_of_tenant FROM lanes l \
     LEFT JOIN busy b ON b.tenant_id = l.tenant_id AND b.lane = l.lane \
     LEFT JOIN (SELECT tenant_id, sum(busy)::int AS busy FROM busy GROUP BY tenant_id) t \
     ON t.tenant_id = l.tenant_id), \
     due AS (SELECT d.tenant_id, d.id, d.due_at, f.room_of_tenant, \
     f.busy + row_number() OVER (PARTITION BY f.tenant_id, f.lane ORDER BY d.due_at, d.id) AS turn \
     FROM free f CROSS JOIN LATERAL (SELECT o.tenant_id, o.id, o.due_at FROM outbox o \
     WHERE o.tenant_id = f.tenant_id AND o.lane = f.lane AND o.due_at <= $1 ORDER BY o.due_at \
     LIMIT greatest(least(f.room, f.room_of_tenant), 0) FOR UPDATE SKIP LOCKED) d), \
     ranked AS (SELECT tenant_id, id, due_at, room_of_tenant, \
     row_number() OVER (PARTITION BY tenant_id ORDER BY turn, due_at, id) AS place FROM due), \
     chosen AS (SELECT tenant_id, id FROM ranked WHERE place <= room_of_tenant \
     ORDER BY place, due_at LIMIT $8) \
     UPDATE outbox o SET due_at = $2, held_till = $2, claim = o.claim + 1 FROM chosen \
     WHERE o.tenant_id = chosen.tenant_id AND o.id = chosen.id \
     RETURNING o.tenant_id, o.id, o.lane, o.claim";

impl Mailer {
    /// Delivers by `postman`.
    pub fn new(postman: impl Postman + 'static) -> Self {
        Self { postman: Arc::new(postman), lanes: Arc::default(), sending: Sending::default() }
    }

    /// Claims what is due at `now`, as far as there is room for it. Several processes may claim: each gets
    /// others.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the store is away.
    pub async fn claim(&self, governance: &Governance, now: Timestamp) -> Result<Vec<Claimed>> {
        let (mut tenants, mut lanes, mut busy) = (Vec::new(), Vec::new(), Vec::new());
        for ((tenant, lane), count) in self.lanes.held().iter() {
            tenants.push(*tenant);
            lanes.push(*lane);
            busy.push(number(*count));
        }
        let under_way: i64 = busy.iter().map(|busy| i64::from(*busy)).sum();
        let room = i64::from(number(ALL_MAX)) - under_way;
        if room <= 0 {
            return Ok(Vec::new());
        }
        let values = [
            instant(now),
            instant(now.plus_millis(LEASE_MS)),
            tenants.into(),
            lanes.into(),
            busy.into(),
            number(LANE_MAX).into(),
            number(TENANT_MAX).into(),
            room.into(),
        ];
        let rows = governance.database().query_all_raw(statement(CLAIM, values)).await?;
        let claimed = rows.into_iter().map(|row| -> Result<Claimed> {
            let tenant: Uuid = row.try_get_by_index(0)?;
            Ok(Claimed {
                tenant: TenantId(tenant),
                id: DeliveryId(row.try_get_by_index(1)?),
                number: row.try_get_by_index(3)?,
                _place: self.lanes.enter((tenant, row.try_get_by_index(2)?)),
            })
        });
        claimed.collect()
    }

    /// Tries one delivery, and settles what came of it. No transaction is open while the receiver is called.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the store is away: the lease runs out, and the delivery is tried again.
    pub async fn deliver(&self, governance: &Governance, claimed: Claimed) -> Result<Sent> {
        let cx = governance.operator();
        let began = cx.now;
        let watch = governance.clock().watch();
        let letter = read(governance, &claimed).await?;
        let is_attempt = letter.is_some();
        let (attempt, result) = match letter {
            None => (0, Err(FailureReason::SubscriptionDeleted)),
            Some(letter) => (letter.attempt, self.send(governance, &claimed, letter, began).await),
        };
        let took = watch.whole_millis();
        let settlement = Settlement { attempt, began, took, is_attempt, result };
        settle(governance, &claimed, &settlement).await
    }

    /// The status of the receiver's answer.
    async fn send(
        &self,
        governance: &Governance,
        claimed: &Claimed,
        letter: Letter,
        at: Timestamp,
    ) -> Result<u16, FailureReason> {
        let Some(parcel) = letter.sign(governance, at) else {
            return Err(FailureReason::SecretUnavailable);
        };
        tokio::select! {
            answered = self.postman.carry(parcel) => answered,
            () = self.sending.withdrawn(governance, claimed.tenant, claimed.id) => {
                Err(FailureReason::SubscriptionDeleted)
            }
        }
    }
}

/// What is to be sent. Nothing, when the delivery or its subscription is not there any more.
async fn read(governance: &Governance, claimed: &Claimed) -> Result<Option<Letter>> {
    let cx = governance.operator();
    let tx = cx.tenant_unchecked(claimed.tenant).begin().await?;
    let rows = tx.find::<table::Entity>().filter(table::Column::Id.eq(claimed.id.0));
    let letter = match rows.one(tx.connection()).await? {
        Some(delivery) => Letter::of(&tx, delivery).await?,
        None => None,
    };
    tx.end().await?;
    Ok(letter)
}

/// A count as its parameter has it.
fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
