import type { CallOptions } from './api-call.ts';
import { answerOf, type ExchangeLimits } from './api-caller.ts';
import { InvalidRequest } from './invalid-request.ts';
import type { Operation } from './operations.ts';
import type { HttpAnswer } from './refusal.ts';
import type { Transport } from './transport.ts';

/**
 * Exchanges with the storage behind a signed address. The address itself is the permission: no credential goes with
 * it, no redirect is followed, and the request limit of the API does not apply. Contract: account 2.6, payments 4.4.
 */
export interface StorageAccess {
  transport: Transport;
  limits: ExchangeLimits;
  /** Whether an address without encryption is acceptable: only when the API's own has none. */
  plainHttpAllowed: boolean;
  secrets: readonly string[];
  now: () => number;
}

interface StorageRequest {
  operation: Operation;
  method: 'GET' | 'PUT' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body?: Uint8Array;
}

/** The answer, whatever its status. Throws `ProviderFailure` when there is none. */
export function exchangeWithStorage(
  { transport, limits }: StorageAccess,
  { operation, ...request }: StorageRequest,
  options: CallOptions,
): Promise<HttpAnswer> {
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  return answerOf(operation, options, (exchange) =>
    exchange(() => transport.exchange({ ...limits, ...request, ...signal, timeoutMs: limits.uploadTimeoutMs })),
  );
}

/** What a storage must not be quoted with: the credentials, and what makes its address a permission. */
export function storageSecrets(secrets: readonly string[], url: URL): string[] {
  return [...secrets, ...url.searchParams.values()];
}

/** The address as a URL that a file may travel to or from; `field` is what the error calls it. */
export function storageAddress(operation: Operation, field: string, address: string, plainHttpAllowed: boolean): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && plainHttpAllowed)) return url;
  throw new InvalidRequest(operation, field, `give the https address that ${field} returned`);
}
