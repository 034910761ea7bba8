import type { ApprovalPolicy } from '../../domain/approvals/approval-policy.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { decideRunAs, type RecordedDecision } from '../../store/approvals/run-decisions.ts';
import { readContentHash } from '../../store/approvals/run-approval.ts';
import type { NewFile } from '../../store/runs/supporting-files.ts';
import { readRun } from '../../store/runs/runs.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aStoredRun, openForDecision, type StoredRun } from './a-stored-run.ts';

export const refusedWith = (code: string) => ({ name: 'Refused', code });

export const ONE_CHECKER: ApprovalPolicy['rules'] = [{ name: 'one checker', when: {}, steps: [{ role: 'checker' }] }];

/** Runs in approval in a separate database, with two checkers. */
export class RunsInApproval {
  readonly testDatabase: TestDatabase;
  readonly chris: TestUser;
  readonly sam: TestUser;

  private constructor(testDatabase: TestDatabase, chris: TestUser, sam: TestUser) {
    this.testDatabase = testDatabase;
    this.chris = chris;
    this.sam = sam;
  }

  static async of(testDatabase: TestDatabase): Promise<RunsInApproval> {
    const chris = await aUser(testDatabase, 'Chris', 'checker');
    return new RunsInApproval(testDatabase, chris, await aUser(testDatabase, 'Sam', 'checker'));
  }

  /** As the owner: other tests cover how users change the policy. */
  async follow(parts: Partial<ApprovalPolicy>): Promise<void> {
    const policy = { rules: ONE_CHECKER, changes: { delayHours: 72 }, ...parts };
    await this.testDatabase.database.query('insert into policies (policy) values ($1)', [JSON.stringify(policy)]);
  }

  async aRun(
    rows = 1,
    parts?: (n: number) => Partial<PaymentInstruction>,
    files?: readonly NewFile[],
  ): Promise<StoredRun> {
    const run = await aStoredRun(this.testDatabase.database, rows, parts, files);
    await openForDecision(this.testDatabase.asWorker, run.runId);
    return run;
  }

  async decide(
    by: TestUser,
    runId: string,
    kind: 'approved' | 'rejected' = 'approved',
    comment: string | null = null,
  ): Promise<RecordedDecision> {
    const contentHash = await readContentHash(this.testDatabase.asServer, runId);
    return decideRunAs(this.testDatabase.asServer, by.tokenHash, { runId, kind, contentHash, comment });
  }

  async stateOf(runId: string): Promise<string | undefined> {
    return (await readRun(this.testDatabase.asServer, runId))?.state;
  }

  async frozenRows(runId: string): Promise<number> {
    const { rows } = await this.testDatabase.database.query('select from approved_payments where run_id = $1', [runId]);
    return rows.length;
  }

  async refusalsOf(runId: string): Promise<Record<string, unknown>[]> {
    const { rows } = await this.testDatabase.database.query<{ detail: Record<string, unknown> }>(
      `select detail from audit_entries where run_id = $1 and kind in ('refused', 'decision_refused') order by entry_id`,
      [runId],
    );
    return rows.map(({ detail }) => detail);
  }
}
