// The part of `oidc-provider` that the tests use. The package has no types of its own.
declare module 'oidc-provider' {
  import type { Server } from 'node:http';

  export default class Provider {
    constructor(issuer: string, configuration: object);
    listen(port: number, host: string): Server;
  }
}
