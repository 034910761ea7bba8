import { recordLateRefunds, recordUnreadableRecords } from '../../store/accounts/refunds.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { atMostEvery } from '../at-most-every.ts';

const EVERY_MS = 15 * 60_000;

/** Notifies people of refunds whose money is overdue, and of records of the provider that cannot be read. */
export function notifyingLateRefunds(everyMs = EVERY_MS): (dependencies: ApplicationDependencies) => Promise<void> {
  return atMostEvery(everyMs, async ({ database, accounts }) => {
    for (const { name } of accounts) {
      await recordLateRefunds(database, name);
      await recordUnreadableRecords(database, name);
    }
  });
}
