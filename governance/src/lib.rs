#![doc = include_str!("../README.md")]
#![warn(clippy::missing_errors_doc)]

pub mod access;
pub mod authoring;
pub mod base;
pub mod bundle;
pub mod deciding;
pub mod insight;
pub mod notify;
pub mod proof;

pub mod demo;
pub mod verification;

use std::sync::Arc;

use contract::{error::ErrorCode, id::TenantId, scope::Right, time::Timestamp};
use sea_orm::DatabaseConnection;

use crate::{
    access::{
        AccessState, attempts::SharedCounters, auth, mail::Mail, oidc::ProviderClient, operator,
    },
    authoring::{capability, policy::codification::LintProvider},
    base::{
        BaseState,
        background::Background,
        caller::Caller,
        clock::{Clock, Entropy},
        database, error,
        long_reads::LongReads,
        observe::{Observed, Observer},
        replica::{CheckedReplica, Replica},
        trace::Tracer,
        work_slots::WorkSlots,
    },
    bundle::ExportCache,
    deciding::DecidingState,
    notify::{outbound_policy::OutboundPolicy, webhook::Schedule},
    proof::{
        ProofState,
        signing::{KeySet, ServiceKey},
        transparency_log,
    },
};
pub use crate::{
    access::{
        session::{SignedIn, UserTenants},
        time_zone::TimeZone,
    },
    base::{
        cx::{CorrelationId, Cx},
        error::{Error, Refusal, Result},
        pagination::{PageRequest, Window},
        secret::Pepper,
        tenancy::Tenant,
    },
};

/// The governance service: all state that outlives a single operation. Cheap to clone.
///
/// The second field is the replica that one read uses instead of the primary (`Governance::read`).
#[derive(Clone, Debug)]
pub struct Governance(Arc<GovernanceInner>, Option<Arc<CheckedReplica>>);

/// The state of each layer. A use case names the layer whose state it uses.
#[derive(Debug)]
struct GovernanceInner {
    base: BaseState,
    access: AccessState,
    proof: ProofState,
    deciding: DecidingState,
    exports: ExportCache,
    options: ServiceOptions,
}

/// The parts that a [`Governance`] service is created from.
#[derive(Debug)]
pub struct GovernanceConfig {
    /// Database connections with the rights of the role `govern_app`.
    pub database: DatabaseConnection,
    pub clock: Clock,
    pub entropy: Entropy,
    /// The secret key of credential digests and pagination cursors.
    pub pepper: Pepper,
    /// The signing keys, one for each purpose. Without them the service signs nothing.
    pub keys: Option<KeySet>,
    pub options: ServiceOptions,
}

/// The parts of a [`Governance`] service that have a default.
#[derive(Debug, Default)]
pub struct ServiceOptions {
    /// The URL that links start with, without a slash at its end. If it is empty, links are paths.
    pub public_url: String,
    /// Replaces the built-in lint of clauses.
    pub lint_provider: Option<Box<dyn LintProvider>>,
    /// Calls identity providers. Without it, no user signs in with one.
    pub provider_client: Option<Arc<dyn ProviderClient>>,
    /// The addresses that the service may call on behalf of users: by default all public addresses.
    pub outbound_policy: OutboundPolicy,
    /// `None` if the service sends no mail.
    pub mail: Option<Mail>,
    /// The delays between the attempts of a webhook delivery.
    pub delivery_schedule: Schedule,
    /// The origin of the first tree of the transparency log. An existing tree keeps its origin.
    pub log_origin: Option<String>,
    /// Counters of failed password checks that processes share. Without them, each process counts alone.
    pub shared_attempts: Option<Box<dyn SharedCounters>>,
    /// Receives all events of the use cases.
    pub observer: Observer,
    /// Creates the spans of requests and their phases.
    pub tracer: Tracer,
    /// A replica of the database for public reads and exports.
    pub replica: Option<Replica>,
}

impl Governance {
    pub fn new(config: GovernanceConfig) -> Self {
        let mut options = config.options;
        let access = AccessState::new(options.shared_attempts.take());
        let inner = GovernanceInner {
            base: BaseState {
                readiness: database::dedicated_connection(&config.database),
                long_reads: LongReads::new(database::connections_max(&config.database)),
                database: config.database,
                clock: config.clock,
                entropy: config.entropy,
                pepper: config.pepper,
                background: Background::default(),
                work_slots: WorkSlots::default(),
            },
            access,
            proof: ProofState { keys: config.keys, ..ProofState::default() },
            deciding: DecidingState::default(),
            exports: ExportCache::default(),
            options,
        };
        Self(Arc::new(inner), None)
    }

