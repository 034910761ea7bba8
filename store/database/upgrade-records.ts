import type pg from 'pg';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { sqlList } from './sql-list.ts';
import { formerContentHashOf, rowHashesOf } from '../../domain/runs/row-identity.ts';

/**
 * Upgrades records of the version before where a migration's SQL cannot: computes their hashes and carries over approvals
 * of open runs. Runs as the owner after each migration, and has an effect only once.
 */

type Owner = Pick<pg.ClientBase, 'query'>;

const ROWS_PER_BATCH = 2_000;

/** Rows that an approval of the version before did not include. */
const NEVER_APPROVED = ['invalid', 'duplicate_suspect', 'excluded'] as const;

/** Needs a transaction. */
export async function upgradeRecords(owner: Owner): Promise<void> {
  await owner.query(`select pg_advisory_xact_lock(hashtextextended('upgrade-records', 0))`);
  // Only once: otherwise, making a run look approved by the version before would approve it.
  const { rowCount } = await owner.query(
    `insert into record_upgrades (name) values ('approvals in the record') on conflict do nothing`,
  );
  if (rowCount === 0) return;
  await fillInHashes(owner);
  await carryOverApprovals(owner);
  await renewUndecidedProposals(owner);
}

/** Gives undecided proposals the hash that approvals are bound to from now on. Their content is the same. */
async function renewUndecidedProposals(owner: Owner): Promise<void> {
  await owner.query(
    `update runs set proposal = jsonb_set(proposal, '{contentHash}', to_jsonb(run_content_hash(run_id)))
     where proposal is not null and state in ('proposed', 'in_approval')`,
  );
}

async function fillInHashes(owner: Owner): Promise<void> {
  for (;;) {
    const { rows } = await owner.query<{ payment_id: string; instruction: PaymentInstruction }>(
      `select payment_id, instruction from payments
       where beneficiary_hash is null and instruction is not null limit $1`,
      [ROWS_PER_BATCH],
    );
    if (rows.length === 0) return;
    const hashes = rows.map(({ instruction }) => rowHashesOf(instruction));
    await owner.query(
      `update payments set beneficiary_hash = made.beneficiary, account_hash = made.account,
         routing_hash = made.routing, name_hash = made.name
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])
         as made (payment_id, beneficiary, account, routing, name)
       where payments.payment_id = made.payment_id`,
      [
        rows.map((row) => row.payment_id),
        hashes.map((of) => of.beneficiaryHash),
        hashes.map((of) => of.accountHash),
        hashes.map((of) => of.routingHash),
        hashes.map((of) => of.nameHash),
      ],
    );
  }
}

/**
 * Carries over approvals of the version before. They were bound to the hashes of the rows, which are compared with the
 * current rows. A run that differs gets no approval, and nothing more of it is sent.
 */
async function carryOverApprovals(owner: Owner): Promise<void> {
  const { rows: runs } = await owner.query<{ run_id: string; decided_by: string; approved: string | null }>(
    `select run_id, decided_by, proposal ->> 'contentHash' as approved from runs
     where started_at is not null and finished_at is null and decided_by is not null
       and not exists (select from approvals where approvals.run_id = runs.run_id)`,
  );
  for (const { run_id: runId, decided_by: decidedBy, approved } of runs) {
    const { rows } = await owner.query<{ row_hash: string }>(
      `select row_hash from payments
       where run_id = $1 and state not in (${sqlList(NEVER_APPROVED)}) order by row_number`,
      [runId],
    );
    const fits = approved !== null && formerContentHashOf(rows.map((row) => row.row_hash)) === approved;
    if (fits) await carryOver(owner, { runId, decidedBy, approved });
    await owner.query(`insert into audit_entries (actor, kind, run_id, detail) values ('record', $2, $1, $3)`, [
      runId,
      fits ? 'approval_carried_over' : 'approval_not_carried_over',
      JSON.stringify({ contentHash: approved, user: decidedBy }),
    ]);
  }
}

async function carryOver(owner: Owner, run: { runId: string; decidedBy: string; approved: string }): Promise<void> {
  await owner.query(
    `with frozen as (
       insert into approved_payments (payment_id, attempt, run_id, row_hash, beneficiary_hash, files)
       select payment_id, attempt, run_id, row_hash, beneficiary_hash, coalesce((
         select jsonb_object_agg(files.name, files.sha256)
         from jsonb_array_elements_text(instruction -> 'supportingFiles') as named (name)
         join supporting_files files on files.run_id = $1 and files.name = named.name), '{}')
       from payments where run_id = $1 and state not in (${sqlList(NEVER_APPROVED)})
     )
     insert into approvals (run_id, decision, step, content_hash, user_id, role)
     values ($1, 'approved', 1, $2, $3, 'checker')`,
    [run.runId, run.approved, run.decidedBy],
  );
}
