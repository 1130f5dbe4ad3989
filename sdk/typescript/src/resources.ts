// Generated from /openapi.json by scripts/generate.mjs. Do not edit.

import type { AccountSetup, AcknowledgeRequest, AcknowledgeResponse, ActiveSessions, Alert, AlertPage, Analytics, ApiKey, ApiKeyCreated, ApiKeyDraft, AssignRequest, AuditItem, AuditRange, AuditReport, BatchRequest, Capability, CapabilityCarry, CapabilityCreated, CapabilityDraft, Chain, ChainSeal, ChainVerification, CodeExchange, Comment, CommentDraft, DecisionOutcome, DecisionRecord, DeliveryStats, EvaluateBatchResponse, EvaluateRequest, EvaluateResponse, Form, FormContract, FormDraft, FormPatch, FormSchema, FormSubmission, FormSubmissionResult, FormToken, FormTokenDraft, GroupDraft, GroupPatch, Health, IdentityProvider, IdentityProviderDraft, IdentityProviderPatch, IdentityProviderTest, Invitation, KeySurrender, Member, MemberPatch, Membership, OutcomeRequest, PageApiKey, PageAuditItem, PageCapability, PageChain, PageComment, PageDecisionRecord, PageForm, PageIdentityProvider, PageMember, PagePolicy, PagePolicyGroup, PagePolicyVersion, PageReviewSubmission, PageTenant, PageWebhookDelivery, PageWebhookSubscription, Passkey, PasskeyCreated, PasskeyDraft, PasskeyOptions, PasskeyOptionsRequest, PasskeyPatch, PasskeySignIn, PasswordChange, PendingInvitations, PendingWork, Policy, PolicyApproval, PolicyCreated, PolicyDraft, PolicyGroup, PolicyPatch, PolicySnapshot, PolicyVersion, Ratification, Readiness, ReasonBody, ReauthenticationRequest, Receipt, RecordRequest, RecordResponse, RecoveryCodes, RedriveRequest, RedriveResult, Replay, ResetRequest, ReviewDraft, ReviewRecord, ReviewSubmission, SealRequest, SecondFactorRequest, SecondFactors, Session, Settings, SettingsPatch, SignInRequest, SnoozeRequest, SubscriptionCreated, SubscriptionDraft, SupersedeDraft, Superseded, Tenant, TenantDraft, TotpConfirmation, TotpSetup, User, UserCreated, UserDraft, VersionDiff, VersionDraft, VersionPatch, WebhookDelivery, WebhookSubscription, operations } from './openapi.js';
import { Pager } from './pager.js';
import { jsonLines, streamDecisions, type StreamedDecision, type StreamOptions } from './stream.js';
import { bytes, headerPassword, json, nothing, path, text, tilePath, type RequestOptions, type Transport, unread, withIdempotencyKey } from './transport.js';

/** A body whose idempotency key is optional: the client generates one if it is absent. */
export type OptionalKey<Body> = Body extends { idempotency_key?: string | null }
  ? Omit<Body, 'idempotency_key'> & { idempotency_key?: string }
  : never;

export class TrustResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Read the public signing keys as a JSON Web Key Set.
   *
   * Contains active and retired keys, but no revoked ones. Deprecated: the trust registry replaces it, and
   * also lists the purpose and the validity period of each key.
   *
   * No authentication is required.
   *
   * `GET /v1/.well-known/signing-keys`
   */
  signingKeys(options?: RequestOptions): Promise<Record<string, any>> {
    return this.transport.send('GET', path`/v1/.well-known/signing-keys`, json, { options });
  }

  /**
   * Read a version of the trust registry.
   *
   * Returns the newest version, or the one that `version` selects. The response is an envelope that root keys
   * of the service signed. It lists the keys of the service with their purposes, validity periods and status.
   * An issued version never changes. `govern trust show` lists the root keys to pin.
   *
   * No authentication is required.
   *
   * `GET /v1/.well-known/trust-registry`
   */
  registry(query: NonNullable<operations['getWellKnownTrustRegistry']['parameters']['query']> = {}, options?: RequestOptions): Promise<Record<string, any>> {
    return this.transport.send('GET', path`/v1/.well-known/trust-registry`, json, { query, options });
  }
}

