import type { KnownBeneficiary } from '../../domain/beneficiaries/known-beneficiary.ts';
import { countriesOf } from '../../domain/beneficiaries/beneficiary-identity.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { BeneficiaryDetails, PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { NewRow, RowBatch } from '../../domain/runs/new-row.ts';
import { beneficiaryHashOf, rowHashesOf, type TextHash } from '../../domain/runs/row-identity.ts';
import { encrypt } from '../personal-data/encryption.ts';
import { RunKeyMissing, unlessUnreadable } from '../personal-data/key-wrapping.ts';
import { keyedHash } from '../personal-data/keyed-hash.ts';
import { type PayeeData, type RunKey, runKeyOf } from '../personal-data/payee-data.ts';
import { invoiceKeyOf, searchKeysOf } from './row-search-keys.ts';

/**
 * How the content of a row is stored: what rules and statements need in `payments.instruction`, what is personal data encrypted with
 * the key of its run. Only this file knows which is which.
 */

type PersonalField = 'paymentReference' | 'purposeDescription' | 'fundingBankAccountNumber' | 'echo';
type Shared = Omit<PaymentInstruction, PersonalField | 'beneficiary'>;

type Personal = Pick<PaymentInstruction, PersonalField> & {
  /** Null: the row names its beneficiary by the provider's id. */
  details: BeneficiaryDetails | null;
};

export type PlainInstruction = Shared & {
  beneficiary: Extract<PaymentInstruction['beneficiary'], { kind: 'existing' }> | { kind: 'details' };
  /** Of the bank that is paid; null where only the provider knows it. */
  countries: string[] | null;
  /** The keyed hash of what is encrypted: rows that are the same in all of it have the same. */
  personalHash: string;
};

/** What a row has beside its outcome. */
export interface RowContent {
  cells: string[];
  /** Null: the row is invalid. */
  instruction: PaymentInstruction | null;
  /** What is wrong with an invalid row, which may quote its cells. */
  problems: string | null;
}

interface EncryptedContent extends Pick<RowContent, 'cells' | 'problems'> {
  personal: Personal | null;
}

/** The content of a row as it is stored. */
export interface StoredContent {
  runId: string;
  paymentId: string;
  plain: PlainInstruction | null;
  /** Null: erased. */
  encrypted: Buffer | null;
  runKey: string | null;
}

/** SQL: the `StoredContent` of `payments`. */
export const CONTENT_COLUMNS = `payments.run_id as "runId", payments.payment_id as "paymentId", payments.instruction as plain,
  payments.encrypted, ${runKeyOf('payments')} as "runKey"`;

/** Null: the data of its run is erased. @throws RunKeyMissing, DataKeyMissing, DecryptionFailed */
export function openContent(payees: PayeeData, stored: StoredContent): RowContent | null {
  const { plain } = stored;
  const content = openEncrypted(payees, stored);
  if (content === null) return null;
  const { cells, personal, problems } = content;
  return {
    cells,
    instruction: plain === null || personal === null ? null : merged(plain, personal),
    problems,
  };
}

function openEncrypted(payees: PayeeData, stored: Omit<StoredContent, 'plain'>): EncryptedContent | null {
  const { runId, paymentId, encrypted, runKey } = stored;
  if (encrypted === null) return null;
  // guard: missing-key-is-not-erased
  if (runKey === null) throw new RunKeyMissing(runId);
  return JSON.parse(payees.decryptOfRun(runId, runKey, placeOf(paymentId), encrypted).toString()) as EncryptedContent;
}

/** What a row says of its beneficiary; null: it names one, or is erased. @throws as `openContent` */
export function openDetails(payees: PayeeData, stored: Omit<StoredContent, 'plain'>): BeneficiaryDetails | null {
  return openEncrypted(payees, stored)?.personal?.details ?? null;
}

/** The plain part of an instruction, as whoever stores it computes it, and whoever pays by it again. */
export function plainInstruction(
  hash: TextHash,
  instruction: PaymentInstruction,
  beneficiaryHash = beneficiaryHashOf(hash, instruction),
): PlainInstruction {
  const { beneficiary } = instruction;
  return {
    ...sharedOf(instruction),
    beneficiary: beneficiary.kind === 'existing' ? beneficiary : { kind: 'details' },
    countries: beneficiary.kind === 'existing' ? null : countriesOf(beneficiary.details),
    personalHash: hash(canonicalJson({ ...personalOf(instruction), details: beneficiaryHash })),
  };
}

/** What both a whole instruction and its plain part have. */
function sharedOf(of: Shared): Shared {
  const { rowRef, line, amount, amountSide, sellCurrency, buyCurrency, purposeOfTransfer, payOn } = of;
  const { fundingSource, fundingMethod, fundingCountry, paymentChannel, senderUserId, supportingFiles } = of;
  // biome-ignore format: as above; objects that are spread are slow.
  return {
    rowRef, line, amount, amountSide, sellCurrency, buyCurrency, purposeOfTransfer, payOn,
    fundingSource, fundingMethod, fundingCountry, paymentChannel, senderUserId, supportingFiles,
  };
}

function personalOf(instruction: PaymentInstruction): Personal {
  const { paymentReference, purposeDescription, fundingBankAccountNumber, echo, beneficiary } = instruction;
  const details = beneficiary.kind === 'existing' ? null : beneficiary.details;
  return { paymentReference, purposeDescription, fundingBankAccountNumber, echo, details };
}

function merged(plain: PlainInstruction, { details, ...personal }: Personal): PaymentInstruction {
  const { beneficiary } = plain;
  const parts = { ...sharedOf(plain), ...personal };
  if (beneficiary.kind === 'existing') return { ...parts, beneficiary };
  if (details === null) throw new Error('a row has neither the details of its beneficiary nor an id');
  return { ...parts, beneficiary: { kind: 'details', details } };
}

