#![doc = include_str!("../README.md")]
#![warn(clippy::missing_errors_doc)]

pub mod account;
pub mod alert;
pub mod api_key;
pub mod attempts;
pub mod audit;
mod background;
pub mod bundle;
pub mod caller;
pub mod capability;
pub mod chain;
pub mod clock;
mod cx;
pub mod database;
pub mod decision;
pub mod demo;
pub mod destination;
mod door;
pub mod error;
pub mod form;
mod governance_change;
pub mod group;
pub mod inbox;
pub mod log;
mod long_reads;
pub mod mail;
pub mod member;
pub mod network;
pub mod observe;
pub mod operator;
mod page;
mod password;
pub mod permission;
pub mod policy;
mod public_id;
mod recorder;
pub mod rekor;
pub mod rollup;
pub mod saved_filter;
mod secret;
pub mod session;
pub mod settings;
mod shared;
pub mod signing;
pub mod snapshot;
mod tenancy;
pub mod trust;
pub mod webhook;

use std::sync::{Arc, OnceLock};

use contract::{error::ErrorCode, id::TenantId, scope::Right, time::Timestamp};
use moka::future::Cache;
use sea_orm::DatabaseConnection;

use crate::{
    attempts::Attempts,
    background::Background,
    bundle::Exports,
    caller::Caller,
    chain::Turns,
    clock::{Chance, Clock},
    decision::stream::Streams,
    destination::Destinations,
    door::Door,
    log::Log,
    long_reads::LongReads,
    mail::Mail,
    observe::{Observed, Observer},
    policy::codification::Answerer,
    recorder::Recorder,
    signing::{KeySet, ServiceKey},
    snapshot::Snapshots,
    trust::Registries,
    webhook::Schedule,
};
pub use crate::{
    cx::{CorrelationId, Cx},
    error::{Error, Refusal, Result},
    page::PageRequest,
    secret::Pepper,
    session::SignedIn,
    tenancy::Tenant,
};

/// The service: everything that outlives one operation. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Governance(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    database: DatabaseConnection,
    clock: Clock,
    chance: Chance,
    pepper: Pepper,
    keys: Option<KeySet>,
    registries: Registries,
    snapshots: Snapshots,
    door: Door,
    recorder: Recorder,
    turns: Turns,
    long_reads: LongReads,
    log: Log,
    attempts: Attempts,
    background: Background,
    passwords: password::Hasher,
    tenant_names: Cache<TenantId, String>,
    readiness: DatabaseConnection,
    observer: Observer,
    address: OnceLock<String>,
    answerer: OnceLock<Box<dyn Answerer>>,
    destinations: OnceLock<Destinations>,
    mail: OnceLock<Mail>,
    streams: Streams,
    schedule: OnceLock<Schedule>,
    exports: Exports,
}

/// How many tenants' names are kept at hand.
const NAMES_KEPT: u64 = 10_000;

/// What a service is made of.
#[derive(Debug)]
pub struct Setup {
    /// Connections with the rights of `govern_app`.
    pub database: DatabaseConnection,
    /// Where the moment comes from.
    pub clock: Clock,
    /// Where ids and secrets come from.
    pub chance: Chance,
    /// The secret behind key digests and cursors.
    pub pepper: Pepper,
    /// The keys that sign, one for each purpose; without them nothing is signed.
    pub keys: Option<KeySet>,
}

impl Governance {
    /// A service made of `setup`.
    pub fn new(setup: Setup) -> Self {
        Self(Arc::new(Parts {
            readiness: database::beside(&setup.database),
            observer: Observer::default(),
            answerer: OnceLock::new(),
            destinations: OnceLock::new(),
            mail: OnceLock::new(),
            streams: Streams::default(),
            exports: Exports::default(),
            schedule: OnceLock::new(),
            database: setup.database,
            clock: setup.clock,
            chance: setup.chance,
            pepper: setup.pepper,
            keys: setup.keys,
            registries: Registries::default(),
            snapshots: Snapshots::default(),
            door: Door::default(),
            recorder: Recorder::default(),
            turns: Turns::default(),
            long_reads: LongReads::default(),
            log: Log::default(),
            attempts: Attempts::default(),
            background: Background::default(),
            passwords: password::Hasher::default(),
            tenant_names: Cache::new(NAMES_KEPT),
            address: OnceLock::new(),
        }))
    }

