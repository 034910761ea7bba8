import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** A provider of OpenID Connect that lets everybody sign in as whoever they say they are. */
export interface IdentityProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  close: () => void;
}

/** `console`: the address of the console that it sends people back to. */
export async function startIdentityProvider(console: string): Promise<IdentityProvider> {
  const client = { client_id: 'payrun', client_secret: 'a-secret-of-the-client-of-payrun' };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const redirect = `${console}/api/v1/session/oidc/callback`;
  server.on('request', new Provider(issuer, { clients: [{ ...client, redirect_uris: [redirect] }] }).callback());
  return {
    issuer,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
