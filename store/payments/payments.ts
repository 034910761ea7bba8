import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';
import { CONTENT_COLUMNS, type StoredContent } from '../runs/row-content.ts';

/** One payment as its activities need it. Amounts are decimal strings. What it has of its payee is encrypted. */
export interface PaymentRecord extends StoredContent {
  account: string;
  state: PaymentState;
  attempt: number;
  beneficiaryHash: string | null;
  /** Rows that pay the same holder at the same account have the same: duplicates are found by it. */
  beneficiaryFingerprint: string | null;
  /** Of the bank account, as the policy checked it; null where only the provider knows it. */
  accountHash: string | null;
  /** Of the routing to that account, and of the name. The three hashes are compared with earlier payments. */
  routingHash: string | null;
  nameHash: string | null;
  beneficiaryId: string | null;
  referenceId: string | null;
  quoteId: string | null;
  /** A worker's MACs: the quote is for this row, and the payment at the provider is this row's. */
  quoteMac: string | null;
  paymentMac: string | null;
  quotedAt: Date | null;
  quoteExpiresAt: Date | null;
  documentsRequired: boolean | null;
  /** As the quote that is used says, until the provider shows the created payment. */
  sellAmount: string | null;
  buyAmount: string | null;
  totalAmount: string | null;
  providerPaymentId: string | null;
  providerStatus: string | null;
}

/** Where each field is stored. */
const COLUMNS: Readonly<Record<Exclude<keyof PaymentRecord, keyof StoredContent>, string>> = {
  account: 'account',
  state: 'state',
  attempt: 'attempt',
  beneficiaryHash: 'beneficiary_hash',
  beneficiaryFingerprint: 'beneficiary_fingerprint',
  accountHash: 'account_hash',
  routingHash: 'routing_hash',
  nameHash: 'name_hash',
  beneficiaryId: 'beneficiary_id',
  referenceId: 'reference_id',
  quoteId: 'quote_id',
  quoteMac: 'quote_mac',
  paymentMac: 'payment_mac',
  quotedAt: 'quoted_at',
  quoteExpiresAt: 'quote_expires_at',
  documentsRequired: 'documents_required',
  sellAmount: 'sell_amount',
  buyAmount: 'buy_amount',
  totalAmount: 'total_amount',
  providerPaymentId: 'provider_payment_id',
  providerStatus: 'provider_status',
};

/** Of a select from `payments`, whose rows are payment records. */
export const PAYMENT_COLUMNS = [
  CONTENT_COLUMNS,
  ...Object.entries(COLUMNS).map(([field, column]) => `payments.${column} as "${field}"`),
].join(', ');

/** @throws for an unknown id: callers have it from the database. */
export async function readPayment(database: Queryable, paymentId: string): Promise<PaymentRecord> {
  const { rows } = await database.query<PaymentRecord>(
    `select ${PAYMENT_COLUMNS} from payments where payment_id = $1`,
    [paymentId],
  );
  const row = rows[0];
  if (row === undefined) throw new Error(`there is no payment ${paymentId}`);
  return row;
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