    /// An operation of nobody in particular, on a public path.
    pub fn public(&self, correlation_id: CorrelationId) -> Cx {
        self.operation(Caller::Public, correlation_id)
    }

    /// An operation of whoever runs the process.
    pub fn operator(&self) -> Cx {
        let correlation_id = self.chance().id::<uuid::Uuid>().into();
        self.operation(Caller::Operator, correlation_id)
    }

    /// A new correlation id, for a request that brought none.
    pub fn correlation_id(&self) -> CorrelationId {
        self.chance().id::<uuid::Uuid>().into()
    }

    /// An operation of the key behind `secret`, in the tenant that its request names.
    ///
    /// # Errors
    /// `UNAUTHORIZED` for an unknown, revoked or expired key; `FORBIDDEN` for another tenant's, or
    /// an operator's.
    pub async fn key(
        &self,
        secret: &str,
        tenant: TenantId,
        correlation_id: CorrelationId,
    ) -> Result<Cx> {
        let now = self.clock().now();
        let key = match door::key(self, secret, now).await {
            // Whatever is wrong with a key, it is looked up once more: all refusals take the same time.
            Err(refused) if refused.code() == ErrorCode::Unauthorized => {
                let operators = operator::key::look_up(self, secret).await?;
                return Err(operators.map_or(refused, |_| error::foreign_tenant().into()));
            }
            let_in => let_in?,
        };
        if key.tenant_id != tenant {
            return Err(error::foreign_tenant().into());
        }
        let mut cx = self.operation(Caller::Key(key), correlation_id);
        capability::stand(&mut cx).await?;
        Ok(cx)
    }

    /// An operation of the operator's key behind `secret`, in no tenant; `None` when it is none, or
    /// revoked.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the store is away.
    pub async fn operator_key(
        &self,
        secret: &str,
        correlation_id: CorrelationId,
    ) -> Result<Option<Cx>> {
        let key = operator::key::look_up(self, secret).await?;
        Ok(key.map(|key| self.operation(Caller::OperatorKey(key), correlation_id)))
    }

    /// An operation of a signed-in person, in a tenant.
    ///
    /// # Errors
    /// `FORBIDDEN` when the person does not belong to the tenant.
    pub async fn human(
        &self,
        signed_in: &SignedIn,
        tenant: TenantId,
        correlation_id: CorrelationId,
    ) -> Result<Cx> {
        let human = door::human(self, signed_in, tenant).await?;
        debug_assert!(human.role.may(Right::Read), "every role reads");
        Ok(self.operation(Caller::Human(human), correlation_id))
    }

    /// Writes down when keys were last used, at most once a minute for each key; tells for how many.
    /// Background work: `now` is the moment of the round.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the store is away: the uses are kept for the next round.
    pub async fn write_key_uses(&self, now: Timestamp) -> Result<usize> {
        door::write_uses(self, now).await
    }

    /// Whether the store answers. Asked on a connection of its own, so that it does not queue behind
    /// requests.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when it does not.
    pub async fn ready(&self) -> Result<()> {
        Ok(self.0.readiness.ping().await?)
    }

    /// The connections to the store.
    pub fn connections(&self) -> database::Connections {
        database::connections(self.database())
    }

    /// From here on `watcher` is told what happens. Only the first one is; it must not block.
    pub fn watched_by(&self, watcher: impl Fn(Observed) + Send + Sync + 'static) {
        self.0.observer.set(watcher);
    }

    /// From here on links lead to `address`, under which people reach the service. Only the first one
    /// counts; without any, links are paths.
    pub fn reached_at(&self, address: &str) {
        self.0.address.get_or_init(|| address.trim_end_matches('/').to_owned());
    }

    /// A link to a page of the service.
    pub fn link(&self, page: &str) -> String {
        format!("{}{page}", self.0.address.get().map_or("", String::as_str))
    }

    /// From here on `answerer` lints clauses in place of the built-in one. Only the first one does.
    pub fn asks(&self, answerer: impl Answerer + 'static) {
        let _ = self.0.answerer.set(Box::new(answerer));
    }

