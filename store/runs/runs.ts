import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { RunProposal } from '../../domain/runs/run-proposal.ts';
import type { RunState } from '../../domain/runs/run-state.ts';
import { DECISIONS_OF_RUN, type StoredDecision } from '../approvals/run-decisions.ts';
import type { Queryable } from '../database/database.ts';
import { ROWS_BY_STATE } from './run-counts.ts';
import { WAS_KNOWN } from './run-profiles.ts';

/** The header of the submitted file, for returning rows in the same form. */
export interface FileHeader {
  names: string[];
  hasByteOrderMark: boolean;
  /** The sheet of a workbook, or block of an order with several, that was read; null: the file has one. */
  sheetName: string | null;
}

export interface RunRecord {
  runId: string;
  account: string;
  fileName: string;
  header: FileHeader;
  rowCount: number;
  state: RunState;
  stateReason: string | null;
  proposal: RunProposal | null;
  /** What read its file; null: its columns were ours, or it is erased. */
  profile: { name: string; hash: string; wasKnown: boolean } | null;
  /** Of what the run is now. */
  approvals: number;
  submittedBy: { userId: string; name: string };
  submittedAt: Date;
  /** What people did with it, the oldest first. */
  decisions: StoredDecision[];
  startedAt: Date | null;
  finishedAt: Date | null;
  /** From when on what it has of its payees may be erased; null: it has not ended, or it is erased. */
  erasableFrom: Date | null;
  erasedAt: Date | null;
  rows: Partial<Record<PaymentState, number>>;
}

interface RunRow {
  run_id: string;
  account: string;
  file_name: string;
  header: FileHeader;
  row_count: number;
  state: RunState;
  state_reason: string | null;
  proposal: RunProposal | null;
  profile: RunRecord['profile'];
  approvals: number;
  submitted_by: string;
  submitted_by_name: string;
  submitted_at: Date;
  decisions: StoredDecision[];
  started_at: Date | null;
  finished_at: Date | null;
  erasable_from: Date | null;
  erased_at: Date | null;
  rows: Partial<Record<PaymentState, number>> | null;
}

const SELECT_RUNS = `
  select run_id, account, file_name, header, row_count, state, state_reason, proposal, submitted_by,
    (select jsonb_build_object('name', mine.name, 'hash', left(mine.profile_hash, 12), 'wasKnown', ${WAS_KNOWN})
      from run_profiles mine where mine.run_id = runs.run_id) as profile,
    maker.name as submitted_by_name, submitted_at, ${DECISIONS_OF_RUN} as decisions,
    (select count(*)::int from approvals where approvals.run_id = runs.run_id and decision = 'approved'
       and content_hash = coalesce(proposal ->> 'contentHash', '')) as approvals,
    started_at, finished_at, erased_at, case when erased_at is null then run_erasable_from(run_id) end as erasable_from,
    ${ROWS_BY_STATE} as rows
  from runs
  join users maker on maker.user_id = runs.submitted_by`;

function runOf(row: RunRow): RunRecord {
  return {
    runId: row.run_id,
    account: row.account,
    fileName: row.file_name,
    header: row.header,
    rowCount: row.row_count,
    state: row.state,
    stateReason: row.state_reason,
    proposal: row.proposal,
    profile: row.profile,
    approvals: row.approvals,
    submittedBy: { userId: row.submitted_by, name: row.submitted_by_name },
    submittedAt: row.submitted_at,
    decisions: row.decisions,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    erasableFrom: row.erasable_from,
    erasedAt: row.erased_at,
    rows: row.rows ?? {},
  };
}

export async function readRun(database: Queryable, runId: string): Promise<RunRecord | null> {
  const { rows } = await database.query<RunRow>(`${SELECT_RUNS} where run_id = $1`, [runId]);
  const row = rows[0];
  return row === undefined ? null : runOf(row);
}

export interface RunFilter {
  states?: readonly RunState[] | null;
  /** In the name of the file, or at the beginning of the id. */
  text?: string | null;
  makerId?: string | null;
  /** When they were submitted, the latest first, if nothing else is asked for. */
  sort?: keyof typeof RUN_ORDERS;
  isAscending?: boolean;
}

const RUN_ORDERS = { submitted: 'submitted_at', file: 'lower(file_name)', rows: 'row_count', state: 'state' } as const;

/** The page starts after the run `before`. Only runs of these accounts; null: of all. */
export async function listRuns(
  database: Queryable,
  accounts: readonly string[] | null,
  page: RunFilter & { limit: number; before: string | null },
): Promise<RunRecord[]> {
  const { states = null, text = null, makerId = null, sort = 'submitted', isAscending = false } = page;
  const key = RUN_ORDERS[sort];
  const [sign, direction] = isAscending ? ['>', 'asc'] : ['<', 'desc'];
  const { rows } = await database.query<RunRow>(
    `${SELECT_RUNS}
     where ($2::uuid is null or (${key}, submitted_at, run_id)
         ${sign} (select ${key}, submitted_at, run_id from runs where run_id = $2))
       -- guard: runs-of-own-accounts
       and ($3::text[] is null or account = any($3))
       and ($4::text[] is null or state = any($4))
       and ($5::text is null or strpos(lower(file_name), lower($5)) > 0 or starts_with(run_id::text, lower($5)))
       and ($6::uuid is null or submitted_by = $6)
     order by ${key} ${direction}, submitted_at ${direction}, run_id ${direction} limit $1`,
    [page.limit, page.before, accounts, states, text, makerId],
  );
  return rows.map(runOf);
}
