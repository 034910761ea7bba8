import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The id of the HTTP request in which the current code runs. It is not passed from call to call since nothing depends on it:
 * it only leads from an entry of the audit trail to the log.
 */
const current = new AsyncLocalStorage<string>();

const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Null outside of a request. A UUID, so that it can be part of a statement. */
export function actingRequest(): string | null {
  return current.getStore() ?? null;
}

/** Runs `work`, and all that it calls, within a request. */
export function withinRequest<T>(requestId: string, work: () => T): T {
  if (!REQUEST_ID.test(requestId)) throw new RangeError('the id of a request must be a UUID in lower case');
  return current.run(requestId, work);
}
