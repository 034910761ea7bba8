import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';

/** One payment as its activities need it. Amounts are decimal strings. Holds personal data: never log it. */
export interface PaymentRecord {
  paymentId: string;
  runId: string;
  account: string;
  state: PaymentState;
  attempt: number;
  beneficiaryHash: string | null;
  /** Of the bank account, as the policy checked it; null where only the provider knows it. */
  accountHash: string | null;
  /** Of the routing to that account, and of the name. The three hashes are compared with earlier payments. */
  routingHash: string | null;
  nameHash: string | null;
  instruction: PaymentInstruction | null;
  beneficiaryId: string | null;
  referenceId: string | null;
  quoteId: string | null;
  /** A worker's seals: the quote is for this row, and the payment at the provider is this row's. */
  quoteSeal: string | null;
  paymentSeal: string | null;
  quotedAt: Date | null;
  quoteExpiresAt: Date | null;
  documentsRequired: boolean | null;
  providerPaymentId: string | null;
  providerStatus: string | null;
}

export interface PaymentRow {
  payment_id: string;
  run_id: string;
  account: string;
  state: PaymentState;
  attempt: number;
  beneficiary_hash: string | null;
  account_hash: string | null;
  routing_hash: string | null;
  name_hash: string | null;
  instruction: PaymentInstruction | null;
  beneficiary_id: string | null;
  reference_id: string | null;
  quote_id: string | null;
  quote_seal: string | null;
  payment_seal: string | null;
  quoted_at: Date | null;
  quote_expires_at: Date | null;
  documents_required: boolean | null;
  provider_payment_id: string | null;
  provider_status: string | null;
}

export const PAYMENT_COLUMNS = `payments.payment_id, payments.run_id, payments.account, payments.state, payments.attempt,
  payments.beneficiary_hash, payments.account_hash, payments.routing_hash, payments.name_hash, payments.instruction,
  payments.beneficiary_id, payments.reference_id, payments.quote_id, payments.quote_seal, payments.payment_seal, payments.quoted_at, payments.quote_expires_at, payments.documents_required, payments.provider_payment_id,
  payments.provider_status`;

export function paymentOf(row: PaymentRow): PaymentRecord {
  return {
    paymentId: row.payment_id,
    runId: row.run_id,
    account: row.account,
    state: row.state,
    attempt: row.attempt,
    beneficiaryHash: row.beneficiary_hash,
    accountHash: row.account_hash,
    routingHash: row.routing_hash,
    nameHash: row.name_hash,
    instruction: row.instruction,
    beneficiaryId: row.beneficiary_id,
    referenceId: row.reference_id,
    quoteId: row.quote_id,
    quoteSeal: row.quote_seal,
    paymentSeal: row.payment_seal,
    quotedAt: row.quoted_at,
    quoteExpiresAt: row.quote_expires_at,
    documentsRequired: row.documents_required,
    providerPaymentId: row.provider_payment_id,
    providerStatus: row.provider_status,
  };
}

/** @throws for an unknown id: callers have it from the record. */
export async function readPayment(database: Queryable, paymentId: string): Promise<PaymentRecord> {
  const { rows } = await database.query<PaymentRow>(`select ${PAYMENT_COLUMNS} from payments where payment_id = $1`, [
    paymentId,
  ]);
  const row = rows[0];
  if (row === undefined) throw new Error(`there is no payment ${paymentId}`);
  return paymentOf(row);
}

/** The payment that the provider knows by this id, on the account of the payment `paymentId`; or null. */
export async function findByProviderPaymentId(
  database: Queryable,
  paymentId: string,
  providerPaymentId: string,
): Promise<string | null> {
  const { rows } = await database.query<{ payment_id: string }>(
    `select found.payment_id from payments own join payments found using (account)
     where own.payment_id = $1 and found.provider_payment_id = $2`,
    [paymentId, providerPaymentId],
  );
  return rows[0]?.payment_id ?? null;
}