    /// Returns the context of an unauthenticated request on a public path.
    pub fn public(&self, correlation_id: CorrelationId) -> Cx {
        self.operation(Caller::Public, correlation_id)
    }

    /// Returns the context of an operation by the operator of the process.
    pub fn operator(&self) -> Cx {
        self.operation(Caller::Operator, self.correlation_id())
    }

    /// Returns the context of a background task.
    pub(crate) fn background_task(&self) -> Cx {
        self.operation(Caller::Service, self.correlation_id())
    }

    /// Returns a new correlation ID, for a request without one.
    pub fn correlation_id(&self) -> CorrelationId {
        self.entropy().id::<uuid::Uuid>().into()
    }

    /// Authenticates an API key by its secret and returns a request context in `tenant`.
    ///
    /// # Errors
    /// `UNAUTHORIZED` for an unknown, revoked or expired key; `FORBIDDEN` for a key of another tenant
    /// and for an operator key.
    pub async fn key(
        &self,
        secret: &str,
        tenant: TenantId,
        correlation_id: CorrelationId,
    ) -> Result<Cx> {
        self.key_in(secret, Some(tenant), correlation_id).await
    }

    /// Authenticates an API key by its secret and returns a request context in the tenant of the key.
    ///
    /// # Errors
    /// `UNAUTHORIZED` for an unknown, revoked or expired key; `FORBIDDEN` for an operator key.
    pub async fn key_in_own_tenant(
        &self,
        secret: &str,
        correlation_id: CorrelationId,
    ) -> Result<Cx> {
        self.key_in(secret, None, correlation_id).await
    }

    async fn key_in(
        &self,
        secret: &str,
        tenant: Option<TenantId>,
        correlation_id: CorrelationId,
    ) -> Result<Cx> {
        let now = self.clock().now();
        let key = match auth::resolve_key(self, secret, now).await {
            // Every refused key is also looked up as an operator key, so that all rejections take
            // equally long.
            Err(refusal) if refusal.code() == ErrorCode::Unauthorized => {
                let operator_key = operator::key::look_up(self, secret).await?;
                return Err(operator_key.map_or(refusal, |_| error::tenant_mismatch().into()));
            }
            result => result?,
        };
        if tenant.is_some_and(|tenant| tenant != key.tenant_id) {
            return Err(error::tenant_mismatch().into());
        }
        let mut cx = self.operation(Caller::Key(key), correlation_id);
        capability::load_status(&mut cx).await?;
        Ok(cx)
    }

    /// Authenticates an operator key by its secret and returns a request context without a tenant.
    /// Returns `None` for an unknown or revoked key.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the database is unavailable.
    pub async fn operator_key(
        &self,
        secret: &str,
        correlation_id: CorrelationId,
    ) -> Result<Option<Cx>> {
        let key = operator::key::look_up(self, secret).await?;
        Ok(key.map(|key| self.operation(Caller::OperatorKey(key), correlation_id)))
    }

    /// Returns a request context for a signed-in user in `tenant`.
    ///
    /// # Errors
    /// `FORBIDDEN` when the user is not a member of the tenant.
    pub async fn human(
        &self,
        signed_in: &SignedIn,
        tenant: TenantId,
        correlation_id: CorrelationId,
    ) -> Result<Cx> {
        let human = auth::resolve_user(self, signed_in, tenant).await?;
        debug_assert!(human.role.has(Right::Read), "every role reads");
        Ok(self.operation(Caller::Human(human), correlation_id))
    }

    /// Returns a request context for a signed-in user in one of the user's tenants, which were read before.
    ///
    /// # Errors
    /// `FORBIDDEN` when the user is not a member of the tenant.
    pub fn member(
        &self,
        signed_in: &SignedIn,
        tenants: &UserTenants,
        tenant: TenantId,
        correlation_id: CorrelationId,
    ) -> Result<Cx> {
        let human = auth::resolve_member(signed_in, tenants, tenant)?;
        Ok(self.operation(Caller::Human(human), correlation_id))
    }

    /// Stores when API keys were last used, at most once a minute for each key, and returns the number
    /// of keys written. `now` is the time of the background round.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the database is unavailable. The uses are retained for the next
    /// round.
    pub async fn flush_key_usage(&self, now: Timestamp) -> Result<usize> {
        auth::write_uses(self, now).await
    }

