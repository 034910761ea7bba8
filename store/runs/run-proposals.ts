import type { RunProposal } from '../../domain/runs/run-proposal.ts';
import { type Database, inTransaction, type Queryable } from '../database/database.ts';

/** Replaces the proposal of a run that waits for its maker or for a decision. True: the content has changed since the proposal was made. */
export async function replaceProposal(database: Database, runId: string, proposal: RunProposal): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    // Changes of the content lock this row, so the hash is of the content at the time of the update.
    await transaction.query('select from runs where run_id = $1 for update', [runId]);
    const { rows } = await transaction.query<{ isStale: boolean }>(
      `update runs set proposal = $2, proposal_is_stale = run_content_hash(run_id) <> $3
       where run_id = $1 and run_waits_for_people(state) returning proposal_is_stale as "isStale"`,
      [runId, JSON.stringify(proposal), proposal.contentHash],
    );
    return rows[0]?.isStale ?? false;
  });
}

/** Runs whose content has changed since they were proposed. */
export async function listStaleProposals(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ run_id: string }>(
    `select run_id from runs where proposal_is_stale and run_waits_for_people(state) order by run_id limit 100`,
  );
  return rows.map((row) => row.run_id);
}
