import { randomUUID } from 'node:crypto';
import { paymentIdOf } from '../../domain/payment-identity.ts';
import type { PaymentInstruction } from '../../domain/payment-instruction.ts';
import type { PaymentState } from '../../domain/payment-state.ts';
import type { Database } from '../../store/database.ts';
import { addRun } from '../../store/run-rows.ts';

export const ACCOUNT = 'default';

export interface StoredRun {
  runId: string;
  makerId: string;
  paymentIds: string[];
}

/** A run in the record alone, with so many ready rows; no workflow and no provider know of it. */
export async function aStoredRun(database: Database, payments = 1): Promise<StoredRun> {
  const runId = randomUUID();
  const { rows } = await database.query<{ user_id: string }>(
    `insert into people (name, role) values ($1, 'maker') returning user_id`,
    [`Maker of ${runId}`],
  );
  const makerId = rows[0]?.user_id ?? '';
  const instructions = Array.from({ length: payments }, (_, index) => anInstruction(index + 1));
  await addRun(database, {
    runId,
    account: ACCOUNT,
    fileName: 'test.csv',
    fileSha256: '0'.repeat(64),
    header: { names: ['row_ref'], hasByteOrderMark: false },
    submittedBy: makerId,
    rows: instructions.map((instruction, index) => ({
      paymentId: paymentIdOf(runId, instruction.rowRef),
      rowNumber: index + 1,
      line: instruction.line,
      rowRef: instruction.rowRef,
      state: 'ready',
      cells: [instruction.rowRef],
      instruction,
      rowHash: 'hash',
      payeeFingerprint: null,
      errorCode: null,
      errorMessage: null,
    })),
    files: [],
  });
  return { runId, makerId, paymentIds: instructions.map(({ rowRef }) => paymentIdOf(runId, rowRef)) };
}

function anInstruction(n: number): PaymentInstruction {
  return {
    rowRef: `row-${n}`,
    line: n + 1,
    amount: `${100 + n}.00`,
    amountSide: 'sell',
    sellCurrency: 'USD',
    buyCurrency: 'GBP',
    paymentReference: 'Invoice 4711',
    purposeOfTransfer: 'SUPP',
    purposeDescription: null,
    fundingSource: 'COMPANY_BANK_ACCOUNT',
    fundingMethod: 'PAYNOW',
    fundingBankAccountNumber: null,
    fundingCountry: null,
    paymentChannel: null,
    senderUserId: null,
    supportingFiles: [],
    payOn: null,
    echo: null,
    beneficiary: { kind: 'existing', beneficiaryId: 'a-beneficiary' },
  };
}

/** Puts a payment into a state without asking whether it may go there. */
export async function putInto(
  database: Database,
  paymentId: string,
  state: PaymentState,
  facts: { providerPaymentId?: string; fundedAgo?: string } = {},
): Promise<void> {
  await database.query(
    `update payments set state = $2, provider_payment_id = coalesce($3, provider_payment_id),
       provider_created_at = coalesce(provider_created_at, now()), funded_at = now() - $4::interval
     where payment_id = $1`,
    [paymentId, state, facts.providerPaymentId ?? null, facts.fundedAgo ?? '0 seconds'],
  );
}

export async function auditKindsOf(database: Database, paymentId: string): Promise<string[]> {
  const { rows } = await database.query<{ kind: string }>(
    'select kind from audit_entries where payment_id = $1 order by entry_id',
    [paymentId],
  );
  return rows.map(({ kind }) => kind);
}
