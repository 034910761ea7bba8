/** As far as the tests use it; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export default class Provider {
    constructor(
      issuer: string,
      configuration: { clients: { client_id: string; client_secret: string; redirect_uris: string[] }[] },
    );
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }
}
