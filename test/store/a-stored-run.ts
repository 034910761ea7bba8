import { contentSha256 } from '../../domain/sha256.ts';
import { randomUUID } from 'node:crypto';
import type { CheckedRow } from '../../domain/payment-file/check-rows.ts';
import { paymentIdOf } from '../../domain/payments/payment-identity.ts';
import type { BeneficiaryDetails, PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { Database } from '../../store/database/database.ts';
import type { Role } from '../../domain/users/role.ts';
import { decideRunAs } from '../../store/approvals/run-decisions.ts';
import { keepRatesOfRun, readContentHash } from '../../store/approvals/run-approval.ts';
import { transitionRun } from '../../store/runs/run-transition.ts';
import { addRun } from '../../store/runs/add-run.ts';
import { rowsToStore } from '../helpers/rows-to-store.ts';
import type { NewFile } from '../../store/runs/supporting-files.ts';
import { newToken, TokenHash } from '../../store/users/token-hash.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';

export const ACCOUNT = 'default';

export interface StoredRun {
  runId: string;
  makerId: string;
  paymentIds: string[];
}

type RowParts = (n: number) => Partial<PaymentInstruction>;

/** A run with ready rows that exists only in the database, without a workflow or payments at the provider. */
export async function aStoredRun(
  database: Database,
  payments = 1,
  parts: RowParts = () => ({}),
  files: readonly NewFile[] = [],
  checkOnly = false,
): Promise<StoredRun> {
  const instructions = Array.from({ length: payments }, (_, index) => anInstruction(index + 1, parts(index + 1)));
  return storeInstructions(database, instructions, files, { checkOnly });
}

/** The same, with the rows of a file that was checked. */
export function storeRows(
  database: Database,
  checked: readonly CheckedRow[],
  account: string = ACCOUNT,
): Promise<StoredRun> {
  const instructions = checked.flatMap(({ instruction }) => (instruction === null ? [] : [instruction]));
  return storeInstructions(database, instructions, [], { account });
}

async function storeInstructions(
  database: Database,
  instructions: readonly PaymentInstruction[],
  files: readonly NewFile[] = [],
  { account = ACCOUNT, checkOnly = false }: { account?: string; checkOnly?: boolean } = {},
): Promise<StoredRun> {
  const runId = randomUUID();
  const { userId: makerId, tokenHash } = await aStoredUser(database, 'maker', `Maker of ${runId}`);
  const key = (await payeesIn(database)).newRunKey(runId);
  await addRun(database, tokenHash, {
    key,
    account,
    fileName: 'test.csv',
    fileSha256: contentSha256(Buffer.from(runId)),
    header: { names: ['row_ref'], hasByteOrderMark: false, sheetName: null },
    submissionSha256: null,
    decideWithinMs: 86_400_000,
    checkOnly,
    ...rowsToStore(
      key,
      instructions.map((instruction, index) => ({
        paymentId: paymentIdOf(runId, instruction.rowRef),
        rowNumber: index + 1,
        line: instruction.line,
        rowRef: instruction.rowRef,
        state: 'ready',
        cells: [instruction.rowRef],
        instruction,
        errorCode: null,
        problems: null,
      })),
      files,
    ),
  });
  return { runId, makerId, paymentIds: instructions.map(({ rowRef }) => paymentIdOf(runId, rowRef)) };
}

/** As if duplicates had been looked for and none found: rows of most tests have the same references. */
export async function withoutDuplicates(database: Database, runId: string): Promise<void> {
  await database.query('select note_duplicates_checked($1)', [runId]);
}

export async function openForDecision(database: Database, runId: string): Promise<void> {
  await withoutDuplicates(database, runId);
  await keepRatesOfRun(database, runId);
  for (const to of ['proposed', 'in_approval'] as const) await transitionRun(database, runId, { to });
}

/** A stored run that its maker wanted checked only, as a worker opens it. */
export async function aCheckedRun(database: Database): Promise<StoredRun> {
  const run = await aStoredRun(database, 1, undefined, [], true);
  await withoutDuplicates(database, run.runId);
  await keepRatesOfRun(database, run.runId);
  for (const to of ['proposed', 'checked'] as const) await transitionRun(database, run.runId, { to });
  return run;
}

/** A stored run, approved by a checker. */
export async function anApprovedRun(database: Database, payments = 1, parts?: RowParts): Promise<StoredRun> {
  const run = await aStoredRun(database, payments, parts);
  const { runId } = run;
  await openForDecision(database, runId);
  const { tokenHash } = await aStoredUser(database, 'checker', `Checker of ${runId}`);
  const contentHash = await readContentHash(database, runId);
  await decideRunAs(database, tokenHash, { runId, kind: 'approved', contentHash, comment: null });
  return run;
}

async function aStoredUser(
  database: Database,
  role: Role,
  name: string,
): Promise<{ userId: string; tokenHash: TokenHash }> {
  const tokenHash = TokenHash.of(newToken());
  const { rows } = await database.query<{ user_id: string }>(
    `select install_user($1, $2, $3, $4, now() + interval '1 day') as user_id`,
    [name.toLowerCase().replaceAll(' ', '.'), name, [role], tokenHash.bytes],
  );
  return { userId: rows[0]?.user_id ?? '', tokenHash };
}

export function anInstruction(n: number, parts: Partial<PaymentInstruction> = {}): PaymentInstruction {
  return {
    rowRef: `row-${n}`,
    line: n + 1,
    amount: `${100 + n}.00`,
    amountSide: 'sell',
    sellCurrency: 'USD',
    buyCurrency: 'GBP',
    // Without a number: another row of the beneficiary does not repeat an invoice.
    paymentReference: 'Invoice of May',
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
    ...parts,
  };
}

/** A complete beneficiary with this account. */
export function beneficiaryAt(
  accountNumber: string,
  parts: Partial<BeneficiaryDetails['bankAccount']> = {},
): Pick<PaymentInstruction, 'beneficiary'> {
  const bankAccount = {
    country: 'GB',
    currency: 'GBP',
    bankName: 'B',
    bankAccountHolderName: 'Paid Ltd',
    accountNumber,
    ...parts,
  };
  const details = { entityType: 'company', country: 'GB', companyName: 'Paid Ltd', bankAccount } as const;
  return { beneficiary: { kind: 'details', details } };
}

/** Sets a payment's state, whether or not the transition is allowed. */
export async function putInto(
  database: Database,
  paymentId: string,
  state: PaymentState,
  update: { providerPaymentId?: string; fundedAgo?: string } = {},
): Promise<void> {
  await bypassTriggers(
    database,
    `update payments set state = $2, provider_payment_id = coalesce($3, provider_payment_id),
       provider_created_at = coalesce(provider_created_at, now()), funded_at = now() - $4::interval
     where payment_id = $1`,
    [paymentId, state, update.providerPaymentId ?? null, update.fundedAgo ?? '0 seconds'],
  );
}

export async function auditKindsOf(database: Database, paymentId: string): Promise<string[]> {
  const { rows } = await database.query<{ kind: string }>(
    'select kind from audit_entries where payment_id = $1 order by entry_id',
    [paymentId],
  );
  return rows.map(({ kind }) => kind);
}
