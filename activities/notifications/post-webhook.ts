import { createHmac } from 'node:crypto';
import { type LookupAddress, promises as dns } from 'node:dns';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { DeliveryError } from '../../domain/notifications/delivery-errors.ts';
import { isPrivate, isPrivateLiteral } from '../../provider/private-networks.ts';

export interface WebhookPost {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface PostSettings {
  timeoutMs: number;
  /** Hosts that may be private, and reached over plain HTTP. In small letters. */
  privateHosts: readonly string[];
  /** For tests: resolves a name to all its addresses. */
  resolve?: (name: string) => Promise<LookupAddress[]>;
}

/** A status is null when there was no answer. */
export interface PostResult {
  httpStatus: number | null;
  /** Null: the receiver took it. */
  error: DeliveryError | null;
}

/** Of an answer, which is of no interest but may not be cut off at once. */
const MAX_ANSWER_BYTES = 4_096;

/**
 * Sends a webhook. Whoever adds an endpoint must not reach the internal network with it: the addresses that the name resolves
 * to are checked as the connection is made, and the connection uses the checked ones. Redirects are not followed.
 */
export async function postWebhook(post: WebhookPost, settings: PostSettings): Promise<PostResult> {
  const url = new URL(post.url);
  const mayBePrivate = settings.privateHosts.includes(url.hostname);
  // guard: webhooks-encrypted
  if (url.protocol !== 'https:' && !mayBePrivate) return { httpStatus: null, error: 'http_not_allowed' };
  // guard: public-addresses
  if (!mayBePrivate && isPrivateLiteral(url.hostname) === true) return { httpStatus: null, error: 'private_address' };
  try {
    const httpStatus = await exchange(post, url, { ...settings, mayBePrivate });
    return { httpStatus, error: errorOfStatus(httpStatus) };
  } catch (error) {
    return { httpStatus: null, error: errorOf(error) };
  }
}

function errorOfStatus(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirected' : 'http_status';
}

function exchange(
  { headers, body }: WebhookPost,
  url: URL,
  { timeoutMs, resolve, mayBePrivate }: PostSettings & { mayBePrivate: boolean },
): Promise<number> {
  const bytes = Buffer.from(body);
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': bytes.length },
    // A connection for each: the address is checked each time.
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
    ...(mayBePrivate ? {} : { lookup: publicLookup(resolve ?? ((name) => dns.lookup(name, { all: true }))) }),
  } as const;
  return new Promise((answered, failed) => {
    const request: ClientRequest = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (answer) => {
      request.off('error', failed).on('error', () => undefined);
      void statusOf(answer).then(answered);
    });
    request.on('error', failed);
    request.end(bytes);
  });
}

/** The status counts, even if the rest of the answer never comes. */
function statusOf(answer: IncomingMessage): Promise<number> {
  let length = 0;
  return new Promise((resolve) => {
    answer.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > MAX_ANSWER_BYTES) answer.destroy();
    });
    answer.on('error', () => undefined);
    answer.on('close', () => resolve(answer.statusCode ?? 0));
  });
}

class PrivateAddress extends Error {}

/** Fails when one of the addresses is private; else the connection is made to these. */
function publicLookup(resolve: (name: string) => Promise<LookupAddress[]>): LookupFunction {
  return (name, { all }, callback) => {
    resolve(name).then(
      (found) => {
        const [first] = found;
        if (first === undefined) callback(new Error('the name has no address'), '', 0);
        // guard: public-names
        else if (found.some(isPrivate)) callback(new PrivateAddress('a private address'), '', 0);
        else if (all === true) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error('the name does not resolve'), '', 0),
    );
  };
}

const TLS_CODES = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO)/;

function errorOf(error: unknown): DeliveryError {
  if (error instanceof PrivateAddress) return 'private_address';
  if (!(error instanceof Error)) return 'unreachable';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'timeout';
  const { code = '' } = error as NodeJS.ErrnoException;
  return TLS_CODES.test(code) ? 'tls_failed' : 'unreachable';
}

/**
 * The headers of a webhook by Standard Webhooks (https://www.standardwebhooks.com, "Signature scheme"): HMAC-SHA-256 over id,
 * time and body, one signature for each secret. A receiver accepts what one of its secrets signed.
 */
export function signatureHeaders(
  webhook: { id: string; body: string },
  secrets: readonly Uint8Array[],
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signed = `${webhook.id}.${timestamp}.${webhook.body}`;
  const signatures = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`);
  return { 'webhook-id': webhook.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
