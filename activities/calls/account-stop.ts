import type { ApplicationFailure } from '@temporalio/common';
import type { ProviderFailure } from '../../provider/calls/failure.ts';
import { isStopped } from '../../store/approvals/stops.ts';
import type { Queryable } from '../../store/database/database.ts';
import { hadNoEffect } from './failure-meaning.ts';
import { tryAgainIn } from './temporal-failures.ts';

const STOPPED_RETRY_MS = 30_000;

/** A stop of the account, or what holds as one does, is in force. */
export class AccountStopped extends Error {
  override readonly name = 'AccountStopped';
}

/** A stop of the account, or of everything, holds what belongs to no run as well: nothing is sent while it is in force. */
export function unlessAccountStopped(database: Queryable, account: string): () => Promise<void> {
  return async () => {
    if (await isStopped(database, account, null)) throw new AccountStopped('a stop is active');
  };
}

/** Has Temporal try the activity again later: a stop of the account, or of everything, is in force. */
export function whileStopped(): ApplicationFailure {
  return tryAgainIn(STOPPED_RETRY_MS, 'stopped', 'a stop is active');
}

/** To be asked before an intent is recorded, so that a long stop leaves no record of requests that were never sent. */
export async function holdIfStopped(database: Queryable, account: string): Promise<void> {
  if (await isStopped(database, account, null)) throw whileStopped();
}

/** Has Temporal try the activity again later if a stop kept the request from being sent. */
export function retryIfStopped(failure: ProviderFailure): void {
  const { cause } = failure;
  if (cause instanceof AccountStopped) throw tryAgainIn(STOPPED_RETRY_MS, 'stopped', cause.message);
}

/** Whether the request provably changed nothing and may be sent again. */
export function isUnsent(failure: ProviderFailure): boolean {
  return hadNoEffect(failure) || failure.cause instanceof AccountStopped;
}
