import type { Queryable } from '../database/database.ts';

/** What belongs to an account with the provider, or to all of them. */
const ACCOUNT_OF = {
  run: 'select account from runs where run_id = $1',
  case: 'select account from cases where case_id = $1',
  order: 'select account from conversion_orders where order_id = $1',
  schedule: 'select account from schedules where schedule_id = $1',
  break: 'select account from reconciliation_breaks where break_id = $1',
  'virtual account': 'select account from virtual_accounts where virtual_account_id = $1',
  stop: 'select coalesce(stops.account, runs.account) as account from stops left join runs using (run_id) where stop_id = $1',
  webhook: 'select account from webhook_inbox where webhook_id = $1',
} as const;
export type AccountHolding = keyof typeof ACCOUNT_OF;

/** The account of something; `account` null: it is about all of them, as a stop of everything. Null: there is no such thing. */
export async function readAccountOf(
  database: Queryable,
  kind: AccountHolding,
  id: string,
): Promise<{ account: string | null } | null> {
  const { rows } = await database.query<{ account: string | null }>(ACCOUNT_OF[kind], [id]);
  return rows[0] ?? null;
}
