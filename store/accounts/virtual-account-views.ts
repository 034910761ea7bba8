import type { ManualOutcomeState } from '../../domain/payments/manual-outcome-state.ts';
import type { VirtualAccountState } from '../../domain/accounts/virtual-account-state.ts';
import type { Queryable } from '../database/database.ts';

interface Person {
  userId: string;
  name: string;
}

/** Amounts are decimal strings; `proposedAt` as JSON has it. */
export interface VirtualAccountView {
  virtualAccountId: string;
  account: string;
  name: string;
  sentName: string;
  provider: string;
  currency: string;
  description: string;
  type: 'open' | 'fixed';
  amount: string | null;
  state: VirtualAccountState;
  stateReason: string | null;
  requestId: string | null;
  /** Null unless it is approved. */
  number: string | null;
  requestedBy: Person;
  requestedAt: Date;
  readAt: Date | null;
  manualOutcomes: {
    manualOutcomeId: string;
    outcome: 'approved' | 'cancelled' | 'rejected' | 'pending' | 'never_created';
    requestId: string | null;
    number: string | null;
    reason: string | null;
    state: ManualOutcomeState;
    proposedBy: Person;
    proposedAt: string;
    closedBy: Person | null;
  }[];
}

/** The newest first. `virtualAccountId`: only this one. */
export async function listVirtualAccounts(
  database: Queryable,
  filter: { accounts: readonly string[] | null; virtualAccountId: string | null; limit: number },
): Promise<VirtualAccountView[]> {
  const { rows } = await database.query<VirtualAccountView>(
    `select virtual_account_id as "virtualAccountId", account, virtual_accounts.name, virtual_accounts.name || ' ' || tag as "sentName", provider, currency,
       description, type, amount::text as amount, state, state_reason as "stateReason", provider_request_id as "requestId",
       -- guard: number-when-approved
       case when state = 'approved' then account_number end as number,
       jsonb_build_object('userId', users.user_id, 'name', users.name) as "requestedBy", requested_at as "requestedAt", read_at as "readAt",
       coalesce((select jsonb_agg(jsonb_build_object('manualOutcomeId', manual_outcome_id, 'outcome', outcome, 'requestId', said.provider_request_id,
           'number', said.account_number, 'reason', remarks.body, 'state', said.state,
           'proposedBy', jsonb_build_object('userId', proposer.user_id, 'name', proposer.name), 'proposedAt', proposed_at,
           'closedBy', case when closer.user_id is not null then jsonb_build_object('userId', closer.user_id, 'name', closer.name) end)
           order by proposed_at)
         from virtual_account_manual_outcomes said join users proposer on proposer.user_id = proposed_by
         left join users closer on closer.user_id = closed_by left join remarks using (remark_id)
         where said.virtual_account_id = virtual_accounts.virtual_account_id), '[]') as "manualOutcomes"
     from virtual_accounts join users on users.user_id = requested_by
     where ($1::text[] is null or account = any($1)) and ($2::uuid is null or virtual_account_id = $2)
     order by requested_at desc, virtual_account_id limit $3`,
    [filter.accounts, filter.virtualAccountId, filter.limit],
  );
  return rows;
}
