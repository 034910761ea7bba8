import { randomUUID } from 'node:crypto';
import { dayOf } from '../../domain/calendar-date.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { decideRunAs } from '../../store/approvals/run-decisions.ts';
import { contentSha256 } from '../../domain/sha256.ts';
import { readContentHash } from '../../store/approvals/run-approval.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { aUser } from '../helpers/users.ts';
import { aStoredRun, beneficiaryAt, openForDecision } from '../store/a-stored-run.ts';

export interface ApprovedPayment {
  runId: string;
  paymentId: string;
  instruction: Pick<PaymentInstruction, 'beneficiary'>;
  /** The content of each file. */
  content: Buffer;
}

/** The only payment of an approved run, due today, to a beneficiary of its own. */
export async function anApprovedPayment(
  testDatabase: TestDatabase,
  { files = [] }: { files?: string[] } = {},
): Promise<ApprovedPayment> {
  const { asServer, asWorker, database } = testDatabase;
  const accountNumber = randomUUID();
  const instruction = { ...beneficiaryAt(accountNumber), supportingFiles: files, payOn: dayOf(Date.now()) };
  const content = Buffer.from(`%PDF a bill of ${accountNumber}`);
  const kept = files.map((file) => ({
    name: file,
    contentType: 'application/pdf',
    bytes: content,
    sha256: contentSha256(content),
  }));
  const { runId, paymentIds } = await aStoredRun(database, 1, () => instruction, kept);
  await openForDecision(asWorker, runId);
  const checker = await aUser(testDatabase, `Checker of ${runId}`, 'checker');
  const contentHash = await readContentHash(asServer, runId);
  await decideRunAs(asServer, checker.tokenHash, { runId, kind: 'approved', contentHash, comment: null });
  return { runId, paymentId: paymentIds[0] ?? '', instruction, content };
}
