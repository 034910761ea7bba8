import type { FastifyRequest } from 'fastify';
import type { PasskeySite } from '../../application/users/passkeys.ts';
import { BACKGROUND, CONSOLE_HEADER } from '../../api/users/session-headers.ts';
import { HttpError } from '../http-error.ts';

/** Methods that change nothing here. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A request that a page makes by itself, to show what is new: it does not keep a session from ending for idleness. Browsers
 * open a stream of events again by themselves, and let nobody give it a header.
 */
export function isBackground({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers[CONSOLE_HEADER] === BACKGROUND || headers.accept === 'text/event-stream';
}

/**
 * Refuses what another site could have made a browser send with the cookie of a session: a request that changes something
 * needs a header that only a script of this site can set, and comes from this site by what the browser says.
 */
export function refuseOtherSites(request: FastifyRequest, publicUrl: string | null): void {
  if (READING.has(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  const isOurs =
    // guard: console-header
    request.headers[CONSOLE_HEADER] !== undefined &&
    (site === undefined || site === 'same-origin') &&
    (origin === undefined || isOwnOrigin(request, origin, publicUrl)) &&
    // Browsers say at least one of them with everything that changes something.
    (site ?? origin) !== undefined;
  if (isOurs) return;
  throw new HttpError(403, 'not_allowed', 'a session acts for the console of this server alone, not for other sites');
}

/**
 * The site that a passkey is for. WebAuthn knows names alone, and `localhost` alone without https.
 * @throws HttpError when the console was opened by a bare address
 */
export function passkeySite(request: FastifyRequest, publicUrl: string | null): PasskeySite {
  const origin = request.headers.origin ?? '';
  const name = isOwnOrigin(request, origin, publicUrl) ? new URL(origin).hostname : '';
  if (name === '' || /^[\d.]+$|^\[/.test(name)) {
    const message = 'passkeys work only where the console is opened by a name: here, http://localhost and the port';
    throw new HttpError(409, 'conflict', message);
  }
  return { origin, name };
}

/** The address at which the browser has reached the server, for the company's sign-in to send it back to. */
export function ownAddress(request: FastifyRequest, publicUrl: string | null): string {
  return publicUrl ?? `${request.protocol}://${request.host}`;
}

/** The host that the browser has asked for, or the one behind which a proxy reaches this server. */
function isOwnOrigin(request: FastifyRequest, origin: string, publicUrl: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === request.host || (publicUrl !== null && origin === new URL(publicUrl).origin);
}
