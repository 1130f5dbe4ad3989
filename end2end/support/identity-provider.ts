// A certified OpenID provider on this machine. Its host name is `localhost`, so it is another site than the server.

import { once } from 'node:events';
import type { Server } from 'node:http';
import Provider from 'oidc-provider';

import { freePort, type GovernServer, type Json } from './govern.js';

const CLIENT = { client_id: 'govern', client_secret: 'a-secret-that-only-the-two-servers-have' };

export class IdentityProvider {
  private constructor(
    readonly issuer: string,
    /** The identity provider as `/v1` returns it. */
    readonly record: Json,
    private readonly server: Server,
  ) {}

  /** Creates the identity provider in Govern and starts it. A person in the group `ops` gets the role ratifier. */
  static async start(govern: GovernServer, name: string): Promise<IdentityProvider> {
    const port = await freePort();
    const issuer = `http://localhost:${port}`;
    const record = await createRecord(govern, name, issuer);
    const configuration = {
      clients: [
        {
          ...CLIENT,
          redirect_uris: [record.redirect_uri],
          post_logout_redirect_uris: [record.post_logout_redirect_uri],
          backchannel_logout_uri: record.backchannel_logout_uri,
          backchannel_logout_session_required: true,
        },
      ],
      scopes: ['openid', 'email', 'profile', 'groups'],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
      pkce: { required: () => true },
      // By default, the provider calls no loopback address, which is that of the server under test.
      fetch: (url: string, options: RequestInit) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
      cookies: { keys: ['the key of the cookies of this test'] },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({
          sub: id,
          email: `${id}@acme.example`,
          email_verified: true,
          name: `Person ${id}`,
          groups: id.startsWith('visitor') ? [] : ['ops'],
        }),
      }),
    };
    const server = new Provider(issuer, configuration).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new IdentityProvider(issuer, record, server);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

/** Creates an identity provider in Govern, as the admin. */
export async function createRecord(govern: GovernServer, name: string, issuer: string): Promise<Json> {
  return govern.apiAs(govern.admin, 'POST', '/v1/admin/identity-providers', {
    ...CLIENT,
    name,
    issuer,
    scopes: ['email', 'profile', 'groups'],
    role_claim: 'groups',
    role_mapping: [{ value: 'ops', role: 'ratifier' }],
  });
}