    pub(crate) fn answerer(&self) -> Option<&dyn Answerer> {
        self.0.answerer.get().map(Box::as_ref)
    }

    /// From here on `destinations` says where others may have the service call. Only the first one does.
    pub fn calls(&self, destinations: Destinations) {
        let _ = self.0.destinations.set(destinations);
    }

    /// Where others may have the service call; public addresses, when nobody has said.
    pub fn destinations(&self) -> &Destinations {
        self.0.destinations.get_or_init(Destinations::default)
    }

    /// From here on the process sends mail. Only the first call counts; without any, there is no mail.
    pub fn sends_mail(&self, mail: Mail) {
        let _ = self.0.mail.set(mail);
    }

    /// How the process sends mail, if it does.
    pub fn mail(&self) -> Option<&Mail> {
        self.0.mail.get()
    }

    /// How many listeners there are in this process.
    pub fn streams_open(&self) -> usize {
        self.streams().count()
    }

    pub(crate) fn exports(&self) -> &Exports {
        &self.0.exports
    }

    pub(crate) fn streams(&self) -> &Streams {
        &self.0.streams
    }

    pub(crate) fn tell(&self, observed: Observed) {
        self.0.observer.tell(observed);
    }

    fn operation(&self, caller: Caller, correlation_id: CorrelationId) -> Cx {
        Cx { caller, now: self.clock().now(), correlation_id, governance: self.clone() }
    }

    pub(crate) fn database(&self) -> &DatabaseConnection {
        &self.0.database
    }

    /// The clock behind every operation.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// The chance behind every id and secret.
    pub fn chance(&self) -> &Chance {
        &self.0.chance
    }

    pub(crate) fn pepper(&self) -> &Pepper {
        &self.0.pepper
    }

    /// The keys that this process signs with; none where nothing is signed.
    pub fn keys(&self) -> Option<&KeySet> {
        self.0.keys.as_ref()
    }

    pub(crate) fn registries(&self) -> &Registries {
        &self.0.registries
    }

    /// The key that signs receipts, links, seals and manifests.
    pub(crate) fn signer(&self) -> Option<&ServiceKey> {
        self.keys().map(KeySet::receipts)
    }

    /// The key that signs approvals.
    pub(crate) fn approval_signer(&self) -> Option<&ServiceKey> {
        self.keys().map(KeySet::approvals)
    }

    /// The id of the key that signs approvals; absent when nothing is signed.
    pub fn approval_key_id(&self) -> Option<&str> {
        self.approval_signer().map(ServiceKey::kid)
    }

    /// The key that signs grants.
    pub(crate) fn grant_signer(&self) -> Option<&ServiceKey> {
        self.keys().map(KeySet::grants)
    }

    pub(crate) fn snapshots(&self) -> &Snapshots {
        &self.0.snapshots
    }

    pub(crate) fn door(&self) -> &Door {
        &self.0.door
    }

    pub(crate) fn recorder(&self) -> &Recorder {
        &self.0.recorder
    }

    pub(crate) fn log(&self) -> &Log {
        &self.0.log
    }

    pub(crate) fn long_reads(&self) -> &LongReads {
        &self.0.long_reads
    }

    pub(crate) fn turns(&self) -> &Turns {
        &self.0.turns
    }

    pub(crate) fn tenant_names(&self) -> &Cache<TenantId, String> {
        &self.0.tenant_names
    }

    /// Shares the limits of failed password checks with other processes from here on. Only the first call
    /// counts.
    pub fn share_attempts(&self, counters: impl attempts::SharedCounters + 'static) {
        self.attempts().share(Box::new(counters));
    }

    pub(crate) fn attempts(&self) -> &Attempts {
        &self.0.attempts
    }

    /// Waits for the work that goes on after its request was answered, such as the audit events of failed
    /// sign-ins.
    pub async fn finish_background(&self) {
        self.background().finish().await;
    }

    pub(crate) fn background(&self) -> &Background {
        &self.0.background
    }

    /// The one place that hashes and checks passwords.
    pub(crate) fn passwords(&self) -> &password::Hasher {
        &self.0.passwords
    }
}
