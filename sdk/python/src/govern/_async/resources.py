# Generated from /openapi.json by scripts/generate.py. Do not edit.

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Literal

from .. import types
from .._request import OMIT, Omit, header_password, path, present, tile_path, with_idempotency_key
from .._streaming import StreamedDecision
from .pager import AsyncPager
from .streaming import stream_decisions, stream_json_lines
from .transport import AsyncTransport


class AsyncTrustResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def signing_keys(
        self,
    ) -> dict[str, Any]:
        """Read the public signing keys as a JSON Web Key Set.

        Contains active and retired keys, but no revoked ones. Deprecated: the trust registry replaces it, and
        also lists the purpose and the validity period of each key.

        No authentication is required.

        `GET /v1/.well-known/signing-keys`
        """
        return await self._transport.json("GET", path("/v1/.well-known/signing-keys"))

    async def registry(
        self,
        *,
        version: int | Omit = OMIT,
    ) -> dict[str, Any]:
        """Read a version of the trust registry.

        Returns the newest version, or the one that `version` selects. The response is an envelope that root keys
        of the service signed. It lists the keys of the service with their purposes, validity periods and status.
        An issued version never changes. `govern trust show` lists the root keys to pin.

        No authentication is required.

        `GET /v1/.well-known/trust-registry`
        """
        return await self._transport.json("GET", path("/v1/.well-known/trust-registry"), query=present({"version": version}))


class AsyncIdentityProvidersResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.IdentityProvider, types.PageIdentityProvider]:
        """List identity providers, newest first.

        Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.

        `GET /v1/admin/identity-providers`
        """
        return AsyncPager(self._transport, path("/v1/admin/identity-providers"), present({"limit": limit, "cursor": cursor}))

    async def create(
        self,
        *,
        client_id: str,
        issuer: str,
        name: str,
        client_secret: str | None | Omit = OMIT,
        default_role: Literal["viewer", "operator", "auditor", "author", "reviewer", "ratifier", "admin"] | None | Omit = OMIT,
        email_domains: Sequence[str] | None | Omit = OMIT,
        is_enabled: bool | None | Omit = OMIT,
        role_claim: str | None | Omit = OMIT,
        role_mapping: Sequence[types.RoleMappingDraft] | None | Omit = OMIT,
        scopes: Sequence[str] | None | Omit = OMIT,
        trusts_email_domains: bool | None | Omit = OMIT,
    ) -> types.IdentityProvider:
        """Create an identity provider.

        Members sign in with it by `OpenID` Connect. The client secret is never returned. The change creates a
        `governance_change` alert.

        Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.

        `POST /v1/admin/identity-providers`
        """
        return await self._transport.json("POST", path("/v1/admin/identity-providers"), body=present({"client_id": client_id, "client_secret": client_secret, "default_role": default_role, "email_domains": email_domains, "is_enabled": is_enabled, "issuer": issuer, "name": name, "role_claim": role_claim, "role_mapping": role_mapping, "scopes": scopes, "trusts_email_domains": trusts_email_domains}))

    async def delete(
        self,
        id: str,
        /,
    ) -> None:
        """Delete an identity provider.

        The sessions that it started end. Accounts and memberships remain.

        Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.

        `DELETE /v1/admin/identity-providers/{id}`
        """
        await self._transport.send("DELETE", path("/v1/admin/identity-providers/{id}", id=id))

    async def get(
        self,
        id: str,
        /,
    ) -> types.IdentityProvider:
        """Read an identity provider.

        Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.

        `GET /v1/admin/identity-providers/{id}`
        """
        return await self._transport.json("GET", path("/v1/admin/identity-providers/{id}", id=id))

    async def update(
        self,
        id: str,
        /,
        *,
        client_id: str | Omit = OMIT,
        client_secret: str | None | Omit = OMIT,
        default_role: Literal["viewer", "operator", "auditor", "author", "reviewer", "ratifier", "admin"] | None | Omit = OMIT,
        email_domains: Sequence[str] | Omit = OMIT,
        is_enabled: bool | Omit = OMIT,
        name: str | Omit = OMIT,
        role_claim: str | None | Omit = OMIT,
        role_mapping: Sequence[types.RoleMappingDraft] | Omit = OMIT,
        scopes: Sequence[str] | Omit = OMIT,
        trusts_email_domains: bool | Omit = OMIT,
    ) -> types.IdentityProvider:
        """Change an identity provider. Absent members keep their values.

        Disabling it ends the sessions that it started. The change creates a `governance_change` alert.

        Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.

        `PATCH /v1/admin/identity-providers/{id}`
        """
        return await self._transport.json("PATCH", path("/v1/admin/identity-providers/{id}", id=id), body=present({"client_id": client_id, "client_secret": client_secret, "default_role": default_role, "email_domains": email_domains, "is_enabled": is_enabled, "name": name, "role_claim": role_claim, "role_mapping": role_mapping, "scopes": scopes, "trusts_email_domains": trusts_email_domains}))

    async def test(
        self,
        id: str,
        /,
    ) -> types.IdentityProviderTest:
        """Test an identity provider.

        Reads the configuration and the keys that the provider publishes. It changes nothing.

        Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.

        `POST /v1/admin/identity-providers/{id}/test`
        """
        return await self._transport.json("POST", path("/v1/admin/identity-providers/{id}/test", id=id), body=present({}), is_repeatable=True)


class AsyncMembersResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.Member, types.PageMember]:
        """List the members of the tenant, newest first.

        API keys require the scope `members:read`. Users require a role with the same right.

        `GET /v1/admin/members`
        """
        return AsyncPager(self._transport, path("/v1/admin/members"), present({"limit": limit, "cursor": cursor}))

    async def invite(
        self,
        *,
        email: str | None | Omit = OMIT,
        role: Literal["viewer", "operator", "auditor", "author", "reviewer", "ratifier", "admin"] | None | Omit = OMIT,
        user_id: str | None | Omit = OMIT,
    ) -> types.Member:
        """Invite a user by `user_id` or by `email`.

        A member with status `invited` has no rights until the user accepts the invitation. An account that this
        tenant created and that has a password becomes active immediately. If mail is configured, every address
        that is unknown to the tenant is invited, whether or not it has an account elsewhere. Without mail, such
        an address returns 404. An API key can invite viewers only.

        API keys require the scope `members:write`. Users require a role with the same right.

        `POST /v1/admin/members/invite`
        """
        return await self._transport.json("POST", path("/v1/admin/members/invite"), body=present({"email": email, "role": role, "user_id": user_id}))

    async def remove(
        self,
        user_id: str,
        /,
        *,
        keys_to: str | Omit = OMIT,
    ) -> None:
        """Remove a member from the tenant immediately.

        An API key can remove viewers only. The API keys that the user created, and the keys created with those,
        are revoked in the same transaction, unless `keys_to` names another admin who takes them over. Keys of
        authoring capabilities are always revoked, together with their capabilities.

        API keys require the scope `members:write`. Users require a role with the same right.

        `DELETE /v1/admin/members/{user_id}`
        """
        await self._transport.send("DELETE", path("/v1/admin/members/{user_id}", user_id=user_id), query=present({"keys_to": keys_to}))

    async def get(
        self,
        user_id: str,
        /,
    ) -> types.Member:
        """Read a member.

        API keys require the scope `members:read`. Users require a role with the same right.

        `GET /v1/admin/members/{user_id}`
        """
        return await self._transport.json("GET", path("/v1/admin/members/{user_id}", user_id=user_id))

    async def update(
        self,
        user_id: str,
        /,
        *,
        role: Literal["viewer", "operator", "auditor", "author", "reviewer", "ratifier", "admin"],
        keys_to: str | Omit = OMIT,
    ) -> types.Member:
        """Change the role of a member.

        The new role applies from the next request on. This requires the session of an admin. A role with fewer
        rights revokes the API keys that the user created, and the keys created with those, unless `keys_to` names
        another admin who takes them over. Keys of authoring capabilities are always revoked, together with their
        capabilities.

        Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.

        `PATCH /v1/admin/members/{user_id}`
        """
        return await self._transport.json("PATCH", path("/v1/admin/members/{user_id}", user_id=user_id), body=present({"keys_to": keys_to, "role": role}))

    async def reset_second_factors(
        self,
        user_id: str,
        /,
    ) -> None:
        """Reset the second factors of a member.

        It removes all passkeys, the authenticator app and the recovery codes, and ends the sessions of the account. The
        account must belong only to this tenant. This requires the session of an admin.

        Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.

        `POST /v1/admin/members/{user_id}/reset-second-factors`
        """
        await self._transport.send("POST", path("/v1/admin/members/{user_id}/reset-second-factors", user_id=user_id), body=present({}))


class AsyncTenantsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.Tenant, types.PageTenant]:
        """List all tenants, newest first.

        API keys require the scope `tenants:provision`. Users require a role with the same right.

        `GET /v1/admin/tenants`
        """
        return AsyncPager(self._transport, path("/v1/admin/tenants"), present({"limit": limit, "cursor": cursor}))

    async def create(
        self,
        *,
        name: str,
        parent_tenant_id: str | None | Omit = OMIT,
    ) -> types.Tenant:
        """Create a tenant.

        This requires an operator key with `tenants:provision`, and no tenant header.

        API keys require the scope `tenants:provision`. Users require a role with the same right.

        `POST /v1/admin/tenants`
        """
        return await self._transport.json("POST", path("/v1/admin/tenants"), body=present({"name": name, "parent_tenant_id": parent_tenant_id}))


class AsyncUsersResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        display_name: str,
        email: str,
    ) -> types.UserCreated:
        """Create an account that belongs to this tenant only, with a link to choose its password.

        The account is not a member yet; invite it next. If mail is configured, the link is mailed, and opening it
        verifies the address. Other tenants can invite the account from then on. Without mail, the response
        contains the link; only the session of an admin can request it. Repeating the request for an account of
        this tenant without a password creates a new link and invalidates the previous one.

        Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.

        `POST /v1/admin/users`
        """
        return await self._transport.json("POST", path("/v1/admin/users"), body=present({"display_name": display_name, "email": email}))

    async def get(
        self,
        user_id: str,
        /,
    ) -> types.User:
        """Read an account that this tenant created.

        Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.

        `GET /v1/admin/users/{user_id}`
        """
        return await self._transport.json("GET", path("/v1/admin/users/{user_id}", user_id=user_id))


class AsyncAlertsDeliveriesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        status: Literal["pending", "delivered", "failed", "dead"] | Omit = OMIT,
        subscription_id: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.WebhookDelivery, types.PageWebhookDelivery]:
        """List webhook deliveries, newest first, without their attempts.

        API keys require the scope `alerts:read`. Users require a role with the same right.

        `GET /v1/alerts/deliveries`
        """
        return AsyncPager(self._transport, path("/v1/alerts/deliveries"), present({"status": status, "subscription_id": subscription_id, "limit": limit, "cursor": cursor}))

    async def redrive(
        self,
        *,
        since: str | None | Omit = OMIT,
        subscription_id: str | None | Omit = OMIT,
    ) -> types.RedriveResult:
        """Retry dead webhook deliveries.

        Retries all of them whose subscription is active, or only those of one subscription, or those queued since a given
        time.

        API keys require the scope `alerts:write`. Users require a role with the same right.

        `POST /v1/alerts/deliveries/redrive`
        """
        return await self._transport.json("POST", path("/v1/alerts/deliveries/redrive"), body=present({"since": since, "subscription_id": subscription_id}))

    async def stats(
        self,
    ) -> types.DeliveryStats:
        """Count webhook deliveries by status, in total and per subscription.

        API keys require the scope `alerts:read`. Users require a role with the same right.

        `GET /v1/alerts/deliveries/stats`
        """
        return await self._transport.json("GET", path("/v1/alerts/deliveries/stats"))

    async def get(
        self,
        id: str,
        /,
    ) -> types.WebhookDelivery:
        """Read a webhook delivery with all attempts.

        API keys require the scope `alerts:read`. Users require a role with the same right.

        `GET /v1/alerts/deliveries/{id}`
        """
        return await self._transport.json("GET", path("/v1/alerts/deliveries/{id}", id=id))

    async def retry(
        self,
        id: str,
        /,
    ) -> types.WebhookDelivery:
        """Retry a webhook delivery immediately.

        Its attempts are counted from the start.

        API keys require the scope `alerts:write`. Users require a role with the same right.

        `POST /v1/alerts/deliveries/{id}/retry`
        """
        return await self._transport.json("POST", path("/v1/alerts/deliveries/{id}/retry", id=id), body=present({}))


class AsyncAlertsSubscriptionsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.WebhookSubscription, types.PageWebhookSubscription]:
        """List webhook subscriptions, newest first.

        API keys require the scope `alerts:write`. Users require a role with the same right.

        `GET /v1/alerts/subscriptions`
        """
        return AsyncPager(self._transport, path("/v1/alerts/subscriptions"), present({"limit": limit, "cursor": cursor}))

    async def create(
        self,
        *,
        severity_min: Literal["low", "medium", "high", "critical"],
        url: str,
        decision_types: Sequence[str] | None | Omit = OMIT,
        envelope: Literal["govern", "cloudevents"] | None | Omit = OMIT,
    ) -> types.SubscriptionCreated:
        """Create a webhook subscription.

        The secret is returned only once. The filters cannot be changed later.

        API keys require the scope `alerts:write`. Users require a role with the same right.

        `POST /v1/alerts/subscriptions`
        """
        return await self._transport.json("POST", path("/v1/alerts/subscriptions"), body=present({"decision_types": decision_types, "envelope": envelope, "severity_min": severity_min, "url": url}))

    async def delete(
        self,
        id: str,
        /,
    ) -> None:
        """Delete a webhook subscription.

        Pending deliveries are discarded.

        API keys require the scope `alerts:write`. Users require a role with the same right.

        `DELETE /v1/alerts/subscriptions/{id}`
        """
        await self._transport.send("DELETE", path("/v1/alerts/subscriptions/{id}", id=id))

    async def get(
        self,
        id: str,
        /,
    ) -> types.WebhookSubscription:
        """Read a webhook subscription.

        API keys require the scope `alerts:write`. Users require a role with the same right.

        `GET /v1/alerts/subscriptions/{id}`
        """
        return await self._transport.json("GET", path("/v1/alerts/subscriptions/{id}", id=id))

    async def test(
        self,
        id: str,
        /,
    ) -> types.WebhookDelivery:
        """Send a test delivery to a webhook subscription.

        It ignores the filters of the subscription. Its alert has the type `test`.

        API keys require the scope `alerts:write`. Users require a role with the same right.

        `POST /v1/alerts/subscriptions/{id}/test`
        """
        return await self._transport.json("POST", path("/v1/alerts/subscriptions/{id}/test", id=id), body=present({}))


class AsyncAlertsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.deliveries = AsyncAlertsDeliveriesResource(transport)
        self.subscriptions = AsyncAlertsSubscriptionsResource(transport)

    def list(
        self,
        *,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        severity: Literal["low", "medium", "high", "critical"] | Omit = OMIT,
        status: Literal["open", "snoozed", "acknowledged"] | Omit = OMIT,
        alert_type: Literal["policy_violation", "shadow_violation", "governance_change", "webhook_dead"] | Omit = OMIT,
        rule_code: str | Omit = OMIT,
        assigned_to: str | Omit = OMIT,
    ) -> AsyncPager[types.Alert, types.AlertPage]:
        """List alerts, newest first.

        API keys require the scope `alerts:read`. Users require a role with the same right.

        `GET /v1/alerts`
        """
        return AsyncPager(self._transport, path("/v1/alerts"), present({"limit": limit, "offset": offset, "severity": severity, "status": status, "alert_type": alert_type, "rule_code": rule_code, "assigned_to": assigned_to}))

    async def acknowledge_many(
        self,
        *,
        ids: Sequence[str],
    ) -> types.AcknowledgeResponse:
        """Acknowledge up to 500 alerts.

        Alerts that do not exist are reported by ID. The others are acknowledged.

        API keys require the scope `alerts:write`. Users require a role with the same right.

        `POST /v1/alerts/acknowledge`
        """
        return await self._transport.json("POST", path("/v1/alerts/acknowledge"), body=present({"ids": ids}))

    async def get(
        self,
        id: str,
        /,
    ) -> types.Alert:
        """Read an alert.

        API keys require the scope `alerts:read`. Users require a role with the same right.

        `GET /v1/alerts/{id}`
        """
        return await self._transport.json("GET", path("/v1/alerts/{id}", id=id))

    async def acknowledge(
        self,
        id: str,
        /,
    ) -> types.Alert:
        """Acknowledge an alert.

        Acknowledging it again changes nothing and returns who acknowledged it first.

        API keys require the scope `alerts:write`. Users require a role with the same right.

        `POST /v1/alerts/{id}/acknowledge`
        """
        return await self._transport.json("POST", path("/v1/alerts/{id}/acknowledge", id=id), body=present({}))

    async def assign(
        self,
        id: str,
        /,
        *,
        user_id: str | None | Omit = OMIT,
    ) -> types.Alert:
        """Assign an alert.

        Without `user_id`, the alert is assigned to no one.

        API keys require the scope `alerts:write`. Users require a role with the same right.

        `POST /v1/alerts/{id}/assign`
        """
        return await self._transport.json("POST", path("/v1/alerts/{id}/assign", id=id), body=present({"user_id": user_id}))

    async def snooze(
        self,
        id: str,
        /,
        *,
        until: str | None | Omit = OMIT,
    ) -> types.Alert:
        """Snooze an alert.

        Until the given time, the alert is not open. Without `until`, it is open again immediately.

        API keys require the scope `alerts:write`. Users require a role with the same right.

        `POST /v1/alerts/{id}/snooze`
        """
        return await self._transport.json("POST", path("/v1/alerts/{id}/snooze", id=id), body=present({"until": until}))


class AsyncApiKeysResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.ApiKey, types.PageApiKey]:
        """List API keys, newest first, including revoked ones.

        API keys require the scope `api-keys:admin`. Users require a role with the same right.

        `GET /v1/api-keys`
        """
        return AsyncPager(self._transport, path("/v1/api-keys"), present({"limit": limit, "cursor": cursor}))

    async def create(
        self,
        *,
        name: str,
        scopes: Sequence[Literal["policies:read", "policies:write", "decisions:evaluate", "decisions:read", "decisions:write", "alerts:read", "alerts:write", "audit:read", "audit:admin", "members:read", "members:write", "api-keys:admin", "authoring:capability"]],
        expires_at: str | None | Omit = OMIT,
    ) -> types.ApiKeyCreated:
        """Create an API key.

        The plaintext key is returned only once. An API key can create keys with a subset of its own scopes, which
        expire no later than itself.

        API keys require the scope `api-keys:admin`. Users require a role with the same right.

        `POST /v1/api-keys`
        """
        return await self._transport.json("POST", path("/v1/api-keys"), body=present({"expires_at": expires_at, "name": name, "scopes": scopes}))

    async def revoke(
        self,
        id: str,
        /,
    ) -> None:
        """Revoke an API key immediately and permanently.

        Revoking it again changes nothing.

        API keys require the scope `api-keys:admin`. Users require a role with the same right.

        `DELETE /v1/api-keys/{id}`
        """
        await self._transport.send("DELETE", path("/v1/api-keys/{id}", id=id))

    async def get(
        self,
        id: str,
        /,
    ) -> types.ApiKey:
        """Read an API key. A revoked key remains.

        API keys require the scope `api-keys:admin`. Users require a role with the same right.

        `GET /v1/api-keys/{id}`
        """
        return await self._transport.json("GET", path("/v1/api-keys/{id}", id=id))

    async def revoke_secret(
        self,
        *,
        api_key: str,
    ) -> None:
        """Revoke an API key by its secret.

        Any key can be revoked by the program that has it, also without the scope `api-keys:admin`. The response is the same
        for a key that is unknown, revoked or expired.

        No authentication is required.

        `POST /v1/cli/revoke`
        """
        await self._transport.send("POST", path("/v1/cli/revoke"), body=present({"api_key": api_key}))

    async def exchange_code(
        self,
        *,
        code: str,
        code_verifier: str,
        port: int | None | Omit = OMIT,
    ) -> types.ApiKeyCreated:
        """Exchange a one-time code of the console for an API key.

        A signed-in user allows the key on the page `/cli-login`, which returns the code. The key has the name, the scopes
        and the expiry that the user chose, and acts for the user. A code can be used once, within a minute after a redirect
        or five minutes after it was shown, and only with the verifier and the port of the program that requested it.

        No authentication is required.

        `POST /v1/cli/token`
        """
        return await self._transport.json("POST", path("/v1/cli/token"), body=present({"code": code, "code_verifier": code_verifier, "port": port}))


class AsyncAuditLogResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        action: str | Omit = OMIT,
        actor_id: str | Omit = OMIT,
        actor_email: str | Omit = OMIT,
        object_type: str | Omit = OMIT,
        object_id: str | Omit = OMIT,
        from_: str | Omit = OMIT,
        to: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.AuditItem, types.PageAuditItem]:
        """List audit events, newest first.

        API keys require the scope `audit:read`. Users require a role with the same right.

        `GET /v1/audit-log`
        """
        return AsyncPager(self._transport, path("/v1/audit-log"), present({"action": action, "actor_id": actor_id, "actor_email": actor_email, "object_type": object_type, "object_id": object_id, "from": from_, "to": to, "limit": limit, "cursor": cursor}))

    async def verify(
        self,
        *,
        from_seq: int | None | Omit = OMIT,
        to_seq: int | None | Omit = OMIT,
    ) -> types.AuditReport:
        """Verify the audit log.

        Checks the stored bytes: hashes, predecessors, sequence numbers, columns, checkpoints and the end of the
        log. If the log was changed, the report shows the change, with status 200.

        API keys require the scope `audit:admin`. Users require a role with the same right.

        `POST /v1/audit-log/verify`
        """
        return await self._transport.json("POST", path("/v1/audit-log/verify"), body=present({"from_seq": from_seq, "to_seq": to_seq}), is_repeatable=True)


class AsyncCapabilitiesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.Capability, types.PageCapability]:
        """List authoring capabilities, newest first, including those carried over or revoked.

        API keys require the scope `policies:read`. Users require a role with the same right.

        `GET /v1/authoring-capabilities`
        """
        return AsyncPager(self._transport, path("/v1/authoring-capabilities"), present({"limit": limit, "cursor": cursor}))

    async def create(
        self,
        *,
        actions: Sequence[Literal["policy.draft.edit", "policy.read", "policy.submit", "review.retrieve", "review.seal"]],
        name: str,
        policy_id: str,
        version: int,
        expires_at: str | None | Omit = OMIT,
        max_uses: int | None | Omit = OMIT,
        not_before: str | None | Omit = OMIT,
    ) -> types.CapabilityCreated:
        """Issue an authoring capability to a new API key.

        The capability permits work on one version of a policy and nothing else. The plaintext key is returned
        only once. While a capability with a writing action is live, its version can be set aside but not
        superseded. `max_uses` counts writes only.

        Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.

        `POST /v1/authoring-capabilities`
        """
        return await self._transport.json("POST", path("/v1/authoring-capabilities"), body=present({"actions": actions, "expires_at": expires_at, "max_uses": max_uses, "name": name, "not_before": not_before, "policy_id": policy_id, "version": version}))

    async def current(
        self,
    ) -> types.Capability:
        """Show the authoring capability of the calling key.

        Requires an API key with an authoring capability.

        `GET /v1/authoring-capabilities/current`
        """
        return await self._transport.json("GET", path("/v1/authoring-capabilities/current"))

    async def pending_work(
        self,
    ) -> types.PendingWork:
        """List the review and activation work in the scope of the calling key's authoring capability.

        The scope is defined only by the signed grants. The response may be outdated: read the version again
        before acting on it. Poll at most once per minute while something is pending, and every five minutes when
        nothing changes.

        Requires an API key with an authoring capability for `policy.read` and `review.retrieve`.

        `GET /v1/authoring-capabilities/current/pending-work`
        """
        return await self._transport.json("GET", path("/v1/authoring-capabilities/current/pending-work"))

    async def revoke(
        self,
        id: str,
        /,
    ) -> None:
        """Revoke an authoring capability immediately and permanently.

        The capabilities that it was carried over to are revoked too. Revoking it again changes nothing.

        Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.

        `DELETE /v1/authoring-capabilities/{id}`
        """
        await self._transport.send("DELETE", path("/v1/authoring-capabilities/{id}", id=id))

    async def get(
        self,
        id: str,
        /,
    ) -> types.Capability:
        """Read an authoring capability.

        Includes its lineage of signed grants.

        API keys require the scope `policies:read`. Users require a role with the same right.

        `GET /v1/authoring-capabilities/{id}`
        """
        return await self._transport.json("GET", path("/v1/authoring-capabilities/{id}", id=id))

    async def carry(
        self,
        id: str,
        /,
        *,
        version: int,
    ) -> types.Capability:
        """Carry a live authoring capability over to a successor draft of the same policy.

        Creates a new grant for the same key with the same terms and the current use count.

        Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.

        `POST /v1/authoring-capabilities/{id}/carry`
        """
        return await self._transport.json("POST", path("/v1/authoring-capabilities/{id}/carry", id=id), body=present({"version": version}))


class AsyncChainsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        status: Literal["open", "sealed"] | Omit = OMIT,
        chain_id: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.Chain, types.PageChain]:
        """List decision chains, newest first.

        API keys require the scope `decisions:read`. Users require a role with the same right.

        `GET /v1/chains`
        """
        return AsyncPager(self._transport, path("/v1/chains"), present({"status": status, "chain_id": chain_id, "limit": limit, "cursor": cursor}))

    async def bundle(
        self,
        chain_id: str,
        /,
        *,
        format: Literal["tar", "json"] | Omit = OMIT,
    ) -> bytes:
        """Export the verification bundle of a chain.

        Contains all links and receipts, and the seal if there is one. Returns an archive, or with `format=json`
        the same files as one JSON object.

        No authentication is required.

        `GET /v1/chains/{chain_id}/bundle`
        """
        return await self._transport.bytes("GET", path("/v1/chains/{chain_id}/bundle", chain_id=chain_id), query=present({"format": format}))

    async def get_seal(
        self,
        chain_id: str,
        /,
        *,
        wait_for: Literal["anchor"] | Omit = OMIT,
    ) -> types.ChainSeal:
        """Read the public seal of a chain.

        Returns 404 while the chain is open.

        No authentication is required.

        `GET /v1/chains/{chain_id}/seal`
        """
        return await self._transport.json("GET", path("/v1/chains/{chain_id}/seal", chain_id=chain_id), query=present({"wait_for": wait_for}))

    async def seal(
        self,
        chain_id: str,
        /,
    ) -> types.ChainSeal:
        """Seal a decision chain.

        A sealed chain accepts no further steps. Sealing it again returns the same seal. A chain that fails
        verification is not sealed.

        API keys require the scope `decisions:write`. Users require a role with the same right.

        `POST /v1/chains/{chain_id}/seal`
        """
        return await self._transport.json("POST", path("/v1/chains/{chain_id}/seal", chain_id=chain_id), body=present({}))

    async def verify(
        self,
        chain_id: str,
        /,
    ) -> types.ChainVerification:
        """Verify a chain from its stored bytes.

        Checks every link, every receipt in the chain, and the seal. `problems` lists failures of the claim
        `chain_proofs` of a verification bundle; `warnings` do not indicate tampering. The same links can be
        verified offline.

        No authentication is required.

        `GET /v1/chains/{chain_id}/verify`
        """
        return await self._transport.json("GET", path("/v1/chains/{chain_id}/verify", chain_id=chain_id))


class AsyncDecisionsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        decision_type: str | Omit = OMIT,
        decision: Literal["ALLOW", "ALERT", "REVIEW", "DENY"] | Omit = OMIT,
        correlation_id: str | Omit = OMIT,
        chain_id: str | Omit = OMIT,
        idempotency_key: str | Omit = OMIT,
        policy_id: str | Omit = OMIT,
        rule_code: str | Omit = OMIT,
        actor_id: str | Omit = OMIT,
        severity: Literal["low", "medium", "high", "critical"] | Omit = OMIT,
        outcome: Literal["none", "accepted", "overridden", "escalated", "expired", "abandoned"] | Omit = OMIT,
        shadow_converted: bool | Omit = OMIT,
        recorded_from: str | Omit = OMIT,
        recorded_to: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.DecisionRecord, types.PageDecisionRecord]:
        """List recorded decisions, newest first.

        The decisions of one chain are listed by step, the first step first.

        API keys require the scope `decisions:read`. Users require a role with the same right.

        `GET /v1/decisions`
        """
        return AsyncPager(self._transport, path("/v1/decisions"), present({"decision_type": decision_type, "decision": decision, "correlation_id": correlation_id, "chain_id": chain_id, "idempotency_key": idempotency_key, "policy_id": policy_id, "rule_code": rule_code, "actor_id": actor_id, "severity": severity, "outcome": outcome, "shadow_converted": shadow_converted, "recorded_from": recorded_from, "recorded_to": recorded_to, "limit": limit, "cursor": cursor}))

    async def evaluate(
        self,
        *,
        context: types.DecisionContext,
        actor: types.ActorDraft | None | Omit = OMIT,
        explain: bool | None | Omit = OMIT,
        policy_group_code: str | None | Omit = OMIT,
        policy_ids: Sequence[str] | None | Omit = OMIT,
    ) -> types.EvaluateResponse:
        """Evaluate a context without recording a decision.

        API keys require the scope `decisions:evaluate`. Users require a role with the same right.

        `POST /v1/decisions/evaluate`
        """
        return await self._transport.json("POST", path("/v1/decisions/evaluate"), body=present({"actor": actor, "context": context, "explain": explain, "policy_group_code": policy_group_code, "policy_ids": policy_ids}), is_repeatable=True)

    async def evaluate_batch(
        self,
        *,
        contexts: Sequence[types.DecisionContext],
    ) -> types.EvaluateBatchResponse:
        """Evaluate up to 100 contexts against the same policies without recording decisions.

        Each context counts as one request of the rate limit.

        An invalid body is rejected as a whole, with one error for each invalid value. A context without an active
        policy has an `error` as its result.

        API keys require the scope `decisions:evaluate`. Users require a role with the same right.

        `POST /v1/decisions/evaluate-batch`
        """
        return await self._transport.json("POST", path("/v1/decisions/evaluate-batch"), body=present({"contexts": contexts}), is_repeatable=True)

    def export(
        self,
        *,
        recorded_from: str,
        recorded_to: str,
        decision_type: str | Omit = OMIT,
        decision: Literal["ALLOW", "ALERT", "REVIEW", "DENY"] | Omit = OMIT,
        correlation_id: str | Omit = OMIT,
        chain_id: str | Omit = OMIT,
        idempotency_key: str | Omit = OMIT,
        policy_id: str | Omit = OMIT,
        rule_code: str | Omit = OMIT,
        actor_id: str | Omit = OMIT,
        severity: Literal["low", "medium", "high", "critical"] | Omit = OMIT,
        outcome: Literal["none", "accepted", "overridden", "escalated", "expired", "abandoned"] | Omit = OMIT,
        shadow_converted: bool | Omit = OMIT,
    ) -> AsyncIterator[types.DecisionRecord]:
        """Export the recorded decisions of a time range.

        Decisions are sorted newest first, and those of one chain by step. The body is chunked. A response that
        ends without its last chunk is incomplete; repeat the request. This happens if the database becomes
        unavailable, or if the key is revoked or the user removed during the export. In CSV, a cell that begins
        with `=`, `+`, `-`, `@`, a tab or a carriage return is prefixed with `'`, so that spreadsheets do not
        interpret it as a formula.

        API keys require the scope `decisions:read`. Users require a role with the same right.

        `GET /v1/decisions/export`
        """
        return stream_json_lines(self._transport, path("/v1/decisions/export"), present({"decision_type": decision_type, "decision": decision, "correlation_id": correlation_id, "chain_id": chain_id, "idempotency_key": idempotency_key, "policy_id": policy_id, "rule_code": rule_code, "actor_id": actor_id, "severity": severity, "outcome": outcome, "shadow_converted": shadow_converted, "recorded_from": recorded_from, "recorded_to": recorded_to}))

    async def record(
        self,
        *,
        context: types.DecisionContext,
        action: types.ActionDraft | None | Omit = OMIT,
        actor: types.ActorDraft | None | Omit = OMIT,
        chain: types.ChainRequest | None | Omit = OMIT,
        chain_id: str | None | Omit = OMIT,
        chain_step: int | None | Omit = OMIT,
        idempotency_key: str | Omit = OMIT,
        parent_decision_id: str | None | Omit = OMIT,
        policy_group_code: str | None | Omit = OMIT,
        policy_ids: Sequence[str] | None | Omit = OMIT,
    ) -> types.RecordResponse:
        """Evaluate a context and record the decision, exactly once per idempotency key.

        API keys require the scope `decisions:write`. Users require a role with the same right.

        `POST /v1/decisions/record`
        """
        return await self._transport.json("POST", path("/v1/decisions/record"), body=with_idempotency_key(present({"action": action, "actor": actor, "chain": chain, "chain_id": chain_id, "chain_step": chain_step, "context": context, "idempotency_key": idempotency_key, "parent_decision_id": parent_decision_id, "policy_group_code": policy_group_code, "policy_ids": policy_ids})), is_repeatable=True)

    def stream(
        self,
        *,
        decision_type: str | Omit = OMIT,
        decision: Literal["ALLOW", "ALERT", "REVIEW", "DENY"] | Omit = OMIT,
        last_event_id: str | None = None,
        reconnect: bool = True,
    ) -> AsyncIterator[StreamedDecision]:
        """Stream decisions as they are recorded.

        Server-sent events, in the order in which the tenant recorded the decisions, each exactly once. The `id`
        of an event is opaque. A client that reconnects within an hour with the last ID in `Last-Event-ID`
        continues after that event. IDs are also sent without an event, at the start and with the comment that is
        sent every 15 seconds. The stream ends if the key is revoked, the user signs out or the service stops, and
        if 256 events are buffered for a client that does not read. A key can have 20 open streams per process.

        API keys require the scope `decisions:read`. Users require a role with the same right.

        `GET /v1/decisions/stream`
        """
        return stream_decisions(self._transport, path("/v1/decisions/stream"), present({"decision_type": decision_type, "decision": decision}), last_event_id, reconnect)

    async def get(
        self,
        id: str,
        /,
        *,
        wait_for: Literal["anchor"] | Omit = OMIT,
    ) -> types.DecisionRecord:
        """Read a recorded decision.

        Includes its outcome, if one was recorded.

        API keys require the scope `decisions:read`. Users require a role with the same right.

        `GET /v1/decisions/{id}`
        """
        return await self._transport.json("GET", path("/v1/decisions/{id}", id=id), query=present({"wait_for": wait_for}))

    async def record_outcome(
        self,
        id: str,
        /,
        *,
        status: Literal["accepted", "overridden", "escalated", "expired", "abandoned"],
        actor: types.ActorDraft | None | Omit = OMIT,
        note: str | None | Omit = OMIT,
        occurred_at: str | None | Omit = OMIT,
        reference_id: str | None | Omit = OMIT,
    ) -> types.DecisionOutcome:
        """Record the outcome of a decision.

        An outcome cannot be changed.

        API keys require the scope `decisions:write`. Users require a role with the same right.

        `POST /v1/decisions/{id}/outcome`
        """
        return await self._transport.json("POST", path("/v1/decisions/{id}/outcome", id=id), body=present({"actor": actor, "note": note, "occurred_at": occurred_at, "reference_id": reference_id, "status": status}))

    async def replay(
        self,
        id: str,
        /,
    ) -> types.Replay:
        """Evaluate a recorded decision again and compare the results.

        The stored context is evaluated against the stored snapshot with the recorded time, independent of the
        current policies. Nothing is recorded.

        API keys require the scope `decisions:read`. Users require a role with the same right.

        `POST /v1/decisions/{id}/replay`
        """
        return await self._transport.json("POST", path("/v1/decisions/{id}/replay", id=id), body=present({}), is_repeatable=True)


class AsyncFormsTokensResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        form_id: str,
        /,
        *,
        expires_at: str | None | Omit = OMIT,
        max_uses: int | None | Omit = OMIT,
    ) -> types.FormToken:
        """Create a token for a form with access mode `token`.

        The token is returned only once.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `POST /v1/forms/{form_id}/tokens`
        """
        return await self._transport.json("POST", path("/v1/forms/{form_id}/tokens", form_id=form_id), body=present({"expires_at": expires_at, "max_uses": max_uses}))

    async def revoke(
        self,
        form_id: str,
        token_id: str,
        /,
    ) -> None:
        """Revoke a form token immediately and permanently.

        Revoking it again changes nothing.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `DELETE /v1/forms/{form_id}/tokens/{token_id}`
        """
        await self._transport.send("DELETE", path("/v1/forms/{form_id}/tokens/{token_id}", form_id=form_id, token_id=token_id))


class AsyncFormsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.tokens = AsyncFormsTokensResource(transport)

    def list(
        self,
        *,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.Form, types.PageForm]:
        """List forms, newest first.

        API keys require the scope `policies:read`. Users require a role with the same right.

        `GET /v1/forms`
        """
        return AsyncPager(self._transport, path("/v1/forms"), present({"limit": limit, "cursor": cursor}))

    async def create(
        self,
        *,
        policy_id: str,
        title: str,
        access_mode: Literal["password"] | Literal["open", "token", "console"] | None | Omit = OMIT,
        branding: types.BrandingDraft | None | Omit = OMIT,
        decision_type: str | None | Omit = OMIT,
        description: str | None | Omit = OMIT,
        fields: Sequence[types.FormFieldDraft] | None | Omit = OMIT,
        is_published: bool | None | Omit = OMIT,
        language: Literal["auto", "en", "de", "fr", "es"] | None | Omit = OMIT,
        password: str | None | Omit = OMIT,
        success_message: str | None | Omit = OMIT,
        token_budget: types.TokenBudgetDraft | None | Omit = OMIT,
    ) -> types.Form:
        """Create a form.

        Without `fields`, the fields are derived from the active rules of its policy.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `POST /v1/forms`
        """
        return await self._transport.json("POST", path("/v1/forms"), body=present({"access_mode": access_mode, "branding": branding, "decision_type": decision_type, "description": description, "fields": fields, "is_published": is_published, "language": language, "password": password, "policy_id": policy_id, "success_message": success_message, "title": title, "token_budget": token_budget}))

    async def delete(
        self,
        form_id: str,
        /,
    ) -> None:
        """Delete a form with its tokens.

        Its decisions are not deleted.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `DELETE /v1/forms/{form_id}`
        """
        await self._transport.send("DELETE", path("/v1/forms/{form_id}", form_id=form_id))

    async def get(
        self,
        form_id: str,
        /,
    ) -> types.Form:
        """Read a form.

        API keys require the scope `policies:read`. Users require a role with the same right.

        `GET /v1/forms/{form_id}`
        """
        return await self._transport.json("GET", path("/v1/forms/{form_id}", form_id=form_id))

    async def update(
        self,
        form_id: str,
        /,
        *,
        access_mode: Literal["open", "token", "password", "console"] | Omit = OMIT,
        branding: types.BrandingDraft | Omit = OMIT,
        decision_type: str | Omit = OMIT,
        description: str | None | Omit = OMIT,
        fields: Sequence[types.FormFieldDraft] | Omit = OMIT,
        is_published: bool | Omit = OMIT,
        language: Literal["auto", "en", "de", "fr", "es"] | Omit = OMIT,
        password: str | None | Omit = OMIT,
        success_message: str | None | Omit = OMIT,
        title: str | Omit = OMIT,
        token_budget: types.TokenBudgetDraft | Omit = OMIT,
    ) -> types.Form:
        """Change, publish or unpublish a form.

        `is_published` publishes and unpublishes it.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `PATCH /v1/forms/{form_id}`
        """
        return await self._transport.json("PATCH", path("/v1/forms/{form_id}", form_id=form_id), body=present({"access_mode": access_mode, "branding": branding, "decision_type": decision_type, "description": description, "fields": fields, "is_published": is_published, "language": language, "password": password, "success_message": success_message, "title": title, "token_budget": token_budget}))

    async def api_contract(
        self,
        form_id: str,
        /,
        *,
        access_token: str | Omit = OMIT,
        password: str | Omit = OMIT,
    ) -> types.FormContract:
        """Read the API contract of a published form, for programs that submit to it.

        Returns the schema, an `OpenAPI` document and runnable examples.

        No authentication is required.

        `GET /v1/forms/{form_id}/api-contract`
        """
        return await self._transport.json("GET", path("/v1/forms/{form_id}/api-contract", form_id=form_id), query=present({"access_token": access_token}), headers=header_password(password))

    async def receipt(
        self,
        form_id: str,
        decision_id: str,
        /,
        *,
        wait_for: Literal["anchor"] | Omit = OMIT,
    ) -> types.Receipt:
        """Read the receipt of a submission of a published form.

        No authentication is required.

        `GET /v1/forms/{form_id}/receipts/{decision_id}`
        """
        return await self._transport.json("GET", path("/v1/forms/{form_id}/receipts/{decision_id}", form_id=form_id, decision_id=decision_id), query=present({"wait_for": wait_for}))

    async def schema(
        self,
        form_id: str,
        /,
        *,
        access_token: str | Omit = OMIT,
        password: str | Omit = OMIT,
    ) -> types.FormSchema:
        """Read a published form as a JSON Schema.

        No authentication is required.

        `GET /v1/forms/{form_id}/schema`
        """
        return await self._transport.json("GET", path("/v1/forms/{form_id}/schema", form_id=form_id), query=present({"access_token": access_token}), headers=header_password(password))

    async def submit(
        self,
        form_id: str,
        /,
        *,
        values: Mapping[str, Any],
        access_token: str | None | Omit = OMIT,
        idempotency_key: str | Omit = OMIT,
        password: str | None | Omit = OMIT,
        respondent: Mapping[str, Any] | None | Omit = OMIT,
    ) -> types.FormSubmissionResult:
        """Submit a published form.

        The submission is evaluated, recorded and signed as a decision. Repeating a request with the same
        `idempotency_key` returns the same result and does not use the budget. The maximum size is 256 KiB.

        No authentication is required.

        `POST /v1/forms/{form_id}/submit`
        """
        return await self._transport.json("POST", path("/v1/forms/{form_id}/submit", form_id=form_id), body=with_idempotency_key(present({"access_token": access_token, "idempotency_key": idempotency_key, "password": password, "respondent": respondent, "values": values})), is_repeatable=True)


class AsyncServiceResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def health(
        self,
    ) -> types.Health:
        """Check whether the process is alive, without using the database.

        No authentication is required.

        `GET /v1/health`
        """
        return await self._transport.json("GET", path("/v1/health"))

    async def ready(
        self,
    ) -> types.Readiness:
        """Check whether the process can serve requests.

        No authentication is required.

        `GET /v1/ready`
        """
        return await self._transport.json("GET", path("/v1/ready"))


class AsyncLogResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def checkpoint(
        self,
    ) -> str:
        """Read the latest checkpoint of the transparency log.

        The checkpoint contains the number of entries, the root hash and a signature. It is a C2SP signed note.
        Its first line is the origin of the log, under which the key of the log is listed.

        No authentication is required.

        `GET /v1/log/checkpoint`
        """
        return await self._transport.text("GET", path("/v1/log/checkpoint"))

    async def rekor(
        self,
    ) -> dict[str, Any]:
        """Read the latest checkpoint that was submitted to Rekor, with its proof.

        Returns a `govern-rekor-proof/v1` object: the submitted `note`, the Rekor entry with its SHA-256 (`body`,
        base64), the number of the entry in the tree of the instance (`log_index`), the `hashes` of its inclusion
        proof, and the signed `checkpoint` of that tree.

        No authentication is required.

        `GET /v1/log/rekor`
        """
        return await self._transport.json("GET", path("/v1/log/rekor"))

    async def tile(
        self,
        tile: str,
        /,
    ) -> bytes:
        """Read a tile of the transparency log: 256 hashes of one level, or 256 entries.

        `<L>/<N>` contains the hashes `256 N` to `256 N + 255` of level `8 L`. `entries/<N>` contains the entries
        with these numbers, each after its length in two bytes. `N` is written in groups of three digits, and all
        groups but the last have the prefix `x`: `x001/234`. `.p/<W>` selects the first `W` elements of a tile
        that is not full yet.

        No authentication is required.

        `GET /v1/log/tile/{path}`
        """
        return await self._transport.bytes("GET", tile_path(tile))


class AsyncPoliciesVersionsCommentsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        id: str,
        version: int,
        /,
        *,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.Comment, types.PageComment]:
        """List the comments on a version, newest first.

        It contains the first entries of threads and their replies. Comments of review records are first entries.

        Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.

        `GET /v1/policies/{id}/versions/{version}/comments`
        """
        return AsyncPager(self._transport, path("/v1/policies/{id}/versions/{version}/comments", id=id, version=version), present({"limit": limit, "cursor": cursor}))

    async def create(
        self,
        id: str,
        version: int,
        /,
        *,
        text: str,
        in_reply_to: str | None | Omit = OMIT,
        rule_code: str | None | Omit = OMIT,
    ) -> types.Comment:
        """Comment on a version, or reply to a comment.

        Threads have one level: a reply to a reply belongs to the same thread, and its `in_reply_to` is the first
        entry. A comment can be written in any status of the version. It is not part of any signed statement.

        Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.

        `POST /v1/policies/{id}/versions/{version}/comments`
        """
        return await self._transport.json("POST", path("/v1/policies/{id}/versions/{version}/comments", id=id, version=version), body=present({"in_reply_to": in_reply_to, "rule_code": rule_code, "text": text}))

    async def reopen(
        self,
        id: str,
        version: int,
        comment_id: str,
        /,
    ) -> types.Comment:
        """Reopen the resolved thread of a comment.

        Reopening an open thread changes nothing.

        Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.

        `POST /v1/policies/{id}/versions/{version}/comments/{comment_id}/reopen`
        """
        return await self._transport.json("POST", path("/v1/policies/{id}/versions/{version}/comments/{comment_id}/reopen", id=id, version=version, comment_id=comment_id), body=present({}))

    async def resolve(
        self,
        id: str,
        version: int,
        comment_id: str,
        /,
    ) -> types.Comment:
        """Resolve the thread of a comment.

        Resolving it again changes nothing and returns who resolved it first.

        Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.

        `POST /v1/policies/{id}/versions/{version}/comments/{comment_id}/resolve`
        """
        return await self._transport.json("POST", path("/v1/policies/{id}/versions/{version}/comments/{comment_id}/resolve", id=id, version=version, comment_id=comment_id), body=present({}))


class AsyncPoliciesVersionsSubmissionsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        id: str,
        version: int,
        /,
        *,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.ReviewSubmission, types.PageReviewSubmission]:
        """List the review submissions of a version, newest first, with their review records.

        API keys require the scope `policies:read` or an authoring capability for `review.retrieve`. Users require a role with the same right.

        `GET /v1/policies/{id}/versions/{version}/submissions`
        """
        return AsyncPager(self._transport, path("/v1/policies/{id}/versions/{version}/submissions", id=id, version=version), present({"limit": limit, "cursor": cursor}))

    async def review(
        self,
        id: str,
        version: int,
        submission_id: str,
        /,
        *,
        verdict: Literal["ACCEPT", "RETURN"],
        comments: Sequence[types.ReviewCommentDraft] | None | Omit = OMIT,
        note: str | None | Omit = OMIT,
    ) -> types.ReviewRecord:
        """Record the verdict of a review: `ACCEPT` or `RETURN`, once per review submission.

        With maker-checker on, the user who sealed the submission cannot review it.

        Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.

        `POST /v1/policies/{id}/versions/{version}/submissions/{submission_id}/records`
        """
        return await self._transport.json("POST", path("/v1/policies/{id}/versions/{version}/submissions/{submission_id}/records", id=id, version=version, submission_id=submission_id), body=present({"comments": comments, "note": note, "verdict": verdict}))


class AsyncPoliciesVersionsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.comments = AsyncPoliciesVersionsCommentsResource(transport)
        self.submissions = AsyncPoliciesVersionsSubmissionsResource(transport)

    def list(
        self,
        id: str,
        /,
        *,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.PolicyVersion, types.PagePolicyVersion]:
        """List the versions of a policy, newest first.

        Only a draft or a submitted version has its rules.

        API keys require the scope `policies:read`. Users require a role with the same right.

        `GET /v1/policies/{id}/versions`
        """
        return AsyncPager(self._transport, path("/v1/policies/{id}/versions", id=id), present({"limit": limit, "cursor": cursor}))

    async def create(
        self,
        id: str,
        /,
        *,
        rules: Sequence[types.RuleDraft],
        based_on_version: int | None | Omit = OMIT,
        change_reason: str | None | Omit = OMIT,
        codification: types.Codification | None | Omit = OMIT,
    ) -> types.PolicyVersion:
        """Create a draft.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `POST /v1/policies/{id}/versions`
        """
        return await self._transport.json("POST", path("/v1/policies/{id}/versions", id=id), body=present({"based_on_version": based_on_version, "change_reason": change_reason, "codification": codification, "rules": rules}))

    async def delete(
        self,
        id: str,
        version: int,
        /,
    ) -> None:
        """Delete a draft that was never sealed.

        This includes recalled and rejected drafts. The history stays in the audit log, and the version number is
        not used again.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `DELETE /v1/policies/{id}/versions/{version}`
        """
        await self._transport.send("DELETE", path("/v1/policies/{id}/versions/{version}", id=id, version=version))

    async def get(
        self,
        id: str,
        version: int,
        /,
    ) -> types.PolicyVersion:
        """Read a version.

        API keys require the scope `policies:read` or an authoring capability for `policy.read`. Users require a role with the same right.

        `GET /v1/policies/{id}/versions/{version}`
        """
        return await self._transport.json("GET", path("/v1/policies/{id}/versions/{version}", id=id, version=version))

    async def update(
        self,
        id: str,
        version: int,
        /,
        *,
        expected_revision: int,
        change_reason: str | None | Omit = OMIT,
        codification: types.Codification | None | Omit = OMIT,
        rules: Sequence[types.RuleDraft] | Omit = OMIT,
    ) -> types.PolicyVersion:
        """Edit a draft in place.

        API keys require the scope `policies:write` or an authoring capability for `policy.draft.edit`. Users require a role with the same right.

        `PATCH /v1/policies/{id}/versions/{version}`
        """
        return await self._transport.json("PATCH", path("/v1/policies/{id}/versions/{version}", id=id, version=version), body=present({"change_reason": change_reason, "codification": codification, "expected_revision": expected_revision, "rules": rules}))

    async def activate(
        self,
        id: str,
        version: int,
        /,
    ) -> types.PolicyVersion:
        """Activate a ratified version.

        Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.

        `POST /v1/policies/{id}/versions/{version}/activate`
        """
        return await self._transport.json("POST", path("/v1/policies/{id}/versions/{version}/activate", id=id, version=version), body=present({}))

    async def approval(
        self,
        id: str,
        version: int,
        /,
    ) -> types.PolicyApproval:
        """Show the signed approval of a ratified version.

        API keys require the scope `policies:read`. Users require a role with the same right.

        `GET /v1/policies/{id}/versions/{version}/approval`
        """
        return await self._transport.json("GET", path("/v1/policies/{id}/versions/{version}/approval", id=id, version=version))

    async def diff(
        self,
        id: str,
        version: int,
        /,
        *,
        against: int | Omit = OMIT,
    ) -> types.VersionDiff:
        """Compare the rules of a version with those of another version.

        Without `against`, the other version is the active one, or else the preceding one. If there is none, all
        rules are new.

        API keys require the scope `policies:read`. Users require a role with the same right.

        `GET /v1/policies/{id}/versions/{version}/diff`
        """
        return await self._transport.json("GET", path("/v1/policies/{id}/versions/{version}/diff", id=id, version=version), query=present({"against": against}))

    async def ratify(
        self,
        id: str,
        version: int,
        /,
        *,
        expected_revision: int,
        note: str | None | Omit = OMIT,
    ) -> types.PolicyVersion:
        """Ratify a submitted version, or a draft whose current revision a reviewer accepted.

        With maker-checker on, a user who helped create the version cannot ratify it, and a version with an
        unknown maker cannot be ratified (`MAKER_UNKNOWN`). A revision for which a reviewer requested changes
        cannot be ratified (`VERSION_RETURNED`). The approval is signed; `GET …/approval` returns it.

        Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.

        `POST /v1/policies/{id}/versions/{version}/ratify`
        """
        return await self._transport.json("POST", path("/v1/policies/{id}/versions/{version}/ratify", id=id, version=version), body=present({"expected_revision": expected_revision, "note": note}))

    async def recall(
        self,
        id: str,
        version: int,
        /,
    ) -> types.PolicyVersion:
        """Recall a submitted version to draft.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `POST /v1/policies/{id}/versions/{version}/recall`
        """
        return await self._transport.json("POST", path("/v1/policies/{id}/versions/{version}/recall", id=id, version=version), body=present({}))

    async def reject(
        self,
        id: str,
        version: int,
        /,
        *,
        reason: str,
    ) -> types.PolicyVersion:
        """Reject a submitted version and return it to draft.

        Creates a `governance_change` alert. API keys get `HUMAN_REQUIRED` while the setting `human_changes_only`
        is on.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `POST /v1/policies/{id}/versions/{version}/reject`
        """
        return await self._transport.json("POST", path("/v1/policies/{id}/versions/{version}/reject", id=id, version=version), body=present({"reason": reason}))

    async def seal(
        self,
        id: str,
        version: int,
        /,
        *,
        answers_record_id: str | None | Omit = OMIT,
    ) -> types.ReviewSubmission:
        """Seal the current revision of a version for review.

        A revision is sealed once: repeating the request returns the same submission with status 200. After a
        reviewer has requested changes, the next submission must name that review record in `answers_record_id`.
        This includes review records of drafts in the lineage.

        API keys require the scope `policies:write` or an authoring capability for `review.seal`. Users require a role with the same right.

        `POST /v1/policies/{id}/versions/{version}/seal`
        """
        return await self._transport.json("POST", path("/v1/policies/{id}/versions/{version}/seal", id=id, version=version), body=present({"answers_record_id": answers_record_id}))

    async def set_aside(
        self,
        id: str,
        version: int,
        /,
        *,
        reason: str,
    ) -> types.PolicyVersion:
        """Set aside a version that was never active.

        Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.

        `POST /v1/policies/{id}/versions/{version}/set-aside`
        """
        return await self._transport.json("POST", path("/v1/policies/{id}/versions/{version}/set-aside", id=id, version=version), body=present({"reason": reason}))

    async def submit(
        self,
        id: str,
        version: int,
        /,
    ) -> types.PolicyVersion:
        """Submit a draft for ratification.

        API keys require the scope `policies:write` or an authoring capability for `policy.submit`. Users require a role with the same right.

        `POST /v1/policies/{id}/versions/{version}/submit`
        """
        return await self._transport.json("POST", path("/v1/policies/{id}/versions/{version}/submit", id=id, version=version), body=present({}))

    async def supersede(
        self,
        id: str,
        version: int,
        /,
        *,
        change_reason: str,
        expected_revision: int,
        rules: Sequence[types.RuleDraft],
        codification: types.Codification | None | Omit = OMIT,
    ) -> types.Superseded:
        """Replace a draft with a new draft that corrects it.

        The replaced draft is retained as history.

        Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.

        `POST /v1/policies/{id}/versions/{version}/supersede`
        """
        return await self._transport.json("POST", path("/v1/policies/{id}/versions/{version}/supersede", id=id, version=version), body=present({"change_reason": change_reason, "codification": codification, "expected_revision": expected_revision, "rules": rules}))


class AsyncPoliciesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.versions = AsyncPoliciesVersionsResource(transport)

    def list(
        self,
        *,
        q: str | Omit = OMIT,
        decision_type: str | Omit = OMIT,
        policy_group_id: str | Omit = OMIT,
        is_active: bool | Omit = OMIT,
        shadow_mode: bool | Omit = OMIT,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.Policy, types.PagePolicy]:
        """List policies, newest first.

        API keys require the scope `policies:read`. Users require a role with the same right.

        `GET /v1/policies`
        """
        return AsyncPager(self._transport, path("/v1/policies"), present({"q": q, "decision_type": decision_type, "policy_group_id": policy_group_id, "is_active": is_active, "shadow_mode": shadow_mode, "limit": limit, "cursor": cursor}))

    async def create(
        self,
        *,
        code: str,
        name: str,
        change_reason: str | None | Omit = OMIT,
        codification: types.Codification | None | Omit = OMIT,
        decision_types: Sequence[str] | None | Omit = OMIT,
        description: str | None | Omit = OMIT,
        inheritable: bool | None | Omit = OMIT,
        policy_group_id: str | None | Omit = OMIT,
        regulatory_refs: Sequence[str] | None | Omit = OMIT,
        rules: Sequence[types.RuleDraft] | None | Omit = OMIT,
        shadow_mode: bool | None | Omit = OMIT,
    ) -> types.PolicyCreated:
        """Create a policy, and its first version if `rules` are present.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `POST /v1/policies`
        """
        return await self._transport.json("POST", path("/v1/policies"), body=present({"change_reason": change_reason, "code": code, "codification": codification, "decision_types": decision_types, "description": description, "inheritable": inheritable, "name": name, "policy_group_id": policy_group_id, "regulatory_refs": regulatory_refs, "rules": rules, "shadow_mode": shadow_mode}))

    async def delete(
        self,
        id: str,
        /,
    ) -> None:
        """Delete a policy without a ratified version.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `DELETE /v1/policies/{id}`
        """
        await self._transport.send("DELETE", path("/v1/policies/{id}", id=id))

    async def get(
        self,
        id: str,
        /,
        *,
        version: str | Omit = OMIT,
    ) -> types.Policy:
        """Read a policy.

        Includes the version that `version` selects.

        API keys require the scope `policies:read`. Users require a role with the same right.

        `GET /v1/policies/{id}`
        """
        return await self._transport.json("GET", path("/v1/policies/{id}", id=id), query=present({"version": version}))

    async def update(
        self,
        id: str,
        /,
        *,
        decision_types: Sequence[str] | Omit = OMIT,
        description: str | None | Omit = OMIT,
        inheritable: bool | Omit = OMIT,
        name: str | Omit = OMIT,
        policy_group_id: str | None | Omit = OMIT,
        regulatory_refs: Sequence[str] | Omit = OMIT,
        shadow_mode: bool | Omit = OMIT,
    ) -> types.Policy:
        """Change the settings of a policy, which are independent of its versions.

        Changes of `shadow_mode`, `decision_types`, `inheritable` and `policy_group_id` of an active policy affect
        its verdicts. They require the session of a ratifier, or a key if the setting `human_changes_only` is off
        (`HUMAN_REQUIRED`). Such a change creates a `governance_change` alert and applies from the next evaluation
        on.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `PATCH /v1/policies/{id}`
        """
        return await self._transport.json("PATCH", path("/v1/policies/{id}", id=id), body=present({"decision_types": decision_types, "description": description, "inheritable": inheritable, "name": name, "policy_group_id": policy_group_id, "regulatory_refs": regulatory_refs, "shadow_mode": shadow_mode}))

    async def analytics(
        self,
        id: str,
        /,
        *,
        from_: str | Omit = OMIT,
        to: str | Omit = OMIT,
        bucket: Literal["hour", "day"] | Omit = OMIT,
    ) -> types.Analytics:
        """Read the analytics of a policy.

        Counts decisions by verdict over time, and the results of each rule.

        API keys require the scope `policies:read` and `decisions:read`. Users require a role with the same right.

        `GET /v1/policies/{id}/analytics`
        """
        return await self._transport.json("GET", path("/v1/policies/{id}/analytics", id=id), query=present({"from": from_, "to": to, "bucket": bucket}))

    async def deactivate(
        self,
        id: str,
        /,
        *,
        reason: str,
    ) -> types.Policy:
        """Deactivate a policy.

        Creates a `governance_change` alert. API keys get `HUMAN_REQUIRED` while the setting `human_changes_only`
        is on.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `POST /v1/policies/{id}/deactivate`
        """
        return await self._transport.json("POST", path("/v1/policies/{id}/deactivate", id=id), body=present({"reason": reason}))

    def decisions(
        self,
        id: str,
        /,
        *,
        version: int | Omit = OMIT,
        rule_code: str | Omit = OMIT,
        decision: Literal["ALLOW", "ALERT", "REVIEW", "DENY"] | Omit = OMIT,
        recorded_from: str | Omit = OMIT,
        recorded_to: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.DecisionRecord, types.PageDecisionRecord]:
        """List the decisions that evaluated one version of a policy, newest first.

        API keys require the scope `policies:read` and `decisions:read`. Users require a role with the same right.

        `GET /v1/policies/{id}/decisions`
        """
        return AsyncPager(self._transport, path("/v1/policies/{id}/decisions", id=id), present({"version": version, "rule_code": rule_code, "decision": decision, "recorded_from": recorded_from, "recorded_to": recorded_to, "limit": limit, "cursor": cursor}))


class AsyncPolicyGroupsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.PolicyGroup, types.PagePolicyGroup]:
        """List policy groups, newest first.

        API keys require the scope `policies:read`. Users require a role with the same right.

        `GET /v1/policy-groups`
        """
        return AsyncPager(self._transport, path("/v1/policy-groups"), present({"limit": limit, "cursor": cursor}))

    async def create(
        self,
        *,
        code: str,
        name: str,
        description: str | None | Omit = OMIT,
    ) -> types.PolicyGroup:
        """Create a policy group.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `POST /v1/policy-groups`
        """
        return await self._transport.json("POST", path("/v1/policy-groups"), body=present({"code": code, "description": description, "name": name}))

    async def delete(
        self,
        id: str,
        /,
    ) -> None:
        """Delete a policy group that has no policies.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `DELETE /v1/policy-groups/{id}`
        """
        await self._transport.send("DELETE", path("/v1/policy-groups/{id}", id=id))

    async def get(
        self,
        id: str,
        /,
    ) -> types.PolicyGroup:
        """Read a policy group.

        API keys require the scope `policies:read`. Users require a role with the same right.

        `GET /v1/policy-groups/{id}`
        """
        return await self._transport.json("GET", path("/v1/policy-groups/{id}", id=id))

    async def update(
        self,
        id: str,
        /,
        *,
        code: str | Omit = OMIT,
        description: str | None | Omit = OMIT,
        name: str | Omit = OMIT,
    ) -> types.PolicyGroup:
        """Change a policy group.

        A change of a group with active policies creates a `governance_change` alert. API keys get
        `HUMAN_REQUIRED` for it while the setting `human_changes_only` is on.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `PATCH /v1/policy-groups/{id}`
        """
        return await self._transport.json("PATCH", path("/v1/policy-groups/{id}", id=id), body=present({"code": code, "description": description, "name": name}))

    def policies(
        self,
        id: str,
        /,
        *,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
    ) -> AsyncPager[types.Policy, types.PagePolicy]:
        """List the policies of a group, newest first.

        API keys require the scope `policies:read`. Users require a role with the same right.

        `GET /v1/policy-groups/{id}/policies`
        """
        return AsyncPager(self._transport, path("/v1/policy-groups/{id}/policies", id=id), present({"limit": limit, "cursor": cursor}))


class AsyncReceiptsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        decision_id: str,
        /,
        *,
        wait_for: Literal["anchor"] | Omit = OMIT,
    ) -> types.Receipt:
        """Read the public receipt of a decision.

        No authentication is required.

        `GET /v1/receipts/{decision_id}`
        """
        return await self._transport.json("GET", path("/v1/receipts/{decision_id}", decision_id=decision_id), query=present({"wait_for": wait_for}))

    async def bundle(
        self,
        decision_id: str,
        /,
        *,
        format: Literal["tar", "json"] | Omit = OMIT,
    ) -> bytes:
        """Export the verification bundle of a decision, with everything to verify it offline.

        Returns an archive, or with `format=json` the same files as one JSON object. `govern-verify` verifies
        both; get the trusted keys from another source. The same decision returns the same bytes while its chain
        and the trust registry do not change.

        No authentication is required.

        `GET /v1/receipts/{decision_id}/bundle`
        """
        return await self._transport.bytes("GET", path("/v1/receipts/{decision_id}/bundle", decision_id=decision_id), query=present({"format": format}))


class AsyncSessionInvitationsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
    ) -> types.PendingInvitations:
        """List the invitations of the current user.

        No authentication is required.

        `GET /v1/session/invitations`
        """
        return await self._transport.json("GET", path("/v1/session/invitations"))

    async def accept(
        self,
        tenant_id: str,
        /,
    ) -> types.Membership:
        """Accept the invitation of a tenant.

        The membership is effective from the next request on.

        No authentication is required.

        `POST /v1/session/invitations/{tenant_id}/accept`
        """
        return await self._transport.json("POST", path("/v1/session/invitations/{tenant_id}/accept", tenant_id=tenant_id), body=present({}))

    async def decline(
        self,
        tenant_id: str,
        /,
    ) -> None:
        """Decline the invitation of a tenant.

        No authentication is required.

        `POST /v1/session/invitations/{tenant_id}/decline`
        """
        await self._transport.send("POST", path("/v1/session/invitations/{tenant_id}/decline", tenant_id=tenant_id), body=present({}))


class AsyncSessionPasskeysResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        credential: Mapping[str, Any],
        name: str,
    ) -> types.PasskeyCreated:
        """Add a passkey to the account of the current user.

        All other sessions of the user end. With the first second factor, the response contains recovery codes.

        No authentication is required.

        `POST /v1/session/passkeys`
        """
        return await self._transport.json("POST", path("/v1/session/passkeys"), body=present({"credential": credential, "name": name}))

    async def delete(
        self,
        passkey_id: str,
        /,
    ) -> None:
        """Remove a passkey of the current user.

        All other sessions of the user end. With the last second factor, the recovery codes are removed too. `auth_method` of the
        session no longer names the passkey; a session that began with the passkey alone ends.

        No authentication is required.

        `DELETE /v1/session/passkeys/{passkey_id}`
        """
        await self._transport.send("DELETE", path("/v1/session/passkeys/{passkey_id}", passkey_id=passkey_id))

    async def update(
        self,
        passkey_id: str,
        /,
        *,
        name: str,
    ) -> types.Passkey:
        """Rename a passkey of the current user.

        No authentication is required.

        `PATCH /v1/session/passkeys/{passkey_id}`
        """
        return await self._transport.json("PATCH", path("/v1/session/passkeys/{passkey_id}", passkey_id=passkey_id), body=present({"name": name}))

    async def options(
        self,
    ) -> types.PasskeyOptions:
        """Create the options with which a browser creates a passkey.

        No authentication is required.

        `POST /v1/session/passkeys/options`
        """
        return await self._transport.json("POST", path("/v1/session/passkeys/options"), body=present({}), is_repeatable=True)


class AsyncSessionTotpResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def delete(
        self,
    ) -> None:
        """Remove the authenticator app of the current user.

        All other sessions of the user end. With the last second factor, the recovery codes are removed too. `auth_method` of the
        session no longer names the app.

        No authentication is required.

        `DELETE /v1/session/totp`
        """
        await self._transport.send("DELETE", path("/v1/session/totp"))

    async def set_up(
        self,
    ) -> types.TotpSetup:
        """Create the secret of an authenticator app.

        It has no effect until a code confirms it, and replaces an earlier secret that was not confirmed.

        No authentication is required.

        `POST /v1/session/totp`
        """
        return await self._transport.json("POST", path("/v1/session/totp"), body=present({}))

    async def confirm(
        self,
        *,
        code: str,
    ) -> types.RecoveryCodes:
        """Confirm the secret of an authenticator app with a code.

        All other sessions of the user end. With the first second factor, the response contains recovery codes.

        No authentication is required.

        `POST /v1/session/totp/confirm`
        """
        return await self._transport.json("POST", path("/v1/session/totp/confirm"), body=present({"code": code}))


class AsyncSessionResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.invitations = AsyncSessionInvitationsResource(transport)
        self.passkeys = AsyncSessionPasskeysResource(transport)
        self.totp = AsyncSessionTotpResource(transport)

    async def sign_out(
        self,
    ) -> None:
        """Sign out.

        No authentication is required.

        `DELETE /v1/session`
        """
        await self._transport.send("DELETE", path("/v1/session"))

    async def get(
        self,
    ) -> types.Session:
        """Read the current session.

        No authentication is required.

        `GET /v1/session`
        """
        return await self._transport.json("GET", path("/v1/session"))

    async def sign_in(
        self,
        *,
        email: str,
        password: str,
    ) -> types.Session:
        """Sign in.

        No authentication is required.

        `POST /v1/session`
        """
        return await self._transport.json("POST", path("/v1/session"), body=present({"email": email, "password": password}))

    async def confirm(
        self,
        *,
        code: str | None | Omit = OMIT,
        credential: Mapping[str, Any] | None | Omit = OMIT,
        password: str | None | Omit = OMIT,
    ) -> types.Session:
        """Confirm the sign-in before a signing operation: with the password and the second factor of the account, or with a
        passkey.

        No authentication is required.

        `POST /v1/session/confirm`
        """
        return await self._transport.json("POST", path("/v1/session/confirm"), body=present({"code": code, "credential": credential, "password": password}))

    async def sign_in_with_passkey(
        self,
        *,
        credential: Mapping[str, Any],
    ) -> types.Session:
        """Sign in with a passkey, without a password.

        The passkey must verify its user, for example by a fingerprint or a PIN.

        No authentication is required.

        `POST /v1/session/passkey`
        """
        return await self._transport.json("POST", path("/v1/session/passkey"), body=present({"credential": credential}))

    async def passkey_options(
        self,
        *,
        purpose: Literal["sign_in", "second_factor", "confirm"],
    ) -> types.PasskeyOptions:
        """Create the options with which a browser uses a passkey.

        The purpose `second_factor` needs a pending sign-in, and `confirm` a session.

        No authentication is required.

        `POST /v1/session/passkey-options`
        """
        return await self._transport.json("POST", path("/v1/session/passkey-options"), body=present({"purpose": purpose}), is_repeatable=True)

    async def change_password(
        self,
        *,
        new_password: str,
        password: str,
    ) -> types.Session:
        """Change the password of the current user.

        All other sessions of the user end.

        No authentication is required.

        `POST /v1/session/password`
        """
        return await self._transport.json("POST", path("/v1/session/password"), body=present({"new_password": new_password, "password": password}))

    async def replace_recovery_codes(
        self,
    ) -> types.RecoveryCodes:
        """Replace the recovery codes of the current user.

        All other sessions of the user end, and earlier codes become void.

        No authentication is required.

        `POST /v1/session/recovery-codes`
        """
        return await self._transport.json("POST", path("/v1/session/recovery-codes"), body=present({}))

    async def request_reset(
        self,
        *,
        email: str,
    ) -> None:
        """Request a password reset by mail.

        The response is the same for every address, whether or not it has an account. Without mail, nothing is
        sent.

        No authentication is required.

        `POST /v1/session/reset`
        """
        await self._transport.send("POST", path("/v1/session/reset"), body=present({"email": email}))

    async def finish_sign_in(
        self,
        *,
        code: str | None | Omit = OMIT,
        credential: Mapping[str, Any] | None | Omit = OMIT,
    ) -> types.Session:
        """Complete a sign-in with the second factor of the account.

        It follows `POST /v1/session` with the error `SECOND_FACTOR_MISSING`, within five minutes and with the cookie of that
        response.

        No authentication is required.

        `POST /v1/session/second-factor`
        """
        return await self._transport.json("POST", path("/v1/session/second-factor"), body=present({"code": code, "credential": credential}))

    async def second_factors(
        self,
    ) -> types.SecondFactors:
        """List the second factors of the current user.

        No authentication is required.

        `GET /v1/session/second-factors`
        """
        return await self._transport.json("GET", path("/v1/session/second-factors"))

    async def list(
        self,
    ) -> types.ActiveSessions:
        """List the active sessions of the current user, most recently used first.

        No authentication is required.

        `GET /v1/session/sessions`
        """
        return await self._transport.json("GET", path("/v1/session/sessions"))

    async def revoke(
        self,
        session_id: str,
        /,
    ) -> None:
        """End a session of the current user.

        Ending the current session signs out.

        No authentication is required.

        `DELETE /v1/session/sessions/{session_id}`
        """
        await self._transport.send("DELETE", path("/v1/session/sessions/{session_id}", session_id=session_id))

    async def set_up(
        self,
        *,
        password: str,
        token: str,
    ) -> None:
        """Choose a password with the token of a setup or reset link.

        A token can be used once. Sign in with the password next. All sessions of the account end. A mailed link
        verifies the email address of the account. The first password of an account accepts the invitation of the
        tenant that created it.

        No authentication is required.

        `POST /v1/session/setup`
        """
        await self._transport.send("POST", path("/v1/session/setup"), body=present({"password": password, "token": token}))


class AsyncSettingsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
    ) -> types.Settings:
        """Read the settings.

        API keys require the scope `policies:read`. Users require a role with the same right.

        `GET /v1/settings`
        """
        return await self._transport.json("GET", path("/v1/settings"))

    async def update(
        self,
        *,
        alert_min_severity: Literal["low", "medium", "high", "critical"] | Omit = OMIT,
        bundle_include_context: bool | Omit = OMIT,
        human_changes_only: bool | Omit = OMIT,
        maker_checker_enabled: bool | Omit = OMIT,
        public_receipt_redaction: Literal["none", "values"] | Omit = OMIT,
        review_required: bool | Omit = OMIT,
        second_factor_required: bool | Omit = OMIT,
        sign_in: Literal["any", "password", "oidc", "passkey"] | Omit = OMIT,
    ) -> types.Settings:
        """Change settings. Absent settings keep their values.

        This requires the session of an admin, or a key with `policies:write` while `human_changes_only` is off.
        Only the session of an admin can change `human_changes_only` and `sign_in`. A change by a key, and a change by a user
        that weakens a safeguard, creates a `governance_change` alert.

        API keys require the scope `policies:write`. Users require a role with the same right.

        `PATCH /v1/settings`
        """
        return await self._transport.json("PATCH", path("/v1/settings"), body=present({"alert_min_severity": alert_min_severity, "bundle_include_context": bundle_include_context, "human_changes_only": human_changes_only, "maker_checker_enabled": maker_checker_enabled, "public_receipt_redaction": public_receipt_redaction, "review_required": review_required, "second_factor_required": second_factor_required, "sign_in": sign_in}))


class AsyncSnapshotsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        id: str,
        /,
    ) -> types.PolicySnapshot:
        """Read the policy snapshot of a decision, as it was hashed.

        API keys require the scope `policies:read`. Users require a role with the same right.

        `GET /v1/snapshots/{id}`
        """
        return await self._transport.json("GET", path("/v1/snapshots/{id}", id=id))


class AsyncResources:
    """All resources of the API."""

    def __init__(self, transport: AsyncTransport) -> None:
        self.trust = AsyncTrustResource(transport)
        self.identity_providers = AsyncIdentityProvidersResource(transport)
        self.members = AsyncMembersResource(transport)
        self.tenants = AsyncTenantsResource(transport)
        self.users = AsyncUsersResource(transport)
        self.alerts = AsyncAlertsResource(transport)
        self.api_keys = AsyncApiKeysResource(transport)
        self.audit_log = AsyncAuditLogResource(transport)
        self.capabilities = AsyncCapabilitiesResource(transport)
        self.chains = AsyncChainsResource(transport)
        self.decisions = AsyncDecisionsResource(transport)
        self.forms = AsyncFormsResource(transport)
        self.service = AsyncServiceResource(transport)
        self.log = AsyncLogResource(transport)
        self.policies = AsyncPoliciesResource(transport)
        self.policy_groups = AsyncPolicyGroupsResource(transport)
        self.receipts = AsyncReceiptsResource(transport)
        self.session = AsyncSessionResource(transport)
        self.settings = AsyncSettingsResource(transport)
        self.snapshots = AsyncSnapshotsResource(transport)
