import { recordLateRefunds } from '../../store/accounts/late-refunds.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';

const EVERY_MS = 15 * 60_000;

/** Has people told of refunds whose money does not come. */
export function tellingLateRefunds(everyMs = EVERY_MS): (dependencies: ApplicationDependencies) => Promise<void> {
  let lastMs = Number.NEGATIVE_INFINITY;
  return async ({ database, accounts, now }) => {
    const startedMs = now();
    if (startedMs - lastMs < everyMs) return;
    for (const { name } of accounts) await recordLateRefunds(database, name);
    lastMs = startedMs;
  };
}