export class IdentityProvidersResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List identity providers, newest first.
   *
   * Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
   *
   * `GET /v1/admin/identity-providers`
   */
  list(query: NonNullable<operations['getAdminIdentityProviders']['parameters']['query']> = {}, options?: RequestOptions): Pager<IdentityProvider, PageIdentityProvider> {
    return new Pager((position) => this.transport.send('GET', path`/v1/admin/identity-providers`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Create an identity provider.
   *
   * Members sign in with it by `OpenID` Connect. The client secret is never returned. The change creates a
   * `governance_change` alert.
   *
   * Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
   *
   * `POST /v1/admin/identity-providers`
   */
  create(body: IdentityProviderDraft, options?: RequestOptions): Promise<IdentityProvider> {
    return this.transport.send('POST', path`/v1/admin/identity-providers`, json, { body, options });
  }

  /**
   * Delete an identity provider.
   *
   * The sessions that it started end. Accounts and memberships remain.
   *
   * Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
   *
   * `DELETE /v1/admin/identity-providers/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/v1/admin/identity-providers/${id}`, nothing, { options });
  }

  /**
   * Read an identity provider.
   *
   * Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
   *
   * `GET /v1/admin/identity-providers/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<IdentityProvider> {
    return this.transport.send('GET', path`/v1/admin/identity-providers/${id}`, json, { options });
  }

  /**
   * Change an identity provider. Absent members keep their values.
   *
   * Disabling it ends the sessions that it started. The change creates a `governance_change` alert.
   *
   * Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
   *
   * `PATCH /v1/admin/identity-providers/{id}`
   */
  update(id: string, body: IdentityProviderPatch, options?: RequestOptions): Promise<IdentityProvider> {
    return this.transport.send('PATCH', path`/v1/admin/identity-providers/${id}`, json, { body, options });
  }

  /**
   * Test an identity provider.
   *
   * Reads the configuration and the keys that the provider publishes. It changes nothing.
   *
   * Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
   *
   * `POST /v1/admin/identity-providers/{id}/test`
   */
  test(id: string, options?: RequestOptions): Promise<IdentityProviderTest> {
    return this.transport.send('POST', path`/v1/admin/identity-providers/${id}/test`, json, { body: {}, isRepeatable: true, options });
  }
}

export class MembersResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List the members of the tenant, newest first.
   *
   * API keys require the scope `members:read`. Users require a role with the same right.
   *
   * `GET /v1/admin/members`
   */
  list(query: NonNullable<operations['getAdminMembers']['parameters']['query']> = {}, options?: RequestOptions): Pager<Member, PageMember> {
    return new Pager((position) => this.transport.send('GET', path`/v1/admin/members`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Invite a user by `user_id` or by `email`.
   *
   * A member with status `invited` has no rights until the user accepts the invitation. An account that this
   * tenant created and that has a password becomes active immediately. If mail is configured, every address
   * that is unknown to the tenant is invited, whether or not it has an account elsewhere. Without mail, such
   * an address returns 404. An API key can invite viewers only.
   *
   * API keys require the scope `members:write`. Users require a role with the same right.
   *
   * `POST /v1/admin/members/invite`
   */
  invite(body: Invitation, options?: RequestOptions): Promise<Member> {
    return this.transport.send('POST', path`/v1/admin/members/invite`, json, { body, options });
  }

  /**
   * Remove a member from the tenant immediately.
   *
   * An API key can remove viewers only. The API keys that the user created, and the keys created with those,
   * are revoked in the same transaction, unless `keys_to` names another admin who takes them over. Keys of
   * authoring capabilities are always revoked, together with their capabilities.
   *
   * API keys require the scope `members:write`. Users require a role with the same right.
   *
   * `DELETE /v1/admin/members/{user_id}`
   */
  remove(userId: string, query: NonNullable<operations['deleteAdminMembersByUserId']['parameters']['query']> = {}, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/v1/admin/members/${userId}`, nothing, { query, options });
  }

  /**
   * Read a member.
   *
   * API keys require the scope `members:read`. Users require a role with the same right.
   *
   * `GET /v1/admin/members/{user_id}`
   */
  get(userId: string, options?: RequestOptions): Promise<Member> {
    return this.transport.send('GET', path`/v1/admin/members/${userId}`, json, { options });
  }

  /**
   * Change the role of a member.
   *
   * The new role applies from the next request on. This requires the session of an admin. A role with fewer
   * rights revokes the API keys that the user created, and the keys created with those, unless `keys_to` names
   * another admin who takes them over. Keys of authoring capabilities are always revoked, together with their
   * capabilities.
   *
   * Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
   *
   * `PATCH /v1/admin/members/{user_id}`
   */
  update(userId: string, body: MemberPatch, options?: RequestOptions): Promise<Member> {
    return this.transport.send('PATCH', path`/v1/admin/members/${userId}`, json, { body, options });
  }

  /**
   * Reset the second factors of a member.
   *
   * It removes all passkeys, the authenticator app and the recovery codes, and ends the sessions of the account. The
   * account must belong only to this tenant. This requires the session of an admin.
   *
   * Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
   *
   * `POST /v1/admin/members/{user_id}/reset-second-factors`
   */
  resetSecondFactors(userId: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('POST', path`/v1/admin/members/${userId}/reset-second-factors`, nothing, { body: {}, options });
  }
}

export class TenantsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List all tenants, newest first.
   *
   * API keys require the scope `tenants:provision`. Users require a role with the same right.
   *
   * `GET /v1/admin/tenants`
   */
  list(query: NonNullable<operations['getAdminTenants']['parameters']['query']> = {}, options?: RequestOptions): Pager<Tenant, PageTenant> {
    return new Pager((position) => this.transport.send('GET', path`/v1/admin/tenants`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Create a tenant.
   *
   * This requires an operator key with `tenants:provision`, and no tenant header.
   *
   * API keys require the scope `tenants:provision`. Users require a role with the same right.
   *
   * `POST /v1/admin/tenants`
   */
  create(body: TenantDraft, options?: RequestOptions): Promise<Tenant> {
    return this.transport.send('POST', path`/v1/admin/tenants`, json, { body, options });
  }
}

export class UsersResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Create an account that belongs to this tenant only, with a link to choose its password.
   *
   * The account is not a member yet; invite it next. If mail is configured, the link is mailed, and opening it
   * verifies the address. Other tenants can invite the account from then on. Without mail, the response
   * contains the link; only the session of an admin can request it. Repeating the request for an account of
   * this tenant without a password creates a new link and invalidates the previous one.
   *
   * Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
   *
   * `POST /v1/admin/users`
   */
  create(body: UserDraft, options?: RequestOptions): Promise<UserCreated> {
    return this.transport.send('POST', path`/v1/admin/users`, json, { body, options });
  }

  /**
   * Read an account that this tenant created.
   *
   * Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
   *
   * `GET /v1/admin/users/{user_id}`
   */
  get(userId: string, options?: RequestOptions): Promise<User> {
    return this.transport.send('GET', path`/v1/admin/users/${userId}`, json, { options });
  }
}

export class AlertsDeliveriesResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List webhook deliveries, newest first, without their attempts.
   *
   * API keys require the scope `alerts:read`. Users require a role with the same right.
   *
   * `GET /v1/alerts/deliveries`
   */
  list(query: NonNullable<operations['getAlertsDeliveries']['parameters']['query']> = {}, options?: RequestOptions): Pager<WebhookDelivery, PageWebhookDelivery> {
    return new Pager((position) => this.transport.send('GET', path`/v1/alerts/deliveries`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Retry dead webhook deliveries.
   *
   * Retries all of them whose subscription is active, or only those of one subscription, or those queued since a given
   * time.
   *
   * API keys require the scope `alerts:write`. Users require a role with the same right.
   *
   * `POST /v1/alerts/deliveries/redrive`
   */
  redrive(body: RedriveRequest = {}, options?: RequestOptions): Promise<RedriveResult> {
    return this.transport.send('POST', path`/v1/alerts/deliveries/redrive`, json, { body, options });
  }

  /**
   * Count webhook deliveries by status, in total and per subscription.
   *
   * API keys require the scope `alerts:read`. Users require a role with the same right.
   *
   * `GET /v1/alerts/deliveries/stats`
   */
  stats(options?: RequestOptions): Promise<DeliveryStats> {
    return this.transport.send('GET', path`/v1/alerts/deliveries/stats`, json, { options });
  }

  /**
   * Read a webhook delivery with all attempts.
   *
   * API keys require the scope `alerts:read`. Users require a role with the same right.
   *
   * `GET /v1/alerts/deliveries/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<WebhookDelivery> {
    return this.transport.send('GET', path`/v1/alerts/deliveries/${id}`, json, { options });
  }

  /**
   * Retry a webhook delivery immediately.
   *
   * Its attempts are counted from the start.
   *
   * API keys require the scope `alerts:write`. Users require a role with the same right.
   *
   * `POST /v1/alerts/deliveries/{id}/retry`
   */
  retry(id: string, options?: RequestOptions): Promise<WebhookDelivery> {
    return this.transport.send('POST', path`/v1/alerts/deliveries/${id}/retry`, json, { body: {}, options });
  }
}

export class AlertsSubscriptionsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List webhook subscriptions, newest first.
   *
   * API keys require the scope `alerts:write`. Users require a role with the same right.
   *
   * `GET /v1/alerts/subscriptions`
   */
  list(query: NonNullable<operations['getAlertsSubscriptions']['parameters']['query']> = {}, options?: RequestOptions): Pager<WebhookSubscription, PageWebhookSubscription> {
    return new Pager((position) => this.transport.send('GET', path`/v1/alerts/subscriptions`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Create a webhook subscription.
   *
   * The secret is returned only once. The filters cannot be changed later.
   *
   * API keys require the scope `alerts:write`. Users require a role with the same right.
   *
   * `POST /v1/alerts/subscriptions`
   */
  create(body: SubscriptionDraft, options?: RequestOptions): Promise<SubscriptionCreated> {
    return this.transport.send('POST', path`/v1/alerts/subscriptions`, json, { body, options });
  }

  /**
   * Delete a webhook subscription.
   *
   * Pending deliveries are discarded.
   *
   * API keys require the scope `alerts:write`. Users require a role with the same right.
   *
   * `DELETE /v1/alerts/subscriptions/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/v1/alerts/subscriptions/${id}`, nothing, { options });
  }

  /**
   * Read a webhook subscription.
   *
   * API keys require the scope `alerts:write`. Users require a role with the same right.
   *
   * `GET /v1/alerts/subscriptions/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<WebhookSubscription> {
    return this.transport.send('GET', path`/v1/alerts/subscriptions/${id}`, json, { options });
  }

  /**
   * Send a test delivery to a webhook subscription.
   *
   * It ignores the filters of the subscription. Its alert has the type `test`.
   *
   * API keys require the scope `alerts:write`. Users require a role with the same right.
   *
   * `POST /v1/alerts/subscriptions/{id}/test`
   */
  test(id: string, options?: RequestOptions): Promise<WebhookDelivery> {
    return this.transport.send('POST', path`/v1/alerts/subscriptions/${id}/test`, json, { body: {}, options });
  }
}

export class AlertsResource {
  readonly deliveries: AlertsDeliveriesResource;
  readonly subscriptions: AlertsSubscriptionsResource;

  constructor(private readonly transport: Transport) {
    this.deliveries = new AlertsDeliveriesResource(transport);
    this.subscriptions = new AlertsSubscriptionsResource(transport);
  }

  /**
   * List alerts, newest first.
   *
   * API keys require the scope `alerts:read`. Users require a role with the same right.
   *
   * `GET /v1/alerts`
   */
  list(query: NonNullable<operations['getAlerts']['parameters']['query']> = {}, options?: RequestOptions): Pager<Alert, AlertPage> {
    return new Pager((position) => this.transport.send('GET', path`/v1/alerts`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Acknowledge up to 500 alerts.
   *
   * Alerts that do not exist are reported by ID. The others are acknowledged.
   *
   * API keys require the scope `alerts:write`. Users require a role with the same right.
   *
   * `POST /v1/alerts/acknowledge`
   */
  acknowledgeMany(body: AcknowledgeRequest, options?: RequestOptions): Promise<AcknowledgeResponse> {
    return this.transport.send('POST', path`/v1/alerts/acknowledge`, json, { body, options });
  }

  /**
   * Read an alert.
   *
   * API keys require the scope `alerts:read`. Users require a role with the same right.
   *
   * `GET /v1/alerts/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Alert> {
    return this.transport.send('GET', path`/v1/alerts/${id}`, json, { options });
  }

  /**
   * Acknowledge an alert.
   *
   * Acknowledging it again changes nothing and returns who acknowledged it first.
   *
   * API keys require the scope `alerts:write`. Users require a role with the same right.
   *
   * `POST /v1/alerts/{id}/acknowledge`
   */
  acknowledge(id: string, options?: RequestOptions): Promise<Alert> {
    return this.transport.send('POST', path`/v1/alerts/${id}/acknowledge`, json, { body: {}, options });
  }

  /**
   * Assign an alert.
   *
   * Without `user_id`, the alert is assigned to no one.
   *
   * API keys require the scope `alerts:write`. Users require a role with the same right.
   *
   * `POST /v1/alerts/{id}/assign`
   */
  assign(id: string, body: AssignRequest = {}, options?: RequestOptions): Promise<Alert> {
    return this.transport.send('POST', path`/v1/alerts/${id}/assign`, json, { body, options });
  }

  /**
   * Snooze an alert.
   *
   * Until the given time, the alert is not open. Without `until`, it is open again immediately.
   *
   * API keys require the scope `alerts:write`. Users require a role with the same right.
   *
   * `POST /v1/alerts/{id}/snooze`
   */
  snooze(id: string, body: SnoozeRequest = {}, options?: RequestOptions): Promise<Alert> {
    return this.transport.send('POST', path`/v1/alerts/${id}/snooze`, json, { body, options });
  }
}

export class ApiKeysResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List API keys, newest first, including revoked ones.
   *
   * API keys require the scope `api-keys:admin`. Users require a role with the same right.
   *
   * `GET /v1/api-keys`
   */
  list(query: NonNullable<operations['getApiKeys']['parameters']['query']> = {}, options?: RequestOptions): Pager<ApiKey, PageApiKey> {
    return new Pager((position) => this.transport.send('GET', path`/v1/api-keys`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Create an API key.
   *
   * The plaintext key is returned only once. An API key can create keys with a subset of its own scopes, which
   * expire no later than itself.
   *
   * API keys require the scope `api-keys:admin`. Users require a role with the same right.
   *
   * `POST /v1/api-keys`
   */
  create(body: ApiKeyDraft, options?: RequestOptions): Promise<ApiKeyCreated> {
    return this.transport.send('POST', path`/v1/api-keys`, json, { body, options });
  }

  /**
   * Revoke an API key immediately and permanently.
   *
   * Revoking it again changes nothing.
   *
   * API keys require the scope `api-keys:admin`. Users require a role with the same right.
   *
   * `DELETE /v1/api-keys/{id}`
   */
  revoke(id: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/v1/api-keys/${id}`, nothing, { options });
  }

  /**
   * Read an API key. A revoked key remains.
   *
   * API keys require the scope `api-keys:admin`. Users require a role with the same right.
   *
   * `GET /v1/api-keys/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<ApiKey> {
    return this.transport.send('GET', path`/v1/api-keys/${id}`, json, { options });
  }

  /**
   * Revoke an API key by its secret.
   *
   * Any key can be revoked by the program that has it, also without the scope `api-keys:admin`. The response is the same
   * for a key that is unknown, revoked or expired.
   *
   * No authentication is required.
   *
   * `POST /v1/cli/revoke`
   */
  revokeSecret(body: KeySurrender, options?: RequestOptions): Promise<void> {
    return this.transport.send('POST', path`/v1/cli/revoke`, nothing, { body, options });
  }

  /**
   * Exchange a one-time code of the console for an API key.
   *
   * A signed-in user allows the key on the page `/cli-login`, which returns the code. The key has the name, the scopes
   * and the expiry that the user chose, and acts for the user. A code can be used once, within a minute after a redirect
   * or five minutes after it was shown, and only with the verifier and the port of the program that requested it.
   *
   * No authentication is required.
   *
   * `POST /v1/cli/token`
   */
  exchangeCode(body: CodeExchange, options?: RequestOptions): Promise<ApiKeyCreated> {
    return this.transport.send('POST', path`/v1/cli/token`, json, { body, options });
  }
}

export class AuditLogResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List audit events, newest first.
   *
   * API keys require the scope `audit:read`. Users require a role with the same right.
   *
   * `GET /v1/audit-log`
   */
  list(query: NonNullable<operations['getAuditLog']['parameters']['query']> = {}, options?: RequestOptions): Pager<AuditItem, PageAuditItem> {
    return new Pager((position) => this.transport.send('GET', path`/v1/audit-log`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Verify the audit log.
   *
   * Checks the stored bytes: hashes, predecessors, sequence numbers, columns, checkpoints and the end of the
   * log. If the log was changed, the report shows the change, with status 200.
   *
   * API keys require the scope `audit:admin`. Users require a role with the same right.
   *
   * `POST /v1/audit-log/verify`
   */
  verify(body: AuditRange = {}, options?: RequestOptions): Promise<AuditReport> {
    return this.transport.send('POST', path`/v1/audit-log/verify`, json, { body, isRepeatable: true, options });
  }
}

export class CapabilitiesResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List authoring capabilities, newest first, including those carried over or revoked.
   *
   * API keys require the scope `policies:read`. Users require a role with the same right.
   *
   * `GET /v1/authoring-capabilities`
   */
  list(query: NonNullable<operations['getAuthoringCapabilities']['parameters']['query']> = {}, options?: RequestOptions): Pager<Capability, PageCapability> {
    return new Pager((position) => this.transport.send('GET', path`/v1/authoring-capabilities`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Issue an authoring capability to a new API key.
   *
   * The capability permits work on one version of a policy and nothing else. The plaintext key is returned
   * only once. While a capability with a writing action is live, its version can be set aside but not
   * superseded. `max_uses` counts writes only.
   *
   * Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
   *
   * `POST /v1/authoring-capabilities`
   */
  create(body: CapabilityDraft, options?: RequestOptions): Promise<CapabilityCreated> {
    return this.transport.send('POST', path`/v1/authoring-capabilities`, json, { body, options });
  }

  /**
   * Show the authoring capability of the calling key.
   *
   * Requires an API key with an authoring capability.
   *
   * `GET /v1/authoring-capabilities/current`
   */
  current(options?: RequestOptions): Promise<Capability> {
    return this.transport.send('GET', path`/v1/authoring-capabilities/current`, json, { options });
  }

  /**
   * List the review and activation work in the scope of the calling key's authoring capability.
   *
   * The scope is defined only by the signed grants. The response may be outdated: read the version again
   * before acting on it. Poll at most once per minute while something is pending, and every five minutes when
   * nothing changes.
   *
   * Requires an API key with an authoring capability for `policy.read` and `review.retrieve`.
   *
   * `GET /v1/authoring-capabilities/current/pending-work`
   */
  pendingWork(options?: RequestOptions): Promise<PendingWork> {
    return this.transport.send('GET', path`/v1/authoring-capabilities/current/pending-work`, json, { options });
  }

  /**
   * Revoke an authoring capability immediately and permanently.
   *
   * The capabilities that it was carried over to are revoked too. Revoking it again changes nothing.
   *
   * Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
   *
   * `DELETE /v1/authoring-capabilities/{id}`
   */
  revoke(id: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/v1/authoring-capabilities/${id}`, nothing, { options });
  }

  /**
   * Read an authoring capability.
   *
   * Includes its lineage of signed grants.
   *
   * API keys require the scope `policies:read`. Users require a role with the same right.
   *
   * `GET /v1/authoring-capabilities/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Capability> {
    return this.transport.send('GET', path`/v1/authoring-capabilities/${id}`, json, { options });
  }

  /**
   * Carry a live authoring capability over to a successor draft of the same policy.
   *
   * Creates a new grant for the same key with the same terms and the current use count.
   *
   * Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
   *
   * `POST /v1/authoring-capabilities/{id}/carry`
   */
  carry(id: string, body: CapabilityCarry, options?: RequestOptions): Promise<Capability> {
    return this.transport.send('POST', path`/v1/authoring-capabilities/${id}/carry`, json, { body, options });
  }
}

export class ChainsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List decision chains, newest first.
   *
   * API keys require the scope `decisions:read`. Users require a role with the same right.
   *
   * `GET /v1/chains`
   */
  list(query: NonNullable<operations['getChains']['parameters']['query']> = {}, options?: RequestOptions): Pager<Chain, PageChain> {
    return new Pager((position) => this.transport.send('GET', path`/v1/chains`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Export the verification bundle of a chain.
   *
   * Contains all links and receipts, and the seal if there is one. Returns an archive, or with `format=json`
   * the same files as one JSON object.
   *
   * No authentication is required.
   *
   * `GET /v1/chains/{chain_id}/bundle`
   */
  bundle(chainId: string, query: NonNullable<operations['getChainsBundle']['parameters']['query']> = {}, options?: RequestOptions): Promise<Uint8Array> {
    return this.transport.send('GET', path`/v1/chains/${chainId}/bundle`, bytes, { query, options });
  }

  /**
   * Read the public seal of a chain.
   *
   * Returns 404 while the chain is open.
   *
   * No authentication is required.
   *
   * `GET /v1/chains/{chain_id}/seal`
   */
  getSeal(chainId: string, query: NonNullable<operations['getChainsSeal']['parameters']['query']> = {}, options?: RequestOptions): Promise<ChainSeal> {
    return this.transport.send('GET', path`/v1/chains/${chainId}/seal`, json, { query, options });
  }

  /**
   * Seal a decision chain.
   *
   * A sealed chain accepts no further steps. Sealing it again returns the same seal. A chain that fails
   * verification is not sealed.
   *
   * API keys require the scope `decisions:write`. Users require a role with the same right.
   *
   * `POST /v1/chains/{chain_id}/seal`
   */
  seal(chainId: string, options?: RequestOptions): Promise<ChainSeal> {
    return this.transport.send('POST', path`/v1/chains/${chainId}/seal`, json, { body: {}, options });
  }

  /**
   * Verify a chain from its stored bytes.
   *
   * Checks every link, every receipt in the chain, and the seal. `problems` lists failures of the claim
   * `chain_proofs` of a verification bundle; `warnings` do not indicate tampering. The same links can be
   * verified offline.
   *
   * No authentication is required.
   *
   * `GET /v1/chains/{chain_id}/verify`
   */
  verify(chainId: string, options?: RequestOptions): Promise<ChainVerification> {
    return this.transport.send('GET', path`/v1/chains/${chainId}/verify`, json, { options });
  }
}

export class DecisionsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List recorded decisions, newest first.
   *
   * The decisions of one chain are listed by step, the first step first.
   *
   * API keys require the scope `decisions:read`. Users require a role with the same right.
   *
   * `GET /v1/decisions`
   */
  list(query: NonNullable<operations['getDecisions']['parameters']['query']> = {}, options?: RequestOptions): Pager<DecisionRecord, PageDecisionRecord> {
    return new Pager((position) => this.transport.send('GET', path`/v1/decisions`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Evaluate a context without recording a decision.
   *
   * API keys require the scope `decisions:evaluate`. Users require a role with the same right.
   *
   * `POST /v1/decisions/evaluate`
   */
  evaluate(body: EvaluateRequest, options?: RequestOptions): Promise<EvaluateResponse> {
    return this.transport.send('POST', path`/v1/decisions/evaluate`, json, { body, isRepeatable: true, options });
  }

  /**
   * Evaluate up to 100 contexts against the same policies without recording decisions.
   *
   * Each context counts as one request of the rate limit.
   *
   * An invalid body is rejected as a whole, with one error for each invalid value. A context without an active
   * policy has an `error` as its result.
   *
   * API keys require the scope `decisions:evaluate`. Users require a role with the same right.
   *
   * `POST /v1/decisions/evaluate-batch`
   */
  evaluateBatch(body: BatchRequest, options?: RequestOptions): Promise<EvaluateBatchResponse> {
    return this.transport.send('POST', path`/v1/decisions/evaluate-batch`, json, { body, isRepeatable: true, options });
  }

  /**
   * Export the recorded decisions of a time range.
   *
   * Decisions are sorted newest first, and those of one chain by step. The body is chunked. A response that
   * ends without its last chunk is incomplete; repeat the request. This happens if the database becomes
   * unavailable, or if the key is revoked or the user removed during the export. In CSV, a cell that begins
   * with `=`, `+`, `-`, `@`, a tab or a carriage return is prefixed with `'`, so that spreadsheets do not
   * interpret it as a formula.
   *
   * API keys require the scope `decisions:read`. Users require a role with the same right.
   *
   * `GET /v1/decisions/export`
   */
  async *export(query: Omit<operations['getDecisionsExport']['parameters']['query'], 'format'>, options?: RequestOptions): AsyncGenerator<DecisionRecord, void, undefined> {
    const response = await this.transport.send('GET', path`/v1/decisions/export`, unread, { query, options });
    yield* jsonLines<DecisionRecord>(response, this.transport.timeoutMs(options), options?.signal);
  }

  /**
   * Evaluate a context and record the decision, exactly once per idempotency key.
   *
   * API keys require the scope `decisions:write`. Users require a role with the same right.
   *
   * `POST /v1/decisions/record`
   */
  record(body: OptionalKey<RecordRequest>, options?: RequestOptions): Promise<RecordResponse> {
    return this.transport.send('POST', path`/v1/decisions/record`, json, { body: withIdempotencyKey(body), isRepeatable: true, options });
  }

  /**
   * Stream decisions as they are recorded.
   *
   * Server-sent events, in the order in which the tenant recorded the decisions, each exactly once. The `id`
   * of an event is opaque. A client that reconnects within an hour with the last ID in `Last-Event-ID`
   * continues after that event. IDs are also sent without an event, at the start and with the comment that is
   * sent every 15 seconds. The stream ends if the key is revoked, the user signs out or the service stops, and
   * if 256 events are buffered for a client that does not read. A key can have 20 open streams per process.
   *
   * API keys require the scope `decisions:read`. Users require a role with the same right.
   *
   * `GET /v1/decisions/stream`
   */
  stream(query: NonNullable<operations['getDecisionsStream']['parameters']['query']> = {}, options: StreamOptions = {}): AsyncGenerator<StreamedDecision, void, undefined> {
    const open = (lastEventId: string | undefined) =>
      this.transport.send('GET', path`/v1/decisions/stream`, unread, {
        query,
        headers: { 'last-event-id': lastEventId || undefined }, // an empty ID is none
        options: { signal: options.signal },
      });
    return streamDecisions(this.transport, open, options);
  }

  /**
   * Read a recorded decision.
   *
   * Includes its outcome, if one was recorded.
   *
   * API keys require the scope `decisions:read`. Users require a role with the same right.
   *
   * `GET /v1/decisions/{id}`
   */
  get(id: string, query: NonNullable<operations['getDecisionsById']['parameters']['query']> = {}, options?: RequestOptions): Promise<DecisionRecord> {
    return this.transport.send('GET', path`/v1/decisions/${id}`, json, { query, options });
  }

  /**
   * Record the outcome of a decision.
   *
   * An outcome cannot be changed.
   *
   * API keys require the scope `decisions:write`. Users require a role with the same right.
   *
   * `POST /v1/decisions/{id}/outcome`
   */
  recordOutcome(id: string, body: OutcomeRequest, options?: RequestOptions): Promise<DecisionOutcome> {
    return this.transport.send('POST', path`/v1/decisions/${id}/outcome`, json, { body, options });
  }

  /**
   * Evaluate a recorded decision again and compare the results.
   *
   * The stored context is evaluated against the stored snapshot with the recorded time, independent of the
   * current policies. Nothing is recorded.
   *
   * API keys require the scope `decisions:read`. Users require a role with the same right.
   *
   * `POST /v1/decisions/{id}/replay`
   */
  replay(id: string, options?: RequestOptions): Promise<Replay> {
    return this.transport.send('POST', path`/v1/decisions/${id}/replay`, json, { body: {}, isRepeatable: true, options });
  }
}

export class FormsTokensResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Create a token for a form with access mode `token`.
   *
   * The token is returned only once.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `POST /v1/forms/{form_id}/tokens`
   */
  create(formId: string, body: FormTokenDraft = {}, options?: RequestOptions): Promise<FormToken> {
    return this.transport.send('POST', path`/v1/forms/${formId}/tokens`, json, { body, options });
  }

  /**
   * Revoke a form token immediately and permanently.
   *
   * Revoking it again changes nothing.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `DELETE /v1/forms/{form_id}/tokens/{token_id}`
   */
  revoke(formId: string, tokenId: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/v1/forms/${formId}/tokens/${tokenId}`, nothing, { options });
  }
}

export class FormsResource {
  readonly tokens: FormsTokensResource;

  constructor(private readonly transport: Transport) {
    this.tokens = new FormsTokensResource(transport);
  }

  /**
   * List forms, newest first.
   *
   * API keys require the scope `policies:read`. Users require a role with the same right.
   *
   * `GET /v1/forms`
   */
  list(query: NonNullable<operations['getForms']['parameters']['query']> = {}, options?: RequestOptions): Pager<Form, PageForm> {
    return new Pager((position) => this.transport.send('GET', path`/v1/forms`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Create a form.
   *
   * Without `fields`, the fields are derived from the active rules of its policy.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `POST /v1/forms`
   */
  create(body: FormDraft, options?: RequestOptions): Promise<Form> {
    return this.transport.send('POST', path`/v1/forms`, json, { body, options });
  }

  /**
   * Delete a form with its tokens.
   *
   * Its decisions are not deleted.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `DELETE /v1/forms/{form_id}`
   */
  delete(formId: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/v1/forms/${formId}`, nothing, { options });
  }

  /**
   * Read a form.
   *
   * API keys require the scope `policies:read`. Users require a role with the same right.
   *
   * `GET /v1/forms/{form_id}`
   */
  get(formId: string, options?: RequestOptions): Promise<Form> {
    return this.transport.send('GET', path`/v1/forms/${formId}`, json, { options });
  }

  /**
   * Change, publish or unpublish a form.
   *
   * `is_published` publishes and unpublishes it.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `PATCH /v1/forms/{form_id}`
   */
  update(formId: string, body: FormPatch, options?: RequestOptions): Promise<Form> {
    return this.transport.send('PATCH', path`/v1/forms/${formId}`, json, { body, options });
  }

  /**
   * Read the API contract of a published form, for programs that submit to it.
   *
   * Returns the schema, an `OpenAPI` document and runnable examples.
   *
   * No authentication is required.
   *
   * `GET /v1/forms/{form_id}/api-contract`
   */
  apiContract(formId: string, query: NonNullable<operations['getFormsApiContract']['parameters']['query']> = {}, password?: string, options?: RequestOptions): Promise<FormContract> {
    return this.transport.send('GET', path`/v1/forms/${formId}/api-contract`, json, { query, headers: { 'x-form-password': headerPassword(password) }, options });
  }

  /**
   * Read the receipt of a submission of a published form.
   *
   * No authentication is required.
   *
   * `GET /v1/forms/{form_id}/receipts/{decision_id}`
   */
  receipt(formId: string, decisionId: string, query: NonNullable<operations['getFormsReceiptsByDecisionId']['parameters']['query']> = {}, options?: RequestOptions): Promise<Receipt> {
    return this.transport.send('GET', path`/v1/forms/${formId}/receipts/${decisionId}`, json, { query, options });
  }

  /**
   * Read a published form as a JSON Schema.
   *
   * No authentication is required.
   *
   * `GET /v1/forms/{form_id}/schema`
   */
  schema(formId: string, query: NonNullable<operations['getFormsSchema']['parameters']['query']> = {}, password?: string, options?: RequestOptions): Promise<FormSchema> {
    return this.transport.send('GET', path`/v1/forms/${formId}/schema`, json, { query, headers: { 'x-form-password': headerPassword(password) }, options });
  }

  /**
   * Submit a published form.
   *
   * The submission is evaluated, recorded and signed as a decision. Repeating a request with the same
   * `idempotency_key` returns the same result and does not use the budget. The maximum size is 256 KiB.
   *
   * No authentication is required.
   *
   * `POST /v1/forms/{form_id}/submit`
   */
  submit(formId: string, body: OptionalKey<FormSubmission>, options?: RequestOptions): Promise<FormSubmissionResult> {
    return this.transport.send('POST', path`/v1/forms/${formId}/submit`, json, { body: withIdempotencyKey(body), isRepeatable: true, options });
  }
}

export class ServiceResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Check whether the process is alive, without using the database.
   *
   * No authentication is required.
   *
   * `GET /v1/health`
   */
  health(options?: RequestOptions): Promise<Health> {
    return this.transport.send('GET', path`/v1/health`, json, { options });
  }

  /**
   * Check whether the process can serve requests.
   *
   * No authentication is required.
   *
   * `GET /v1/ready`
   */
  ready(options?: RequestOptions): Promise<Readiness> {
    return this.transport.send('GET', path`/v1/ready`, json, { options });
  }
}

export class LogResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Read the latest checkpoint of the transparency log.
   *
   * The checkpoint contains the number of entries, the root hash and a signature. It is a C2SP signed note.
   * Its first line is the origin of the log, under which the key of the log is listed.
   *
   * No authentication is required.
   *
   * `GET /v1/log/checkpoint`
   */
  checkpoint(options?: RequestOptions): Promise<string> {
    return this.transport.send('GET', path`/v1/log/checkpoint`, text, { options });
  }

  /**
   * Read the latest checkpoint that was submitted to Rekor, with its proof.
   *
   * Returns a `govern-rekor-proof/v1` object: the submitted `note`, the Rekor entry with its SHA-256 (`body`,
   * base64), the number of the entry in the tree of the instance (`log_index`), the `hashes` of its inclusion
   * proof, and the signed `checkpoint` of that tree.
   *
   * No authentication is required.
   *
   * `GET /v1/log/rekor`
   */
  rekor(options?: RequestOptions): Promise<Record<string, any>> {
    return this.transport.send('GET', path`/v1/log/rekor`, json, { options });
  }

  /**
   * Read a tile of the transparency log: 256 hashes of one level, or 256 entries.
   *
   * `<L>/<N>` contains the hashes `256 N` to `256 N + 255` of level `8 L`. `entries/<N>` contains the entries
   * with these numbers, each after its length in two bytes. `N` is written in groups of three digits, and all
   * groups but the last have the prefix `x`: `x001/234`. `.p/<W>` selects the first `W` elements of a tile
   * that is not full yet.
   *
   * No authentication is required.
   *
   * `GET /v1/log/tile/{path}`
   */
  tile(tile: string, options?: RequestOptions): Promise<Uint8Array> {
    return this.transport.send('GET', path`/v1/log/tile/`+tilePath(tile), bytes, { options });
  }
}

export class PoliciesVersionsCommentsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List the comments on a version, newest first.
   *
   * It contains the first entries of threads and their replies. Comments of review records are first entries.
   *
   * Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
   *
   * `GET /v1/policies/{id}/versions/{version}/comments`
   */
  list(id: string, version: number, query: NonNullable<operations['getPoliciesVersionsComments']['parameters']['query']> = {}, options?: RequestOptions): Pager<Comment, PageComment> {
    return new Pager((position) => this.transport.send('GET', path`/v1/policies/${id}/versions/${version}/comments`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Comment on a version, or reply to a comment.
   *
   * Threads have one level: a reply to a reply belongs to the same thread, and its `in_reply_to` is the first
   * entry. A comment can be written in any status of the version. It is not part of any signed statement.
   *
   * Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
   *
   * `POST /v1/policies/{id}/versions/{version}/comments`
   */
  create(id: string, version: number, body: CommentDraft, options?: RequestOptions): Promise<Comment> {
    return this.transport.send('POST', path`/v1/policies/${id}/versions/${version}/comments`, json, { body, options });
  }

  /**
   * Reopen the resolved thread of a comment.
   *
   * Reopening an open thread changes nothing.
   *
   * Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
   *
   * `POST /v1/policies/{id}/versions/{version}/comments/{comment_id}/reopen`
   */
  reopen(id: string, version: number, commentId: string, options?: RequestOptions): Promise<Comment> {
    return this.transport.send('POST', path`/v1/policies/${id}/versions/${version}/comments/${commentId}/reopen`, json, { body: {}, options });
  }

  /**
   * Resolve the thread of a comment.
   *
   * Resolving it again changes nothing and returns who resolved it first.
   *
   * Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
   *
   * `POST /v1/policies/{id}/versions/{version}/comments/{comment_id}/resolve`
   */
  resolve(id: string, version: number, commentId: string, options?: RequestOptions): Promise<Comment> {
    return this.transport.send('POST', path`/v1/policies/${id}/versions/${version}/comments/${commentId}/resolve`, json, { body: {}, options });
  }
}

export class PoliciesVersionsSubmissionsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List the review submissions of a version, newest first, with their review records.
   *
   * API keys require the scope `policies:read` or an authoring capability for `review.retrieve`. Users require a role with the same right.
   *
   * `GET /v1/policies/{id}/versions/{version}/submissions`
   */
  list(id: string, version: number, query: NonNullable<operations['getPoliciesVersionsSubmissions']['parameters']['query']> = {}, options?: RequestOptions): Pager<ReviewSubmission, PageReviewSubmission> {
    return new Pager((position) => this.transport.send('GET', path`/v1/policies/${id}/versions/${version}/submissions`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Record the verdict of a review: `ACCEPT` or `RETURN`, once per review submission.
   *
   * With maker-checker on, the user who sealed the submission cannot review it.
   *
   * Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
   *
   * `POST /v1/policies/{id}/versions/{version}/submissions/{submission_id}/records`
   */
  review(id: string, version: number, submissionId: string, body: ReviewDraft, options?: RequestOptions): Promise<ReviewRecord> {
    return this.transport.send('POST', path`/v1/policies/${id}/versions/${version}/submissions/${submissionId}/records`, json, { body, options });
  }
}

export class PoliciesVersionsResource {
  readonly comments: PoliciesVersionsCommentsResource;
  readonly submissions: PoliciesVersionsSubmissionsResource;

  constructor(private readonly transport: Transport) {
    this.comments = new PoliciesVersionsCommentsResource(transport);
    this.submissions = new PoliciesVersionsSubmissionsResource(transport);
  }

  /**
   * List the versions of a policy, newest first.
   *
   * Only a draft or a submitted version has its rules.
   *
   * API keys require the scope `policies:read`. Users require a role with the same right.
   *
   * `GET /v1/policies/{id}/versions`
   */
  list(id: string, query: NonNullable<operations['getPoliciesVersions']['parameters']['query']> = {}, options?: RequestOptions): Pager<PolicyVersion, PagePolicyVersion> {
    return new Pager((position) => this.transport.send('GET', path`/v1/policies/${id}/versions`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Create a draft.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `POST /v1/policies/{id}/versions`
   */
  create(id: string, body: VersionDraft, options?: RequestOptions): Promise<PolicyVersion> {
    return this.transport.send('POST', path`/v1/policies/${id}/versions`, json, { body, options });
  }

  /**
   * Delete a draft that was never sealed.
   *
   * This includes recalled and rejected drafts. The history stays in the audit log, and the version number is
   * not used again.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `DELETE /v1/policies/{id}/versions/{version}`
   */
  delete(id: string, version: number, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/v1/policies/${id}/versions/${version}`, nothing, { options });
  }

  /**
   * Read a version.
   *
   * API keys require the scope `policies:read` or an authoring capability for `policy.read`. Users require a role with the same right.
   *
   * `GET /v1/policies/{id}/versions/{version}`
   */
  get(id: string, version: number, options?: RequestOptions): Promise<PolicyVersion> {
    return this.transport.send('GET', path`/v1/policies/${id}/versions/${version}`, json, { options });
  }

  /**
   * Edit a draft in place.
   *
   * API keys require the scope `policies:write` or an authoring capability for `policy.draft.edit`. Users require a role with the same right.
   *
   * `PATCH /v1/policies/{id}/versions/{version}`
   */
  update(id: string, version: number, body: VersionPatch, options?: RequestOptions): Promise<PolicyVersion> {
    return this.transport.send('PATCH', path`/v1/policies/${id}/versions/${version}`, json, { body, options });
  }

  /**
   * Activate a ratified version.
   *
   * Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
   *
   * `POST /v1/policies/{id}/versions/{version}/activate`
   */
  activate(id: string, version: number, options?: RequestOptions): Promise<PolicyVersion> {
    return this.transport.send('POST', path`/v1/policies/${id}/versions/${version}/activate`, json, { body: {}, options });
  }

  /**
   * Show the signed approval of a ratified version.
   *
   * API keys require the scope `policies:read`. Users require a role with the same right.
   *
   * `GET /v1/policies/{id}/versions/{version}/approval`
   */
  approval(id: string, version: number, options?: RequestOptions): Promise<PolicyApproval> {
    return this.transport.send('GET', path`/v1/policies/${id}/versions/${version}/approval`, json, { options });
  }

  /**
   * Compare the rules of a version with those of another version.
   *
   * Without `against`, the other version is the active one, or else the preceding one. If there is none, all
   * rules are new.
   *
   * API keys require the scope `policies:read`. Users require a role with the same right.
   *
   * `GET /v1/policies/{id}/versions/{version}/diff`
   */
  diff(id: string, version: number, query: NonNullable<operations['getPoliciesVersionsDiff']['parameters']['query']> = {}, options?: RequestOptions): Promise<VersionDiff> {
    return this.transport.send('GET', path`/v1/policies/${id}/versions/${version}/diff`, json, { query, options });
  }

  /**
   * Ratify a submitted version, or a draft whose current revision a reviewer accepted.
   *
   * With maker-checker on, a user who helped create the version cannot ratify it, and a version with an
   * unknown maker cannot be ratified (`MAKER_UNKNOWN`). A revision for which a reviewer requested changes
   * cannot be ratified (`VERSION_RETURNED`). The approval is signed; `GET …/approval` returns it.
   *
   * Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
   *
   * `POST /v1/policies/{id}/versions/{version}/ratify`
   */
  ratify(id: string, version: number, body: Ratification, options?: RequestOptions): Promise<PolicyVersion> {
    return this.transport.send('POST', path`/v1/policies/${id}/versions/${version}/ratify`, json, { body, options });
  }

  /**
   * Recall a submitted version to draft.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `POST /v1/policies/{id}/versions/{version}/recall`
   */
  recall(id: string, version: number, options?: RequestOptions): Promise<PolicyVersion> {
    return this.transport.send('POST', path`/v1/policies/${id}/versions/${version}/recall`, json, { body: {}, options });
  }

  /**
   * Reject a submitted version and return it to draft.
   *
   * Creates a `governance_change` alert. API keys get `HUMAN_REQUIRED` while the setting `human_changes_only`
   * is on.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `POST /v1/policies/{id}/versions/{version}/reject`
   */
  reject(id: string, version: number, body: ReasonBody, options?: RequestOptions): Promise<PolicyVersion> {
    return this.transport.send('POST', path`/v1/policies/${id}/versions/${version}/reject`, json, { body, options });
  }

  /**
   * Seal the current revision of a version for review.
   *
   * A revision is sealed once: repeating the request returns the same submission with status 200. After a
   * reviewer has requested changes, the next submission must name that review record in `answers_record_id`.
   * This includes review records of drafts in the lineage.
   *
   * API keys require the scope `policies:write` or an authoring capability for `review.seal`. Users require a role with the same right.
   *
   * `POST /v1/policies/{id}/versions/{version}/seal`
   */
  seal(id: string, version: number, body: SealRequest = {}, options?: RequestOptions): Promise<ReviewSubmission> {
    return this.transport.send('POST', path`/v1/policies/${id}/versions/${version}/seal`, json, { body, options });
  }

  /**
   * Set aside a version that was never active.
   *
   * Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
   *
   * `POST /v1/policies/{id}/versions/{version}/set-aside`
   */
  setAside(id: string, version: number, body: ReasonBody, options?: RequestOptions): Promise<PolicyVersion> {
    return this.transport.send('POST', path`/v1/policies/${id}/versions/${version}/set-aside`, json, { body, options });
  }

  /**
   * Submit a draft for ratification.
   *
   * API keys require the scope `policies:write` or an authoring capability for `policy.submit`. Users require a role with the same right.
   *
   * `POST /v1/policies/{id}/versions/{version}/submit`
   */
  submit(id: string, version: number, options?: RequestOptions): Promise<PolicyVersion> {
    return this.transport.send('POST', path`/v1/policies/${id}/versions/${version}/submit`, json, { body: {}, options });
  }

  /**
   * Replace a draft with a new draft that corrects it.
   *
   * The replaced draft is retained as history.
   *
   * Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
   *
   * `POST /v1/policies/{id}/versions/{version}/supersede`
   */
  supersede(id: string, version: number, body: SupersedeDraft, options?: RequestOptions): Promise<Superseded> {
    return this.transport.send('POST', path`/v1/policies/${id}/versions/${version}/supersede`, json, { body, options });
  }
}

export class PoliciesResource {
  readonly versions: PoliciesVersionsResource;

  constructor(private readonly transport: Transport) {
    this.versions = new PoliciesVersionsResource(transport);
  }

  /**
   * List policies, newest first.
   *
   * API keys require the scope `policies:read`. Users require a role with the same right.
   *
   * `GET /v1/policies`
   */
  list(query: NonNullable<operations['getPolicies']['parameters']['query']> = {}, options?: RequestOptions): Pager<Policy, PagePolicy> {
    return new Pager((position) => this.transport.send('GET', path`/v1/policies`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Create a policy, and its first version if `rules` are present.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `POST /v1/policies`
   */
  create(body: PolicyDraft, options?: RequestOptions): Promise<PolicyCreated> {
    return this.transport.send('POST', path`/v1/policies`, json, { body, options });
  }

  /**
   * Delete a policy without a ratified version.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `DELETE /v1/policies/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/v1/policies/${id}`, nothing, { options });
  }

  /**
   * Read a policy.
   *
   * Includes the version that `version` selects.
   *
   * API keys require the scope `policies:read`. Users require a role with the same right.
   *
   * `GET /v1/policies/{id}`
   */
  get(id: string, query: NonNullable<operations['getPoliciesById']['parameters']['query']> = {}, options?: RequestOptions): Promise<Policy> {
    return this.transport.send('GET', path`/v1/policies/${id}`, json, { query, options });
  }

  /**
   * Change the settings of a policy, which are independent of its versions.
   *
   * Changes of `shadow_mode`, `decision_types`, `inheritable` and `policy_group_id` of an active policy affect
   * its verdicts. They require the session of a ratifier, or a key if the setting `human_changes_only` is off
   * (`HUMAN_REQUIRED`). Such a change creates a `governance_change` alert and applies from the next evaluation
   * on.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `PATCH /v1/policies/{id}`
   */
  update(id: string, body: PolicyPatch, options?: RequestOptions): Promise<Policy> {
    return this.transport.send('PATCH', path`/v1/policies/${id}`, json, { body, options });
  }

  /**
   * Read the analytics of a policy.
   *
   * Counts decisions by verdict over time, and the results of each rule.
   *
   * API keys require the scope `policies:read` and `decisions:read`. Users require a role with the same right.
   *
   * `GET /v1/policies/{id}/analytics`
   */
  analytics(id: string, query: NonNullable<operations['getPoliciesAnalytics']['parameters']['query']> = {}, options?: RequestOptions): Promise<Analytics> {
    return this.transport.send('GET', path`/v1/policies/${id}/analytics`, json, { query, options });
  }

  /**
   * Deactivate a policy.
   *
   * Creates a `governance_change` alert. API keys get `HUMAN_REQUIRED` while the setting `human_changes_only`
   * is on.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `POST /v1/policies/{id}/deactivate`
   */
  deactivate(id: string, body: ReasonBody, options?: RequestOptions): Promise<Policy> {
    return this.transport.send('POST', path`/v1/policies/${id}/deactivate`, json, { body, options });
  }

  /**
   * List the decisions that evaluated one version of a policy, newest first.
   *
   * API keys require the scope `policies:read` and `decisions:read`. Users require a role with the same right.
   *
   * `GET /v1/policies/{id}/decisions`
   */
  decisions(id: string, query: NonNullable<operations['getPoliciesDecisions']['parameters']['query']> = {}, options?: RequestOptions): Pager<DecisionRecord, PageDecisionRecord> {
    return new Pager((position) => this.transport.send('GET', path`/v1/policies/${id}/decisions`, json, { query: { ...query, ...position }, options }));
  }
}

export class PolicyGroupsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List policy groups, newest first.
   *
   * API keys require the scope `policies:read`. Users require a role with the same right.
   *
   * `GET /v1/policy-groups`
   */
  list(query: NonNullable<operations['getPolicyGroups']['parameters']['query']> = {}, options?: RequestOptions): Pager<PolicyGroup, PagePolicyGroup> {
    return new Pager((position) => this.transport.send('GET', path`/v1/policy-groups`, json, { query: { ...query, ...position }, options }));
  }

  /**
   * Create a policy group.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `POST /v1/policy-groups`
   */
  create(body: GroupDraft, options?: RequestOptions): Promise<PolicyGroup> {
    return this.transport.send('POST', path`/v1/policy-groups`, json, { body, options });
  }

  /**
   * Delete a policy group that has no policies.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `DELETE /v1/policy-groups/{id}`
   */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/v1/policy-groups/${id}`, nothing, { options });
  }

  /**
   * Read a policy group.
   *
   * API keys require the scope `policies:read`. Users require a role with the same right.
   *
   * `GET /v1/policy-groups/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<PolicyGroup> {
    return this.transport.send('GET', path`/v1/policy-groups/${id}`, json, { options });
  }

  /**
   * Change a policy group.
   *
   * A change of a group with active policies creates a `governance_change` alert. API keys get
   * `HUMAN_REQUIRED` for it while the setting `human_changes_only` is on.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `PATCH /v1/policy-groups/{id}`
   */
  update(id: string, body: GroupPatch, options?: RequestOptions): Promise<PolicyGroup> {
    return this.transport.send('PATCH', path`/v1/policy-groups/${id}`, json, { body, options });
  }

  /**
   * List the policies of a group, newest first.
   *
   * API keys require the scope `policies:read`. Users require a role with the same right.
   *
   * `GET /v1/policy-groups/{id}/policies`
   */
  policies(id: string, query: NonNullable<operations['getPolicyGroupsPolicies']['parameters']['query']> = {}, options?: RequestOptions): Pager<Policy, PagePolicy> {
    return new Pager((position) => this.transport.send('GET', path`/v1/policy-groups/${id}/policies`, json, { query: { ...query, ...position }, options }));
  }
}

export class ReceiptsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Read the public receipt of a decision.
   *
   * No authentication is required.
   *
   * `GET /v1/receipts/{decision_id}`
   */
  get(decisionId: string, query: NonNullable<operations['getReceiptsByDecisionId']['parameters']['query']> = {}, options?: RequestOptions): Promise<Receipt> {
    return this.transport.send('GET', path`/v1/receipts/${decisionId}`, json, { query, options });
  }

  /**
   * Export the verification bundle of a decision, with everything to verify it offline.
   *
   * Returns an archive, or with `format=json` the same files as one JSON object. `govern-verify` verifies
   * both; get the trusted keys from another source. The same decision returns the same bytes while its chain
   * and the trust registry do not change.
   *
   * No authentication is required.
   *
   * `GET /v1/receipts/{decision_id}/bundle`
   */
  bundle(decisionId: string, query: NonNullable<operations['getReceiptsBundle']['parameters']['query']> = {}, options?: RequestOptions): Promise<Uint8Array> {
    return this.transport.send('GET', path`/v1/receipts/${decisionId}/bundle`, bytes, { query, options });
  }
}

export class SessionInvitationsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List the invitations of the current user.
   *
   * No authentication is required.
   *
   * `GET /v1/session/invitations`
   */
  list(options?: RequestOptions): Promise<PendingInvitations> {
    return this.transport.send('GET', path`/v1/session/invitations`, json, { options });
  }

  /**
   * Accept the invitation of a tenant.
   *
   * The membership is effective from the next request on.
   *
   * No authentication is required.
   *
   * `POST /v1/session/invitations/{tenant_id}/accept`
   */
  accept(tenantId: string, options?: RequestOptions): Promise<Membership> {
    return this.transport.send('POST', path`/v1/session/invitations/${tenantId}/accept`, json, { body: {}, options });
  }

  /**
   * Decline the invitation of a tenant.
   *
   * No authentication is required.
   *
   * `POST /v1/session/invitations/{tenant_id}/decline`
   */
  decline(tenantId: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('POST', path`/v1/session/invitations/${tenantId}/decline`, nothing, { body: {}, options });
  }
}

export class SessionPasskeysResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Add a passkey to the account of the current user.
   *
   * All other sessions of the user end. With the first second factor, the response contains recovery codes.
   *
   * No authentication is required.
   *
   * `POST /v1/session/passkeys`
   */
  create(body: PasskeyDraft, options?: RequestOptions): Promise<PasskeyCreated> {
    return this.transport.send('POST', path`/v1/session/passkeys`, json, { body, options });
  }

  /**
   * Remove a passkey of the current user.
   *
   * All other sessions of the user end. With the last second factor, the recovery codes are removed too. `auth_method` of the
   * session no longer names the passkey; a session that began with the passkey alone ends.
   *
   * No authentication is required.
   *
   * `DELETE /v1/session/passkeys/{passkey_id}`
   */
  delete(passkeyId: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/v1/session/passkeys/${passkeyId}`, nothing, { options });
  }

  /**
   * Rename a passkey of the current user.
   *
   * No authentication is required.
   *
   * `PATCH /v1/session/passkeys/{passkey_id}`
   */
  update(passkeyId: string, body: PasskeyPatch, options?: RequestOptions): Promise<Passkey> {
    return this.transport.send('PATCH', path`/v1/session/passkeys/${passkeyId}`, json, { body, options });
  }

  /**
   * Create the options with which a browser creates a passkey.
   *
   * No authentication is required.
   *
   * `POST /v1/session/passkeys/options`
   */
  options(options?: RequestOptions): Promise<PasskeyOptions> {
    return this.transport.send('POST', path`/v1/session/passkeys/options`, json, { body: {}, isRepeatable: true, options });
  }
}

export class SessionTotpResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Remove the authenticator app of the current user.
   *
   * All other sessions of the user end. With the last second factor, the recovery codes are removed too. `auth_method` of the
   * session no longer names the app.
   *
   * No authentication is required.
   *
   * `DELETE /v1/session/totp`
   */
  delete(options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/v1/session/totp`, nothing, { options });
  }

  /**
   * Create the secret of an authenticator app.
   *
   * It has no effect until a code confirms it, and replaces an earlier secret that was not confirmed.
   *
   * No authentication is required.
   *
   * `POST /v1/session/totp`
   */
  setUp(options?: RequestOptions): Promise<TotpSetup> {
    return this.transport.send('POST', path`/v1/session/totp`, json, { body: {}, options });
  }

  /**
   * Confirm the secret of an authenticator app with a code.
   *
   * All other sessions of the user end. With the first second factor, the response contains recovery codes.
   *
   * No authentication is required.
   *
   * `POST /v1/session/totp/confirm`
   */
  confirm(body: TotpConfirmation, options?: RequestOptions): Promise<RecoveryCodes> {
    return this.transport.send('POST', path`/v1/session/totp/confirm`, json, { body, options });
  }
}

export class SessionResource {
  readonly invitations: SessionInvitationsResource;
  readonly passkeys: SessionPasskeysResource;
  readonly totp: SessionTotpResource;

  constructor(private readonly transport: Transport) {
    this.invitations = new SessionInvitationsResource(transport);
    this.passkeys = new SessionPasskeysResource(transport);
    this.totp = new SessionTotpResource(transport);
  }

  /**
   * Sign out.
   *
   * No authentication is required.
   *
   * `DELETE /v1/session`
   */
  signOut(options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/v1/session`, nothing, { options });
  }

  /**
   * Read the current session.
   *
   * No authentication is required.
   *
   * `GET /v1/session`
   */
  get(options?: RequestOptions): Promise<Session> {
    return this.transport.send('GET', path`/v1/session`, json, { options });
  }

  /**
   * Sign in.
   *
   * No authentication is required.
   *
   * `POST /v1/session`
   */
  signIn(body: SignInRequest, options?: RequestOptions): Promise<Session> {
    return this.transport.send('POST', path`/v1/session`, json, { body, options });
  }

  /**
   * Confirm the sign-in before a signing operation: with the password and the second factor of the account, or with a
   * passkey.
   *
   * No authentication is required.
   *
   * `POST /v1/session/confirm`
   */
  confirm(body: ReauthenticationRequest, options?: RequestOptions): Promise<Session> {
    return this.transport.send('POST', path`/v1/session/confirm`, json, { body, options });
  }

  /**
   * Sign in with a passkey, without a password.
   *
   * The passkey must verify its user, for example by a fingerprint or a PIN.
   *
   * No authentication is required.
   *
   * `POST /v1/session/passkey`
   */
  signInWithPasskey(body: PasskeySignIn, options?: RequestOptions): Promise<Session> {
    return this.transport.send('POST', path`/v1/session/passkey`, json, { body, options });
  }

  /**
   * Create the options with which a browser uses a passkey.
   *
   * The purpose `second_factor` needs a pending sign-in, and `confirm` a session.
   *
   * No authentication is required.
   *
   * `POST /v1/session/passkey-options`
   */
  passkeyOptions(body: PasskeyOptionsRequest, options?: RequestOptions): Promise<PasskeyOptions> {
    return this.transport.send('POST', path`/v1/session/passkey-options`, json, { body, isRepeatable: true, options });
  }

  /**
   * Change the password of the current user.
   *
   * All other sessions of the user end.
   *
   * No authentication is required.
   *
   * `POST /v1/session/password`
   */
  changePassword(body: PasswordChange, options?: RequestOptions): Promise<Session> {
    return this.transport.send('POST', path`/v1/session/password`, json, { body, options });
  }

  /**
   * Replace the recovery codes of the current user.
   *
   * All other sessions of the user end, and earlier codes become void.
   *
   * No authentication is required.
   *
   * `POST /v1/session/recovery-codes`
   */
  replaceRecoveryCodes(options?: RequestOptions): Promise<RecoveryCodes> {
    return this.transport.send('POST', path`/v1/session/recovery-codes`, json, { body: {}, options });
  }

  /**
   * Request a password reset by mail.
   *
   * The response is the same for every address, whether or not it has an account. Without mail, nothing is
   * sent.
   *
   * No authentication is required.
   *
   * `POST /v1/session/reset`
   */
  requestReset(body: ResetRequest, options?: RequestOptions): Promise<void> {
    return this.transport.send('POST', path`/v1/session/reset`, nothing, { body, options });
  }

  /**
   * Complete a sign-in with the second factor of the account.
   *
   * It follows `POST /v1/session` with the error `SECOND_FACTOR_MISSING`, within five minutes and with the cookie of that
   * response.
   *
   * No authentication is required.
   *
   * `POST /v1/session/second-factor`
   */
  finishSignIn(body: SecondFactorRequest, options?: RequestOptions): Promise<Session> {
    return this.transport.send('POST', path`/v1/session/second-factor`, json, { body, options });
  }

  /**
   * List the second factors of the current user.
   *
   * No authentication is required.
   *
   * `GET /v1/session/second-factors`
   */
  secondFactors(options?: RequestOptions): Promise<SecondFactors> {
    return this.transport.send('GET', path`/v1/session/second-factors`, json, { options });
  }

  /**
   * List the active sessions of the current user, most recently used first.
   *
   * No authentication is required.
   *
   * `GET /v1/session/sessions`
   */
  list(options?: RequestOptions): Promise<ActiveSessions> {
    return this.transport.send('GET', path`/v1/session/sessions`, json, { options });
  }

  /**
   * End a session of the current user.
   *
   * Ending the current session signs out.
   *
   * No authentication is required.
   *
   * `DELETE /v1/session/sessions/{session_id}`
   */
  revoke(sessionId: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/v1/session/sessions/${sessionId}`, nothing, { options });
  }

  /**
   * Choose a password with the token of a setup or reset link.
   *
   * A token can be used once. Sign in with the password next. All sessions of the account end. A mailed link
   * verifies the email address of the account. The first password of an account accepts the invitation of the
   * tenant that created it.
   *
   * No authentication is required.
   *
   * `POST /v1/session/setup`
   */
  setUp(body: AccountSetup, options?: RequestOptions): Promise<void> {
    return this.transport.send('POST', path`/v1/session/setup`, nothing, { body, options });
  }
}

export class SettingsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Read the settings.
   *
   * API keys require the scope `policies:read`. Users require a role with the same right.
   *
   * `GET /v1/settings`
   */
  get(options?: RequestOptions): Promise<Settings> {
    return this.transport.send('GET', path`/v1/settings`, json, { options });
  }

  /**
   * Change settings. Absent settings keep their values.
   *
   * This requires the session of an admin, or a key with `policies:write` while `human_changes_only` is off.
   * Only the session of an admin can change `human_changes_only` and `sign_in`. A change by a key, and a change by a user
   * that weakens a safeguard, creates a `governance_change` alert.
   *
   * API keys require the scope `policies:write`. Users require a role with the same right.
   *
   * `PATCH /v1/settings`
   */
  update(body: SettingsPatch, options?: RequestOptions): Promise<Settings> {
    return this.transport.send('PATCH', path`/v1/settings`, json, { body, options });
  }
}

export class SnapshotsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Read the policy snapshot of a decision, as it was hashed.
   *
   * API keys require the scope `policies:read`. Users require a role with the same right.
   *
   * `GET /v1/snapshots/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<PolicySnapshot> {
    return this.transport.send('GET', path`/v1/snapshots/${id}`, json, { options });
  }
}

/** All resources of the API. */
export class Resources {
  readonly trust: TrustResource;
  readonly identityProviders: IdentityProvidersResource;
  readonly members: MembersResource;
  readonly tenants: TenantsResource;
  readonly users: UsersResource;
  readonly alerts: AlertsResource;
  readonly apiKeys: ApiKeysResource;
  readonly auditLog: AuditLogResource;
  readonly capabilities: CapabilitiesResource;
  readonly chains: ChainsResource;
  readonly decisions: DecisionsResource;
  readonly forms: FormsResource;
  readonly service: ServiceResource;
  readonly log: LogResource;
  readonly policies: PoliciesResource;
  readonly policyGroups: PolicyGroupsResource;
  readonly receipts: ReceiptsResource;
  readonly session: SessionResource;
  readonly settings: SettingsResource;
  readonly snapshots: SnapshotsResource;

  constructor(transport: Transport) {
    this.trust = new TrustResource(transport);
    this.identityProviders = new IdentityProvidersResource(transport);
    this.members = new MembersResource(transport);
    this.tenants = new TenantsResource(transport);
    this.users = new UsersResource(transport);
    this.alerts = new AlertsResource(transport);
    this.apiKeys = new ApiKeysResource(transport);
    this.auditLog = new AuditLogResource(transport);
    this.capabilities = new CapabilitiesResource(transport);
    this.chains = new ChainsResource(transport);
    this.decisions = new DecisionsResource(transport);
    this.forms = new FormsResource(transport);
    this.service = new ServiceResource(transport);
    this.log = new LogResource(transport);
    this.policies = new PoliciesResource(transport);
    this.policyGroups = new PolicyGroupsResource(transport);
    this.receipts = new ReceiptsResource(transport);
    this.session = new SessionResource(transport);
    this.settings = new SettingsResource(transport);
    this.snapshots = new SnapshotsResource(transport);
  }
}
