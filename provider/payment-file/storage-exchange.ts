import type { LookupFunction } from 'node:net';
import type { CallOptions } from '../calls/api-call.ts';
import { runExchange, type ExchangeLimits } from '../calls/api-caller.ts';
import { outcomeOf } from '../calls/answer-outcomes.ts';
import { InvalidRequest } from '../calls/invalid-request.ts';
import type { Operation } from '../operations.ts';
import { type HttpAnswer, isSuccess } from '../calls/http-answer.ts';
import { observed, type RequestEnd, type RequestObserver } from '../calls/request-observer.ts';
import type { StorageHosts } from './storage-hosts.ts';
import type { Transport } from '../calls/transport.ts';

/**
 * Exchanges with the storage of a signed address. The address itself is the permission: no credential is sent, no
 * redirect is followed, and the request limit of the API does not apply. Contract: account 2.6, payments 4.4.
 */
export interface StorageAccess {
  transport: Transport;
  limits: ExchangeLimits;
  hosts: StorageHosts;
  secrets: readonly string[];
  now: () => number;
  observer?: RequestObserver | undefined;
}

interface StorageRequest {
  operation: Operation;
  method: 'GET' | 'PUT' | 'POST';
  target: StorageTarget;
  headers: Record<string, string>;
  body?: Uint8Array;
}

/** An address that files may be sent to or read from, and how its host name is resolved. */
export interface StorageTarget {
  url: URL;
  lookup: LookupFunction | undefined;
}

/** The answer, whatever its status. @throws ProviderFailure without an answer */
export function exchangeWithStorage(
  { transport, limits, observer }: StorageAccess,
  { operation, target, ...request }: StorageRequest,
  options: CallOptions,
): Promise<HttpAnswer> {
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const destination = { url: target.url, ...(target.lookup === undefined ? {} : { lookup: target.lookup }) };
  const send = (sent: () => void): Promise<HttpAnswer> =>
    runExchange(operation, { ...options, sent }, (exchange) =>
      exchange(() =>
        transport.exchange({ ...limits, ...request, ...destination, ...signal, timeoutMs: limits.uploadTimeoutMs }),
      ),
    );
  return observed(observer, operation, send, (answer) => endOfAnswer(operation, answer));
}

function endOfAnswer(operation: Operation, answer: HttpAnswer): RequestEnd {
  if (isSuccess(answer)) return { outcome: 'success', httpStatus: answer.status };
  return { outcome: outcomeOf(operation, answer).kind, httpStatus: answer.status };
}

/** The values to redact from a storage's errors: the credentials, and the signed parameters of its address. */
export function storageSecrets(secrets: readonly string[], url: URL): string[] {
  return [...secrets, ...url.searchParams.values()];
}

/**
 * The target for an address; `field` is its name in errors.
 * @throws InvalidRequest for an address that is not http(s), or on a host that is not allowed
 */
export async function storageTarget(
  operation: Operation,
  field: string,
  address: string,
  hosts: StorageHosts,
): Promise<StorageTarget> {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidRequest(operation, field, `give the https address that ${field} returned`);
  }
  const admitted = await hosts.admit(url);
  if (admitted.refusal !== null) throw new InvalidRequest(operation, field, `it is on ${admitted.refusal}`);
  return { url, lookup: admitted.lookup };
}