function placeOf(paymentId: string): string {
  return `row ${paymentId}`;
}

/** Of what is known of a beneficiary: as the row describes it, else as the provider shows it. */
export interface StoredBeneficiary extends StoredContent {
  account: string;
  /** Encrypted: what the provider shows of the beneficiary that the row names; null: nothing, or the row describes it. */
  shown: Buffer | null;
}

export function openBeneficiary(payees: PayeeData, stored: StoredBeneficiary): KnownBeneficiary | null {
  const { plain, shown, account } = stored;
  if (plain?.beneficiary.kind === 'existing') {
    return shown === null ? null : payees.decryptBeneficiary(account, plain.beneficiary.beneficiaryId, shown);
  }
  const beneficiary = openContent(payees, stored)?.instruction?.beneficiary;
  return beneficiary?.kind === 'details' ? beneficiary.details : null;
}

/** As `openBeneficiary`, of a row that others are compared with: null where it cannot be read as well. */
export function readableBeneficiary(payees: PayeeData, stored: StoredBeneficiary): KnownBeneficiary | null {
  return unlessUnreadable(() => openBeneficiary(payees, stored), null);
}

const UNREADABLE_PAYEE = 'beneficiary cannot be read';

/** Who is paid, in a word, for lists: the account's holder, or the provider's id of the beneficiary. Null: erased. */
export function payeeOf(payees: PayeeData, stored: StoredContent): string | null {
  const { plain } = stored;
  if (plain?.beneficiary.kind === 'existing') return plain.beneficiary.beneficiaryId;
  return unlessUnreadable(() => {
    const beneficiary = openContent(payees, stored)?.instruction?.beneficiary;
    return beneficiary?.kind === 'details' ? beneficiary.details.bankAccount.bankAccountHolderName : null;
  }, UNREADABLE_PAYEE);
}

/** Rows as they are stored by one statement. `memory`: of a batch that is stored, for this one. */
export function rowBatch(key: RunKey, rows: readonly NewRow[], memory: RowBatch['json'] | null = null): RowBatch {
  const hash = keyedHash(key.indexKey);
  const text = JSON.stringify(rows.map((row) => recordOf(key, hash, row)));
  const bytes = Buffer.byteLength(text);
  const isEnough = memory !== null && memory.buffer.byteLength >= bytes;
  // With room for batches that are somewhat longer.
  const buffer = isEnough ? memory.buffer : new ArrayBuffer(Math.ceil(1.2 * bytes));
  const json = new Uint8Array(buffer, 0, bytes);
  new TextEncoder().encodeInto(text, json);
  return { count: rows.length, json };
}

/** By column name. */
function recordOf({ key }: RunKey, hash: TextHash, row: NewRow): Record<string, unknown> {
  const { instruction, cells, problems } = row;
  const hashes = instruction === null ? null : rowHashesOf(hash, instruction);
  const personal = instruction === null ? null : personalOf(instruction);
  const content = Buffer.from(JSON.stringify({ cells: [...cells], personal, problems } satisfies EncryptedContent));
  return {
    payment_id: row.paymentId,
    row_number: row.rowNumber,
    line: row.line,
    row_ref: row.rowRef,
    state: row.state,
    instruction: instruction === null ? null : plainInstruction(hash, instruction, hashes?.beneficiaryHash),
    encrypted: encrypt(key, placeOf(row.paymentId), content).toString('base64'),
    search_keys: instruction === null ? [] : searchKeysOf(hash, instruction),
    invoice_key: instruction === null ? null : invoiceKeyOf(hash, instruction),
    row_hash: hashes?.rowHash ?? null,
    beneficiary_hash: hashes?.beneficiaryHash ?? null,
    beneficiary_fingerprint: hashes?.beneficiaryFingerprint ?? null,
    account_hash: hashes?.accountHash ?? null,
    routing_hash: hashes?.routingHash ?? null,
    name_hash: hashes?.nameHash ?? null,
    sell_currency: instruction?.sellCurrency ?? null,
    buy_currency: instruction?.buyCurrency ?? null,
    amount: instruction?.amount ?? null,
    amount_side: instruction?.amountSide ?? null,
    beneficiary_id: instruction?.beneficiary.kind === 'existing' ? instruction.beneficiary.beneficiaryId : null,
    error_code: row.errorCode,
  };
}

/** SQL: stores the rows of a batch, $3, of a run $1 and its account $2. */
export const INSERT_ROWS = `insert into payments (payment_id, run_id, account, row_number, line, row_ref, state, instruction, encrypted,
    search_keys, invoice_key, row_hash, beneficiary_hash, beneficiary_fingerprint, account_hash, routing_hash, name_hash, sell_currency, buy_currency,
    amount, amount_side, beneficiary_id, error_code)
  select payment_id, $1, $2, row_number, line, row_ref, state, instruction, decode(encrypted, 'base64'),
    search_keys, invoice_key, row_hash, beneficiary_hash, beneficiary_fingerprint, account_hash, routing_hash, name_hash, sell_currency, buy_currency,
    amount, amount_side, beneficiary_id, error_code
  from jsonb_to_recordset(convert_from($3::bytea, 'UTF8')::jsonb) as rows (payment_id uuid, row_number integer, line integer, row_ref text, state text,
    instruction jsonb, encrypted text, search_keys bigint[], invoice_key bigint, row_hash text, beneficiary_hash text, beneficiary_fingerprint text,
    account_hash text, routing_hash text, name_hash text, sell_currency text, buy_currency text, amount numeric, amount_side text,
    beneficiary_id text, error_code text)`;
