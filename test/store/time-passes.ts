import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import type { TestDatabase } from '../helpers/test-database.ts';

/** What decides whether a conversion was funded goes by these times. */
const TIMES = [
  ['conversion_requests', 'begun_at', 'answered_at'],
  ['provider_requests', 'begun_at', 'answered_at'],
  ['conversion_orders', 'created_at', 'funding_cutoff_at', 'absent_at', 'unfunded_at', 'status_read_at'],
  ['conversion_manual_outcomes', 'closed_at'],
  ['history_ranges', 'read_at', 'from_at', 'to_at'],
  ['balance_snapshots', 'read_at'],
  ['balance_entries', 'first_seen_at'],
  ['ledger_transfers', 'made_at'],
  ['ledger_balances', 'funding_begun_at'],
  ['payments', 'ended_at', 'funded_at'],
] as const;

/** Time passes, for the whole record: what is on it is moved back. */
export async function timePasses({ database }: TestDatabase, ms: number): Promise<void> {
  const by = `make_interval(secs => ${ms / 1000})`;
  for (const [table, ...columns] of TIMES) {
    const changes = columns.map((column) => `${column} = ${column} - ${by}`).join(', ');
    await bypassTriggers(database, `update ${table} set ${changes}`, []);
  }
}