    /// Checks that the database responds. Uses a dedicated connection, so that the check does not queue
    /// behind requests.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the database does not respond.
    pub async fn ready(&self) -> Result<()> {
        Ok(self.0.base.readiness.ping().await?)
    }

    pub fn connections(&self) -> database::PoolStats {
        database::connections(self.database())
    }

    /// Returns the link to `page`, a path with a leading slash.
    pub fn link(&self, page: &str) -> String {
        format!("{}{page}", self.0.options.public_url)
    }

    pub(crate) fn base(&self) -> &BaseState {
        &self.0.base
    }

    pub(crate) fn access(&self) -> &AccessState {
        &self.0.access
    }

    pub(crate) fn proof(&self) -> &ProofState {
        &self.0.proof
    }

    pub(crate) fn deciding(&self) -> &DecidingState {
        &self.0.deciding
    }

    pub(crate) fn exports(&self) -> &ExportCache {
        &self.0.exports
    }

    pub(crate) fn lint_provider(&self) -> Option<&dyn LintProvider> {
        self.0.options.lint_provider.as_deref()
    }

    pub(crate) fn provider_client(&self) -> Option<&Arc<dyn ProviderClient>> {
        self.0.options.provider_client.as_ref()
    }

    pub fn outbound_policy(&self) -> &OutboundPolicy {
        &self.0.options.outbound_policy
    }

    pub fn mail(&self) -> Option<&Mail> {
        self.0.options.mail.as_ref()
    }

    pub(crate) fn delivery_schedule(&self) -> &Schedule {
        &self.0.options.delivery_schedule
    }

    /// Returns the origin of the first tree of the transparency log.
    pub(crate) fn log_origin(&self) -> &str {
        self.0.options.log_origin.as_deref().unwrap_or(transparency_log::ORIGIN)
    }

    /// Returns the number of open event streams in this process.
    pub fn streams_open(&self) -> usize {
        self.deciding().streams.count()
    }

    pub(crate) fn emit(&self, observed: Observed) {
        self.0.options.observer.emit(observed);
    }

    /// Returns the source of spans.
    pub fn tracer(&self) -> &Tracer {
        &self.0.options.tracer
    }

    fn operation(&self, caller: Caller, correlation_id: CorrelationId) -> Cx {
        Cx { caller, now: self.clock().now(), correlation_id, governance: self.clone() }
    }

    /// Returns the connections to the primary, or to the replica in a handle of [`Governance::read`].
    pub(crate) fn database(&self) -> &DatabaseConnection {
        self.1.as_ref().map_or(&self.0.base.database, |replica| &replica.pool)
    }

    pub(crate) fn replica(&self) -> Option<&Replica> {
        self.0.options.replica.as_ref()
    }

    /// Returns a handle whose database is the replica.
    pub(crate) fn with_replica(&self, replica: Arc<CheckedReplica>) -> Self {
        Self(Arc::clone(&self.0), Some(replica))
    }

    pub fn clock(&self) -> &Clock {
        &self.0.base.clock
    }

    pub fn entropy(&self) -> &Entropy {
        &self.0.base.entropy
    }

    pub(crate) fn pepper(&self) -> &Pepper {
        &self.0.base.pepper
    }

    /// Returns the signing keys of this process; `None` when signing is not configured.
    pub fn keys(&self) -> Option<&KeySet> {
        self.0.proof.keys.as_ref()
    }

    /// Returns the key that signs receipts, links, seals and manifests.
    pub(crate) fn signer(&self) -> Option<&ServiceKey> {
        self.keys().map(KeySet::receipts)
    }

    pub(crate) fn approval_signer(&self) -> Option<&ServiceKey> {
        self.keys().map(KeySet::approvals)
    }

    /// Returns the ID of the key that signs approvals; `None` when signing is not configured.
    pub fn approval_key_id(&self) -> Option<&str> {
        self.approval_signer().map(ServiceKey::kid)
    }

    pub(crate) fn grant_signer(&self) -> Option<&ServiceKey> {
        self.keys().map(KeySet::grants)
    }

    /// Waits for background tasks of requests that were already answered, such as writing the audit
    /// events of failed sign-ins.
    pub async fn finish_background(&self) {
        self.base().background.finish().await;
    }
}
