// Generated from /openapi.json by scripts/generate.mjs. Do not edit.

export interface paths {
    "/v1/.well-known/signing-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the public signing keys as a JSON Web Key Set.
         * @description Contains active and retired keys, but no revoked ones. Deprecated: the trust registry replaces it, and
         *     also lists the purpose and the validity period of each key.
         *
         *     No authentication is required.
         */
        get: operations["getWellKnownSigningKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/.well-known/trust-registry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of the trust registry.
         * @description Returns the newest version, or the one that `version` selects. The response is an envelope that root keys
         *     of the service signed. It lists the keys of the service with their purposes, validity periods and status.
         *     An issued version never changes. `govern trust show` lists the root keys to pin.
         *
         *     No authentication is required.
         */
        get: operations["getWellKnownTrustRegistry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/identity-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List identity providers, newest first.
         * @description Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
         */
        get: operations["getAdminIdentityProviders"];
        put?: never;
        /**
         * Create an identity provider.
         * @description Members sign in with it by `OpenID` Connect. The client secret is never returned. The change creates a
         *     `governance_change` alert.
         *
         *     Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
         */
        post: operations["postAdminIdentityProviders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/identity-providers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an identity provider.
         * @description Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
         */
        get: operations["getAdminIdentityProvidersById"];
        put?: never;
        post?: never;
        /**
         * Delete an identity provider.
         * @description The sessions that it started end. Accounts and memberships remain.
         *
         *     Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
         */
        delete: operations["deleteAdminIdentityProvidersById"];
        options?: never;
        head?: never;
        /**
         * Change an identity provider. Absent members keep their values.
         * @description Disabling it ends the sessions that it started. The change creates a `governance_change` alert.
         *
         *     Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
         */
        patch: operations["patchAdminIdentityProvidersById"];
        trace?: never;
    };
    "/v1/admin/identity-providers/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test an identity provider.
         * @description Reads the configuration and the keys that the provider publishes. It changes nothing.
         *
         *     Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
         */
        post: operations["postAdminIdentityProvidersTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of the tenant, newest first.
         * @description API keys require the scope `members:read`. Users require a role with the same right.
         */
        get: operations["getAdminMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/members/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite a user by `user_id` or by `email`.
         * @description A member with status `invited` has no rights until the user accepts the invitation. An account that this
         *     tenant created and that has a password becomes active immediately. If mail is configured, every address
         *     that is unknown to the tenant is invited, whether or not it has an account elsewhere. Without mail, such
         *     an address returns 404. An API key can invite viewers only.
         *
         *     API keys require the scope `members:write`. Users require a role with the same right.
         */
        post: operations["postAdminMembersInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a member.
         * @description API keys require the scope `members:read`. Users require a role with the same right.
         */
        get: operations["getAdminMembersByUserId"];
        put?: never;
        post?: never;
        /**
         * Remove a member from the tenant immediately.
         * @description An API key can remove viewers only. The API keys that the user created, and the keys created with those,
         *     are revoked in the same transaction, unless `keys_to` names another admin who takes them over. Keys of
         *     authoring capabilities are always revoked, together with their capabilities.
         *
         *     API keys require the scope `members:write`. Users require a role with the same right.
         */
        delete: operations["deleteAdminMembersByUserId"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member.
         * @description The new role applies from the next request on. This requires the session of an admin. A role with fewer
         *     rights revokes the API keys that the user created, and the keys created with those, unless `keys_to` names
         *     another admin who takes them over. Keys of authoring capabilities are always revoked, together with their
         *     capabilities.
         *
         *     Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
         */
        patch: operations["patchAdminMembersByUserId"];
        trace?: never;
    };
    "/v1/admin/members/{user_id}/reset-second-factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the second factors of a member.
         * @description It removes all passkeys, the authenticator app and the recovery codes, and ends the sessions of the account. The
         *     account must belong only to this tenant. This requires the session of an admin.
         *
         *     Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
         */
        post: operations["postAdminMembersResetSecondFactors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all tenants, newest first.
         * @description API keys require the scope `tenants:provision`. Users require a role with the same right.
         */
        get: operations["getAdminTenants"];
        put?: never;
        /**
         * Create a tenant.
         * @description This requires an operator key with `tenants:provision`, and no tenant header.
         *
         *     API keys require the scope `tenants:provision`. Users require a role with the same right.
         */
        post: operations["postAdminTenants"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account that belongs to this tenant only, with a link to choose its password.
         * @description The account is not a member yet; invite it next. If mail is configured, the link is mailed, and opening it
         *     verifies the address. Other tenants can invite the account from then on. Without mail, the response
         *     contains the link; only the session of an admin can request it. Repeating the request for an account of
         *     this tenant without a password creates a new link and invalidates the previous one.
         *
         *     Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
         */
        post: operations["postAdminUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an account that this tenant created.
         * @description Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
         */
        get: operations["getAdminUsersByUserId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alerts, newest first.
         * @description API keys require the scope `alerts:read`. Users require a role with the same right.
         */
        get: operations["getAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge up to 500 alerts.
         * @description Alerts that do not exist are reported by ID. The others are acknowledged.
         *
         *     API keys require the scope `alerts:write`. Users require a role with the same right.
         */
        post: operations["postAlertsAcknowledgeMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook deliveries, newest first, without their attempts.
         * @description API keys require the scope `alerts:read`. Users require a role with the same right.
         */
        get: operations["getAlertsDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/deliveries/redrive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry dead webhook deliveries.
         * @description Retries all of them whose subscription is active, or only those of one subscription, or those queued since a given
         *     time.
         *
         *     API keys require the scope `alerts:write`. Users require a role with the same right.
         */
        post: operations["postAlertsDeliveriesRedrive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/deliveries/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count webhook deliveries by status, in total and per subscription.
         * @description API keys require the scope `alerts:read`. Users require a role with the same right.
         */
        get: operations["getAlertsDeliveriesStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook delivery with all attempts.
         * @description API keys require the scope `alerts:read`. Users require a role with the same right.
         */
        get: operations["getAlertsDeliveriesById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a webhook delivery immediately.
         * @description Its attempts are counted from the start.
         *
         *     API keys require the scope `alerts:write`. Users require a role with the same right.
         */
        post: operations["postAlertsDeliveriesRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook subscriptions, newest first.
         * @description API keys require the scope `alerts:write`. Users require a role with the same right.
         */
        get: operations["getAlertsSubscriptions"];
        put?: never;
        /**
         * Create a webhook subscription.
         * @description The secret is returned only once. The filters cannot be changed later.
         *
         *     API keys require the scope `alerts:write`. Users require a role with the same right.
         */
        post: operations["postAlertsSubscriptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook subscription.
         * @description API keys require the scope `alerts:write`. Users require a role with the same right.
         */
        get: operations["getAlertsSubscriptionsById"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook subscription.
         * @description Pending deliveries are discarded.
         *
         *     API keys require the scope `alerts:write`. Users require a role with the same right.
         */
        delete: operations["deleteAlertsSubscriptionsById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/subscriptions/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test delivery to a webhook subscription.
         * @description It ignores the filters of the subscription. Its alert has the type `test`.
         *
         *     API keys require the scope `alerts:write`. Users require a role with the same right.
         */
        post: operations["postAlertsSubscriptionsTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an alert.
         * @description API keys require the scope `alerts:read`. Users require a role with the same right.
         */
        get: operations["getAlertsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge an alert.
         * @description Acknowledging it again changes nothing and returns who acknowledged it first.
         *
         *     API keys require the scope `alerts:write`. Users require a role with the same right.
         */
        post: operations["postAlertsAcknowledge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/{id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign an alert.
         * @description Without `user_id`, the alert is assigned to no one.
         *
         *     API keys require the scope `alerts:write`. Users require a role with the same right.
         */
        post: operations["postAlertsAssign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts/{id}/snooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Snooze an alert.
         * @description Until the given time, the alert is not open. Without `until`, it is open again immediately.
         *
         *     API keys require the scope `alerts:write`. Users require a role with the same right.
         */
        post: operations["postAlertsSnooze"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys, newest first, including revoked ones.
         * @description API keys require the scope `api-keys:admin`. Users require a role with the same right.
         */
        get: operations["getApiKeys"];
        put?: never;
        /**
         * Create an API key.
         * @description The plaintext key is returned only once. An API key can create keys with a subset of its own scopes, which
         *     expire no later than itself.
         *
         *     API keys require the scope `api-keys:admin`. Users require a role with the same right.
         */
        post: operations["postApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an API key. A revoked key remains.
         * @description API keys require the scope `api-keys:admin`. Users require a role with the same right.
         */
        get: operations["getApiKeysById"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key immediately and permanently.
         * @description Revoking it again changes nothing.
         *
         *     API keys require the scope `api-keys:admin`. Users require a role with the same right.
         */
        delete: operations["deleteApiKeysById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit events, newest first.
         * @description API keys require the scope `audit:read`. Users require a role with the same right.
         */
        get: operations["getAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-log/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the audit log.
         * @description Checks the stored bytes: hashes, predecessors, sequence numbers, columns, checkpoints and the end of the
         *     log. If the log was changed, the report shows the change, with status 200.
         *
         *     API keys require the scope `audit:admin`. Users require a role with the same right.
         */
        post: operations["postAuditLogVerify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/authoring-capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List authoring capabilities, newest first, including those carried over or revoked.
         * @description API keys require the scope `policies:read`. Users require a role with the same right.
         */
        get: operations["getAuthoringCapabilities"];
        put?: never;
        /**
         * Issue an authoring capability to a new API key.
         * @description The capability permits work on one version of a policy and nothing else. The plaintext key is returned
         *     only once. While a capability with a writing action is live, its version can be set aside but not
         *     superseded. `max_uses` counts writes only.
         *
         *     Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
         */
        post: operations["postAuthoringCapabilities"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/authoring-capabilities/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the authoring capability of the calling key.
         * @description Requires an API key with an authoring capability.
         */
        get: operations["getAuthoringCapabilitiesCurrent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/authoring-capabilities/current/pending-work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the review and activation work in the scope of the calling key's authoring capability.
         * @description The scope is defined only by the signed grants. The response may be outdated: read the version again
         *     before acting on it. Poll at most once per minute while something is pending, and every five minutes when
         *     nothing changes.
         *
         *     Requires an API key with an authoring capability for `policy.read` and `review.retrieve`.
         */
        get: operations["getAuthoringCapabilitiesCurrentPendingWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/authoring-capabilities/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an authoring capability.
         * @description Includes its lineage of signed grants.
         *
         *     API keys require the scope `policies:read`. Users require a role with the same right.
         */
        get: operations["getAuthoringCapabilitiesById"];
        put?: never;
        post?: never;
        /**
         * Revoke an authoring capability immediately and permanently.
         * @description The capabilities that it was carried over to are revoked too. Revoking it again changes nothing.
         *
         *     Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
         */
        delete: operations["deleteAuthoringCapabilitiesById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/authoring-capabilities/{id}/carry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Carry a live authoring capability over to a successor draft of the same policy.
         * @description Creates a new grant for the same key with the same terms and the current use count.
         *
         *     Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
         */
        post: operations["postAuthoringCapabilitiesCarry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List decision chains, newest first.
         * @description API keys require the scope `decisions:read`. Users require a role with the same right.
         */
        get: operations["getChains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chains/{chain_id}/bundle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the verification bundle of a chain.
         * @description Contains all links and receipts, and the seal if there is one. Returns an archive, or with `format=json`
         *     the same files as one JSON object.
         *
         *     No authentication is required.
         */
        get: operations["getChainsBundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chains/{chain_id}/seal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the public seal of a chain.
         * @description Returns 404 while the chain is open.
         *
         *     No authentication is required.
         */
        get: operations["getChainsSeal"];
        put?: never;
        /**
         * Seal a decision chain.
         * @description A sealed chain accepts no further steps. Sealing it again returns the same seal. A chain that fails
         *     verification is not sealed.
         *
         *     API keys require the scope `decisions:write`. Users require a role with the same right.
         */
        post: operations["postChainsSeal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chains/{chain_id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify a chain from its stored bytes.
         * @description Checks every link, every receipt in the chain, and the seal. `problems` lists failures of the claim
         *     `chain_proofs` of a verification bundle; `warnings` do not indicate tampering. The same links can be
         *     verified offline.
         *
         *     No authentication is required.
         */
        get: operations["getChainsVerify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cli/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key by its secret.
         * @description Any key can be revoked by the program that has it, also without the scope `api-keys:admin`. The response is the same
         *     for a key that is unknown, revoked or expired.
         *
         *     No authentication is required.
         */
        post: operations["postCliRevoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cli/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a one-time code of the console for an API key.
         * @description A signed-in user allows the key on the page `/cli-login`, which returns the code. The key has the name, the scopes
         *     and the expiry that the user chose, and acts for the user. A code can be used once, within a minute after a redirect
         *     or five minutes after it was shown, and only with the verifier and the port of the program that requested it.
         *
         *     No authentication is required.
         */
        post: operations["postCliToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List recorded decisions, newest first.
         * @description The decisions of one chain are listed by step, the first step first.
         *
         *     API keys require the scope `decisions:read`. Users require a role with the same right.
         */
        get: operations["getDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate a context; an alias of `POST /v1/decisions/evaluate`.
         * @description API keys require the scope `decisions:evaluate`. Users require a role with the same right.
         */
        post: operations["postDecisionsDryRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/dryRun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate a context; an alias of `POST /v1/decisions/evaluate`.
         * @description API keys require the scope `decisions:evaluate`. Users require a role with the same right.
         */
        post: operations["postDecisionsDryRunCamelCase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate a context without recording a decision.
         * @description API keys require the scope `decisions:evaluate`. Users require a role with the same right.
         */
        post: operations["postDecisionsEvaluate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/evaluate-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate up to 100 contexts against the same policies without recording decisions.
         * @description Each context counts as one request of the rate limit.
         *
         *     An invalid body is rejected as a whole, with one error for each invalid value. A context without an active
         *     policy has an `error` as its result.
         *
         *     API keys require the scope `decisions:evaluate`. Users require a role with the same right.
         */
        post: operations["postDecisionsEvaluateBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the recorded decisions of a time range.
         * @description Decisions are sorted newest first, and those of one chain by step. The body is chunked. A response that
         *     ends without its last chunk is incomplete; repeat the request. This happens if the database becomes
         *     unavailable, or if the key is revoked or the user removed during the export. In CSV, a cell that begins
         *     with `=`, `+`, `-`, `@`, a tab or a carriage return is prefixed with `'`, so that spreadsheets do not
         *     interpret it as a formula.
         *
         *     API keys require the scope `decisions:read`. Users require a role with the same right.
         */
        get: operations["getDecisionsExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate a context and record the decision, exactly once per idempotency key.
         * @description API keys require the scope `decisions:write`. Users require a role with the same right.
         */
        post: operations["postDecisionsRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream decisions as they are recorded.
         * @description Server-sent events, in the order in which the tenant recorded the decisions, each exactly once. The `id`
         *     of an event is opaque. A client that reconnects within an hour with the last ID in `Last-Event-ID`
         *     continues after that event. IDs are also sent without an event, at the start and with the comment that is
         *     sent every 15 seconds. The stream ends if the key is revoked, the user signs out or the service stops, and
         *     if 256 events are buffered for a client that does not read. A key can have 20 open streams per process.
         *
         *     API keys require the scope `decisions:read`. Users require a role with the same right.
         */
        get: operations["getDecisionsStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a recorded decision.
         * @description Includes its outcome, if one was recorded.
         *
         *     API keys require the scope `decisions:read`. Users require a role with the same right.
         */
        get: operations["getDecisionsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/{id}/outcome": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record the outcome of a decision.
         * @description An outcome cannot be changed.
         *
         *     API keys require the scope `decisions:write`. Users require a role with the same right.
         */
        post: operations["postDecisionsOutcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate a recorded decision again and compare the results.
         * @description The stored context is evaluated against the stored snapshot with the recorded time, independent of the
         *     current policies. Nothing is recorded.
         *
         *     API keys require the scope `decisions:read`. Users require a role with the same right.
         */
        post: operations["postDecisionsReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List forms, newest first.
         * @description API keys require the scope `policies:read`. Users require a role with the same right.
         */
        get: operations["getForms"];
        put?: never;
        /**
         * Create a form.
         * @description Without `fields`, the fields are derived from the active rules of its policy.
         *
         *     API keys require the scope `policies:write`. Users require a role with the same right.
         */
        post: operations["postForms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forms/{form_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a form.
         * @description API keys require the scope `policies:read`. Users require a role with the same right.
         */
        get: operations["getFormsByFormId"];
        put?: never;
        post?: never;
        /**
         * Delete a form with its tokens.
         * @description Its decisions are not deleted.
         *
         *     API keys require the scope `policies:write`. Users require a role with the same right.
         */
        delete: operations["deleteFormsByFormId"];
        options?: never;
        head?: never;
        /**
         * Change, publish or unpublish a form.
         * @description `is_published` publishes and unpublishes it.
         *
         *     API keys require the scope `policies:write`. Users require a role with the same right.
         */
        patch: operations["patchFormsByFormId"];
        trace?: never;
    };
    "/v1/forms/{form_id}/api-contract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the API contract of a published form, for programs that submit to it.
         * @description Returns the schema, an `OpenAPI` document and runnable examples.
         *
         *     No authentication is required.
         */
        get: operations["getFormsApiContract"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forms/{form_id}/receipts/{decision_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the receipt of a submission of a published form.
         * @description No authentication is required.
         */
        get: operations["getFormsReceiptsByDecisionId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forms/{form_id}/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a published form as a JSON Schema.
         * @description No authentication is required.
         */
        get: operations["getFormsSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forms/{form_id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a published form.
         * @description The submission is evaluated, recorded and signed as a decision. Repeating a request with the same
         *     `idempotency_key` returns the same result and does not use the budget. The maximum size is 256 KiB.
         *
         *     No authentication is required.
         */
        post: operations["postFormsSubmit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forms/{form_id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a token for a form with access mode `token`.
         * @description The token is returned only once.
         *
         *     API keys require the scope `policies:write`. Users require a role with the same right.
         */
        post: operations["postFormsTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forms/{form_id}/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a form token immediately and permanently.
         * @description Revoking it again changes nothing.
         *
         *     API keys require the scope `policies:write`. Users require a role with the same right.
         */
        delete: operations["deleteFormsTokensByTokenId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the process is alive, without using the database.
         * @description No authentication is required.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/log/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the latest checkpoint of the transparency log.
         * @description The checkpoint contains the number of entries, the root hash and a signature. It is a C2SP signed note.
         *     Its first line is the origin of the log, under which the key of the log is listed.
         *
         *     No authentication is required.
         */
        get: operations["getLogCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/log/rekor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the latest checkpoint that was submitted to Rekor, with its proof.
         * @description Returns a `govern-rekor-proof/v1` object: the submitted `note`, the Rekor entry with its SHA-256 (`body`,
         *     base64), the number of the entry in the tree of the instance (`log_index`), the `hashes` of its inclusion
         *     proof, and the signed `checkpoint` of that tree.
         *
         *     No authentication is required.
         */
        get: operations["getLogRekor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/log/tile/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a tile of the transparency log: 256 hashes of one level, or 256 entries.
         * @description `<L>/<N>` contains the hashes `256 N` to `256 N + 255` of level `8 L`. `entries/<N>` contains the entries
         *     with these numbers, each after its length in two bytes. `N` is written in groups of three digits, and all
         *     groups but the last have the prefix `x`: `x001/234`. `.p/<W>` selects the first `W` elements of a tile
         *     that is not full yet.
         *
         *     No authentication is required.
         */
        get: operations["getLogTileByPath"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List policies, newest first.
         * @description API keys require the scope `policies:read`. Users require a role with the same right.
         */
        get: operations["getPolicies"];
        put?: never;
        /**
         * Create a policy, and its first version if `rules` are present.
         * @description API keys require the scope `policies:write`. Users require a role with the same right.
         */
        post: operations["postPolicies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a policy.
         * @description Includes the version that `version` selects.
         *
         *     API keys require the scope `policies:read`. Users require a role with the same right.
         */
        get: operations["getPoliciesById"];
        put?: never;
        post?: never;
        /**
         * Delete a policy without a ratified version.
         * @description API keys require the scope `policies:write`. Users require a role with the same right.
         */
        delete: operations["deletePoliciesById"];
        options?: never;
        head?: never;
        /**
         * Change the settings of a policy, which are independent of its versions.
         * @description Changes of `shadow_mode`, `decision_types`, `inheritable` and `policy_group_id` of an active policy affect
         *     its verdicts. They require the session of a ratifier, or a key if the setting `human_changes_only` is off
         *     (`HUMAN_REQUIRED`). Such a change creates a `governance_change` alert and applies from the next evaluation
         *     on.
         *
         *     API keys require the scope `policies:write`. Users require a role with the same right.
         */
        patch: operations["patchPoliciesById"];
        trace?: never;
    };
    "/v1/policies/{id}/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the analytics of a policy.
         * @description Counts decisions by verdict over time, and the results of each rule.
         *
         *     API keys require the scope `policies:read` and `decisions:read`. Users require a role with the same right.
         */
        get: operations["getPoliciesAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deactivate a policy.
         * @description Creates a `governance_change` alert. API keys get `HUMAN_REQUIRED` while the setting `human_changes_only`
         *     is on.
         *
         *     API keys require the scope `policies:write`. Users require a role with the same right.
         */
        post: operations["postPoliciesDeactivate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the decisions that evaluated one version of a policy, newest first.
         * @description API keys require the scope `policies:read` and `decisions:read`. Users require a role with the same right.
         */
        get: operations["getPoliciesDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a policy, newest first.
         * @description Only a draft or a submitted version has its rules.
         *
         *     API keys require the scope `policies:read`. Users require a role with the same right.
         */
        get: operations["getPoliciesVersions"];
        put?: never;
        /**
         * Create a draft.
         * @description API keys require the scope `policies:write`. Users require a role with the same right.
         */
        post: operations["postPoliciesVersions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version.
         * @description API keys require the scope `policies:read` or an authoring capability for `policy.read`. Users require a role with the same right.
         */
        get: operations["getPoliciesVersionsByVersion"];
        put?: never;
        post?: never;
        /**
         * Delete a draft that was never sealed.
         * @description This includes recalled and rejected drafts. The history stays in the audit log, and the version number is
         *     not used again.
         *
         *     API keys require the scope `policies:write`. Users require a role with the same right.
         */
        delete: operations["deletePoliciesVersionsByVersion"];
        options?: never;
        head?: never;
        /**
         * Edit a draft in place.
         * @description API keys require the scope `policies:write` or an authoring capability for `policy.draft.edit`. Users require a role with the same right.
         */
        patch: operations["patchPoliciesVersionsByVersion"];
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate a ratified version.
         * @description Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
         */
        post: operations["postPoliciesVersionsActivate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}/approval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the signed approval of a ratified version.
         * @description API keys require the scope `policies:read`. Users require a role with the same right.
         */
        get: operations["getPoliciesVersionsApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comments on a version, newest first.
         * @description It contains the first entries of threads and their replies. Comments of review records are first entries.
         *
         *     Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
         */
        get: operations["getPoliciesVersionsComments"];
        put?: never;
        /**
         * Comment on a version, or reply to a comment.
         * @description Threads have one level: a reply to a reply belongs to the same thread, and its `in_reply_to` is the first
         *     entry. A comment can be written in any status of the version. It is not part of any signed statement.
         *
         *     Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
         */
        post: operations["postPoliciesVersionsComments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}/comments/{comment_id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopen the resolved thread of a comment.
         * @description Reopening an open thread changes nothing.
         *
         *     Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
         */
        post: operations["postPoliciesVersionsCommentsReopen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}/comments/{comment_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve the thread of a comment.
         * @description Resolving it again changes nothing and returns who resolved it first.
         *
         *     Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
         */
        post: operations["postPoliciesVersionsCommentsResolve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the rules of a version with those of another version.
         * @description Without `against`, the other version is the active one, or else the preceding one. If there is none, all
         *     rules are new.
         *
         *     API keys require the scope `policies:read`. Users require a role with the same right.
         */
        get: operations["getPoliciesVersionsDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}/ratify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ratify a submitted version, or a draft whose current revision a reviewer accepted.
         * @description With maker-checker on, a user who helped create the version cannot ratify it, and a version with an
         *     unknown maker cannot be ratified (`MAKER_UNKNOWN`). A revision for which a reviewer requested changes
         *     cannot be ratified (`VERSION_RETURNED`). The approval is signed; `GET …/approval` returns it.
         *
         *     Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
         */
        post: operations["postPoliciesVersionsRatify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}/recall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recall a submitted version to draft.
         * @description API keys require the scope `policies:write`. Users require a role with the same right.
         */
        post: operations["postPoliciesVersionsRecall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a submitted version and return it to draft.
         * @description Creates a `governance_change` alert. API keys get `HUMAN_REQUIRED` while the setting `human_changes_only`
         *     is on.
         *
         *     API keys require the scope `policies:write`. Users require a role with the same right.
         */
        post: operations["postPoliciesVersionsReject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}/seal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Seal the current revision of a version for review.
         * @description A revision is sealed once: repeating the request returns the same submission with status 200. After a
         *     reviewer has requested changes, the next submission must name that review record in `answers_record_id`.
         *     This includes review records of drafts in the lineage.
         *
         *     API keys require the scope `policies:write` or an authoring capability for `review.seal`. Users require a role with the same right.
         */
        post: operations["postPoliciesVersionsSeal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}/set-aside": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set aside a version that was never active.
         * @description Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
         */
        post: operations["postPoliciesVersionsSetAside"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the review submissions of a version, newest first, with their review records.
         * @description API keys require the scope `policies:read` or an authoring capability for `review.retrieve`. Users require a role with the same right.
         */
        get: operations["getPoliciesVersionsSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}/submissions/{submission_id}/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record the verdict of a review: `ACCEPT` or `RETURN`, once per review submission.
         * @description With maker-checker on, the user who sealed the submission cannot review it.
         *
         *     Requires a signed-in user whose last sign-in is at most 15 minutes old (otherwise 403 `CONFIRMATION_REQUIRED`). API keys get 403 `HUMAN_REQUIRED`.
         */
        post: operations["postPoliciesVersionsSubmissionsRecords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a draft for ratification.
         * @description API keys require the scope `policies:write` or an authoring capability for `policy.submit`. Users require a role with the same right.
         */
        post: operations["postPoliciesVersionsSubmit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{id}/versions/{version}/supersede": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a draft with a new draft that corrects it.
         * @description The replaced draft is retained as history.
         *
         *     Requires a signed-in user. API keys get 403 `HUMAN_REQUIRED`.
         */
        post: operations["postPoliciesVersionsSupersede"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List policy groups, newest first.
         * @description API keys require the scope `policies:read`. Users require a role with the same right.
         */
        get: operations["getPolicyGroups"];
        put?: never;
        /**
         * Create a policy group.
         * @description API keys require the scope `policies:write`. Users require a role with the same right.
         */
        post: operations["postPolicyGroups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy-groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a policy group.
         * @description API keys require the scope `policies:read`. Users require a role with the same right.
         */
        get: operations["getPolicyGroupsById"];
        put?: never;
        post?: never;
        /**
         * Delete a policy group that has no policies.
         * @description API keys require the scope `policies:write`. Users require a role with the same right.
         */
        delete: operations["deletePolicyGroupsById"];
        options?: never;
        head?: never;
        /**
         * Change a policy group.
         * @description A change of a group with active policies creates a `governance_change` alert. API keys get
         *     `HUMAN_REQUIRED` for it while the setting `human_changes_only` is on.
         *
         *     API keys require the scope `policies:write`. Users require a role with the same right.
         */
        patch: operations["patchPolicyGroupsById"];
        trace?: never;
    };
    "/v1/policy-groups/{id}/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the policies of a group, newest first.
         * @description API keys require the scope `policies:read`. Users require a role with the same right.
         */
        get: operations["getPolicyGroupsPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the process can serve requests.
         * @description No authentication is required.
         */
        get: operations["getReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/{decision_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the public receipt of a decision.
         * @description No authentication is required.
         */
        get: operations["getReceiptsByDecisionId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/{decision_id}/bundle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the verification bundle of a decision, with everything to verify it offline.
         * @description Returns an archive, or with `format=json` the same files as one JSON object. `govern-verify` verifies
         *     both; get the trusted keys from another source. The same decision returns the same bytes while its chain
         *     and the trust registry do not change.
         *
         *     No authentication is required.
         */
        get: operations["getReceiptsBundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the current session.
         * @description No authentication is required.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in.
         * @description No authentication is required.
         */
        post: operations["postSession"];
        /**
         * Sign out.
         * @description No authentication is required.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the sign-in before a signing operation: with the password and the second factor of the account, or with a
         *     passkey.
         * @description No authentication is required.
         */
        post: operations["postSessionConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the invitations of the current user.
         * @description No authentication is required.
         */
        get: operations["getSessionInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/invitations/{tenant_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept the invitation of a tenant.
         * @description The membership is effective from the next request on.
         *
         *     No authentication is required.
         */
        post: operations["postSessionInvitationsAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/invitations/{tenant_id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline the invitation of a tenant.
         * @description No authentication is required.
         */
        post: operations["postSessionInvitationsDecline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey, without a password.
         * @description The passkey must verify its user, for example by a fingerprint or a PIN.
         *
         *     No authentication is required.
         */
        post: operations["postSessionPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/passkey-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the options with which a browser uses a passkey.
         * @description The purpose `second_factor` needs a pending sign-in, and `confirm` a session.
         *
         *     No authentication is required.
         */
        post: operations["postSessionPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a passkey to the account of the current user.
         * @description All other sessions of the user end. With the first second factor, the response contains recovery codes.
         *
         *     No authentication is required.
         */
        post: operations["postSessionPasskeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the options with which a browser creates a passkey.
         * @description No authentication is required.
         */
        post: operations["postSessionPasskeysOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/passkeys/{passkey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey of the current user.
         * @description All other sessions of the user end. With the last second factor, the recovery codes are removed too. `auth_method` of the
         *     session no longer names the passkey; a session that began with the passkey alone ends.
         *
         *     No authentication is required.
         */
        delete: operations["deleteSessionPasskeysByPasskeyId"];
        options?: never;
        head?: never;
        /**
         * Rename a passkey of the current user.
         * @description No authentication is required.
         */
        patch: operations["patchSessionPasskeysByPasskeyId"];
        trace?: never;
    };
    "/v1/session/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password of the current user.
         * @description All other sessions of the user end.
         *
         *     No authentication is required.
         */
        post: operations["postSessionPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the recovery codes of the current user.
         * @description All other sessions of the user end, and earlier codes become void.
         *
         *     No authentication is required.
         */
        post: operations["postSessionRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a password reset by mail.
         * @description The response is the same for every address, whether or not it has an account. Without mail, nothing is
         *     sent.
         *
         *     No authentication is required.
         */
        post: operations["postSessionReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a sign-in with the second factor of the account.
         * @description It follows `POST /v1/session` with the error `SECOND_FACTOR_MISSING`, within five minutes and with the cookie of that
         *     response.
         *
         *     No authentication is required.
         */
        post: operations["postSessionSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/second-factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the second factors of the current user.
         * @description No authentication is required.
         */
        get: operations["getSessionSecondFactors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the active sessions of the current user, most recently used first.
         * @description No authentication is required.
         */
        get: operations["getSessionSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session of the current user.
         * @description Ending the current session signs out.
         *
         *     No authentication is required.
         */
        delete: operations["deleteSessionSessionsBySessionId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a password with the token of a setup or reset link.
         * @description A token can be used once. Sign in with the password next. All sessions of the account end. A mailed link
         *     verifies the email address of the account. The first password of an account accepts the invitation of the
         *     tenant that created it.
         *
         *     No authentication is required.
         */
        post: operations["postSessionSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the secret of an authenticator app.
         * @description It has no effect until a code confirms it, and replaces an earlier secret that was not confirmed.
         *
         *     No authentication is required.
         */
        post: operations["postSessionTotp"];
        /**
         * Remove the authenticator app of the current user.
         * @description All other sessions of the user end. With the last second factor, the recovery codes are removed too. `auth_method` of the
         *     session no longer names the app.
         *
         *     No authentication is required.
         */
        delete: operations["deleteSessionTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the secret of an authenticator app with a code.
         * @description All other sessions of the user end. With the first second factor, the response contains recovery codes.
         *
         *     No authentication is required.
         */
        post: operations["postSessionTotpConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings.
         * @description API keys require the scope `policies:read`. Users require a role with the same right.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings. Absent settings keep their values.
         * @description This requires the session of an admin, or a key with `policies:write` while `human_changes_only` is off.
         *     Only the session of an admin can change `human_changes_only` and `sign_in`. A change by a key, and a change by a user
         *     that weakens a safeguard, creates a `governance_change` alert.
         *
         *     API keys require the scope `policies:write`. Users require a role with the same right.
         */
        patch: operations["patchSettings"];
        trace?: never;
    };
    "/v1/snapshots/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the policy snapshot of a decision, as it was hashed.
         * @description API keys require the scope `policies:read`. Users require a role with the same right.
         */
        get: operations["getSnapshotsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description The credential that a submitter of a form must present.
         * @enum {string}
         */
        AccessMode: "open" | "token" | "password" | "console";
        /** @description The body of `POST /v1/session/setup`. */
        AccountSetup: {
            /** @description The new password, 12 to 256 characters. */
            password: string;
            /** @description The token of the setup link. */
            token: string;
        };
        /** @description The body of `POST /v1/alerts/acknowledge`. */
        AcknowledgeRequest: {
            /** @description The IDs of 1 to 500 alerts, each once. */
            ids: string[];
        };
        /** @description The results of an acknowledgement, in the order of the request. */
        AcknowledgeResponse: {
            /** @description One result per ID. */
            items: components["schemas"]["AcknowledgeResult"][];
        };
        /** @description The result for one alert: the alert or an error. */
        AcknowledgeResult: {
            /** @description The acknowledged alert. */
            alert?: components["schemas"]["Alert"];
            /** @description The reason why the alert was not acknowledged. */
            error?: components["schemas"]["Problem"];
            /** @description The ID in the request. */
            id: components["schemas"]["AlertId"];
        };
        /** @description The action that the caller takes if the verdict permits it. */
        Action: {
            /** @description Any further facts about the action. */
            metadata?: Record<string, unknown>;
            /** @description The caller's ID of the action. */
            reference_id?: string;
            /** @description The kind of action, such as `payment`. */
            type: string;
        };
        /** @description The action that the caller takes if the verdict permits it. */
        ActionDraft: {
            /** @description Any further facts about the action. */
            metadata?: components["schemas"]["JsonObject"] | null;
            /** @description The caller's ID of the action. */
            reference_id?: string | null;
            /** @description The kind of action, such as `payment`. */
            type: string;
        };
        /** @description An active session of a user. */
        ActiveSession: {
            /** @description The time of the sign-in. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The ID of the session. It cannot be used to sign in. */
            id: components["schemas"]["SessionId"];
            /** @description Whether the request used this session. */
            is_current: boolean;
            /** @description The time of the last use, to the minute. */
            last_used_at: components["schemas"]["Timestamp"];
            /** @description The network block of the sign-in: an IPv4 address, or a /64 of IPv6. */
            network?: string;
            /** @description The user agent that the browser reported at the sign-in. */
            user_agent?: string;
        };
        /** @description The active sessions of a user, last used first. */
        ActiveSessions: {
            /** @description The active sessions. */
            items: components["schemas"]["ActiveSession"][];
        };
        /** @description The actor of a decision: a person or a program. */
        Actor: {
            /** @description The authority under which the actor acts. */
            authority?: string;
            /**
             * @description The ID that a respondent of a public form declares. It is not verified and is not an identity.
             *     Requests cannot contain it.
             */
            declared_id?: string;
            /** @description The display name of the actor. */
            display_name?: string;
            /** @description The ID of the actor. The integrity hash binds it. */
            id?: string;
            /** @description The role of the actor. */
            role?: string;
            /** @description The kind of actor, such as `human`. */
            type?: string;
        };
        /** @description The actor of a decision: a person or a program. */
        ActorDraft: {
            /** @description The authority under which the actor acts. */
            authority?: string | null;
            /** @description The display name of the actor. */
            display_name?: string | null;
            /** @description The ID of the actor. The integrity hash binds it. */
            id?: string | null;
            /** @description The role of the actor. */
            role?: string | null;
            /** @description The kind of actor, such as `human`. */
            type?: string | null;
        };
        /** @description An alert. */
        Alert: {
            /** @description The time at which the alert was acknowledged. */
            acknowledged_at?: components["schemas"]["Timestamp"];
            /** @description The ID of the user or API key that acknowledged the alert. */
            acknowledged_by?: string;
            /** @description The type of the alert. */
            alert_type: components["schemas"]["AlertType"];
            /** @description The ID of the member who handles the alert. */
            assigned_to?: components["schemas"]["UserId"];
            /** @description The time at which the alert was created. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * @description Details for programs. For a decision: `policy_code`, `rule_codes`, `decision_type` and
             *     `correlation_id`.
             */
            data: Record<string, unknown>;
            /** @description The ID of the decision that caused the alert. */
            decision_id?: components["schemas"]["DecisionId"];
            /** @description The ID of the alert. */
            id: components["schemas"]["AlertId"];
            /** @description A message for people. */
            message: string;
            /** @description The severity; for a decision, the highest severity of its violations. */
            severity: components["schemas"]["Severity"];
            /** @description The time until which the alert is snoozed. After this time, an unacknowledged alert is open again. */
            snoozed_until?: components["schemas"]["Timestamp"];
            /** @description The tenant of the alert. */
            tenant_id: components["schemas"]["TenantId"];
        };
        /** Format: uuid */
        AlertId: string;
        /** @description A page of alerts, newest first. */
        AlertPage: {
            /** @description The alerts of the page. */
            items: components["schemas"]["Alert"][];
            /**
             * Format: int32
             * @description The maximum number of alerts per page.
             */
            limit: number;
            /**
             * Format: int32
             * @description The number of alerts before this page.
             */
            offset: number;
            /**
             * Format: int64
             * @description The number of all alerts that match the filter, at most 1,000. That number means "1,000 or more".
             */
            total: number;
        };
        /**
         * @description The type of an alert.
         * @enum {string}
         */
        AlertType: "policy_violation" | "shadow_violation" | "governance_change" | "webhook_dead";
        AllGate: {
            all: components["schemas"]["Gate"][];
        };
        AllGateDraft: {
            all: components["schemas"]["GateDraft"][];
        };
        /** @description The results of a policy and its rules over all versions. */
        Analytics: {
            /** @description The length of the buckets. */
            bucket: components["schemas"]["BucketSize"];
            /** @description The buckets in order, including those without decisions. */
            buckets: components["schemas"]["VerdictBucket"][];
            /** @description The start of the time range, at a whole hour or day. */
            from: components["schemas"]["Timestamp"];
            /** @description Whether all decisions recorded before the request are counted. */
            is_complete: boolean;
            /** @description The ID of the policy. */
            policy_id: components["schemas"]["PolicyId"];
            /** @description The evaluated rules, sorted by code. */
            rules: components["schemas"]["RuleAnalytics"][];
            /** @description The exclusive end of the time range, at a whole hour or day. */
            to: components["schemas"]["Timestamp"];
        };
        AnyGate: {
            any: components["schemas"]["Gate"][];
        };
        AnyGateDraft: {
            any: components["schemas"]["GateDraft"][];
        };
        /** @description An API key, without its secret. */
        ApiKey: {
            /** @description The time at which the key was created. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * @description The ID of the user or API key that created the key, or of the user who took it over in a transfer.
             *     `null` for a key that the command line created before owners were required.
             */
            created_by: string | null;
            expires_at: components["schemas"]["Timestamp"] | null;
            /** @description The ID of the API key. */
            id: components["schemas"]["ApiKeyId"];
            /** @description Whether the key is not revoked. Expiry does not change this value; see `expires_at`. */
            is_active: boolean;
            /** @description A preview to distinguish keys: the fixed prefix, an ellipsis and the last few characters. */
            key_preview: string;
            last_used_at: components["schemas"]["Timestamp"] | null;
            /** @description The name of the key. Audit events show this name. */
            name: string;
            revoked_at: components["schemas"]["Timestamp"] | null;
            /** @description The ID of the user or API key that revoked the key; `null` if the command line did. */
            revoked_by: string | null;
            /** @description The scopes of the key. */
            scopes: components["schemas"]["Scope"][];
            /** @description The tenant of the key. */
            tenant_id: components["schemas"]["TenantId"];
        };
        /** @description A created API key. The plaintext is shown only once. */
        ApiKeyCreated: {
            /** @description The created key. */
            key: components["schemas"]["ApiKey"];
            /** @description The bearer token: `svc_` and a base64url token. Only its digest is stored. */
            plaintext_key: string;
        };
        /** @description The body of `POST /v1/api-keys`. */
        ApiKeyDraft: {
            /**
             * Format: date-time
             * @description The expiry time, in the future. Absent or `null` means that the key does not expire. A key that
             *     expires can only create keys that expire no later.
             */
            expires_at?: string | null;
            /** @description The name of the key, 1 to 200 characters. */
            name: string;
            /**
             * @description At least one scope, each once. Every scope except `tenants:provision` is allowed. An API key can
             *     create keys with a subset of its own scopes only.
             */
            scopes: ("policies:read" | "policies:write" | "decisions:evaluate" | "decisions:read" | "decisions:write" | "alerts:read" | "alerts:write" | "audit:read" | "audit:admin" | "members:read" | "members:write" | "api-keys:admin" | "authoring:capability")[];
        };
        /** Format: uuid */
        ApiKeyId: string;
        /** @description The body of `POST /v1/alerts/{id}/assign`. */
        AssignRequest: {
            /**
             * Format: uuid
             * @description The ID of the member who handles the alert. Absent means no one.
             */
            user_id?: string | null;
        };
        /** @description The actor of an audit event. */
        AuditActor: {
            /** @description The email address of the user; absent if erased. */
            email?: string;
            /** @description The ID of the user or API key, or the name of the system component. */
            id: string;
            /** @description The name of the API key; absent if erased. */
            key_name?: string;
            /** @description The type of the actor: `human`, `api_key`, `capability` or `system`. */
            type: string;
        };
        /** @description A signed checkpoint of the audit log. */
        AuditCheckpoint: {
            /** @description The hash of that event. */
            hash: string;
            /**
             * Format: int64
             * @description The index in the transparency log; absent until the checkpoint is anchored.
             */
            log_index?: number;
            /**
             * Format: int64
             * @description The sequence number of the last event that the checkpoint covers.
             */
            seq: number;
        };
        /** @description The first event that fails verification. */
        AuditDivergence: {
            /** @description The stored value; `absent` if it is missing. */
            actual: string;
            /** @description The expected value. */
            expected: string;
            /**
             * @description The kind of divergence: `hash`, `prev`, `seq`, `columns`, `canonical` or `checkpoint`. For unreadable
             *     bytes, the code of the parse error, such as `JSON_SYNTAX`.
             */
            kind: string;
            /**
             * Format: int64
             * @description The sequence number of the event, which can be missing.
             */
            seq: number;
        };
        /** @description The end of an audit log. */
        AuditHead: {
            /** @description The hash of the last event; empty if there is none. */
            hash: string;
            /**
             * Format: int64
             * @description The sequence number of the last event; 0 if there is none.
             */
            seq: number;
        };
        /** @description An event of the audit log. */
        AuditItem: {
            /** @description The action. */
            action: string;
            /** @description The actor. */
            actor: components["schemas"]["AuditActor"];
            /** @description The email address of the actor; absent if the actor is not a user, or if it was erased. */
            actor_email?: string;
            /** @description Further facts: IDs, numbers and codes. Empty if there are none. */
            details: Record<string, unknown>;
            /** @description The stored object that is hashed. Bytes that are no longer valid JSON are returned as a string. */
            event: Record<string, unknown> | string;
            /** @description The ID of the event. */
            event_id: components["schemas"]["EventId"];
            /** @description The SHA-256 digest of the canonical text of `event`. */
            hash: string;
            /** @description The object of the action. */
            object: components["schemas"]["AuditObject"];
            /** @description The time of the event. */
            occurred_at: components["schemas"]["Timestamp"];
            /**
             * @description The personal data of the event: `{"salt", "data"}`, bound by its `personal_digest`. Absent if there is
             *     none, or if it was erased.
             */
            personal?: Record<string, unknown>;
            /** @description The hash of the previous event; absent for the first event. */
            prev_hash?: string;
            /**
             * Format: int64
             * @description The sequence number in the audit log of the tenant: 1, 2, 3, … without gaps.
             */
            seq: number;
        };
        /** @description The object of an audit event. */
        AuditObject: {
            /** @description The ID of the object. */
            id: string;
            /** @description The type of the object, such as `policy_version`. */
            type: string;
        };
        /** @description The body of `POST /v1/audit-log/verify`: the range of events to verify. */
        AuditRange: {
            /** @description The first event; absent means the first event of the log. */
            from_seq?: number | null;
            /** @description The last event; absent means the last event of the log. */
            to_seq?: number | null;
        };
        /** @description The result of an audit log verification. */
        AuditReport: {
            /**
             * Format: int64
             * @description The number of verified events, up to and including the first divergence.
             */
            checked: number;
            /** @description The first divergence; absent if the log is intact. */
            first_divergence?: components["schemas"]["AuditDivergence"];
            /** @description The end of the audit log, as stored in the tenant head. */
            head: components["schemas"]["AuditHead"];
            /** @description The last checkpoint; absent before the first checkpoint. */
            last_checkpoint?: components["schemas"]["AuditCheckpoint"];
            /** @description The status of the log. */
            status: components["schemas"]["AuditStatus"];
            /**
             * Format: int64
             * @description The number of events after the last checkpoint. The removal of events after the last checkpoint cannot
             *     be detected yet.
             */
            unanchored_tail: number;
        };
        /**
         * @description The status of an audit log.
         * @enum {string}
         */
        AuditStatus: "intact" | "tampered" | "truncated" | "forked" | "unreadable";
        /**
         * @description The way a user authenticated.
         * @enum {string}
         */
        AuthMethod: "password" | "password+totp" | "password+passkey" | "password+recovery_code" | "passkey" | "oidc";
        /** @description The result of one context of a batch. */
        BatchItem: {
            /** @description The verdict and the violations. */
            result: components["schemas"]["EvaluationResult"];
        } | {
            /** @description The reason why the context could not be evaluated. */
            error: components["schemas"]["Problem"];
        };
        /** @description The body of `POST /v1/decisions/evaluate-batch`. */
        BatchRequest: {
            /** @description At most 100 contexts. All are evaluated with the same policies. */
            contexts: components["schemas"]["DecisionContext"][];
        };
        /** @description The requester that a form displays. */
        Branding: {
            /** @description A description of the requester. */
            description?: string;
            /** @description The name of the requester; absent means the name of the tenant. */
            label?: string;
        };
        /** @description The requester that a form displays. */
        BrandingDraft: {
            /** @description A description of the requester. */
            description?: string | null;
            /** @description The name of the requester; absent means the name of the tenant. */
            label?: string | null;
        };
        /**
         * @description The length of the buckets of a time range.
         * @enum {string}
         */
        BucketSize: "hour" | "day";
        /**
         * @description The time window of a submission budget. Windows start at whole hours and days in UTC.
         * @enum {string}
         */
        BudgetWindow: "hour" | "day" | "total";
        /** @description An authoring capability: the permission of an API key to work on one version of one policy. */
        Capability: {
            /** @description The permitted actions, sorted by wire name. */
            actions: components["schemas"]["CapabilityAction"][];
            /** @description The ID of the API key that holds the capability. */
            api_key_id: components["schemas"]["ApiKeyId"];
            /** @description The ID of the grant that this one was carried over to. */
            carried_to?: components["schemas"]["CapabilityId"];
            /** @description The grant lineage, oldest first, including this grant. Present when a single capability is read. */
            chain?: components["schemas"]["Capability"][];
            /** @description The DSSE envelope of the signed statement. Present in `chain`. */
            envelope?: Record<string, unknown>;
            /** @description The time at which the capability expires. */
            expires_at?: components["schemas"]["Timestamp"];
            /** @description The digest of the signed statement (receipts, section 9.2). */
            grant_digest: string;
            /** @description The ID of the grant. */
            id: components["schemas"]["CapabilityId"];
            /** @description The time at which the grant was issued. */
            issued_at: components["schemas"]["Timestamp"];
            /** @description The ID of the user who issued the grant. */
            issued_by: components["schemas"]["UserId"];
            /**
             * Format: int32
             * @description The maximum number of writes; reads are not counted. Absent means unlimited.
             */
            max_uses?: number;
            /** @description The time from which the capability is valid. */
            not_before?: components["schemas"]["Timestamp"];
            /** @description The ID of the grant that was carried over to this one. */
            parent_capability_id?: components["schemas"]["CapabilityId"];
            /** @description The ID of the policy. */
            policy_id: components["schemas"]["PolicyId"];
            /** @description The ID of the version. */
            policy_version_id: components["schemas"]["PolicyVersionId"];
            /** @description The time at which the grant was revoked. */
            revoked_at?: components["schemas"]["Timestamp"];
            /** @description The ID of the user or API key that revoked the grant. */
            revoked_by?: string;
            /** @description The ID of the first grant of the lineage; the grant's own ID if it was not carried over. */
            root_capability_id: components["schemas"]["CapabilityId"];
            /** @description The tenant of the capability. */
            tenant_id: components["schemas"]["TenantId"];
            /**
             * Format: int32
             * @description The number of writes so far, including those under earlier grants of the lineage.
             */
            uses: number;
            /**
             * Format: int32
             * @description The version number.
             */
            version: number;
        };
        /**
         * @description An action that a capability can permit.
         * @enum {string}
         */
        CapabilityAction: "policy.draft.edit" | "policy.read" | "policy.submit" | "review.retrieve" | "review.seal";
        /** @description The body of a request that carries a capability over to a successor draft. */
        CapabilityCarry: {
            /** @description The version number of the successor draft. */
            version: number;
        };
        /** @description A created capability with its API key. The plaintext of the key is shown only once. */
        CapabilityCreated: {
            /** @description The created capability. */
            capability: components["schemas"]["Capability"];
            /** @description The created API key. Its only scope is `authoring:capability`. */
            key: components["schemas"]["ApiKey"];
            /** @description The bearer token: `svc_` and a base64url token. Only its digest is stored. */
            plaintext_key: string;
        };
        /** @description The body of `POST /v1/authoring-capabilities`. */
        CapabilityDraft: {
            /** @description The permitted actions: at least one, each once. */
            actions: ("policy.draft.edit" | "policy.read" | "policy.submit" | "review.retrieve" | "review.seal")[];
            /**
             * Format: date-time
             * @description The expiry time, in the future. Absent means that the capability does not expire.
             */
            expires_at?: string | null;
            /** @description The maximum number of writes. Absent means unlimited. */
            max_uses?: number | null;
            /** @description The name of the API key that is created: 1 to 200 characters. */
            name: string;
            /**
             * Format: date-time
             * @description The time from which the capability is valid. Absent means immediately.
             */
            not_before?: string | null;
            /**
             * Format: uuid
             * @description The ID of the policy.
             */
            policy_id: string;
            /** @description The version number. */
            version: number;
        };
        /** Format: uuid */
        CapabilityId: string;
        /** @description A chain in a list. */
        Chain: {
            /** @description The ID of the chain. */
            chain_id: components["schemas"]["ChainId"];
            /** @description The time at which the first decision was recorded. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The digest of the last link. */
            head: string;
            /**
             * Format: int32
             * @description The highest step number.
             */
            highest_step: number;
            /** @description The time at which the last decision was recorded. */
            last_recorded_at: components["schemas"]["Timestamp"];
            /** @description The time at which the chain was sealed; absent while it is open. */
            sealed_at?: components["schemas"]["Timestamp"];
            /** @description Whether the chain accepts further steps. */
            status: components["schemas"]["ChainStatus"];
            /**
             * Format: int32
             * @description The number of decisions.
             */
            steps: number;
        };
        /** Format: uuid */
        ChainId: string;
        /** @description A link of a chain and its verification result. Data that was deleted from the database is absent. */
        ChainItem: {
            /** @description The actor of the decision. */
            actor?: components["schemas"]["Actor"];
            /** @description Whether the receipt is anchored in the transparency log. */
            anchored: boolean;
            /** @description The stored digest of the link. */
            chain_integrity_hash: string;
            /** @description The base64url signature over the link. */
            chain_signature?: string;
            /** @description The thumbprint of the signing key. */
            chain_signature_kid?: string;
            /**
             * Format: int32
             * @description The step number.
             */
            chain_step: number;
            /** @description The verdict of the decision. */
            decision?: components["schemas"]["Verdict"];
            /** @description The ID of the decision. */
            decision_id: components["schemas"]["DecisionId"];
            /** @description The stored link. Bytes that are no longer valid JSON are returned as a string. */
            link: Record<string, unknown> | string;
            /** @description Whether the link references its predecessor, belongs to this receipt and is unchanged. */
            link_valid: boolean;
            /** @description The earlier decision that this decision follows. */
            parent_decision_id?: components["schemas"]["DecisionId"];
            /**
             * Format: int32
             * @description The position of the link: 1, 2, 3, … in the order of recording.
             */
            position: number;
            /** @description The time at which the decision was recorded. */
            recorded_at?: components["schemas"]["Timestamp"];
            /** @description Whether the signature over the link is valid; absent if there was no signing key. */
            signature_valid?: boolean;
        };
        /** @description The position of a decision in a chain, and the link that proves it. */
        ChainLinkInfo: {
            /** @description The ID of the chain. */
            chain_id: components["schemas"]["ChainId"];
            /** @description The digest of the link. */
            chain_integrity_hash: string;
            /** @description The base64url signature over the link; absent if unsigned. */
            chain_signature?: string;
            /** @description Always `Ed25519`. */
            chain_signature_algorithm?: string;
            /** @description The thumbprint of the signing key. */
            chain_signature_kid?: string;
            /**
             * Format: int32
             * @description The step number.
             */
            chain_step: number;
            /** @description The earlier decision that this decision follows. */
            parent_decision_id?: components["schemas"]["DecisionId"];
        };
        /** @description The requested position of a decision in a chain. */
        ChainRequest: {
            /**
             * Format: uuid
             * @description The ID of the chain, chosen by the caller. The first decision creates the chain.
             */
            chain_id: string;
            /**
             * @description The step number, 1 to 999,999, unique in the chain; gaps are allowed. Absent means one more than the
             *     highest step.
             */
            chain_step?: number | null;
            /**
             * Format: uuid
             * @description An earlier decision of the same chain that this decision follows.
             */
            parent_decision_id?: string | null;
        };
        /** @description The seal of a chain. */
        ChainSeal: {
            /** @description The ID of the chain. */
            chain_id: components["schemas"]["ChainId"];
            /** @description The DSSE envelope of the seal; without signatures if unsigned. */
            envelope: Record<string, unknown>;
            /** @description The signed statement: the number of links, the digest of the last link and the root over all links. */
            seal: Record<string, unknown>;
            /** @description The digest of `seal`. */
            seal_digest: string;
            /** @description The anchor in the transparency log; `null` while pending. */
            transparency_anchor?: Record<string, unknown> | null;
        };
        /**
         * @description The status of a chain.
         * @enum {string}
         */
        ChainStatus: "open" | "sealed";
        /** @description The result of a chain verification. */
        ChainVerification: {
            /** @description The ID of the chain. */
            chain_id: components["schemas"]["ChainId"];
            /** @description The links in the order of their positions. */
            items: components["schemas"]["ChainItem"][];
            /** @description Findings that indicate tampering: codes of the claim `chain_proofs`, each once, or `KEY_UNKNOWN`. */
            problems: string[];
            /** @description The DSSE envelope of the seal; `null` while the chain is open. */
            seal?: Record<string, unknown> | null;
            /** @description Whether the chain accepts further steps. */
            status: components["schemas"]["ChainStatus"];
            /**
             * Format: int32
             * @description The number of links.
             */
            steps: number;
            /** @description Whether `problems` is empty. */
            valid: boolean;
            /** @description Findings that are not tampering: `STEP_GAP`, `STEP_ORDER`, and `UNSIGNED` if there was no signing key. */
            warnings: string[];
        };
        /** @description The checks of the readiness endpoint. */
        Checks: {
            database: string;
            /**
             * @description `ok`; `unsigned` without a signing key; or the reason why the transparency log is halted, such as
             *     `LOG_KEY_CHANGED` if the key of the tree is lost.
             */
            log: string;
        };
        /** @description A clause of the source document, verbatim. */
        Clause: {
            /** @description The location in the document, such as `section 12(3)`. */
            locator: string;
            /** @description The verbatim text of the clause. */
            text: string;
            /** @description The ID of the clause, unique in the codification: 1 to 100 characters. */
            unit_id: string;
        };
        /** @description A clause of the source document, verbatim. */
        ClauseDraft: {
            /** @description The location in the document, such as `section 12(3)`. */
            locator: string;
            /** @description The verbatim text of the clause. */
            text: string;
            /** @description The ID of the clause, unique in the codification: 1 to 100 characters. */
            unit_id: string;
        };
        /** @description The lint of one clause. */
        ClauseLint: {
            /** @description The findings for the clause. */
            findings: components["schemas"]["Finding"][];
            /** @description Whether the clause can only be understood with a text that is not among the clauses. */
            needs_context: boolean;
            /** @description The ID of the clause. */
            unit_id: string;
        };
        /** @description The body of `POST /v1/cli/token`. */
        CodeExchange: {
            /** @description The one-time code of the console. */
            code: string;
            /** @description The verifier of the challenge that started the sign-in (RFC 7636, method `S256`), 43 to 128 characters. */
            code_verifier: string;
            /** @description The port of the redirect to `http://127.0.0.1`; absent for a code that the user pasted. */
            port?: number | null;
        };
        /** @description The member `codification` of a request: clauses, and a ledger that states how each was handled. */
        Codification: {
            /** @description The clauses, in the order of the document. */
            clauses: components["schemas"]["ClauseDraft"][];
            /** @description At least one entry for each clause. */
            ledger: components["schemas"]["LedgerEntry"][];
            /** @description The document that the clauses come from. */
            source: components["schemas"]["SourceDocumentDraft"];
        };
        /** @description A codification error. */
        CodificationError: {
            /** @description The kind of error. */
            kind: components["schemas"]["RefusalKind"];
            /** @description A message for people. */
            message: string;
            /** @description The code of the rule, if the error concerns one. */
            rule_code?: string;
            /** @description The ID of the clause, if the error concerns one. */
            unit_id?: string;
        };
        /** @description The stored result of a codification. */
        CodificationRecord: {
            /** @description The clauses, in the order of the document. */
            clauses: components["schemas"]["Clause"][];
            /** @description The number of clauses, in total and by disposition. */
            counts: components["schemas"]["Counts"];
            /** @description The dispositions of the clauses. */
            ledger: components["schemas"]["StoredLedgerEntry"][];
            /** @description The lint of the clauses and their rules. */
            lint: components["schemas"]["Lint"];
            /** @description Codification errors; empty in a stored record. */
            refusals: components["schemas"]["CodificationError"][];
            /** @description Always `service-codification-record/v1`. */
            schema: string;
            /** @description The document that the clauses come from. */
            source: components["schemas"]["SourceDocument"];
        };
        /**
         * @description A comment on a policy version: the first entry of a thread, or a reply.
         *
         *     A comment of a review record is the first entry of a thread. It has a `record_id`, and its text is part
         *     of that immutable record. All other comments are not part of any signed statement.
         */
        Comment: {
            /** @description The ID of the user who wrote the comment. */
            author: components["schemas"]["UserId"];
            /** @description The time at which the comment was created. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: int32
             * @description The draft revision that was commented on.
             */
            draft_revision: number;
            /** @description The ID of the comment. */
            id: components["schemas"]["CommentId"];
            /** @description The ID of the first entry of the thread; only for replies. */
            in_reply_to?: components["schemas"]["CommentId"];
            /** @description The ID of the review record that the comment is part of. */
            record_id?: components["schemas"]["ReviewRecordId"];
            /** @description The time at which the thread was resolved; only for the first entry of a resolved thread. */
            resolved_at?: components["schemas"]["Timestamp"];
            /** @description The ID of the user who resolved the thread. */
            resolved_by?: components["schemas"]["UserId"];
            /** @description The code of the rule that the comment concerns. */
            rule_code?: string;
            /** @description The text of the comment. */
            text: string;
            /** @description The ID of the clause that a comment of a review record concerns. */
            unit_id?: string;
            /**
             * Format: int32
             * @description The version number.
             */
            version: number;
        };
        /** @description The body of a request that creates a comment. */
        CommentDraft: {
            /**
             * Format: uuid
             * @description The ID of a comment of the same version. The comment becomes a reply in its thread.
             */
            in_reply_to?: string | null;
            /** @description The code of the rule that the comment concerns: a current rule of the version. */
            rule_code?: string | null;
            /** @description The text, 1 to 4,000 characters. `@` and the email address of a member mentions that member. */
            text: string;
        };
        /** Format: uuid */
        CommentId: string;
        ComparisonCondition: {
            left: string;
            /** @enum {string} */
            operator: "eq" | "ne" | "lt" | "lte" | "gt" | "gte";
            right: string;
        } | {
            left: string;
            /** @enum {string} */
            operator: "eq" | "ne" | "lt" | "lte" | "gt" | "gte";
            right_value: string | number;
        } | {
            left: string;
            /** @enum {string} */
            operator: "eq" | "ne";
            right_value: boolean;
        };
        ComparisonConditionDraft: {
            left: string;
            /** @enum {string} */
            operator: "eq" | "ne" | "lt" | "lte" | "gt" | "gte";
            right: string;
            right_value?: null;
        } | {
            left: string;
            /** @enum {string} */
            operator: "eq" | "ne" | "lt" | "lte" | "gt" | "gte";
            right?: null;
            right_value: string | number;
        } | {
            left: string;
            /** @enum {string} */
            operator: "eq" | "ne";
            right?: null;
            right_value: boolean;
        };
        /** @description The number of clauses, in total and with an entry of each disposition. */
        Counts: {
            /**
             * Format: int32
             * @description The number of clauses that can be read in more than one way.
             */
            ambiguous: number;
            /**
             * Format: int32
             * @description The number of all clauses.
             */
            clauses: number;
            /**
             * Format: int32
             * @description The number of clauses that are mapped to a rule.
             */
            mapped: number;
            /**
             * Format: int32
             * @description The number of clauses that require nothing.
             */
            non_normative: number;
            /**
             * Format: int32
             * @description The number of clauses that the author declined to map.
             */
            refused: number;
            /**
             * Format: int32
             * @description The number of clauses that no rule type can express.
             */
            unsupported: number;
        };
        /** @description The policy that determined the verdict. */
        DecidingPolicy: {
            /** @description The code of the policy. */
            code: string;
            /** @description The ID of the policy. */
            id: components["schemas"]["PolicyId"];
            /** @description The name of the policy. */
            name: string;
            /**
             * Format: int32
             * @description The version number.
             */
            version: number;
        };
        /** @description The input of a decision. */
        DecisionContext: {
            /** @description The decision type, 1 to 100 characters. */
            decision_type: string;
            /** @description The evidence for the fields; at most 1,000 items. */
            evidence?: components["schemas"]["Evidence"][];
            /** @description The fields that rules read. */
            fields: components["schemas"]["JsonObject"];
            /** @description Facts about the request; further members are stored unchanged. */
            metadata?: components["schemas"]["Metadata"];
            /** @description The document that the fields were read from. */
            source_artifact?: components["schemas"]["SourceArtifact"];
        };
        /** Format: uuid */
        DecisionId: string;
        /** @description The outcome of a decision. A decision has at most one outcome, which cannot be changed. */
        DecisionOutcome: {
            /** @description The person or program that caused the outcome. */
            actor?: components["schemas"]["Actor"];
            /** @description The ID of the decision. */
            decision_id: components["schemas"]["DecisionId"];
            /** @description A note. */
            note?: string;
            /** @description The time at which the outcome occurred. */
            occurred_at?: components["schemas"]["Timestamp"];
            /** @description The time at which the outcome was recorded. */
            recorded_at: components["schemas"]["Timestamp"];
            /** @description The ID of the user or API key that recorded the outcome. */
            recorded_by: string;
            /** @description The caller's ID of the outcome. */
            reference_id?: string;
            /** @description The status of the outcome. */
            status: components["schemas"]["OutcomeStatus"];
        };
        /** @description A recorded decision. */
        DecisionRecord: {
            /** @description The ID of the chain. */
            chain_id?: components["schemas"]["ChainId"];
            /** @description The digest of the link. */
            chain_integrity_hash?: string;
            /** @description The base64url signature over the link; absent if unsigned. */
            chain_signature?: string;
            /** @description Always `Ed25519`. */
            chain_signature_algorithm?: string;
            /** @description The thumbprint of the signing key. */
            chain_signature_kid?: string;
            /**
             * Format: int32
             * @description The step number.
             */
            chain_step?: number;
            /** @description The earlier decision that this decision follows. */
            parent_decision_id?: components["schemas"]["DecisionId"];
        } & {
            /** @description The actor of the decision. */
            actor?: components["schemas"]["Actor"];
            /** @description The ID of the API key that recorded the decision. */
            api_key_id?: string;
            /** @description The name of that API key. */
            api_key_name?: string;
            /** @description The context. It contains a generated correlation ID if the caller set none. */
            context: Record<string, unknown>;
            /** @description The correlation ID of the request. */
            correlation_id: string;
            /** @description The same time as `recorded_at`. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The verdict of the decision. */
            decision: components["schemas"]["Verdict"];
            /** @description The decision type. */
            decision_type: string;
            /** @description The evaluated policies. Decisions with the same snapshot have the same list. */
            evaluated_policies: components["schemas"]["EvaluatedPolicy"][];
            /** @description The tenant whose policy determined the verdict. */
            governance_source: components["schemas"]["GovernanceSource"];
            /** @description The ID of the decision. */
            id: components["schemas"]["DecisionId"];
            /** @description The idempotency key of the request. */
            idempotency_key: string;
            /** @description The outcome of the decision. Present only when a single decision is read and its outcome was recorded. */
            outcome?: components["schemas"]["DecisionOutcome"];
            /** @description The policy that determined the verdict. */
            policy: components["schemas"]["DecidingPolicy"];
            /** @description The code of that group. */
            policy_group_code?: string;
            /** @description The group of the policy that determined the verdict. */
            policy_group_id?: components["schemas"]["PolicyGroupId"];
            /** @description The policy snapshot. */
            policy_snapshot_id: components["schemas"]["SnapshotId"];
            /** @description The time at which the decision was recorded. */
            recorded_at: components["schemas"]["Timestamp"];
            /** @description The full result: verdict and violations. */
            result: components["schemas"]["EvaluationResult"];
            /** @description The tenant of the decision. */
            tenant_id: components["schemas"]["TenantId"];
        };
        /** @description An attempt of a delivery. */
        DeliveryAttempt: {
            /** @description The time at which the attempt started. */
            at: components["schemas"]["Timestamp"];
            /**
             * Format: int32
             * @description The attempt number, as sent in `X-Service-Attempt`: from 1, and from 1 again after a requested retry.
             */
            attempt: number;
            /**
             * Format: int32
             * @description The duration in milliseconds.
             */
            duration_ms: number;
            /** @description The reason why the attempt failed. */
            failure_reason?: components["schemas"]["FailureReason"];
            /**
             * Format: int32
             * @description The HTTP status of the response.
             */
            status_code?: number;
        };
        /** @description The numbers of deliveries by status. */
        DeliveryCounts: {
            /**
             * Format: int64
             * @description Deliveries that failed permanently.
             */
            dead: number;
            /**
             * Format: int64
             * @description Deliveries that the receiver accepted.
             */
            delivered: number;
            /**
             * Format: int64
             * @description Deliveries that will be retried.
             */
            failed: number;
            /**
             * Format: int64
             * @description Deliveries without an attempt.
             */
            pending: number;
        };
        /** Format: uuid */
        DeliveryId: string;
        /** @description Delivery statistics. */
        DeliveryStats: {
            /** @description All deliveries by status. */
            by_status: components["schemas"]["DeliveryCounts"];
            /** @description The deliveries of each subscription, including deleted subscriptions. */
            by_subscription: components["schemas"]["SubscriptionStats"][];
            /** @description The time at which the oldest open delivery was or will be due. */
            oldest_due_at?: components["schemas"]["Timestamp"];
        };
        /**
         * @description The status of a delivery.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "delivered" | "failed" | "dead";
        /** @description A value that differs. */
        Difference: {
            /** @description The recorded value; absent if there is none. */
            original?: unknown;
            /**
             * @description The JSON Pointer to the value in `original` and in `replay`.
             * @example /violations/0/reason
             */
            path: string;
            /** @description The value of the replay; absent if there is none. */
            replay?: unknown;
        };
        /**
         * @description The disposition of a clause.
         * @enum {string}
         */
        Disposition: "mapped" | "ambiguous" | "unsupported" | "non_normative" | "refused";
        DistinctCondition: {
            fields: string[];
            include_actor?: boolean;
        };
        DistinctConditionDraft: {
            fields: string[];
            include_actor?: boolean | null;
        };
        /** @description A body without members: `{}`. */
        EmptyBody: Record<string, unknown>;
        /**
         * @description The stored event from which an item is pending.
         * @enum {string}
         */
        EnteredStateSource: "submitted_at" | "sealed_at" | "accept_recorded_at" | "ratified_at";
        EqualsGate: {
            case_sensitive?: boolean;
            equals: string | number | boolean;
            field: string;
        };
        EqualsGateDraft: {
            case_sensitive?: boolean | null;
            equals: string | number | boolean;
            exists?: null;
            field: string;
            in?: null;
        };
        /** @description The body of every error response. */
        ErrorBody: {
            /** @description The correlation ID of the request. */
            correlation_id: string;
            /** @description The error. */
            error: components["schemas"]["Problem"];
            /**
             * Format: int32
             * @description The number of seconds to wait before a retry; only with 503.
             */
            retry_after?: number;
        };
        /** @description The response to a batch evaluation. */
        EvaluateBatchResponse: {
            /** @description One item per context, in the same order. */
            items: components["schemas"]["BatchItem"][];
        };
        /** @description The body of `POST /v1/decisions/evaluate`. */
        EvaluateRequest: {
            /** @description The actor of the decision. */
            actor?: components["schemas"]["ActorDraft"] | null;
            /** @description The input of the decision. */
            context: components["schemas"]["DecisionContext"];
            /** @description Whether the response contains the status of every rule; absent means false. */
            explain?: boolean | null;
            /**
             * @description The code of a policy group. Limits the tenant's own policies to those of the group. Inherited policies
             *     always apply.
             */
            policy_group_code?: string | null;
            /** @description Limits the tenant's own policies to these. Inherited policies always apply. */
            policy_ids?: string[] | null;
        };
        /** @description The response to an evaluation. */
        EvaluateResponse: {
            /** @description The evaluated policies. Decisions with the same snapshot have the same list. */
            evaluated_policies: components["schemas"]["EvaluatedPolicy"][];
            /** @description The verdict and the violations. */
            result: components["schemas"]["EvaluationResult"];
        };
        /** @description A policy as it was evaluated. */
        EvaluatedPolicy: {
            /** @description The code of the policy. */
            policy_code: string;
            /** @description The code of the group. */
            policy_group_code?: string;
            /** @description The group of the policy. */
            policy_group_id?: components["schemas"]["PolicyGroupId"];
            /** @description The ID of the policy. */
            policy_id: components["schemas"]["PolicyId"];
            /** @description The name of the policy. */
            policy_name: string;
            /** @description The laws and standards that the policy implements. */
            regulatory_refs: string[];
            /** @description The active rules of the version. */
            rules: components["schemas"]["EvaluatedRule"][];
            /** @description Whether the policy was in shadow mode. */
            shadow_mode: boolean;
            /**
             * Format: int32
             * @description The version that was active.
             */
            version: number;
        };
        /** @description A rule as it was evaluated. */
        EvaluatedRule: {
            /** @description The code of the rule. */
            code: string;
            /** @description The name of the rule. */
            name?: string;
            /** @description The gate of the rule. */
            when?: components["schemas"]["Gate"];
        };
        /** @description The result of an evaluation. */
        EvaluationResult: {
            /** @description The signature in base64url without padding, 86 characters. */
            signature?: string;
            /** @description Always `Ed25519`. */
            signature_algorithm?: string;
            /** @description The RFC 7638 thumbprint of the signing key. */
            signature_kid?: string;
        } & {
            /** @description The action of the request. */
            action?: components["schemas"]["Action"];
            /** @description The verdict. */
            decision: components["schemas"]["Verdict"];
            /** @description Present and true if the decision was not recorded. */
            dry_run?: boolean;
            /** @description The digest of the active rules that were evaluated. */
            evaluated_rules_hash: string;
            /**
             * Format: double
             * @description The duration of the evaluation in milliseconds.
             */
            evaluation_time_ms: number;
            /** @description The digest of the evidence manifest, if there is evidence. */
            evidence_manifest_digest?: string;
            /** @description The digest of context, snapshot and verdict (receipts, section 3.5). */
            integrity_hash: string;
            /** @description Whether every evaluated policy is in shadow mode. */
            is_shadow?: boolean;
            /** @description The rules that were not applicable, with reasons. */
            na_rules: components["schemas"]["NaRule"][];
            /** @description The tenant's own policies that the request selected; absent if it selected all. */
            narrowing?: components["schemas"]["Narrowing"];
            /** @description The verdict without shadow mode; present only with `shadow_converted`. */
            original_decision?: components["schemas"]["Verdict"];
            /** @description The digest of that snapshot; absent only in receipts of schema version 1. */
            policy_snapshot_digest?: string;
            /** @description The ID of the policy snapshot. The snapshot can be read once a decision that uses it was recorded. */
            policy_snapshot_id: components["schemas"]["SnapshotId"];
            /**
             * Format: int32
             * @description The receipt schema version: 2, or 1 for decisions that were recorded before version 2 existed.
             */
            receipt_schema_version?: number;
            /** @description The status of every rule; only with `explain`. */
            rules?: components["schemas"]["RuleResult"][];
            /**
             * Format: int32
             * @description The number of rules that applied.
             */
            rules_evaluated: number;
            /**
             * Format: int32
             * @description The number of rules that were not applicable.
             */
            rules_na: number;
            /** @description Present and true if shadow mode made the verdict less strict. */
            shadow_converted?: boolean;
            /** @description The server time of the evaluation. It is independent of `metadata.timestamp`, which the rules use. */
            timestamp: components["schemas"]["Timestamp"];
            /** @description The anchor of the receipt in the transparency log; absent while pending. */
            transparency_anchor?: Record<string, unknown>;
            /** @description The failed checks, in the order of the rules. */
            violations: components["schemas"]["Violation"][];
        };
        /** Format: uuid */
        EventId: string;
        /** @description An item of evidence. */
        Evidence: {
            data?: components["schemas"]["JsonValue"];
            /** @description SHA-256 of the canonical `data` in hexadecimal, with or without the prefix `sha256:`. */
            hash?: string;
            kind?: string;
            ref?: string;
        };
        EvidenceCondition: {
            required_kinds: string[];
            verify_hash?: boolean;
        };
        EvidenceConditionDraft: {
            required_kinds: string[];
            verify_hash?: boolean | null;
        };
        ExistsGate: {
            exists: boolean;
            field: string;
        };
        ExistsGateDraft: {
            equals?: null;
            exists: boolean;
            field: string;
            in?: null;
        };
        /**
         * @description The reason why an attempt failed.
         * @enum {string}
         */
        FailureReason: "dns_error" | "blocked_address" | "connect_timeout" | "tls_error" | "timeout" | "http_status" | "connection_reset" | "body_too_large" | "secret_unavailable" | "subscription_deleted";
        /** @description An option of a field. */
        FieldOption: {
            /** @description The label of the option. */
            label: string;
            /** @description The value of the option: a string, a number or a boolean. */
            value: string | number | boolean;
        };
        /** @description An option of a field. */
        FieldOptionDraft: {
            /** @description The label of the option. */
            label: string;
            /** @description The value of the option: a string, a number or a boolean. */
            value: string | number | boolean;
        };
        /**
         * @description The type of a form field.
         * @enum {string}
         */
        FieldType: "text" | "textarea" | "number" | "date" | "datetime" | "boolean" | "select" | "multiselect" | "email" | "url";
        /** @description A finding of the lint. */
        Finding: {
            /** @description A [`FindingCode`], or a code of a lint provider over HTTP. */
            code: string;
            /** @description The evidence for the finding. */
            evidence: components["schemas"]["FindingEvidence"];
            /** @description A message for people. */
            message: string;
        };
        /** @description The evidence for a finding. */
        FindingEvidence: {
            /**
             * Format: double
             * @description The confidence of the lint provider, from 0 to 1.
             */
            confidence: number;
        };
        /** @description A hosted form. */
        Form: {
            /** @description The credential that a submitter must present. */
            access_mode: components["schemas"]["AccessMode"];
            /** @description The requester that the form displays. */
            branding: components["schemas"]["Branding"];
            /** @description The time at which the form was created. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The ID of the user or API key that created the form. */
            created_by?: string;
            /** @description The decision type of submissions. */
            decision_type: string;
            /** @description The description of the form. */
            description?: string;
            /** @description The fields of the form, in order. */
            fields: components["schemas"]["FormField"][];
            /** @description The ID of the form. It is part of the public link. */
            id: components["schemas"]["FormId"];
            /** @description Whether the form is published. */
            is_published: boolean;
            /** @description The language of the public pages. */
            language: components["schemas"]["FormLanguage"];
            /** @description The ID of the policy that decides on submissions. */
            policy_id: components["schemas"]["PolicyId"];
            /** @description The message that is shown after a submission. */
            success_message?: string;
            /** @description The tenant of the form. */
            tenant_id: components["schemas"]["TenantId"];
            /** @description The title of the form. */
            title: string;
            /** @description The submission budget. */
            token_budget: components["schemas"]["TokenBudget"];
            /**
             * Format: int32
             * @description The number of submissions in the current window.
             */
            tokens_used: number;
            /** @description The time of the last change. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description Instructions for programs that submit to a form. */
        FormContract: {
            /** @description A submission with `curl`. */
            curl_example: string;
            /** @description The JSON Schema (2020-12) of `values`. */
            json_schema: Record<string, unknown>;
            /** @description The submit endpoint as an `OpenAPI` 3.1 document. */
            openapi_snippet: Record<string, unknown>;
            /** @description The same submission in two programming languages. */
            sdk_examples: components["schemas"]["SdkExamples"];
        };
        /** @description The body of `POST /v1/forms`. */
        FormDraft: {
            /**
             * @description The credential that a submitter must present; absent means `open`.
             * @enum {string}
             */
            access_mode: "password";
            /** @description The requester that the form displays. */
            branding?: components["schemas"]["BrandingDraft"] | null;
            /** @description The decision type of submissions. It can be absent if the policy has exactly one. */
            decision_type?: string | null;
            /** @description The description; at most 5,000 characters. */
            description?: string | null;
            /** @description The fields of the form; absent means that they are derived from the active rules of the policy. */
            fields?: components["schemas"]["FormFieldDraft"][] | null;
            /** @description Whether the form is published; absent means false. */
            is_published?: boolean | null;
            /**
             * @description The language of the public pages; absent means `auto`.
             * @enum {string|null}
             */
            language?: "auto" | "en" | "de" | "fr" | "es" | null;
            /** @description The password of access mode `password`, 6 to 256 characters. It is never returned. */
            password: string;
            /**
             * Format: uuid
             * @description The ID of the policy that decides on submissions.
             */
            policy_id: string;
            /** @description The message that is shown after a submission; at most 2,000 characters. */
            success_message?: string | null;
            /** @description The title, 1 to 200 characters. */
            title: string;
            /** @description The submission budget; absent means 1,000 per day. */
            token_budget?: components["schemas"]["TokenBudgetDraft"] | null;
        } | {
            /**
             * @description The credential that a submitter must present; absent means `open`.
             * @enum {string|null}
             */
            access_mode?: "open" | "token" | "console" | null;
            /** @description The requester that the form displays. */
            branding?: components["schemas"]["BrandingDraft"] | null;
            /** @description The decision type of submissions. It can be absent if the policy has exactly one. */
            decision_type?: string | null;
            /** @description The description; at most 5,000 characters. */
            description?: string | null;
            /** @description The fields of the form; absent means that they are derived from the active rules of the policy. */
            fields?: components["schemas"]["FormFieldDraft"][] | null;
            /** @description Whether the form is published; absent means false. */
            is_published?: boolean | null;
            /**
             * @description The language of the public pages; absent means `auto`.
             * @enum {string|null}
             */
            language?: "auto" | "en" | "de" | "fr" | "es" | null;
            /** @description The password of access mode `password`, 6 to 256 characters. It is never returned. */
            password?: string | null;
            /**
             * Format: uuid
             * @description The ID of the policy that decides on submissions.
             */
            policy_id: string;
            /** @description The message that is shown after a submission; at most 2,000 characters. */
            success_message?: string | null;
            /** @description The title, 1 to 200 characters. */
            title: string;
            /** @description The submission budget; absent means 1,000 per day. */
            token_budget?: components["schemas"]["TokenBudgetDraft"] | null;
        };
        /** @description A field of a form. */
        FormField: {
            /** @description A hint that is shown with the field. */
            help?: string;
            /** @description The label of the field. */
            label: string;
            /**
             * Format: double
             * @description The maximum of a number.
             */
            max?: number;
            /**
             * Format: int32
             * @description The maximum length of a text in characters.
             */
            max_length?: number;
            /**
             * Format: double
             * @description The minimum of a number.
             */
            min?: number;
            /**
             * Format: int32
             * @description The minimum length of a text in characters.
             */
            min_length?: number;
            /** @description The name of the field in the decision context. */
            name: string;
            /** @description The options of `select` and `multiselect`. */
            options?: components["schemas"]["FieldOption"][];
            /**
             * @description A regular expression (RE2 syntax) that must match a part of the text. Use `^` and `$` to match all of
             *     it.
             */
            pattern?: string;
            /** @description An example that is shown in the empty field. */
            placeholder?: string;
            /** @description Whether a value is required; absent means false. */
            required?: boolean;
            /** @description The type of the field. */
            type: components["schemas"]["FieldType"];
        };
        /** @description A field of a form. */
        FormFieldDraft: {
            /** @description A hint that is shown with the field. */
            help?: string | null;
            /** @description The label of the field. */
            label: string;
            /** @description The maximum of a number. */
            max?: null;
            /** @description The maximum length of a text in characters. */
            max_length?: number | null;
            /** @description The minimum of a number. */
            min?: null;
            /** @description The minimum length of a text in characters. */
            min_length?: number | null;
            /** @description The name of the field in the decision context. */
            name: string;
            /** @description The options of `select` and `multiselect`. */
            options?: null;
            /**
             * @description A regular expression (RE2 syntax) that must match a part of the text. Use `^` and `$` to match all of
             *     it.
             */
            pattern?: string | null;
            /** @description An example that is shown in the empty field. */
            placeholder?: string | null;
            /** @description Whether a value is required; absent means false. */
            required?: boolean | null;
            /**
             * @description The type of the field.
             * @enum {string}
             */
            type: "text" | "textarea" | "email" | "url";
        } | {
            /** @description A hint that is shown with the field. */
            help?: string | null;
            /** @description The label of the field. */
            label: string;
            /** @description The maximum of a number. */
            max?: number | null;
            /** @description The maximum length of a text in characters. */
            max_length?: null;
            /** @description The minimum of a number. */
            min?: number | null;
            /** @description The minimum length of a text in characters. */
            min_length?: null;
            /** @description The name of the field in the decision context. */
            name: string;
            /** @description The options of `select` and `multiselect`. */
            options?: null;
            /**
             * @description A regular expression (RE2 syntax) that must match a part of the text. Use `^` and `$` to match all of
             *     it.
             */
            pattern?: null;
            /** @description An example that is shown in the empty field. */
            placeholder?: string | null;
            /** @description Whether a value is required; absent means false. */
            required?: boolean | null;
            /**
             * @description The type of the field.
             * @enum {string}
             */
            type: "number";
        } | {
            /** @description A hint that is shown with the field. */
            help?: string | null;
            /** @description The label of the field. */
            label: string;
            /** @description The maximum of a number. */
            max?: null;
            /** @description The maximum length of a text in characters. */
            max_length?: null;
            /** @description The minimum of a number. */
            min?: null;
            /** @description The minimum length of a text in characters. */
            min_length?: null;
            /** @description The name of the field in the decision context. */
            name: string;
            /** @description The options of `select` and `multiselect`. */
            options?: null;
            /**
             * @description A regular expression (RE2 syntax) that must match a part of the text. Use `^` and `$` to match all of
             *     it.
             */
            pattern?: null;
            /** @description An example that is shown in the empty field. */
            placeholder?: string | null;
            /** @description Whether a value is required; absent means false. */
            required?: boolean | null;
            /**
             * @description The type of the field.
             * @enum {string}
             */
            type: "date" | "datetime" | "boolean";
        } | {
            /** @description A hint that is shown with the field. */
            help?: string | null;
            /** @description The label of the field. */
            label: string;
            /** @description The maximum of a number. */
            max?: null;
            /** @description The maximum length of a text in characters. */
            max_length?: null;
            /** @description The minimum of a number. */
            min?: null;
            /** @description The minimum length of a text in characters. */
            min_length?: null;
            /** @description The name of the field in the decision context. */
            name: string;
            /** @description The options of `select` and `multiselect`. */
            options: components["schemas"]["FieldOptionDraft"][];
            /**
             * @description A regular expression (RE2 syntax) that must match a part of the text. Use `^` and `$` to match all of
             *     it.
             */
            pattern?: null;
            /** @description An example that is shown in the empty field. */
            placeholder?: string | null;
            /** @description Whether a value is required; absent means false. */
            required?: boolean | null;
            /**
             * @description The type of the field.
             * @enum {string}
             */
            type: "select" | "multiselect";
        };
        /** Format: uuid */
        FormId: string;
        /**
         * @description The language of the public pages of a form. The texts of the form itself are not translated.
         * @enum {string}
         */
        FormLanguage: "auto" | "en" | "de" | "fr" | "es";
        /** @description The body of `PATCH /v1/forms/:formId`. Absent members are unchanged. */
        FormPatch: {
            /**
             * @description The credential that a submitter must present.
             * @enum {string}
             */
            access_mode?: "open" | "token" | "password" | "console";
            /** @description The requester that the form displays. */
            branding?: components["schemas"]["BrandingDraft"];
            /** @description The decision type of submissions. */
            decision_type?: string;
            /** @description The description; `null` clears it. */
            description?: string | null;
            /** @description All fields of the form, which replace the existing ones. */
            fields?: components["schemas"]["FormFieldDraft"][];
            /** @description Whether the form is published. */
            is_published?: boolean;
            /**
             * @description The language of the public pages.
             * @enum {string}
             */
            language?: "auto" | "en" | "de" | "fr" | "es";
            /** @description A new password, 6 to 256 characters, which is never returned; `null` clears it. */
            password?: string | null;
            /** @description The message that is shown after a submission; `null` clears it. */
            success_message?: string | null;
            /** @description The title, 1 to 200 characters. */
            title?: string;
            /** @description The submission budget. */
            token_budget?: components["schemas"]["TokenBudgetDraft"];
        };
        /** @description A machine-readable description of a form. */
        FormSchema: {
            /** @description The credential that a submitter must present. */
            access_mode: components["schemas"]["AccessMode"];
            /** @description The decision type of submissions. */
            decision_type: string;
            /** @description The description of the form. */
            description?: string;
            /** @description The ID of the form. */
            form_id: components["schemas"]["FormId"];
            /** @description The JSON Schema (2020-12) of `values`. */
            json_schema: Record<string, unknown>;
            /** @description The title of the form. */
            title: string;
            /** @description Display hints. */
            ui: components["schemas"]["FormUi"];
        };
        /** @description The body of `POST /v1/forms/:formId/submit`. */
        FormSubmission: {
            /** @description The token, required by forms with the access mode `token`. */
            access_token?: string | null;
            /** @description The idempotency key: repeating a submission with the same key returns the same result. */
            idempotency_key?: string | null;
            /** @description The password, required by forms with the access mode `password`. */
            password?: string | null;
            /** @description The details that the respondent declares. They are not verified and are not an identity. */
            respondent?: {
                display_name?: string | null;
                id?: string | null;
            } | null;
            /** @description The values by field name. */
            values: components["schemas"]["JsonObject"];
        };
        /** @description The result of a form submission. */
        FormSubmissionResult: {
            /** @description The verdict of the decision. */
            decision: components["schemas"]["Verdict"];
            /** @description The ID of the recorded decision. */
            decision_id: components["schemas"]["DecisionId"];
            /** @description The success message of the form. */
            message?: string;
            /** @description The URL of the receipt, for people and programs. */
            receipt_url: string;
            /** @description The violated rules. */
            violations: components["schemas"]["SubmissionViolation"][];
        };
        /** @description A created form token. The token is shown only once. */
        FormToken: {
            /** @description The time at which the token expires; absent means that it does not expire. */
            expires_at?: components["schemas"]["Timestamp"];
            /** @description The ID of the token. */
            id: components["schemas"]["FormTokenId"];
            /**
             * Format: int32
             * @description The maximum number of submissions with the token; absent means unlimited.
             */
            max_uses?: number;
            /** @description The secret token. */
            token: string;
            /** @description The URL of the form, including the token. */
            url: string;
        };
        /** @description The body of `POST /v1/forms/:formId/tokens`. */
        FormTokenDraft: {
            /**
             * Format: date-time
             * @description The time at which the token expires; absent means that it does not expire.
             */
            expires_at?: string | null;
            /** @description The maximum number of submissions with the token, 1 to 1,000,000; absent means unlimited. */
            max_uses?: number | null;
        };
        /** Format: uuid */
        FormTokenId: string;
        /** @description Display hints of a form. */
        FormUi: {
            /** @description The hint of each field that has one. */
            help: {
                [key: string]: string;
            };
            /** @description The label of each field. */
            labels: {
                [key: string]: string;
            };
            /** @description The field names in display order. */
            order: string[];
        };
        Gate: components["schemas"]["AllGate"] | components["schemas"]["AnyGate"] | components["schemas"]["EqualsGate"] | components["schemas"]["InGate"] | components["schemas"]["ExistsGate"];
        GateDraft: components["schemas"]["AllGateDraft"] | components["schemas"]["AnyGateDraft"] | components["schemas"]["EqualsGateDraft"] | components["schemas"]["InGateDraft"] | components["schemas"]["ExistsGateDraft"];
        /** @description The tenant whose policy determined the verdict. */
        GovernanceSource: {
            /**
             * Format: int32
             * @description The distance in the tenant hierarchy: 0 for the tenant itself, 1 for its parent, and so on.
             */
            level: number;
            /** @description The ID of the tenant. */
            tenant_id: components["schemas"]["TenantId"];
            /** @description The name of the tenant. */
            tenant_name: string;
        };
        /** @description The body of `POST /v1/policy-groups`. */
        GroupDraft: {
            /** @description The code: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`. */
            code: string;
            /** @description The description of the group. */
            description?: string | null;
            /** @description The name, 1 to 200 characters. */
            name: string;
        };
        /** @description The body of `PATCH /v1/policy-groups/:id`. Absent members are unchanged. */
        GroupPatch: {
            /** @description The new code. Requests that select the group must then use it. */
            code?: string;
            /** @description The description; `null` clears it. */
            description?: string | null;
            /** @description The name, 1 to 200 characters. */
            name?: string;
        };
        /** @description The health of the process. */
        Health: {
            status: string;
            timestamp: components["schemas"]["Timestamp"];
            version: string;
        };
        /** @description An identity provider: an `OpenID` Connect issuer that signs members of the tenant in. */
        IdentityProvider: {
            /** @description The back-channel logout URI to register at the provider. */
            backchannel_logout_uri: string;
            /** @description The ID of Govern at the provider. */
            client_id: string;
            /** @description The time at which the provider was created. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The role without a matching entry; absent means that such a person is refused. */
            default_role?: components["schemas"]["Role"];
            /** @description The domains of the email addresses that may sign in; empty means all domains. */
            email_domains: string[];
            /** @description Whether a client secret is stored. The secret itself is never returned. */
            has_client_secret: boolean;
            /** @description The ID of the provider. */
            id: components["schemas"]["IdentityProviderId"];
            /** @description Whether members can sign in with the provider. */
            is_enabled: boolean;
            /** @description The issuer. It cannot be changed, because it identifies the accounts. */
            issuer: string;
            /** @description The name on the sign-in button. */
            name: string;
            /** @description The post-logout redirect URI to register at the provider. */
            post_logout_redirect_uri: string;
            /** @description The redirect URI to register at the provider. */
            redirect_uri: string;
            /** @description The claim whose values are mapped to roles; absent if the provider does not manage roles. */
            role_claim?: string;
            /** @description The roles of the values of `role_claim`. The first matching entry applies. */
            role_mapping: components["schemas"]["RoleMapping"][];
            /** @description The requested scopes in addition to `openid`. */
            scopes: string[];
            /** @description The tenant of the provider. */
            tenant_id: components["schemas"]["TenantId"];
            /** @description Whether an address of `email_domains` counts as verified if the provider sends no `email_verified`. */
            trusts_email_domains: boolean;
            /** @description The time of the last change. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description The body of `POST /v1/admin/identity-providers`. */
        IdentityProviderDraft: {
            /** @description The ID of Govern at the provider. */
            client_id: string;
            /** @description The client secret; absent for a client that uses only PKCE. */
            client_secret?: string | null;
            /**
             * @description The role without a matching entry; absent means that such a person is refused.
             * @enum {string|null}
             */
            default_role?: "viewer" | "operator" | "auditor" | "author" | "reviewer" | "ratifier" | "admin" | null;
            /** @description The domains of the email addresses that may sign in; absent or empty means all domains. */
            email_domains?: string[] | null;
            /** @description Whether members can sign in with the provider; absent means `true`. */
            is_enabled?: boolean | null;
            /** @description The issuer, exactly as the provider announces it: an `https://` address. */
            issuer: string;
            /** @description The name on the sign-in button, 1 to 100 characters. */
            name: string;
            /** @description The claim whose values are mapped to roles, such as `groups`; absent if the provider does not manage roles. */
            role_claim?: string | null;
            /** @description The roles of the values of `role_claim`. The first matching entry applies. */
            role_mapping?: components["schemas"]["RoleMappingDraft"][] | null;
            /** @description The scopes to request in addition to `openid`; absent means `email` and `profile`. */
            scopes?: string[] | null;
            /**
             * @description Whether an address of `email_domains` counts as verified if the provider sends no `email_verified`; absent
             *     means `false`.
             */
            trusts_email_domains?: boolean | null;
        };
        /** Format: uuid */
        IdentityProviderId: string;
        /** @description The body of `PATCH /v1/admin/identity-providers/{id}`. Absent members are unchanged. */
        IdentityProviderPatch: {
            /** @description The ID of Govern at the provider. */
            client_id?: string;
            /** @description The client secret; `null` removes it. */
            client_secret?: string | null;
            /**
             * @description The role without a matching entry; `null` means that such a person is refused.
             * @enum {string|null}
             */
            default_role?: "viewer" | "operator" | "auditor" | "author" | "reviewer" | "ratifier" | "admin" | null;
            /** @description The domains of the email addresses that may sign in; empty means all domains. */
            email_domains?: string[];
            /** @description Whether members can sign in with the provider. */
            is_enabled?: boolean;
            /** @description The name on the sign-in button, 1 to 100 characters. */
            name?: string;
            /** @description The claim whose values are mapped to roles; `null` if the provider does not manage roles. */
            role_claim?: string | null;
            /** @description The roles of the values of `role_claim`. The first matching entry applies. */
            role_mapping?: components["schemas"]["RoleMappingDraft"][];
            /** @description The scopes to request in addition to `openid`. */
            scopes?: string[];
            /** @description Whether an address of `email_domains` counts as verified if the provider sends no `email_verified`. */
            trusts_email_domains?: boolean;
        };
        /** @description The result of reading the configuration of a provider. */
        IdentityProviderTest: {
            /** @description Whether the provider announces back-channel logout. */
            has_backchannel_logout: boolean;
            /** @description Whether the provider announces a page that signs out. */
            has_end_session: boolean;
            /** @description Whether members could sign in with this configuration. */
            is_usable: boolean;
            /** @description What is wrong; absent if the configuration is usable. */
            problem?: string;
            /**
             * Format: int32
             * @description The number of keys that verify signatures of the provider.
             */
            signing_keys: number;
        };
        InGate: {
            case_sensitive?: boolean;
            field: string;
            in: (string | number | boolean)[];
        };
        InGateDraft: {
            case_sensitive?: boolean | null;
            equals?: null;
            exists?: null;
            field: string;
            in: (string | number | boolean)[];
        };
        /** @description The body of `POST /v1/admin/members/invite`: exactly one of `user_id` and `email`. */
        Invitation: {
            /** @description The email address of a user, without regard to the case of ASCII letters. */
            email?: null;
            /**
             * @description The role of the new member; absent means `viewer`.
             * @enum {string|null}
             */
            role?: "viewer" | "operator" | "auditor" | "author" | "reviewer" | "ratifier" | "admin" | null;
            /**
             * Format: uuid
             * @description The ID of a user whose email address is verified, or whose account this tenant created.
             */
            user_id: string;
        } | {
            /** @description The email address of a user, without regard to the case of ASCII letters. */
            email: string;
            /**
             * @description The role of the new member; absent means `viewer`.
             * @enum {string|null}
             */
            role?: "viewer" | "operator" | "auditor" | "author" | "reviewer" | "ratifier" | "admin" | null;
            /** @description The ID of a user whose email address is verified, or whose account this tenant created. */
            user_id?: null;
        };
        /** @description An object with any members. */
        JsonObject: {
            [key: string]: components["schemas"]["JsonValue"];
        };
        JsonValue: unknown;
        /** @description The body of `POST /v1/cli/revoke`. */
        KeySurrender: {
            /** @description The API key to revoke. */
            api_key: string;
        };
        /** @description The disposition of one clause in the ledger. */
        LedgerEntry: {
            /**
             * @description The disposition of the clause.
             * @enum {string}
             */
            disposition: "mapped";
            /** @description The reason for the disposition. */
            note?: string | null;
            /** @description The code of the rule that the clause is mapped to; required with `mapped`. */
            rule_code: string;
            /** @description The ID of the clause. */
            unit_id: string;
        } | {
            /**
             * @description The disposition of the clause.
             * @enum {string}
             */
            disposition: "ambiguous" | "unsupported" | "non_normative" | "refused";
            /** @description The reason for the disposition. */
            note?: string | null;
            /** @description The code of the rule that the clause is mapped to; required with `mapped`. */
            rule_code?: string | null;
            /** @description The ID of the clause. */
            unit_id: string;
        };
        /** @description The lint of the clauses and their rules. It is advisory and blocks nothing. */
        Lint: {
            /** @description The lint provider: `builtin`, or `jev` for a provider over HTTP. */
            answerer: string;
            /** @description One item per clause, in order; empty if there is no result. */
            clauses: components["schemas"]["ClauseLint"][];
            /**
             * Format: int32
             * @description The duration in milliseconds.
             */
            elapsed_ms: number;
            /**
             * Format: int32
             * @description The confidence threshold in percent. Findings below it were dropped.
             */
            floor: number;
            /** @description The model of the provider, if it uses one. */
            model?: string;
            /** @description The version of the provider's questions; absent if the provider did not report it. */
            questions_version?: string;
            /** @description The reason why there is no result. */
            reason?: string;
            /** @description Always `service-codification-lint/v1`. */
            schema: string;
            /** @description Whether the lint has a result. */
            status: components["schemas"]["LintStatus"];
        };
        /**
         * @description The status of a lint.
         * @enum {string}
         */
        LintStatus: "ran" | "failed";
        ListCondition: {
            allowed: (string | number | boolean)[];
            case_sensitive?: boolean;
            field: string;
        } | {
            case_sensitive?: boolean;
            field: string;
            forbidden: (string | number | boolean)[];
        };
        ListConditionDraft: {
            allowed: (string | number | boolean)[];
            case_sensitive?: boolean | null;
            field: string;
            forbidden?: null;
        } | {
            allowed?: null;
            case_sensitive?: boolean | null;
            field: string;
            forbidden: (string | number | boolean)[];
        };
        /** @description A member: a user in a tenant. */
        Member: {
            /** @description The time at which the membership was created. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The email address of the user. */
            email: string;
            /** @description The role of the member. */
            role: components["schemas"]["Role"];
            /** @description Whether the user accepted the invitation. */
            status: components["schemas"]["MemberStatus"];
            /** @description The ID of the tenant. */
            tenant_id: components["schemas"]["TenantId"];
            /** @description The ID of the user. */
            user_id: components["schemas"]["UserId"];
        };
        /** @description The body of `PATCH /v1/admin/members/{user_id}`. */
        MemberPatch: {
            /**
             * Format: uuid
             * @description The ID of another active admin who takes over the API keys of the member. If absent, the keys are
             *     revoked when the new role has fewer rights, and unchanged otherwise.
             */
            keys_to?: string;
            /**
             * @description The new role. It applies from the next request on.
             * @enum {string}
             */
            role: "viewer" | "operator" | "auditor" | "author" | "reviewer" | "ratifier" | "admin";
        };
        /**
         * @description The status of a membership.
         * @enum {string}
         */
        MemberStatus: "active" | "invited";
        /** @description The membership of a user in a tenant. */
        Membership: {
            /** @description The role of the user in the tenant. */
            role: components["schemas"]["Role"];
            /** @description The ID of the tenant. */
            tenant_id: components["schemas"]["TenantId"];
            /** @description The name of the tenant. */
            tenant_name: string;
        };
        /** @description Facts about the request. */
        Metadata: {
            actor_id?: string;
            correlation_id?: string;
            ip_address?: string;
            /**
             * Format: date-time
             * @description The evaluation time; absent means the time of the server.
             */
            timestamp?: string;
            user_agent?: string;
        } & {
            [key: string]: components["schemas"]["JsonValue"];
        };
        MinLengths: {
            [key: string]: number;
        };
        /** @description A rule that was not applicable because its gate did not match. */
        NaRule: {
            /** @description The ID of the policy. */
            policy_id: components["schemas"]["PolicyId"];
            /** @description The reason why the gate did not match. */
            reason: string;
            /** @description The code of the rule. */
            rule_code: string;
            /** @description The gate of the rule. */
            when: components["schemas"]["Gate"];
        };
        /** @description The tenant's own policies that a request selected. Inherited policies always apply. */
        Narrowing: {
            /** @description The code of the policy group in the request. */
            policy_group_code?: string;
            /** @description The IDs of the policies, sorted and without duplicates. */
            policy_ids?: components["schemas"]["PolicyId"][];
        };
        /**
         * @description The reason why the next review submission cannot reference requested changes.
         * @enum {string}
         */
        NotAnswerableReason: "not_lineage_previous" | "head_not_sealable";
        /** @description The body of `POST /v1/decisions/{id}/outcome`. */
        OutcomeRequest: {
            /** @description The person or program that caused the outcome. */
            actor?: components["schemas"]["ActorDraft"] | null;
            /** @description A note; at most 2,000 characters. */
            note?: string | null;
            /**
             * Format: date-time
             * @description The time at which the outcome occurred.
             */
            occurred_at?: string | null;
            /** @description The caller's ID of the outcome. */
            reference_id?: string | null;
            /**
             * @description The status of the outcome.
             * @enum {string}
             */
            status: "accepted" | "overridden" | "escalated" | "expired" | "abandoned";
        };
        /**
         * @description The status of a decision outcome.
         * @enum {string}
         */
        OutcomeStatus: "accepted" | "overridden" | "escalated" | "expired" | "abandoned";
        /** @description A page of a list, newest first. */
        Page_ApiKey: {
            /** @description The items of the page. */
            items: components["schemas"]["ApiKey"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A page of a list, newest first. */
        Page_AuditItem: {
            /** @description The items of the page. */
            items: components["schemas"]["AuditItem"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A page of a list, newest first. */
        Page_Capability: {
            /** @description The items of the page. */
            items: components["schemas"]["Capability"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A page of a list, newest first. */
        Page_Chain: {
            /** @description The items of the page. */
            items: components["schemas"]["Chain"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A page of a list, newest first. */
        Page_Comment: {
            /** @description The items of the page. */
            items: components["schemas"]["Comment"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A page of a list, newest first. */
        Page_DecisionRecord: {
            /** @description The items of the page. */
            items: components["schemas"]["DecisionRecord"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A page of a list, newest first. */
        Page_Form: {
            /** @description The items of the page. */
            items: components["schemas"]["Form"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A page of a list, newest first. */
        Page_IdentityProvider: {
            /** @description The items of the page. */
            items: components["schemas"]["IdentityProvider"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A page of a list, newest first. */
        Page_Member: {
            /** @description The items of the page. */
            items: components["schemas"]["Member"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A page of a list, newest first. */
        Page_Policy: {
            /** @description The items of the page. */
            items: components["schemas"]["Policy"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A page of a list, newest first. */
        Page_PolicyGroup: {
            /** @description The items of the page. */
            items: components["schemas"]["PolicyGroup"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A page of a list, newest first. */
        Page_PolicyVersion: {
            /** @description The items of the page. */
            items: components["schemas"]["PolicyVersion"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A page of a list, newest first. */
        Page_ReviewSubmission: {
            /** @description The items of the page. */
            items: components["schemas"]["ReviewSubmission"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A page of a list, newest first. */
        Page_Tenant: {
            /** @description The items of the page. */
            items: components["schemas"]["Tenant"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A page of a list, newest first. */
        Page_WebhookDelivery: {
            /** @description The items of the page. */
            items: components["schemas"]["WebhookDelivery"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A page of a list, newest first. */
        Page_WebhookSubscription: {
            /** @description The items of the page. */
            items: components["schemas"]["WebhookSubscription"][];
            /** @description The cursor of the next page; `null` on the last page. */
            next_cursor?: string | null;
        };
        /** @description A passkey of the signed-in user. */
        Passkey: {
            /**
             * @description Whether the passkey can sign in without the password. It can if it has verified its user, for example by a
             *     fingerprint or a PIN.
             */
            can_sign_in: boolean;
            /** @description The time at which the passkey was added. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The ID of the passkey. */
            id: components["schemas"]["PasskeyId"];
            /** @description Whether the passkey is backed up, for example by a password manager. */
            is_backed_up: boolean;
            /** @description The time of the last use; absent for an unused passkey. */
            last_used_at?: components["schemas"]["Timestamp"];
            /** @description The name that the user chose. */
            name: string;
        };
        /** @description An added passkey. */
        PasskeyCreated: {
            /** @description The passkey. */
            passkey: components["schemas"]["Passkey"];
            /** @description The recovery codes, which are shown only once. Empty if the account has codes already. */
            recovery_codes: string[];
        };
        /** @description The body of `POST /v1/session/passkeys`. */
        PasskeyDraft: {
            /** @description The created credential: `RegistrationResponseJSON` of `WebAuthn` Level 3. */
            credential: components["schemas"]["JsonObject"];
            /** @description The name of the passkey, 1 to 100 characters. */
            name: string;
        };
        /** Format: uuid */
        PasskeyId: string;
        /** @description The options with which a browser creates or uses a passkey. */
        PasskeyOptions: {
            /**
             * @description `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON` of `WebAuthn` Level 3. They
             *     are valid once, for five minutes.
             */
            public_key: Record<string, unknown>;
        };
        /** @description The body of `POST /v1/session/passkey-options`. */
        PasskeyOptionsRequest: {
            /**
             * @description The use of the passkey.
             * @enum {string}
             */
            purpose: "sign_in" | "second_factor" | "confirm";
        };
        /** @description The body of `PATCH /v1/session/passkeys/{passkey_id}`. */
        PasskeyPatch: {
            /** @description The new name, 1 to 100 characters. */
            name: string;
        };
        /** @description The body of `POST /v1/session/passkey`. */
        PasskeySignIn: {
            /** @description The used credential: `AuthenticationResponseJSON` of `WebAuthn` Level 3. */
            credential: components["schemas"]["JsonObject"];
        };
        /** @description The body of `POST /v1/session/password`. */
        PasswordChange: {
            /** @description The new password, 12 to 256 characters. */
            new_password: string;
            /** @description The current password. */
            password: string;
        };
        PatternCondition: {
            field: string;
            matches: string;
        } | {
            field: string;
            forbids: string;
        };
        PatternConditionDraft: {
            field: string;
            forbids?: null;
            matches: string;
        } | {
            field: string;
            forbids: string;
            matches?: null;
        };
        /** @description An invitation that the signed-in user can accept or decline. */
        PendingInvitation: {
            /** @description The time at which the invitation was created. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The display name of the person who invited the user; absent if an API key did. */
            invited_by?: string;
            /** @description The role of the user after accepting. */
            role: components["schemas"]["Role"];
            /** @description The ID of the tenant. */
            tenant_id: components["schemas"]["TenantId"];
            /** @description The name of the tenant. */
            tenant_name: string;
        };
        /** @description The pending invitations of the signed-in user, sorted by the names of the tenants. */
        PendingInvitations: {
            /** @description The pending invitations. */
            items: components["schemas"]["PendingInvitation"][];
        };
        /** @description A pending item. */
        PendingItem: {
            /** @description The ID of the accepting review record from which a ratify item derives. */
            accept_record_id?: components["schemas"]["ReviewRecordId"];
            /**
             * Format: int32
             * @description The revision that the submission sealed. It can be lower than `draft_revision`.
             */
            candidate_revision?: number;
            /**
             * Format: int32
             * @description The current draft revision.
             */
            draft_revision: number;
            /** @description The time from which the item is pending. */
            entered_state_at: components["schemas"]["Timestamp"];
            /** @description The stored event that `entered_state_at` comes from. */
            entered_state_source: components["schemas"]["EnteredStateSource"];
            /** @description The kind of the item. */
            kind: components["schemas"]["PendingKind"];
            /** @description The code of the policy. */
            policy_code: string;
            /** @description The ID of the policy. */
            policy_id: components["schemas"]["PolicyId"];
            /** @description The name of the policy. */
            policy_name: string;
            /** @description The ID of the version. */
            policy_version_id: components["schemas"]["PolicyVersionId"];
            /** @description The requested action. */
            requested_act: components["schemas"]["RequestedAct"];
            /** @description The status of the version. */
            status: components["schemas"]["VersionStatus"];
            /** @description The ID of the latest review submission, if the item derives from one. */
            submission_id?: components["schemas"]["SubmissionId"];
            /**
             * Format: int32
             * @description The sequence number of that submission.
             */
            submission_sequence?: number;
            /**
             * Format: int32
             * @description The version number of the draft that replaces this one; only for replaced versions.
             */
            superseded_by_version?: number;
            /**
             * Format: int32
             * @description The version number.
             */
            version: number;
        };
        /**
         * @description The kind of a pending item.
         * @enum {string}
         */
        PendingKind: "review" | "activation";
        /**
         * @description Pending review and activation work that is visible to a capability.
         *
         *     The work can change after it was read. Read the version again before acting on it.
         */
        PendingWork: {
            /**
             * @description The ID of the grant that permitted the read. It differs from the ID of the issued grant if the
             *     capability was carried over.
             */
            capability_id: components["schemas"]["CapabilityId"];
            /** @description The pending items of the head version and of at most one earlier draft. */
            items: components["schemas"]["PendingItem"][];
            /**
             * @description Present and true if no grant of the lineage names the version of the previous submission. The items of
             *     that version are then omitted.
             */
            lineage_not_backed_by_grant?: boolean;
            /** @description Present and true if the draft lineage could not be resolved. The lists can then be incomplete. */
            lineage_unresolved?: boolean;
            /** @description The requested changes that the next review submission must reference as `answers_record_id`. */
            next_seal_answers?: components["schemas"]["ReturnedSubmission"];
            /** @description The time at which the read started. */
            observed_at: components["schemas"]["Timestamp"];
            /** @description The ID of the policy. */
            policy_id: components["schemas"]["PolicyId"];
            /** @description The ID of the head version. */
            policy_version_id: components["schemas"]["PolicyVersionId"];
            /**
             * Format: int32
             * @description The version number of the head version.
             */
            policy_version_number: number;
            /** @description Requested changes that the next review submission cannot reference. */
            returns_not_answerable: components["schemas"]["UnanswerableReturn"][];
            /** @description The ID of the first grant of the lineage. */
            root_capability_id: components["schemas"]["CapabilityId"];
        };
        /** @description A policy. */
        Policy: {
            /**
             * Format: int32
             * @description The number of the active version.
             */
            active_version?: number;
            /** @description The code, unique in the tenant without regard to case. */
            code: string;
            /** @description The time at which the policy was created. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The ID of the user or API key that created the policy. */
            created_by?: string;
            /** @description The decision types that the policy governs; empty means all types. */
            decision_types: string[];
            /** @description The description of the policy. */
            description?: string;
            /**
             * Format: int32
             * @description The number of the open draft or submitted version.
             */
            draft_version?: number;
            /** @description The ID of the policy. */
            id: components["schemas"]["PolicyId"];
            /** @description Whether the policy also applies to descendant tenants. */
            inheritable: boolean;
            /** @description Whether the policy has an active version. */
            is_active: boolean;
            /**
             * Format: int32
             * @description The highest version number that was ever assigned; 0 if the policy has no version. Numbers are not
             *     reused.
             */
            latest_version: number;
            /** @description The name of the policy. */
            name: string;
            /** @description The ID of the group of the policy. */
            policy_group_id?: components["schemas"]["PolicyGroupId"];
            /** @description The laws and standards that the policy implements. */
            regulatory_refs: string[];
            /** @description Whether the policy is in shadow mode, in which it contributes at most `ALERT`. */
            shadow_mode: boolean;
            /** @description The tenant of the policy. */
            tenant_id: components["schemas"]["TenantId"];
            /** @description The time of the last change. */
            updated_at: components["schemas"]["Timestamp"];
            /** @description The full version that the query parameter `version` requests. */
            version?: components["schemas"]["PolicyVersion"];
        };
        /** @description The signed approval of a ratified version (receipts, section 9.1). */
        PolicyApproval: {
            /**
             * @description The statement: the ratifier, the approved version, its authors, and the review that the approval is
             *     based on.
             */
            approval: Record<string, unknown>;
            /** @description The digest of the statement. Policy snapshots contain it. */
            approval_digest: string;
            /** @description The DSSE envelope with the statement and its signature; absent if the service has no signing key. */
            envelope?: Record<string, unknown>;
            /** @description The ID of the policy. */
            policy_id: components["schemas"]["PolicyId"];
            /** @description The ID of the version. */
            policy_version_id: components["schemas"]["PolicyVersionId"];
            /** @description The anchor in the transparency log; `null` while pending. */
            transparency_anchor?: Record<string, unknown> | null;
            /**
             * Format: int32
             * @description The version number.
             */
            version: number;
        };
        /** @description A created policy, with its first version if the request contained rules. */
        PolicyCreated: {
            /** @description The created policy. */
            policy: components["schemas"]["Policy"];
            /** @description Version 1, a draft. */
            version?: components["schemas"]["PolicyVersion"];
        };
        /** @description The body of `POST /v1/policies`. */
        PolicyDraft: {
            /** @description The reason for version 1. */
            change_reason?: string | null;
            /** @description The code: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`. */
            code: string;
            /** @description The clauses that the rules come from. If present, version 1 is created as a draft. */
            codification?: components["schemas"]["Codification"] | null;
            /** @description The decision types that the policy governs; absent or empty means all types. */
            decision_types?: string[] | null;
            /** @description The description of the policy. */
            description?: string | null;
            /** @description Whether the policy also applies to descendant tenants; absent means false. */
            inheritable?: boolean | null;
            /** @description The name, 1 to 200 characters. */
            name: string;
            /**
             * Format: uuid
             * @description The ID of the group of the policy.
             */
            policy_group_id?: string | null;
            /** @description The laws and standards that the policy implements. */
            regulatory_refs?: string[] | null;
            /** @description The rules of version 1. If present, version 1 is created as a draft. */
            rules?: components["schemas"]["RuleDraft"][] | null;
            /** @description Whether the policy is in shadow mode; absent means false. */
            shadow_mode?: boolean | null;
        };
        /** @description A policy group. */
        PolicyGroup: {
            /** @description The code, unique among the groups of the tenant without regard to case. */
            code: string;
            /** @description The time at which the group was created. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The description of the group. */
            description?: string;
            /** @description The ID of the group. */
            id: components["schemas"]["PolicyGroupId"];
            /** @description The name of the group. */
            name: string;
            /** @description The tenant of the group. */
            tenant_id: components["schemas"]["TenantId"];
            /** @description The time of the last change. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** Format: uuid */
        PolicyGroupId: string;
        /** Format: uuid */
        PolicyId: string;
        /** @description The body of `PATCH /v1/policies/:id`. Absent members are unchanged. */
        PolicyPatch: {
            /** @description The decision types that the policy governs; empty means all types. */
            decision_types?: string[];
            /** @description The description; `null` clears it. */
            description?: string | null;
            /** @description Whether the policy also applies to descendant tenants. */
            inheritable?: boolean;
            /** @description The name, 1 to 200 characters. */
            name?: string;
            /**
             * Format: uuid
             * @description The ID of the group; `null` removes the policy from its group.
             */
            policy_group_id?: string | null;
            /** @description The laws and standards that the policy implements. */
            regulatory_refs?: string[];
            /** @description Whether the policy is in shadow mode, in which it contributes at most `ALERT`. */
            shadow_mode?: boolean;
        };
        /** @description An immutable policy snapshot. */
        PolicySnapshot: {
            /** @description The time at which the snapshot was first used. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The SHA-256 digest of the canonical `snapshot`. Decisions contain it as `policy_snapshot_digest`. */
            digest: string;
            /** @description The digest of the active rules. Decisions contain it as `evaluated_rules_hash`. */
            evaluated_rules_hash: string;
            /** @description The ID of the snapshot. Decisions reference it as `policy_snapshot_id`. */
            id: components["schemas"]["SnapshotId"];
            /** @description The snapshot object (receipts, section 3.2). */
            snapshot: Record<string, unknown>;
        };
        /** @description A version of a policy. */
        PolicyVersion: {
            /** @description The time of the last activation. */
            activated_at?: components["schemas"]["Timestamp"];
            /** @description The ID of the user or API key that activated the version. */
            activated_by?: string;
            /** @description The reason for the version. */
            change_reason?: string;
            /** @description The time at which the version was closed: replaced by another draft, or set aside. */
            closed_at?: components["schemas"]["Timestamp"];
            /** @description The ID of the user or API key that closed the version. */
            closed_by?: string;
            /** @description The reason for closing the version. */
            closed_reason?: string;
            /** @description The clauses that the rules come from, and their lint. */
            codification_record?: components["schemas"]["CodificationRecord"];
            /** @description The time at which the version was created. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The ID of the user or API key that created the version. */
            created_by?: string;
            /**
             * Format: int32
             * @description The draft revision, from 1. It is used for optimistic locking.
             */
            draft_revision: number;
            /** @description The ID of the version. */
            id: components["schemas"]["PolicyVersionId"];
            /** @description Whether this is the active version. */
            is_active: boolean;
            /** @description The ID of the policy. */
            policy_id: components["schemas"]["PolicyId"];
            /** @description The time at which the version was ratified. */
            ratified_at?: components["schemas"]["Timestamp"];
            /** @description The ID of the user who ratified the version. */
            ratified_by?: string;
            /** @description The time of the last rejection. */
            rejected_at?: components["schemas"]["Timestamp"];
            /** @description The ID of the user or API key that rejected the version. */
            rejected_by?: string;
            /** @description The reason for the rejection. */
            rejection_reason?: string;
            /** @description The rules in their authored order. */
            rules?: components["schemas"]["Rule"][];
            /** @description The digest of the rules as authored (receipts, section 3). */
            rules_digest: string;
            /** @description The status of the version. */
            status: components["schemas"]["VersionStatus"];
            /** @description The time at which the version was submitted. */
            submitted_at?: components["schemas"]["Timestamp"];
            /** @description The ID of the user or API key that submitted the version. */
            submitted_by?: string;
            /**
             * Format: int32
             * @description The number of the draft that supersedes this version; only for replaced versions.
             */
            superseded_by_version?: number;
            /**
             * Format: int32
             * @description The number of the draft that this version supersedes.
             */
            supersedes_version?: number;
            /**
             * Format: int32
             * @description The version number, from 1.
             */
            version: number;
        };
        /** Format: uuid */
        PolicyVersionId: string;
        PresenceCondition: {
            forbidden_fields?: string[];
            min_length?: components["schemas"]["MinLengths"];
            required_fields: string[];
        } | {
            forbidden_fields: string[];
            min_length?: components["schemas"]["MinLengths"];
            required_fields?: string[];
        } | {
            forbidden_fields?: string[];
            min_length: components["schemas"]["MinLengths"];
            required_fields?: string[];
        };
        PresenceConditionDraft: {
            forbidden_fields?: string[] | null;
            min_length?: components["schemas"]["MinLengths"] | null;
            required_fields: string[];
        } | {
            forbidden_fields: string[];
            min_length?: components["schemas"]["MinLengths"] | null;
            required_fields?: string[] | null;
        } | {
            forbidden_fields?: string[] | null;
            min_length: components["schemas"]["MinLengths"];
            required_fields?: string[] | null;
        };
        /** @description The code, message and details of an error. */
        Problem: {
            /**
             * @description The error code, one of [`ErrorCode`].
             * @enum {string}
             */
            code: "MISSING_TENANT_ID" | "INVALID_TENANT_ID" | "RESUBMISSION_ANSWERS_RECORD_REQUIRED" | "ALREADY_DELIVERED" | "STILL_PENDING" | "UNAUTHORIZED" | "SECOND_FACTOR_MISSING" | "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "HUMAN_REQUIRED" | "MAKER_CHECKER_VIOLATION" | "SECOND_FACTOR_REQUIRED" | "CONFIRMATION_REQUIRED" | "AUTHORING_CAPABILITY_MISSING" | "AUTHORING_CAPABILITY_REVOKED" | "AUTHORING_CAPABILITY_EXHAUSTED" | "AUTHORING_CAPABILITY_EXPIRED" | "AUTHORING_CAPABILITY_NOT_YET_VALID" | "AUTHORING_CAPABILITY_INTEGRITY" | "AUTHORING_CAPABILITY_OUT_OF_SCOPE" | "AUTHORING_CAPABILITY_OBJECT_MISMATCH" | "NOT_FOUND" | "NO_ACTIVE_POLICIES" | "METHOD_NOT_ALLOWED" | "INVALID_TRANSITION" | "STALE_DRAFT_REVISION" | "DRAFT_EXISTS" | "RESUBMISSION_PRIOR_NOT_RETURNED" | "RESUBMISSION_ANSWERS_RECORD_MISMATCH" | "LINEAGE_UNRESOLVED" | "DUPLICATE_CODE" | "CONFLICT" | "CHAIN_SEALED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_ERROR" | "UNSUPPORTED_RULE_TYPE" | "CODIFICATION_REFUSED" | "BUNDLE_TOO_LARGE" | "IDEMPOTENCY_KEY_REUSED" | "TOO_MANY_REQUESTS" | "FORM_BUDGET_EXHAUSTED" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE";
            /** @description Details for programs. */
            details?: unknown;
            /** @description A message for people. */
            message: string;
        };
        /** @description The body of `ratify`. */
        Ratification: {
            /** @description The `draft_revision` that the ratifier has read. */
            expected_revision: number;
            /** @description A note for the approval. */
            note?: string | null;
        };
        /** @description The readiness of the process. */
        Readiness: {
            checks: components["schemas"]["Checks"];
            status: string;
        };
        /** @description The body of `reject`, `set-aside` and `deactivate`. */
        ReasonBody: {
            /** @description The reason, 1 to 500 characters. */
            reason: string;
        };
        /**
         * @description The reason code of a violation: the seventeen codes of the contract, section 3.
         * @enum {string}
         */
        ReasonCode: "FIELD_MISSING" | "FIELD_FORBIDDEN" | "FIELD_TOO_SHORT" | "DATE_EXPIRED" | "DATE_INVALID" | "DATE_NOT_YET_VALID" | "VALUE_ABOVE_MAX" | "VALUE_BELOW_MIN" | "VALUE_NOT_NUMERIC" | "VALUE_NOT_ALLOWED" | "VALUE_FORBIDDEN" | "PATTERN_MISMATCH" | "PATTERN_FORBIDDEN" | "COMPARISON_FAILED" | "EVIDENCE_MISSING" | "EVIDENCE_HASH_MISMATCH" | "VALUES_NOT_DISTINCT";
        /**
         * @description The body of `POST /v1/session/confirm`: the password, with `code` or `credential` if the account has a second factor;
         *     or only `credential`.
         */
        ReauthenticationRequest: {
            /** @description The current code of the authenticator app (6 digits), or a recovery code. */
            code?: string | null;
            /**
             * @description The used passkey: `AuthenticationResponseJSON` of `WebAuthn` Level 3. Without the password, the passkey must
             *     verify its user.
             */
            credential?: null;
            /** @description The password of the signed-in user. */
            password: string;
        } | {
            /** @description The current code of the authenticator app (6 digits), or a recovery code. */
            code?: null;
            /**
             * @description The used passkey: `AuthenticationResponseJSON` of `WebAuthn` Level 3. Without the password, the passkey must
             *     verify its user.
             */
            credential: components["schemas"]["JsonObject"];
            /** @description The password of the signed-in user. */
            password?: string | null;
        };
        /** @description The signed receipt of a decision (receipts, section 5.2). It does not contain the context. */
        Receipt: {
            /**
             * @description The approvals of the active versions, in the order of the snapshot; absent if the snapshot contains
             *     none.
             */
            approval?: components["schemas"]["ReceiptApproval"][];
            /** @description The position in a chain; absent if the decision is not in a chain. */
            chain?: components["schemas"]["ChainLinkInfo"];
            /** @description The digest of the context. */
            context_digest: string;
            /** @description The ID of the decision. */
            decision_id: components["schemas"]["DecisionId"];
            /** @description The DSSE payload type. */
            payload_type?: string;
            /** @description The policy that determined the verdict. */
            policy: components["schemas"]["DecidingPolicy"];
            /**
             * Format: int32
             * @description The receipt schema version: 2, or 1 for decisions that were recorded before version 2 existed.
             */
            receipt_schema_version: number;
            /** @description The redaction that was applied. */
            redaction: components["schemas"]["Redaction"];
            /** @description The verdict and the violations. */
            result: components["schemas"]["EvaluationResult"];
            /** @description The base64url signature; absent if unsigned. */
            signature?: string;
            /** @description Always `Ed25519`. */
            signature_algorithm?: string;
            /** @description The thumbprint of the signing key; in version 1 it can be any text. */
            signature_kid?: string;
            /** @description The signed statement. Absent in version 1, whose signature is over the hexadecimal `integrity_hash`. */
            statement?: Record<string, unknown>;
            /** @description The tenant of the decision. */
            tenant_id: components["schemas"]["TenantId"];
            /** @description The anchor in the transparency log; `null` while pending. */
            transparency_anchor?: Record<string, unknown> | null;
        };
        /** @description The approval of a version that was active for the decision. */
        ReceiptApproval: {
            /** @description The digest of the approval statement, as contained in the snapshot. */
            approval_digest: string;
            /** @description The ID of the policy. */
            policy_id: components["schemas"]["PolicyId"];
            /** @description The ID of the version. */
            policy_version_id: components["schemas"]["PolicyVersionId"];
            /** @description The time at which the version was ratified. */
            ratified_at: components["schemas"]["Timestamp"];
            /**
             * Format: int32
             * @description The version number.
             */
            version: number;
        };
        /** @description The body of `POST /v1/decisions/record`. */
        RecordRequest: {
            /** @description The action that the caller takes if the verdict permits it. */
            action?: components["schemas"]["ActionDraft"] | null;
            /** @description The actor of the decision. */
            actor?: components["schemas"]["ActorDraft"] | null;
            /**
             * @description The position of the decision in a chain. Its members can also be at the top level of the
             *     request.
             */
            chain?: components["schemas"]["ChainRequest"] | null;
            chain_id?: null;
            chain_step?: null;
            /** @description The input of the decision. */
            context: components["schemas"]["DecisionContext"];
            /** @description The idempotency key: 1 to 255 characters, unique in the tenant. */
            idempotency_key: string;
            parent_decision_id?: null;
            /**
             * @description The code of a policy group. Limits the tenant's own policies to those of the group. Inherited policies
             *     always apply.
             */
            policy_group_code?: string | null;
            /** @description Limits the tenant's own policies to these. Inherited policies always apply. */
            policy_ids?: string[] | null;
        } | {
            /** @description The action that the caller takes if the verdict permits it. */
            action?: components["schemas"]["ActionDraft"] | null;
            /** @description The actor of the decision. */
            actor?: components["schemas"]["ActorDraft"] | null;
            /**
             * @description The position of the decision in a chain. Its members can also be at the top level of the
             *     request.
             */
            chain?: null;
            /** Format: uuid */
            chain_id: string;
            chain_step?: number | null;
            /** @description The input of the decision. */
            context: components["schemas"]["DecisionContext"];
            /** @description The idempotency key: 1 to 255 characters, unique in the tenant. */
            idempotency_key: string;
            /** Format: uuid */
            parent_decision_id?: string | null;
            /**
             * @description The code of a policy group. Limits the tenant's own policies to those of the group. Inherited policies
             *     always apply.
             */
            policy_group_code?: string | null;
            /** @description Limits the tenant's own policies to these. Inherited policies always apply. */
            policy_ids?: string[] | null;
        };
        /** @description The response to a record request. */
        RecordResponse: {
            /** @description The recorded decision. */
            decision: components["schemas"]["DecisionRecord"];
            /**
             * @description Whether this request recorded the decision. False if an earlier request with the same idempotency key
             *     did.
             */
            is_new: boolean;
        };
        /** @description New recovery codes. They are shown only once. */
        RecoveryCodes: {
            /** @description The codes, each valid once. Empty if the account has codes already. */
            recovery_codes: string[];
        };
        /**
         * @description The redaction of public receipts.
         * @enum {string}
         */
        Redaction: "none" | "values";
        /** @description The body of `POST /v1/alerts/deliveries/redrive`. */
        RedriveRequest: {
            /**
             * Format: date-time
             * @description Limits the redrive to deliveries that were queued at or after this time.
             */
            since?: string | null;
            /**
             * Format: uuid
             * @description Limits the redrive to this subscription.
             */
            subscription_id?: string | null;
        };
        /** @description The result of a redrive. */
        RedriveResult: {
            /**
             * Format: int64
             * @description The number of restarted deliveries.
             */
            redriven: number;
        };
        /**
         * @description The kind of a codification error.
         * @enum {string}
         */
        RefusalKind: "unknown_clause" | "unknown_rule" | "unmapped_rule" | "duplicate_unit" | "empty_clause";
        /** @description The response of `POST /v1/decisions/{id}/replay`. */
        Replay: {
            /** @description The differences, in the order of the members; empty if the results match. */
            differences: components["schemas"]["Difference"][];
            /** @description Whether both results are equal. */
            matches: boolean;
            /** @description The result as recorded. */
            original: components["schemas"]["ReplaySide"];
            /** @description The result of evaluating the stored context against the stored snapshot now. */
            replay: components["schemas"]["ReplaySide"];
        };
        /** @description The compared part of a result. */
        ReplaySide: {
            /** @description The verdict. */
            decision: components["schemas"]["Verdict"];
            /** @description The digest of context, snapshot and verdict. */
            integrity_hash: string;
            /** @description The failed checks, in the order of the rules. */
            violations: components["schemas"]["Violation"][];
        };
        /**
         * @description The action that a person must take next.
         * @enum {string}
         */
        RequestedAct: "review" | "ratify" | "activate";
        /** @description The body of `POST /v1/session/reset`. */
        ResetRequest: {
            /** @description The email address, without regard to the case of ASCII letters. */
            email: string;
        };
        /** @description Requested changes: a review record with the verdict `RETURN`. */
        ReturnedSubmission: {
            /** @description The ID of the version whose submission was returned. */
            policy_version_id: components["schemas"]["PolicyVersionId"];
            /** @description The time of the review record. */
            returned_at: components["schemas"]["Timestamp"];
            /** @description The stable ID of the reviewer. */
            returned_by: string;
            /** @description The ID of the review record. */
            review_record_id: components["schemas"]["ReviewRecordId"];
            /** @description The ID of the returned submission. */
            submission_id: components["schemas"]["SubmissionId"];
            /**
             * Format: int32
             * @description The version number of that version.
             */
            version: number;
        };
        /** @description A comment of a reviewer on a rule, a clause or the whole version. */
        ReviewComment: {
            /** @description The code of the rule that the comment concerns. */
            rule_code?: string;
            /** @description The text of the comment. */
            text: string;
            /** @description The ID of the clause that the comment concerns. */
            unit_id?: string;
        };
        /** @description A comment of a reviewer on a rule, a clause or the whole version. */
        ReviewCommentDraft: {
            /** @description The code of the rule that the comment concerns. */
            rule_code?: string | null;
            /** @description The text of the comment. */
            text: string;
            /** @description The ID of the clause that the comment concerns. */
            unit_id?: string | null;
        };
        /** @description The body of a request that creates a review record. */
        ReviewDraft: {
            /** @description The comments; absent means none. */
            comments?: components["schemas"]["ReviewCommentDraft"][] | null;
            /** @description A note on the whole version. */
            note?: string | null;
            /**
             * @description The verdict of the reviewer.
             * @enum {string}
             */
            verdict: "ACCEPT" | "RETURN";
        };
        /** @description A review record: the immutable verdict of a reviewer on a submission. A submission has at most one. */
        ReviewRecord: {
            /** @description The comments of the reviewer. */
            comments: components["schemas"]["ReviewComment"][];
            /** @description The ID of the record. */
            id: components["schemas"]["ReviewRecordId"];
            /** @description A note on the whole version. */
            note?: string;
            /** @description The digest of the record. */
            record_digest: string;
            /** @description The time of the record. */
            recorded_at: components["schemas"]["Timestamp"];
            /** @description The ID of the reviewer. */
            recorded_by: string;
            /** @description The ID of the submission. */
            submission_id: components["schemas"]["SubmissionId"];
            /** @description The verdict of the reviewer. */
            verdict: components["schemas"]["ReviewVerdict"];
        };
        /** Format: uuid */
        ReviewRecordId: string;
        /** @description A review submission: an immutable, sealed copy of one draft revision. */
        ReviewSubmission: {
            /** @description The ID of the review record whose requested changes this submission addresses. */
            answers_record_id?: components["schemas"]["ReviewRecordId"];
            /**
             * Format: int32
             * @description The `draft_revision` that was sealed.
             */
            candidate_revision: number;
            /** @description The ID of the submission. */
            id: components["schemas"]["SubmissionId"];
            /** @description The ID of the version. */
            policy_version_id: components["schemas"]["PolicyVersionId"];
            /** @description The review records of the submission: at most one. Present in lists. */
            records?: components["schemas"]["ReviewRecord"][];
            /** @description The digest of the sealed rules (receipts, section 3). */
            rules_digest: string;
            /** @description The time at which the revision was sealed. */
            sealed_at: components["schemas"]["Timestamp"];
            /** @description The ID of the user or API key that sealed the revision. */
            sealed_by: string;
            /**
             * Format: int32
             * @description The sequence number among the submissions of the version, from 1.
             */
            sequence: number;
            /** @description The digest of the sealed object. */
            submission_digest: string;
            /**
             * Format: int32
             * @description The version number.
             */
            version: number;
        };
        /**
         * @description The verdict of a reviewer.
         * @enum {string}
         */
        ReviewVerdict: "ACCEPT" | "RETURN";
        /**
         * @description The role of a member in a tenant (contract, section 2).
         * @enum {string}
         */
        Role: "viewer" | "operator" | "auditor" | "author" | "reviewer" | "ratifier" | "admin";
        /** @description A value of the role claim with its role. */
        RoleMapping: {
            /** @description The role of a person with this value. */
            role: components["schemas"]["Role"];
            /** @description A value of the role claim, such as the name of a group. */
            value: string;
        };
        /** @description A value of the role claim with its role. */
        RoleMappingDraft: {
            /**
             * @description The role of a person with this value.
             * @enum {string}
             */
            role: "viewer" | "operator" | "auditor" | "author" | "reviewer" | "ratifier" | "admin";
            /** @description A value of the role claim, such as the name of a group. */
            value: string;
        };
        /** @description A rule. Members that the author omitted stay absent. */
        Rule: {
            /** @description The code, unique in the version: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`. */
            code: string;
            /** @description The condition. Its members depend on the type and are validated strictly. */
            condition: components["schemas"]["PresenceCondition"] | components["schemas"]["ThresholdCondition"] | components["schemas"]["ListCondition"] | components["schemas"]["TemporalCondition"] | components["schemas"]["PatternCondition"] | components["schemas"]["ComparisonCondition"] | components["schemas"]["EvidenceCondition"] | components["schemas"]["DistinctCondition"];
            /** @description The description of the rule. */
            description?: string;
            /** @description Whether the rule is active; absent means true. Inactive rules are not evaluated, counted or hashed. */
            is_active?: boolean;
            /** @description The name of the rule. */
            name?: string;
            /** @description The code of the rule of an earlier version that this rule replaces. It is informational only. */
            replaces_rule_code?: string;
            /** @description The type of the rule. */
            rule_type: components["schemas"]["RuleType"];
            /** @description The severity of a violation. */
            severity: components["schemas"]["Severity"];
            /** @description The source reference of the rule. */
            source_ref?: components["schemas"]["SourceRef"];
            /** @description The gate. If it does not match, the rule is not applicable. */
            when?: components["schemas"]["Gate"];
        };
        /** @description The results of a rule. */
        RuleAnalytics: {
            /**
             * Format: int64
             * @description The number of decisions to which the rule applied.
             */
            evaluated: number;
            /**
             * Format: int64
             * @description The number of decisions to which the rule did not apply.
             */
            na: number;
            /**
             * Format: int64
             * @description The number of decisions that violated the rule and have an outcome.
             */
            outcomes: number;
            /**
             * Format: int64
             * @description The number of these decisions that were overridden.
             */
            overridden: number;
            /** @description The code of the rule. */
            rule_code: string;
            /**
             * Format: int64
             * @description The number of these decisions that violated the rule.
             */
            violated: number;
        };
        /** @description A rule that differs between two versions. */
        RuleChange: {
            /** @description The rule in the later version. */
            after: components["schemas"]["Rule"];
            /**
             * @description The rule in the earlier version. Its code differs only if the later rule references it in
             *     `replaces_rule_code`.
             */
            before: components["schemas"]["Rule"];
            /** @description The code of the rule in the later version. */
            code: string;
            /** @description The names of the members that differ, in the order in which rules are written. */
            fields: string[];
        };
        /** @description A rule. Members that the author omitted stay absent. */
        RuleDraft: {
            /** @description The code, unique in the version: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`. */
            code: string;
            /** @description The condition. Its members depend on the type and are validated strictly. */
            condition: components["schemas"]["PresenceConditionDraft"];
            /** @description The description of the rule. */
            description?: string | null;
            /** @description Whether the rule is active; absent means true. Inactive rules are not evaluated, counted or hashed. */
            is_active?: boolean | null;
            /** @description The name of the rule. */
            name?: string | null;
            /** @description The code of the rule of an earlier version that this rule replaces. It is informational only. */
            replaces_rule_code?: string | null;
            /**
             * @description The type of the rule.
             * @enum {string}
             */
            rule_type: "presence";
            /**
             * @description The severity of a violation.
             * @enum {string}
             */
            severity: "low" | "medium" | "high" | "critical";
            /** @description The source reference of the rule. */
            source_ref?: components["schemas"]["SourceRefDraft"] | null;
            /** @description The gate. If it does not match, the rule is not applicable. */
            when?: components["schemas"]["GateDraft"] | null;
        } | {
            /** @description The code, unique in the version: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`. */
            code: string;
            /** @description The condition. Its members depend on the type and are validated strictly. */
            condition: components["schemas"]["ThresholdConditionDraft"];
            /** @description The description of the rule. */
            description?: string | null;
            /** @description Whether the rule is active; absent means true. Inactive rules are not evaluated, counted or hashed. */
            is_active?: boolean | null;
            /** @description The name of the rule. */
            name?: string | null;
            /** @description The code of the rule of an earlier version that this rule replaces. It is informational only. */
            replaces_rule_code?: string | null;
            /**
             * @description The type of the rule.
             * @enum {string}
             */
            rule_type: "threshold";
            /**
             * @description The severity of a violation.
             * @enum {string}
             */
            severity: "low" | "medium" | "high" | "critical";
            /** @description The source reference of the rule. */
            source_ref?: components["schemas"]["SourceRefDraft"] | null;
            /** @description The gate. If it does not match, the rule is not applicable. */
            when?: components["schemas"]["GateDraft"] | null;
        } | {
            /** @description The code, unique in the version: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`. */
            code: string;
            /** @description The condition. Its members depend on the type and are validated strictly. */
            condition: components["schemas"]["ListConditionDraft"];
            /** @description The description of the rule. */
            description?: string | null;
            /** @description Whether the rule is active; absent means true. Inactive rules are not evaluated, counted or hashed. */
            is_active?: boolean | null;
            /** @description The name of the rule. */
            name?: string | null;
            /** @description The code of the rule of an earlier version that this rule replaces. It is informational only. */
            replaces_rule_code?: string | null;
            /**
             * @description The type of the rule.
             * @enum {string}
             */
            rule_type: "list";
            /**
             * @description The severity of a violation.
             * @enum {string}
             */
            severity: "low" | "medium" | "high" | "critical";
            /** @description The source reference of the rule. */
            source_ref?: components["schemas"]["SourceRefDraft"] | null;
            /** @description The gate. If it does not match, the rule is not applicable. */
            when?: components["schemas"]["GateDraft"] | null;
        } | {
            /** @description The code, unique in the version: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`. */
            code: string;
            /** @description The condition. Its members depend on the type and are validated strictly. */
            condition: components["schemas"]["TemporalConditionDraft"];
            /** @description The description of the rule. */
            description?: string | null;
            /** @description Whether the rule is active; absent means true. Inactive rules are not evaluated, counted or hashed. */
            is_active?: boolean | null;
            /** @description The name of the rule. */
            name?: string | null;
            /** @description The code of the rule of an earlier version that this rule replaces. It is informational only. */
            replaces_rule_code?: string | null;
            /**
             * @description The type of the rule.
             * @enum {string}
             */
            rule_type: "temporal";
            /**
             * @description The severity of a violation.
             * @enum {string}
             */
            severity: "low" | "medium" | "high" | "critical";
            /** @description The source reference of the rule. */
            source_ref?: components["schemas"]["SourceRefDraft"] | null;
            /** @description The gate. If it does not match, the rule is not applicable. */
            when?: components["schemas"]["GateDraft"] | null;
        } | {
            /** @description The code, unique in the version: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`. */
            code: string;
            /** @description The condition. Its members depend on the type and are validated strictly. */
            condition: components["schemas"]["PatternConditionDraft"];
            /** @description The description of the rule. */
            description?: string | null;
            /** @description Whether the rule is active; absent means true. Inactive rules are not evaluated, counted or hashed. */
            is_active?: boolean | null;
            /** @description The name of the rule. */
            name?: string | null;
            /** @description The code of the rule of an earlier version that this rule replaces. It is informational only. */
            replaces_rule_code?: string | null;
            /**
             * @description The type of the rule.
             * @enum {string}
             */
            rule_type: "pattern";
            /**
             * @description The severity of a violation.
             * @enum {string}
             */
            severity: "low" | "medium" | "high" | "critical";
            /** @description The source reference of the rule. */
            source_ref?: components["schemas"]["SourceRefDraft"] | null;
            /** @description The gate. If it does not match, the rule is not applicable. */
            when?: components["schemas"]["GateDraft"] | null;
        } | {
            /** @description The code, unique in the version: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`. */
            code: string;
            /** @description The condition. Its members depend on the type and are validated strictly. */
            condition: components["schemas"]["ComparisonConditionDraft"];
            /** @description The description of the rule. */
            description?: string | null;
            /** @description Whether the rule is active; absent means true. Inactive rules are not evaluated, counted or hashed. */
            is_active?: boolean | null;
            /** @description The name of the rule. */
            name?: string | null;
            /** @description The code of the rule of an earlier version that this rule replaces. It is informational only. */
            replaces_rule_code?: string | null;
            /**
             * @description The type of the rule.
             * @enum {string}
             */
            rule_type: "comparison";
            /**
             * @description The severity of a violation.
             * @enum {string}
             */
            severity: "low" | "medium" | "high" | "critical";
            /** @description The source reference of the rule. */
            source_ref?: components["schemas"]["SourceRefDraft"] | null;
            /** @description The gate. If it does not match, the rule is not applicable. */
            when?: components["schemas"]["GateDraft"] | null;
        } | {
            /** @description The code, unique in the version: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`. */
            code: string;
            /** @description The condition. Its members depend on the type and are validated strictly. */
            condition: components["schemas"]["EvidenceConditionDraft"];
            /** @description The description of the rule. */
            description?: string | null;
            /** @description Whether the rule is active; absent means true. Inactive rules are not evaluated, counted or hashed. */
            is_active?: boolean | null;
            /** @description The name of the rule. */
            name?: string | null;
            /** @description The code of the rule of an earlier version that this rule replaces. It is informational only. */
            replaces_rule_code?: string | null;
            /**
             * @description The type of the rule.
             * @enum {string}
             */
            rule_type: "evidence";
            /**
             * @description The severity of a violation.
             * @enum {string}
             */
            severity: "low" | "medium" | "high" | "critical";
            /** @description The source reference of the rule. */
            source_ref?: components["schemas"]["SourceRefDraft"] | null;
            /** @description The gate. If it does not match, the rule is not applicable. */
            when?: components["schemas"]["GateDraft"] | null;
        } | {
            /** @description The code, unique in the version: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`. */
            code: string;
            /** @description The condition. Its members depend on the type and are validated strictly. */
            condition: components["schemas"]["DistinctConditionDraft"];
            /** @description The description of the rule. */
            description?: string | null;
            /** @description Whether the rule is active; absent means true. Inactive rules are not evaluated, counted or hashed. */
            is_active?: boolean | null;
            /** @description The name of the rule. */
            name?: string | null;
            /** @description The code of the rule of an earlier version that this rule replaces. It is informational only. */
            replaces_rule_code?: string | null;
            /**
             * @description The type of the rule.
             * @enum {string}
             */
            rule_type: "distinct";
            /**
             * @description The severity of a violation.
             * @enum {string}
             */
            severity: "low" | "medium" | "high" | "critical";
            /** @description The source reference of the rule. */
            source_ref?: components["schemas"]["SourceRefDraft"] | null;
            /** @description The gate. If it does not match, the rule is not applicable. */
            when?: components["schemas"]["GateDraft"] | null;
        };
        /** @description A rule whose position among the other rules changed. */
        RuleMove: {
            /** @description The code of the rule in the later version. */
            code: string;
            /**
             * Format: int32
             * @description The index in the earlier version, from 0.
             */
            from: number;
            /**
             * Format: int32
             * @description The index in the later version, from 0.
             */
            to: number;
        };
        /** @description The status of one rule, for `explain`. */
        RuleResult: {
            /** @description The status of the rule. */
            outcome: components["schemas"]["RuleStatus"];
            /** @description The ID of the policy. */
            policy_id: components["schemas"]["PolicyId"];
            /** @description The code of the rule. */
            rule_code: string;
        };
        /**
         * @description The status of a rule in an evaluation.
         * @enum {string}
         */
        RuleStatus: "pass" | "violation" | "not_applicable";
        /**
         * @description The eight rule types (contract, section 3).
         * @enum {string}
         */
        RuleType: "presence" | "threshold" | "list" | "temporal" | "pattern" | "comparison" | "evidence" | "distinct";
        /**
         * @description A scope of an API key.
         * @enum {string}
         */
        Scope: "policies:read" | "policies:write" | "decisions:evaluate" | "decisions:read" | "decisions:write" | "alerts:read" | "alerts:write" | "audit:read" | "audit:admin" | "members:read" | "members:write" | "api-keys:admin" | "authoring:capability" | "tenants:provision";
        /** @description A submission in two programming languages, without third-party libraries. */
        SdkExamples: {
            /** @description An ECMAScript module, for Node 18 and later and for browsers. */
            javascript: string;
            /** @description Python 3, with the standard library. */
            python: string;
        };
        /** @description The body of a request that creates a review submission. */
        SealRequest: {
            /**
             * Format: uuid
             * @description The ID of the review record that requested changes. Required if the previous submission was returned,
             *     and rejected otherwise.
             */
            answers_record_id?: string | null;
        };
        /** @description The body of `POST /v1/session/second-factor`: exactly one of `code` and `credential`. */
        SecondFactorRequest: {
            /** @description The current code of the authenticator app (6 digits), or a recovery code. */
            code: string;
            /** @description The used passkey: `AuthenticationResponseJSON` of `WebAuthn` Level 3. */
            credential?: null;
        } | {
            /** @description The current code of the authenticator app (6 digits), or a recovery code. */
            code?: null;
            /** @description The used passkey: `AuthenticationResponseJSON` of `WebAuthn` Level 3. */
            credential: components["schemas"]["JsonObject"];
        };
        /** @description The second factors of the signed-in user. */
        SecondFactors: {
            /** @description The passkeys, oldest first. */
            passkeys: components["schemas"]["Passkey"][];
            /**
             * Format: int32
             * @description The number of unused recovery codes.
             */
            recovery_codes_left: number;
            /** @description The authenticator app; absent without one. */
            totp?: components["schemas"]["Totp"];
        };
        /** @description The signed-in user and the tenants of that user. */
        Session: {
            /** @description The way the user signed in. */
            auth_method: components["schemas"]["AuthMethod"];
            /** @description The memberships of the user that the session gives access to. */
            memberships: components["schemas"]["Membership"][];
            /** @description The tenants of the user that require a second factor, which the session does not have. */
            second_factor_required?: components["schemas"]["TenantName"][];
            /** @description The signed-in user. */
            user: components["schemas"]["User"];
        };
        /** Format: uuid */
        SessionId: string;
        /** @description The settings of a tenant. */
        Settings: {
            /** @description The minimum severity that creates an alert. */
            alert_min_severity: components["schemas"]["Severity"];
            /** @description Whether bundles contain the context. */
            bundle_include_context: boolean;
            /** @description Whether API keys are rejected for changes that affect verdicts or safeguards. */
            human_changes_only: boolean;
            /** @description Whether a version must be ratified by a person who did not help create it. */
            maker_checker_enabled: boolean;
            /** @description The redaction of public receipts. */
            public_receipt_redaction: components["schemas"]["Redaction"];
            /** @description Whether ratification requires an accepted review. */
            review_required: boolean;
            /** @description Whether only sessions with a second factor have access. Sessions of an identity provider have access. */
            second_factor_required: boolean;
            /** @description The sign-ins that give access to the tenant. */
            sign_in: components["schemas"]["SignInPolicy"];
            /** @description The time of the last change. */
            updated_at?: components["schemas"]["Timestamp"];
            /** @description The ID of the user or API key that made the last change. */
            updated_by?: string;
        };
        /** @description The body of `PATCH /v1/settings`. Absent members are unchanged. */
        SettingsPatch: {
            /**
             * @description The minimum severity that creates an alert.
             * @enum {string}
             */
            alert_min_severity?: "low" | "medium" | "high" | "critical";
            /** @description Whether bundles contain the context. */
            bundle_include_context?: boolean;
            /**
             * @description Whether API keys are rejected for changes that affect verdicts or safeguards. Only a session of an
             *     admin can change this setting.
             */
            human_changes_only?: boolean;
            /** @description Whether a version must be ratified by a person who did not help create it. */
            maker_checker_enabled?: boolean;
            /**
             * @description The redaction of public receipts.
             * @enum {string}
             */
            public_receipt_redaction?: "none" | "values";
            /** @description Whether ratification requires an accepted review. */
            review_required?: boolean;
            /**
             * @description Whether only sessions with a second factor have access. Only a session of an admin can change this setting, and
             *     only a session with a second factor can turn it on.
             */
            second_factor_required?: boolean;
            /**
             * @description The sign-ins that give access to the tenant. Only a session of an admin can change this setting. It can be
             *     set to a value that excludes its own sign-in only on the command line.
             * @enum {string}
             */
            sign_in?: "any" | "password" | "oidc" | "passkey";
        };
        /**
         * @description The severity of a violation.
         * @enum {string}
         */
        Severity: "low" | "medium" | "high" | "critical";
        /**
         * @description The sign-ins that give access to a tenant.
         * @enum {string}
         */
        SignInPolicy: "any" | "password" | "oidc" | "passkey";
        /** @description The body of `POST /v1/session`. */
        SignInRequest: {
            /** @description The email address, without regard to case. */
            email: string;
            /** @description The password. */
            password: string;
        };
        /** @description The members of a signature, which are all present or all absent. */
        Signature: {
            /** @description The signature in base64url without padding, 86 characters. */
            signature: string;
            /** @description Always `Ed25519`. */
            signature_algorithm: string;
            /** @description The RFC 7638 thumbprint of the signing key. */
            signature_kid: string;
        };
        /** Format: uuid */
        SnapshotId: string;
        /** @description The body of `POST /v1/alerts/{id}/snooze`. */
        SnoozeRequest: {
            /**
             * Format: date-time
             * @description The end of the snooze time: in the future, at most 30 days from now. Absent ends the snooze time.
             */
            until?: string | null;
        };
        /** @description The document that the fields were read from. */
        SourceArtifact: {
            byte_size?: number;
            filename?: string;
            hash?: string;
            hash_algorithm?: string;
            reference_id?: string;
            type?: string;
        };
        /** @description The document that the clauses come from. */
        SourceDocument: {
            /** @description The name of the document. */
            document: string;
            /** @description The URL of the document. */
            url?: string;
        };
        /** @description The document that the clauses come from. */
        SourceDocumentDraft: {
            /** @description The name of the document. */
            document: string;
            /** @description The URL of the document. */
            url?: string | null;
        };
        /** @description The source reference of a rule. */
        SourceRef: {
            /** @description The name of the document. */
            document?: string;
            /** @description The section of the document. */
            section?: string;
            /** @description The URL of the document. */
            url?: string;
        };
        /** @description The source reference of a rule. */
        SourceRefDraft: {
            /** @description The name of the document. */
            document?: string | null;
            /** @description The section of the document. */
            section?: string | null;
            /** @description The URL of the document. */
            url?: string | null;
        };
        /** @description A stored ledger entry. */
        StoredLedgerEntry: {
            /** @description The disposition of the clause. */
            disposition: components["schemas"]["Disposition"];
            /** @description The reason for the disposition. */
            note?: string;
            /** @description The ID of the clause. */
            unit_id: string;
        };
        /** Format: uuid */
        SubmissionId: string;
        /** @description A rule that the submission violates. */
        SubmissionViolation: {
            /** @description The name of the field, if the violation concerns one. */
            field?: string;
            /** @description A message for people. */
            reason: string;
            /** @description The code of the rule. */
            rule_code: string;
        };
        /** @description A created subscription. The secret is shown only once. */
        SubscriptionCreated: {
            /**
             * @description The secret that signs deliveries: `whsec_` and 32 bytes in base64. The key of `X-Service-Signature` is the
             *     whole text, including the prefix. The key of `webhook-signature` is the 32 bytes.
             */
            secret: string;
            /** @description The created subscription. */
            subscription: components["schemas"]["WebhookSubscription"];
        };
        /** @description The body of `POST /v1/alerts/subscriptions`. */
        SubscriptionDraft: {
            /** @description The decision types whose alerts are sent; absent or empty means all alerts. */
            decision_types?: string[] | null;
            /**
             * @description The form of the body of each delivery; absent means `govern`.
             * @enum {string|null}
             */
            envelope?: "govern" | "cloudevents" | null;
            /**
             * @description The minimum severity of alerts that are sent.
             * @enum {string}
             */
            severity_min: "low" | "medium" | "high" | "critical";
            /** @description The URL that receives alerts: `https://` and a host with public addresses. */
            url: string;
        };
        /** Format: uuid */
        SubscriptionId: string;
        /** @description The delivery statistics of one subscription. */
        SubscriptionStats: components["schemas"]["DeliveryCounts"] & {
            /** @description The ID of the subscription. */
            subscription_id: components["schemas"]["SubscriptionId"];
        };
        /** @description The body of a request that supersedes a draft. */
        SupersedeDraft: {
            /** @description The reason for the correction, 1 to 500 characters. */
            change_reason: string;
            /** @description The clauses that the corrected rules come from. */
            codification?: components["schemas"]["Codification"] | null;
            /** @description The `draft_revision` of the superseded draft that the correction is based on. */
            expected_revision: number;
            /** @description The corrected rules. */
            rules: components["schemas"]["RuleDraft"][];
        };
        /** @description The superseded draft and its replacement. */
        Superseded: {
            /** @description The new draft with its rules. */
            draft: components["schemas"]["PolicyVersion"];
            /** @description The superseded draft with the status `replaced`. Its rules are stored but not included here. */
            replaced: components["schemas"]["PolicyVersion"];
        };
        TemporalCondition: {
            /** @enum {string} */
            check: "not_expired" | "not_future";
            field: string;
        } | {
            field: string;
            max_age_days: number;
        } | {
            field: string;
            not_before: string;
        } | {
            field: string;
            not_after: string;
        };
        TemporalConditionDraft: {
            /** @enum {string} */
            check: "not_expired" | "not_future";
            field: string;
            max_age_days?: null;
            not_after?: null;
            not_before?: null;
        } | {
            check?: null;
            field: string;
            max_age_days: number;
            not_after?: null;
            not_before?: null;
        } | {
            check?: null;
            field: string;
            max_age_days?: null;
            not_after?: null;
            not_before: string;
        } | {
            check?: null;
            field: string;
            max_age_days?: null;
            not_after: string;
            not_before?: null;
        };
        /** @description A tenant. */
        Tenant: {
            /** @description The time at which the tenant was created. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The name of the tenant. */
            name: string;
            /** @description The ID of the parent tenant, whose inheritable policies also apply to this tenant. */
            parent_tenant_id?: components["schemas"]["TenantId"];
            /** @description The ID of the tenant. */
            tenant_id: components["schemas"]["TenantId"];
        };
        /** @description The body of `POST /v1/admin/tenants`. */
        TenantDraft: {
            /** @description The name, 1 to 200 characters. */
            name: string;
            /**
             * Format: uuid
             * @description The ID of the parent tenant, whose inheritable policies also apply to the new tenant. It can have at
             *     most seven ancestors.
             */
            parent_tenant_id?: string | null;
        };
        /** Format: uuid */
        TenantId: string;
        /** @description A tenant of the user. */
        TenantName: {
            /** @description The ID of the tenant. */
            tenant_id: components["schemas"]["TenantId"];
            /** @description The name of the tenant. */
            tenant_name: string;
        };
        ThresholdCondition: {
            exclusive_min?: boolean;
            field: string;
            min: number;
        } | {
            exclusive_max?: boolean;
            field: string;
            max: number;
        } | {
            exclusive_max?: boolean;
            exclusive_min?: boolean;
            field: string;
            max: number;
            min: number;
        };
        ThresholdConditionDraft: {
            exclusive_max?: null;
            exclusive_min?: boolean | null;
            field: string;
            max?: null;
            min: number;
        } | {
            exclusive_max?: boolean | null;
            exclusive_min?: null;
            field: string;
            max: number;
            min?: null;
        } | {
            exclusive_max?: boolean | null;
            exclusive_min?: boolean | null;
            field: string;
            max: number;
            min: number;
        };
        /** Format: date-time */
        Timestamp: string;
        /** @description The submission budget of a form: the number of submissions per time window. */
        TokenBudget: {
            /**
             * Format: int32
             * @description The maximum number of submissions per window; at least 1.
             */
            limit: number;
            /** @description The time window. */
            window: components["schemas"]["BudgetWindow"];
        };
        /** @description The submission budget of a form: the number of submissions per time window. */
        TokenBudgetDraft: {
            /** @description The maximum number of submissions per window; at least 1. */
            limit: number;
            /**
             * @description The time window.
             * @enum {string}
             */
            window: "hour" | "day" | "total";
        };
        /** @description The authenticator app of the signed-in user. */
        Totp: {
            /** @description The time at which the app was added. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The time of the last use; absent for an unused app. */
            last_used_at?: components["schemas"]["Timestamp"];
        };
        /** @description The body of `POST /v1/session/totp/confirm`. */
        TotpConfirmation: {
            /** @description The current code of the app: 6 digits. */
            code: string;
        };
        /** @description The secret of an authenticator app, which takes effect when a code confirms it. */
        TotpSetup: {
            /** @description The secret in Base32: 32 characters. */
            secret: string;
            /** @description The address that an app reads from a QR code: `otpauth://totp/…`. */
            uri: string;
        };
        /** @description Requested changes that the next review submission cannot reference. */
        UnanswerableReturn: components["schemas"]["ReturnedSubmission"] & {
            /** @description The reason. */
            reason: components["schemas"]["NotAnswerableReason"];
        };
        /** @description A user account. */
        User: {
            /** @description The display name of the user. */
            display_name: string;
            /** @description The email address of the user. */
            email: string;
            /** @description The ID of the user. */
            id: components["schemas"]["UserId"];
        };
        /**
         * @description A created user account. If mail is configured, the setup link is sent to the email address instead of
         *     being returned.
         */
        UserCreated: {
            /**
             * @description The setup link, with which the user chooses a password. It is valid once, for one week, and is shown
             *     only once. Absent if it was sent by mail.
             */
            setup_url?: string;
            /** @description The created user. */
            user: components["schemas"]["User"];
        };
        /** @description The body of `POST /v1/admin/users`. */
        UserDraft: {
            /** @description The display name, 1 to 200 characters in one line. */
            display_name: string;
            /** @description The email address for the sign-in; ASCII letters are stored in lower case. */
            email: string;
        };
        /** Format: uuid */
        UserId: string;
        /**
         * @description The verdict of a decision. Ordered by strictness: `Allow < Alert < Review < Deny`.
         * @enum {string}
         */
        Verdict: "ALLOW" | "ALERT" | "REVIEW" | "DENY";
        /** @description The decisions of one bucket for which the policy was evaluated. */
        VerdictBucket: {
            /**
             * Format: int64
             * @description The number of decisions.
             */
            decisions: number;
            /** @description The start of the bucket. */
            from: components["schemas"]["Timestamp"];
            /** @description The exclusive end of the bucket. */
            to: components["schemas"]["Timestamp"];
            /** @description The number of decisions by verdict: `ALLOW`, `ALERT`, `REVIEW` and `DENY`. */
            verdicts: {
                [key: string]: number;
            };
        };
        /** @description The differences between the rules of two versions. All lists are empty if the rules are equal. */
        VersionDiff: {
            /** @description Rules that only the later version has, in its order. */
            added: components["schemas"]["Rule"][];
            /**
             * Format: int32
             * @description The number of the earlier version; absent if there is none and every rule is new.
             */
            against?: number;
            /** @description Rules that both versions have and that differ, in the order of the later version. */
            changed: components["schemas"]["RuleChange"][];
            /** @description The smallest set of rules whose moves explain the later order, in that order. */
            moved: components["schemas"]["RuleMove"][];
            /** @description Rules that only the earlier version has, in its order. */
            removed: components["schemas"]["Rule"][];
        };
        /** @description The body of `POST /v1/policies/:id/versions`. */
        VersionDraft: {
            /** @description The number of the version that this one was derived from. It is informational only. */
            based_on_version?: number | null;
            /** @description The reason for the version. */
            change_reason?: string | null;
            /** @description The clauses that the rules come from. */
            codification?: components["schemas"]["Codification"] | null;
            /** @description The rules of the version. */
            rules: components["schemas"]["RuleDraft"][];
        };
        /** @description The body of `PATCH /v1/policies/:id/versions/:version`. */
        VersionPatch: {
            /** @description The new reason; `null` clears it. */
            change_reason?: string | null;
            /**
             * @description The clauses that the rules come from; `null` clears them. Absent means that the existing clauses are
             *     checked against the new rules.
             */
            codification?: components["schemas"]["Codification"] | null;
            /** @description The `draft_revision` that the change is based on. */
            expected_revision: number;
            /** @description The new rules. */
            rules?: components["schemas"]["RuleDraft"][];
        };
        /**
         * @description The status of a policy version.
         * @enum {string}
         */
        VersionStatus: "draft" | "submitted" | "ratified" | "replaced" | "set_aside";
        /** @description A failed check of a rule. */
        Violation: {
            /** @description The value in the context; absent if the field is missing. */
            actual_value?: unknown;
            /** @description Further facts about the violation. */
            details?: unknown;
            /** @description The value that the rule requires. */
            expected_value?: unknown;
            /** @description The field that failed the check; absent if the check concerns several fields. */
            field?: string;
            /** @description Whether that policy is in shadow mode. */
            is_shadow: boolean;
            /** @description The ID of the policy that contains the rule. */
            policy_id: components["schemas"]["PolicyId"];
            /** @description A message for people. */
            reason: string;
            /** @description The reason code for programs. */
            reason_code: components["schemas"]["ReasonCode"];
            /** @description The code of the rule. */
            rule_code: string;
            /** @description The severity of the rule. */
            severity: components["schemas"]["Severity"];
        };
        /** @description A delivery: one alert to be sent to one subscription. */
        WebhookDelivery: {
            /** @description The ID of the alert. */
            alert_id: components["schemas"]["AlertId"];
            /**
             * Format: int32
             * @description The number of attempts since the delivery was queued or last retried on request.
             */
            attempt_count: number;
            /** @description All attempts, oldest first. Present only when a single delivery is read. */
            attempts?: components["schemas"]["DeliveryAttempt"][];
            /** @description The time at which the delivery was queued. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The time at which the receiver accepted the delivery. */
            delivered_at?: components["schemas"]["Timestamp"];
            /** @description Always `alert.created`. */
            event: string;
            /** @description The reason why the last attempt failed. */
            failure_reason?: components["schemas"]["FailureReason"];
            /** @description The ID of the delivery. Every attempt sends it as `X-Service-Delivery-Id`. */
            id: components["schemas"]["DeliveryId"];
            /** @description The time of the last attempt. */
            last_attempt_at?: components["schemas"]["Timestamp"];
            /**
             * Format: int32
             * @description The HTTP status of the last response.
             */
            last_status_code?: number;
            /**
             * Format: int32
             * @description The maximum number of attempts.
             */
            max_attempts: number;
            /** @description The time of the next attempt. */
            next_attempt_at?: components["schemas"]["Timestamp"];
            /** @description The status of the delivery. */
            status: components["schemas"]["DeliveryStatus"];
            /** @description The ID of the subscription. */
            subscription_id: components["schemas"]["SubscriptionId"];
        };
        /**
         * @description The form of the body of a delivery.
         * @enum {string}
         */
        WebhookEnvelope: "govern" | "cloudevents";
        /** @description A webhook subscription: a URL that receives alerts. */
        WebhookSubscription: {
            /** @description The time at which the subscription was created. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The decision types whose alerts are sent; empty means all alerts. */
            decision_types: string[];
            /** @description The form of the body of each delivery. */
            envelope: components["schemas"]["WebhookEnvelope"];
            /** @description Whether deliveries are signed. */
            has_secret: boolean;
            /** @description The ID of the subscription. */
            id: components["schemas"]["SubscriptionId"];
            /** @description Whether alerts are sent. A subscription becomes inactive when its receiver answers with 410 (gone). */
            is_active: boolean;
            /** @description The minimum severity of alerts that are sent. */
            severity_min: components["schemas"]["Severity"];
            /** @description The tenant of the subscription. */
            tenant_id: components["schemas"]["TenantId"];
            /** @description The URL that receives alerts. */
            webhook_url: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AccessMode = components['schemas']['AccessMode'];
export type AccountSetup = components['schemas']['AccountSetup'];
export type AcknowledgeRequest = components['schemas']['AcknowledgeRequest'];
export type AcknowledgeResponse = components['schemas']['AcknowledgeResponse'];
export type AcknowledgeResult = components['schemas']['AcknowledgeResult'];
export type Action = components['schemas']['Action'];
export type ActionDraft = components['schemas']['ActionDraft'];
export type ActiveSession = components['schemas']['ActiveSession'];
export type ActiveSessions = components['schemas']['ActiveSessions'];
export type Actor = components['schemas']['Actor'];
export type ActorDraft = components['schemas']['ActorDraft'];
export type Alert = components['schemas']['Alert'];
export type AlertId = components['schemas']['AlertId'];
export type AlertPage = components['schemas']['AlertPage'];
export type AlertType = components['schemas']['AlertType'];
export type AllGate = components['schemas']['AllGate'];
export type AllGateDraft = components['schemas']['AllGateDraft'];
export type Analytics = components['schemas']['Analytics'];
export type AnyGate = components['schemas']['AnyGate'];
export type AnyGateDraft = components['schemas']['AnyGateDraft'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyCreated = components['schemas']['ApiKeyCreated'];
export type ApiKeyDraft = components['schemas']['ApiKeyDraft'];
export type ApiKeyId = components['schemas']['ApiKeyId'];
export type AssignRequest = components['schemas']['AssignRequest'];
export type AuditActor = components['schemas']['AuditActor'];
export type AuditCheckpoint = components['schemas']['AuditCheckpoint'];
export type AuditDivergence = components['schemas']['AuditDivergence'];
export type AuditHead = components['schemas']['AuditHead'];
export type AuditItem = components['schemas']['AuditItem'];
export type AuditObject = components['schemas']['AuditObject'];
export type AuditRange = components['schemas']['AuditRange'];
export type AuditReport = components['schemas']['AuditReport'];
export type AuditStatus = components['schemas']['AuditStatus'];
export type AuthMethod = components['schemas']['AuthMethod'];
export type BatchItem = components['schemas']['BatchItem'];
export type BatchRequest = components['schemas']['BatchRequest'];
export type Branding = components['schemas']['Branding'];
export type BrandingDraft = components['schemas']['BrandingDraft'];
export type BucketSize = components['schemas']['BucketSize'];
export type BudgetWindow = components['schemas']['BudgetWindow'];
export type Capability = components['schemas']['Capability'];
export type CapabilityAction = components['schemas']['CapabilityAction'];
export type CapabilityCarry = components['schemas']['CapabilityCarry'];
export type CapabilityCreated = components['schemas']['CapabilityCreated'];
export type CapabilityDraft = components['schemas']['CapabilityDraft'];
export type CapabilityId = components['schemas']['CapabilityId'];
export type Chain = components['schemas']['Chain'];
export type ChainId = components['schemas']['ChainId'];
export type ChainItem = components['schemas']['ChainItem'];
export type ChainLinkInfo = components['schemas']['ChainLinkInfo'];
export type ChainRequest = components['schemas']['ChainRequest'];
export type ChainSeal = components['schemas']['ChainSeal'];
export type ChainStatus = components['schemas']['ChainStatus'];
export type ChainVerification = components['schemas']['ChainVerification'];
export type Checks = components['schemas']['Checks'];
export type Clause = components['schemas']['Clause'];
export type ClauseDraft = components['schemas']['ClauseDraft'];
export type ClauseLint = components['schemas']['ClauseLint'];
export type CodeExchange = components['schemas']['CodeExchange'];
export type Codification = components['schemas']['Codification'];
export type CodificationError = components['schemas']['CodificationError'];
export type CodificationRecord = components['schemas']['CodificationRecord'];
export type Comment = components['schemas']['Comment'];
export type CommentDraft = components['schemas']['CommentDraft'];
export type CommentId = components['schemas']['CommentId'];
export type ComparisonCondition = components['schemas']['ComparisonCondition'];
export type ComparisonConditionDraft = components['schemas']['ComparisonConditionDraft'];
export type Counts = components['schemas']['Counts'];
export type DecidingPolicy = components['schemas']['DecidingPolicy'];
export type DecisionContext = components['schemas']['DecisionContext'];
export type DecisionId = components['schemas']['DecisionId'];
export type DecisionOutcome = components['schemas']['DecisionOutcome'];
export type DecisionRecord = components['schemas']['DecisionRecord'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
export type DeliveryCounts = components['schemas']['DeliveryCounts'];
export type DeliveryId = components['schemas']['DeliveryId'];
export type DeliveryStats = components['schemas']['DeliveryStats'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type Difference = components['schemas']['Difference'];
export type Disposition = components['schemas']['Disposition'];
export type DistinctCondition = components['schemas']['DistinctCondition'];
export type DistinctConditionDraft = components['schemas']['DistinctConditionDraft'];
export type EmptyBody = components['schemas']['EmptyBody'];
export type EnteredStateSource = components['schemas']['EnteredStateSource'];
export type EqualsGate = components['schemas']['EqualsGate'];
export type EqualsGateDraft = components['schemas']['EqualsGateDraft'];
export type ErrorBody = components['schemas']['ErrorBody'];
export type EvaluateBatchResponse = components['schemas']['EvaluateBatchResponse'];
export type EvaluateRequest = components['schemas']['EvaluateRequest'];
export type EvaluateResponse = components['schemas']['EvaluateResponse'];
export type EvaluatedPolicy = components['schemas']['EvaluatedPolicy'];
export type EvaluatedRule = components['schemas']['EvaluatedRule'];
export type EvaluationResult = components['schemas']['EvaluationResult'];
export type EventId = components['schemas']['EventId'];
export type Evidence = components['schemas']['Evidence'];
export type EvidenceCondition = components['schemas']['EvidenceCondition'];
export type EvidenceConditionDraft = components['schemas']['EvidenceConditionDraft'];
export type ExistsGate = components['schemas']['ExistsGate'];
export type ExistsGateDraft = components['schemas']['ExistsGateDraft'];
export type FailureReason = components['schemas']['FailureReason'];
export type FieldOption = components['schemas']['FieldOption'];
export type FieldOptionDraft = components['schemas']['FieldOptionDraft'];
export type FieldType = components['schemas']['FieldType'];
export type Finding = components['schemas']['Finding'];
export type FindingEvidence = components['schemas']['FindingEvidence'];
export type Form = components['schemas']['Form'];
export type FormContract = components['schemas']['FormContract'];
export type FormDraft = components['schemas']['FormDraft'];
export type FormField = components['schemas']['FormField'];
export type FormFieldDraft = components['schemas']['FormFieldDraft'];
export type FormId = components['schemas']['FormId'];
export type FormLanguage = components['schemas']['FormLanguage'];
export type FormPatch = components['schemas']['FormPatch'];
export type FormSchema = components['schemas']['FormSchema'];
export type FormSubmission = components['schemas']['FormSubmission'];
export type FormSubmissionResult = components['schemas']['FormSubmissionResult'];
export type FormToken = components['schemas']['FormToken'];
export type FormTokenDraft = components['schemas']['FormTokenDraft'];
export type FormTokenId = components['schemas']['FormTokenId'];
export type FormUi = components['schemas']['FormUi'];
export type Gate = components['schemas']['Gate'];
export type GateDraft = components['schemas']['GateDraft'];
export type GovernanceSource = components['schemas']['GovernanceSource'];
export type GroupDraft = components['schemas']['GroupDraft'];
export type GroupPatch = components['schemas']['GroupPatch'];
export type Health = components['schemas']['Health'];
export type IdentityProvider = components['schemas']['IdentityProvider'];
export type IdentityProviderDraft = components['schemas']['IdentityProviderDraft'];
export type IdentityProviderId = components['schemas']['IdentityProviderId'];
export type IdentityProviderPatch = components['schemas']['IdentityProviderPatch'];
export type IdentityProviderTest = components['schemas']['IdentityProviderTest'];
export type InGate = components['schemas']['InGate'];
export type InGateDraft = components['schemas']['InGateDraft'];
export type Invitation = components['schemas']['Invitation'];
export type JsonObject = components['schemas']['JsonObject'];
export type JsonValue = components['schemas']['JsonValue'];
export type KeySurrender = components['schemas']['KeySurrender'];
export type LedgerEntry = components['schemas']['LedgerEntry'];
export type Lint = components['schemas']['Lint'];
export type LintStatus = components['schemas']['LintStatus'];
export type ListCondition = components['schemas']['ListCondition'];
export type ListConditionDraft = components['schemas']['ListConditionDraft'];
export type Member = components['schemas']['Member'];
export type MemberPatch = components['schemas']['MemberPatch'];
export type MemberStatus = components['schemas']['MemberStatus'];
export type Membership = components['schemas']['Membership'];
export type Metadata = components['schemas']['Metadata'];
export type MinLengths = components['schemas']['MinLengths'];
export type NaRule = components['schemas']['NaRule'];
export type Narrowing = components['schemas']['Narrowing'];
export type NotAnswerableReason = components['schemas']['NotAnswerableReason'];
export type OutcomeRequest = components['schemas']['OutcomeRequest'];
export type OutcomeStatus = components['schemas']['OutcomeStatus'];
export type PageApiKey = components['schemas']['Page_ApiKey'];
export type PageAuditItem = components['schemas']['Page_AuditItem'];
export type PageCapability = components['schemas']['Page_Capability'];
export type PageChain = components['schemas']['Page_Chain'];
export type PageComment = components['schemas']['Page_Comment'];
export type PageDecisionRecord = components['schemas']['Page_DecisionRecord'];
export type PageForm = components['schemas']['Page_Form'];
export type PageIdentityProvider = components['schemas']['Page_IdentityProvider'];
export type PageMember = components['schemas']['Page_Member'];
export type PagePolicy = components['schemas']['Page_Policy'];
export type PagePolicyGroup = components['schemas']['Page_PolicyGroup'];
export type PagePolicyVersion = components['schemas']['Page_PolicyVersion'];
export type PageReviewSubmission = components['schemas']['Page_ReviewSubmission'];
export type PageTenant = components['schemas']['Page_Tenant'];
export type PageWebhookDelivery = components['schemas']['Page_WebhookDelivery'];
export type PageWebhookSubscription = components['schemas']['Page_WebhookSubscription'];
export type Passkey = components['schemas']['Passkey'];
export type PasskeyCreated = components['schemas']['PasskeyCreated'];
export type PasskeyDraft = components['schemas']['PasskeyDraft'];
export type PasskeyId = components['schemas']['PasskeyId'];
export type PasskeyOptions = components['schemas']['PasskeyOptions'];
export type PasskeyOptionsRequest = components['schemas']['PasskeyOptionsRequest'];
export type PasskeyPatch = components['schemas']['PasskeyPatch'];
export type PasskeySignIn = components['schemas']['PasskeySignIn'];
export type PasswordChange = components['schemas']['PasswordChange'];
export type PatternCondition = components['schemas']['PatternCondition'];
export type PatternConditionDraft = components['schemas']['PatternConditionDraft'];
export type PendingInvitation = components['schemas']['PendingInvitation'];
export type PendingInvitations = components['schemas']['PendingInvitations'];
export type PendingItem = components['schemas']['PendingItem'];
export type PendingKind = components['schemas']['PendingKind'];
export type PendingWork = components['schemas']['PendingWork'];
export type Policy = components['schemas']['Policy'];
export type PolicyApproval = components['schemas']['PolicyApproval'];
export type PolicyCreated = components['schemas']['PolicyCreated'];
export type PolicyDraft = components['schemas']['PolicyDraft'];
export type PolicyGroup = components['schemas']['PolicyGroup'];
export type PolicyGroupId = components['schemas']['PolicyGroupId'];
export type PolicyId = components['schemas']['PolicyId'];
export type PolicyPatch = components['schemas']['PolicyPatch'];
export type PolicySnapshot = components['schemas']['PolicySnapshot'];
export type PolicyVersion = components['schemas']['PolicyVersion'];
export type PolicyVersionId = components['schemas']['PolicyVersionId'];
export type PresenceCondition = components['schemas']['PresenceCondition'];
export type PresenceConditionDraft = components['schemas']['PresenceConditionDraft'];
export type Problem = components['schemas']['Problem'];
export type Ratification = components['schemas']['Ratification'];
export type Readiness = components['schemas']['Readiness'];
export type ReasonBody = components['schemas']['ReasonBody'];
export type ReasonCode = components['schemas']['ReasonCode'];
export type ReauthenticationRequest = components['schemas']['ReauthenticationRequest'];
export type Receipt = components['schemas']['Receipt'];
export type ReceiptApproval = components['schemas']['ReceiptApproval'];
export type RecordRequest = components['schemas']['RecordRequest'];
export type RecordResponse = components['schemas']['RecordResponse'];
export type RecoveryCodes = components['schemas']['RecoveryCodes'];
export type Redaction = components['schemas']['Redaction'];
export type RedriveRequest = components['schemas']['RedriveRequest'];
export type RedriveResult = components['schemas']['RedriveResult'];
export type RefusalKind = components['schemas']['RefusalKind'];
export type Replay = components['schemas']['Replay'];
export type ReplaySide = components['schemas']['ReplaySide'];
export type RequestedAct = components['schemas']['RequestedAct'];
export type ResetRequest = components['schemas']['ResetRequest'];
export type ReturnedSubmission = components['schemas']['ReturnedSubmission'];
export type ReviewComment = components['schemas']['ReviewComment'];
export type ReviewCommentDraft = components['schemas']['ReviewCommentDraft'];
export type ReviewDraft = components['schemas']['ReviewDraft'];
export type ReviewRecord = components['schemas']['ReviewRecord'];
export type ReviewRecordId = components['schemas']['ReviewRecordId'];
export type ReviewSubmission = components['schemas']['ReviewSubmission'];
export type ReviewVerdict = components['schemas']['ReviewVerdict'];
export type Role = components['schemas']['Role'];
export type RoleMapping = components['schemas']['RoleMapping'];
export type RoleMappingDraft = components['schemas']['RoleMappingDraft'];
export type Rule = components['schemas']['Rule'];
export type RuleAnalytics = components['schemas']['RuleAnalytics'];
export type RuleChange = components['schemas']['RuleChange'];
export type RuleDraft = components['schemas']['RuleDraft'];
export type RuleMove = components['schemas']['RuleMove'];
export type RuleResult = components['schemas']['RuleResult'];
export type RuleStatus = components['schemas']['RuleStatus'];
export type RuleType = components['schemas']['RuleType'];
export type Scope = components['schemas']['Scope'];
export type SdkExamples = components['schemas']['SdkExamples'];
export type SealRequest = components['schemas']['SealRequest'];
export type SecondFactorRequest = components['schemas']['SecondFactorRequest'];
export type SecondFactors = components['schemas']['SecondFactors'];
export type Session = components['schemas']['Session'];
export type SessionId = components['schemas']['SessionId'];
export type Settings = components['schemas']['Settings'];
export type SettingsPatch = components['schemas']['SettingsPatch'];
export type Severity = components['schemas']['Severity'];
export type SignInPolicy = components['schemas']['SignInPolicy'];
export type SignInRequest = components['schemas']['SignInRequest'];
export type Signature = components['schemas']['Signature'];
export type SnapshotId = components['schemas']['SnapshotId'];
export type SnoozeRequest = components['schemas']['SnoozeRequest'];
export type SourceArtifact = components['schemas']['SourceArtifact'];
export type SourceDocument = components['schemas']['SourceDocument'];
export type SourceDocumentDraft = components['schemas']['SourceDocumentDraft'];
export type SourceRef = components['schemas']['SourceRef'];
export type SourceRefDraft = components['schemas']['SourceRefDraft'];
export type StoredLedgerEntry = components['schemas']['StoredLedgerEntry'];
export type SubmissionId = components['schemas']['SubmissionId'];
export type SubmissionViolation = components['schemas']['SubmissionViolation'];
export type SubscriptionCreated = components['schemas']['SubscriptionCreated'];
export type SubscriptionDraft = components['schemas']['SubscriptionDraft'];
export type SubscriptionId = components['schemas']['SubscriptionId'];
export type SubscriptionStats = components['schemas']['SubscriptionStats'];
export type SupersedeDraft = components['schemas']['SupersedeDraft'];
export type Superseded = components['schemas']['Superseded'];
export type TemporalCondition = components['schemas']['TemporalCondition'];
export type TemporalConditionDraft = components['schemas']['TemporalConditionDraft'];
export type Tenant = components['schemas']['Tenant'];
export type TenantDraft = components['schemas']['TenantDraft'];
export type TenantId = components['schemas']['TenantId'];
export type TenantName = components['schemas']['TenantName'];
export type ThresholdCondition = components['schemas']['ThresholdCondition'];
export type ThresholdConditionDraft = components['schemas']['ThresholdConditionDraft'];
export type Timestamp = components['schemas']['Timestamp'];
export type TokenBudget = components['schemas']['TokenBudget'];
export type TokenBudgetDraft = components['schemas']['TokenBudgetDraft'];
export type Totp = components['schemas']['Totp'];
export type TotpConfirmation = components['schemas']['TotpConfirmation'];
export type TotpSetup = components['schemas']['TotpSetup'];
export type UnanswerableReturn = components['schemas']['UnanswerableReturn'];
export type User = components['schemas']['User'];
export type UserCreated = components['schemas']['UserCreated'];
export type UserDraft = components['schemas']['UserDraft'];
export type UserId = components['schemas']['UserId'];
export type Verdict = components['schemas']['Verdict'];
export type VerdictBucket = components['schemas']['VerdictBucket'];
export type VersionDiff = components['schemas']['VersionDiff'];
export type VersionDraft = components['schemas']['VersionDraft'];
export type VersionPatch = components['schemas']['VersionPatch'];
export type VersionStatus = components['schemas']['VersionStatus'];
export type Violation = components['schemas']['Violation'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookEnvelope = components['schemas']['WebhookEnvelope'];
export type WebhookSubscription = components['schemas']['WebhookSubscription'];
export type $defs = Record<string, never>;
export interface operations {
    getWellKnownSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getWellKnownTrustRegistry: {
        parameters: {
            query?: {
                /** @description The number of the version (default: the newest) */
                version?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAdminIdentityProviders: {
        parameters: {
            query?: {
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAdminIdentityProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAdminIdentityProvidersById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteAdminIdentityProvidersById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    patchAdminIdentityProvidersById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAdminIdentityProvidersTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAdminMembers: {
        parameters: {
            query?: {
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAdminMembersInvite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAdminMembersByUserId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteAdminMembersByUserId: {
        parameters: {
            query?: {
                /** @description The ID of another active admin who takes over the API keys of the user; requires a session */
                keys_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    patchAdminMembersByUserId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAdminMembersResetSecondFactors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAdminTenants: {
        parameters: {
            query?: {
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAdminTenants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAdminUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAdminUsersByUserId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAlerts: {
        parameters: {
            query?: {
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description Number of alerts to skip (default: 0) */
                offset?: number;
                /** @description Only alerts of this severity */
                severity?: "low" | "medium" | "high" | "critical";
                /** @description Only alerts with this status */
                status?: "open" | "snoozed" | "acknowledged";
                /** @description Only alerts of this type */
                alert_type?: "policy_violation" | "shadow_violation" | "governance_change" | "webhook_dead";
                /** @description Only alerts of decisions that violate this rule */
                rule_code?: string;
                /** @description Only alerts assigned to this member */
                assigned_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAlertsAcknowledgeMany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAlertsDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries with this status */
                status?: "pending" | "delivered" | "failed" | "dead";
                /** @description Only deliveries to this subscription */
                subscription_id?: string;
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAlertsDeliveriesRedrive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAlertsDeliveriesStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAlertsDeliveriesById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAlertsDeliveriesRetry: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAlertsSubscriptions: {
        parameters: {
            query?: {
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAlertsSubscriptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAlertsSubscriptionsById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteAlertsSubscriptionsById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAlertsSubscriptionsTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAlertsById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAlertsAcknowledge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAlertsAssign: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAlertsSnooze: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getApiKeys: {
        parameters: {
            query?: {
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getApiKeysById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteApiKeysById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAuditLog: {
        parameters: {
            query?: {
                /** @description Only events with this action, such as `policy_version.ratify` */
                action?: string;
                /** @description Only events of this user or key */
                actor_id?: string;
                /** @description Only events of the user with this address, in any case; erased addresses do not match */
                actor_email?: string;
                /** @description Only events of this type of object, such as `policy_version` */
                object_type?: string;
                /** @description Only events of the object with this ID */
                object_id?: string;
                /** @description Start of the time range, RFC 3339, inclusive */
                from?: string;
                /** @description End of the time range, RFC 3339, inclusive */
                to?: string;
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAuditLogVerify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAuthoringCapabilities: {
        parameters: {
            query?: {
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAuthoringCapabilities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAuthoringCapabilitiesCurrent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAuthoringCapabilitiesCurrentPendingWork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAuthoringCapabilitiesById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteAuthoringCapabilitiesById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postAuthoringCapabilitiesCarry: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getChains: {
        parameters: {
            query?: {
                /** @description Only chains with this status */
                status?: "open" | "sealed";
                /** @description Only the chain with this ID */
                chain_id?: string;
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getChainsBundle: {
        parameters: {
            query?: {
                /** @description The format of the bundle (default: `tar`) */
                format?: "tar" | "json";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getChainsSeal: {
        parameters: {
            query?: {
                /** @description `anchor` waits up to 5 s until the result is anchored in the transparency log */
                wait_for?: "anchor";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postChainsSeal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getChainsVerify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postCliRevoke: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postCliToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getDecisions: {
        parameters: {
            query?: {
                /** @description Only decisions of this type */
                decision_type?: string;
                /** @description Only decisions with this verdict */
                decision?: "ALLOW" | "ALERT" | "REVIEW" | "DENY";
                /** @description Only decisions with this correlation ID */
                correlation_id?: string;
                /** @description Only decisions of this chain, by step */
                chain_id?: string;
                /** @description Only the decision with this idempotency key */
                idempotency_key?: string;
                /** @description Only decisions that evaluated this policy */
                policy_id?: string;
                /** @description Only decisions that violate this rule */
                rule_code?: string;
                /** @description Only decisions of this actor */
                actor_id?: string;
                /** @description Only decisions whose violations have this highest severity */
                severity?: "low" | "medium" | "high" | "critical";
                /** @description Only decisions with this outcome, or without one (`none`) */
                outcome?: "none" | "accepted" | "overridden" | "escalated" | "expired" | "abandoned";
                /** @description Only decisions with a milder verdict because of shadow mode (`true`), or all others (`false`) */
                shadow_converted?: boolean;
                /** @description Start of the time range, RFC 3339, inclusive */
                recorded_from?: string;
                /** @description End of the time range, RFC 3339, inclusive */
                recorded_to?: string;
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postDecisionsDryRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postDecisionsDryRunCamelCase: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postDecisionsEvaluate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postDecisionsEvaluateBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getDecisionsExport: {
        parameters: {
            query: {
                /** @description Only decisions of this type */
                decision_type?: string;
                /** @description Only decisions with this verdict */
                decision?: "ALLOW" | "ALERT" | "REVIEW" | "DENY";
                /** @description Only decisions with this correlation ID */
                correlation_id?: string;
                /** @description Only decisions of this chain, by step */
                chain_id?: string;
                /** @description Only the decision with this idempotency key */
                idempotency_key?: string;
                /** @description Only decisions that evaluated this policy */
                policy_id?: string;
                /** @description Only decisions that violate this rule */
                rule_code?: string;
                /** @description Only decisions of this actor */
                actor_id?: string;
                /** @description Only decisions whose violations have this highest severity */
                severity?: "low" | "medium" | "high" | "critical";
                /** @description Only decisions with this outcome, or without one (`none`) */
                outcome?: "none" | "accepted" | "overridden" | "escalated" | "expired" | "abandoned";
                /** @description Only decisions with a milder verdict because of shadow mode (`true`), or all others (`false`) */
                shadow_converted?: boolean;
                /** @description Start of the time range, RFC 3339, inclusive */
                recorded_from: string;
                /** @description End of the time range, RFC 3339, inclusive */
                recorded_to: string;
                /** @description The file format (default: `ndjson`) */
                format?: "ndjson" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postDecisionsRecord: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getDecisionsStream: {
        parameters: {
            query?: {
                /** @description Only decisions of this type */
                decision_type?: string;
                /** @description Only decisions with this verdict */
                decision?: "ALLOW" | "ALERT" | "REVIEW" | "DENY";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getDecisionsById: {
        parameters: {
            query?: {
                /** @description `anchor` waits up to 5 s until the result is anchored in the transparency log */
                wait_for?: "anchor";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postDecisionsOutcome: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postDecisionsReplay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getForms: {
        parameters: {
            query?: {
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postForms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getFormsByFormId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteFormsByFormId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    patchFormsByFormId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getFormsApiContract: {
        parameters: {
            query?: {
                /** @description For access mode `token` */
                access_token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getFormsReceiptsByDecisionId: {
        parameters: {
            query?: {
                /** @description `anchor` waits up to 5 s until the result is anchored in the transparency log */
                wait_for?: "anchor";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getFormsSchema: {
        parameters: {
            query?: {
                /** @description For access mode `token` */
                access_token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postFormsSubmit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postFormsTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteFormsTokensByTokenId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getLogCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getLogRekor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getLogTileByPath: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getPolicies: {
        parameters: {
            query?: {
                /** @description Only policies whose code or name contains this text */
                q?: string;
                /** @description Only policies for this decision type */
                decision_type?: string;
                /** @description Only policies of this group */
                policy_group_id?: string;
                /** @description Only policies with (`true`) or without (`false`) an active version */
                is_active?: boolean;
                /** @description Only policies in shadow mode (`true`) or not (`false`) */
                shadow_mode?: boolean;
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPolicies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getPoliciesById: {
        parameters: {
            query?: {
                /** @description The version to include: `active`, `draft` or a number */
                version?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deletePoliciesById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    patchPoliciesById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getPoliciesAnalytics: {
        parameters: {
            query?: {
                /** @description Start of the time range, RFC 3339 (default: 30 days before `to`, or one day with `bucket=hour`) */
                from?: string;
                /** @description End of the time range, RFC 3339 (default: now) */
                to?: string;
                /** @description Length of the buckets; days are in UTC (default: `day`) */
                bucket?: "hour" | "day";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPoliciesDeactivate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getPoliciesDecisions: {
        parameters: {
            query?: {
                /** @description The number of the version (default: the active version) */
                version?: number;
                /** @description Only decisions that violate this rule */
                rule_code?: string;
                /** @description Only decisions with this verdict */
                decision?: "ALLOW" | "ALERT" | "REVIEW" | "DENY";
                /** @description Start of the time range, RFC 3339, inclusive */
                recorded_from?: string;
                /** @description End of the time range, RFC 3339, inclusive */
                recorded_to?: string;
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getPoliciesVersions: {
        parameters: {
            query?: {
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPoliciesVersions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getPoliciesVersionsByVersion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deletePoliciesVersionsByVersion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    patchPoliciesVersionsByVersion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPoliciesVersionsActivate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getPoliciesVersionsApproval: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getPoliciesVersionsComments: {
        parameters: {
            query?: {
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPoliciesVersionsComments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPoliciesVersionsCommentsReopen: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPoliciesVersionsCommentsResolve: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getPoliciesVersionsDiff: {
        parameters: {
            query?: {
                /** @description The number of the other version */
                against?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPoliciesVersionsRatify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPoliciesVersionsRecall: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPoliciesVersionsReject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPoliciesVersionsSeal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPoliciesVersionsSetAside: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getPoliciesVersionsSubmissions: {
        parameters: {
            query?: {
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPoliciesVersionsSubmissionsRecords: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPoliciesVersionsSubmit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPoliciesVersionsSupersede: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getPolicyGroups: {
        parameters: {
            query?: {
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postPolicyGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getPolicyGroupsById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deletePolicyGroupsById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    patchPolicyGroupsById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getPolicyGroupsPolicies: {
        parameters: {
            query?: {
                /** @description Page size (default: 50) */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getReceiptsByDecisionId: {
        parameters: {
            query?: {
                /** @description `anchor` waits up to 5 s until the result is anchored in the transparency log */
                wait_for?: "anchor";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getReceiptsBundle: {
        parameters: {
            query?: {
                /** @description The format of the bundle (default: `tar`) */
                format?: "tar" | "json";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postSessionConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getSessionInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postSessionInvitationsAccept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postSessionInvitationsDecline: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postSessionPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postSessionPasskeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postSessionPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postSessionPasskeysOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteSessionPasskeysByPasskeyId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    patchSessionPasskeysByPasskeyId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postSessionPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postSessionRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postSessionReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postSessionSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getSessionSecondFactors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getSessionSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteSessionSessionsBySessionId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postSessionSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postSessionTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteSessionTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    postSessionTotpConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    patchSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getSnapshotsById: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
}
