#![doc = include_str!("../README.md")]
#![warn(clippy::missing_errors_doc)]

pub mod account;
pub mod alert;
pub mod api_key;
pub mod audit;
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
pub mod group;
pub mod inbox;
pub mod log;
pub mod member;
pub mod observe;
pub mod operator;
mod page;
mod password;
pub mod permission;
pub mod policy;
mod recorder;
pub mod rekor;
pub mod rollup;
pub mod saved_filter;
mod secret;
pub mod session;
pub mod settings;
mod shared;
pub mod snapshot;
mod tenancy;
pub mod trust;
pub mod webhook;

use std::sync::{Arc, OnceLock};

use contract::{error::ErrorCode, id::TenantId, scope::Right, time::Timestamp};
use moka::future::Cache;
use receipt::key::{PayloadType, SigningKey};
use sea_orm::DatabaseConnection;

use crate::{
    caller::Caller,
    chain::Turns,
    clock::{Chance, Clock},
    decision::stream::Streams,
    destination::Destinations,
    door::Door,
    log::Log,
    observe::{Observed, Observer},
    policy::codification::Answerer,
    recorder::Recorder,
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
    signers: Option<Signers>,
    registries: Registries,
    snapshots: Snapshots,
    door: Door,
    recorder: Recorder,
    turns: Turns,
    log: Log,
    failures: session::Failures,
    tenant_names: Cache<TenantId, String>,
    readiness: DatabaseConnection,
    observer: Observer,
    address: OnceLock<String>,
    answerer: OnceLock<Box<dyn Answerer>>,
    destinations: OnceLock<Destinations>,
    streams: Streams,
    schedule: OnceLock<Schedule>,
}

/// The keys of the service, one for each purpose that asks for its own; all grow from one.
#[derive(Debug)]
struct Signers {
    receipts: SigningKey,
    approvals: SigningKey,
    grants: SigningKey,
}

impl Signers {
    fn new(receipts: SigningKey) -> Self {
        Self {
            approvals: receipts.for_purpose(PayloadType::PolicyApproval),
            grants: receipts.for_purpose(PayloadType::CapabilityGrant),
            receipts,
        }
    }

    /// The key that signs what is of this type, if the service signs such things.
    fn key(&self, payload_type: PayloadType) -> Option<&SigningKey> {
        self.all().find(|(_, kinds)| kinds.contains(&payload_type)).map(|(key, _)| key)
    }

    /// All of them, each with what it signs (receipts, section 4).
    fn all(&self) -> impl Iterator<Item = (&SigningKey, &'static [PayloadType])> {
        const RECORDED: [PayloadType; 4] = [
            PayloadType::Receipt,
            PayloadType::ChainLink,
            PayloadType::ChainSeal,
            PayloadType::BundleManifest,
        ];
        [
            (&self.receipts, &RECORDED[..]),
            (&self.approvals, &[PayloadType::PolicyApproval]),
            (&self.grants, &[PayloadType::CapabilityGrant]),
        ]
        .into_iter()
    }
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
    /// The key that signs receipts, and from which those for approvals, grants and the log grow; without
    /// one nothing is signed.
    pub signer: Option<SigningKey>,
}

impl Governance {
    /// A service made of `setup`.
    pub fn new(setup: Setup) -> Self {
        Self(Arc::new(Parts {
            readiness: database::beside(&setup.database),
            observer: Observer::default(),
            answerer: OnceLock::new(),
            destinations: OnceLock::new(),
            streams: Streams::default(),
            schedule: OnceLock::new(),
            database: setup.database,
            clock: setup.clock,
            chance: setup.chance,
            pepper: setup.pepper,
            signers: setup.signer.map(Signers::new),
            registries: Registries::default(),
            snapshots: Snapshots::default(),
            door: Door::default(),
            recorder: Recorder::default(),
            turns: Turns::default(),
            log: Log::default(),
            failures: session::Failures::default(),
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

    /// How many listeners there are in this process.
    pub fn streams_open(&self) -> usize {
        self.streams().count()
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

    pub(crate) fn signers(&self) -> Option<&Signers> {
        self.0.signers.as_ref()
    }

    pub(crate) fn registries(&self) -> &Registries {
        &self.0.registries
    }

    pub(crate) fn signer(&self) -> Option<&SigningKey> {
        self.0.signers.as_ref().map(|keys| &keys.receipts)
    }

    /// The key that signs approvals.
    pub(crate) fn approval_signer(&self) -> Option<&SigningKey> {
        self.0.signers.as_ref().map(|keys| &keys.approvals)
    }

    /// The id of the key that signs approvals; absent when nothing is signed.
    pub fn approval_key_id(&self) -> Option<&str> {
        self.approval_signer().map(SigningKey::kid)
    }

    /// The key that signs grants.
    pub(crate) fn grant_signer(&self) -> Option<&SigningKey> {
        self.0.signers.as_ref().map(|keys| &keys.grants)
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

    pub(crate) fn turns(&self) -> &Turns {
        &self.0.turns
    }

    pub(crate) fn tenant_names(&self) -> &Cache<TenantId, String> {
        &self.0.tenant_names
    }

    pub(crate) fn failures(&self) -> &session::Failures {
        &self.0.failures
    }
}
