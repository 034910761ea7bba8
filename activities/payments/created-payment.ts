import { isSameMoney } from '../../domain/money.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { moneyHasLeft, type PaymentState } from '../../domain/payments/payment-state.ts';
import type { SimplePayment } from '../../provider/payments/simple-payment-fields.ts';
import type { Mac } from '../../provider/mac.ts';
import type { PaymentUpdate } from '../../store/payments/payment-transition.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';
import type { QuotedAmounts } from '../../store/payments/request-history.ts';
import { macPayment } from './payment-macs.ts';
import { paymentUpdateOf, terminalFieldsOf } from './payment-update.ts';

/** What the payment at the provider must have of it: no personal data. */
type Amounts = Pick<PaymentInstruction, 'amount' | 'amountSide' | 'sellCurrency' | 'buyCurrency'>;

export interface CreatedPayment {
  payment: PaymentRecord;
  instruction: Amounts;
  quotes?: readonly QuotedAmounts[];
}

export interface CreatedUpdate {
  state: Extract<PaymentState, 'created' | 'unknown'>;
  update: PaymentUpdate;
  detail: Record<string, unknown>;
}

/**
 * Compares the provider's record of a created payment with what was approved and quoted. Equal: it is `created`, with a MAC.
 * Different: it is `unknown`, and never funded. `quotes`: those that it may have been created with, beside the payment's
 * newest one.
 */
export function createdUpdate(
  mac: Mac,
  { payment, instruction, quotes = [] }: CreatedPayment,
  shown: SimplePayment,
  // The answer to our own create request may leave the reference out; any other payment has to show it.
  isOurAnswer = false,
): CreatedUpdate {
  const referenceId = referenceIdOf(payment.paymentId, payment.attempt);
  const isReferenceShown = isOurAnswer ? shown.referenceId !== null : true;
  const differing = differencesOf(shown, instruction, {
    referenceId: isReferenceShown ? referenceId : null,
    beneficiaryId: payment.beneficiaryId,
    quotes: [payment, ...quotes],
  });
  // guard: created-as-approved
  if (differing.length > 0) {
    const update = {
      reference_id: referenceId,
      error_code: 'created_differs',
      error_message: differsMessage(differing),
    } satisfies PaymentUpdate;
    return { state: 'unknown', update, detail: { differing } };
  }
  const payment_mac = macPayment(mac, payment, shown.simplePaymentId);
  return { state: 'created', update: { reference_id: referenceId, payment_mac }, detail: {} };
}

/**
 * What follows from the provider's record of a payment, in the answer to its creation or in a lookup: the state that its status
 * means. One that is unfunded there is funded next, so it is compared first.
 */
export function foundUpdate(
  mac: Mac,
  created: Omit<CreatedPayment, 'instruction'> & { instruction: Amounts | null },
  found: SimplePayment,
  { shown, isOurAnswer, nowMs }: { shown: PaymentState; isOurAnswer: boolean; nowMs: number },
): { state: PaymentState; update: PaymentUpdate; detail: Record<string, unknown> } {
  const { payment, instruction } = created;
  const at = new Date(nowMs);
  const { state, update, detail } =
    // guard: created-by-its-status, found-as-approved
    shown === 'created' && instruction !== null
      ? createdUpdate(mac, { ...created, instruction }, found, isOurAnswer)
      : { state: shown, update: {}, detail: {} };
  const recorded: PaymentUpdate = {
    ...paymentUpdateOf(found),
    ...terminalFieldsOf(found, state, nowMs),
    reference_id: referenceIdOf(payment.paymentId, payment.attempt),
    created_at: at,
    ...(moneyHasLeft(state) ? { funded_at: at } : {}),
  };
  return { state, update: { ...recorded, ...update }, detail };
}

function differsMessage(differing: readonly string[]): string {
  return (
    `the provider's payment is not the one that was approved and quoted (${differing.join(', ')}): it was not funded; ` +
    'have it cancelled there, then resolve it'
  );
}

/**
 * The fields in which the provider's payment differs from what was approved, or from every quote that may have been used.
 * Amounts and names that the provider leaves out do not count.
 */
function differencesOf(
  shown: SimplePayment,
  instruction: Amounts,
  expected: { referenceId: string | null; beneficiaryId: string | null; quotes: readonly QuotedAmounts[] },
): string[] {
  const isSold = instruction.amountSide === 'sell';
  const amount = isSold ? shown.sellAmount : shown.buyAmount;
  const differs: readonly [string, boolean][] = [
    // guard: created-reference
    ['referenceId', expected.referenceId !== null && shown.referenceId !== expected.referenceId],
    // guard: created-amount
    [isSold ? 'sellAmount' : 'buyAmount', amount !== null && !isSameMoney(amount, instruction.amount)],
    // guard: created-sell-currency
    ['sellCurrency', shown.sellCurrency !== null && shown.sellCurrency !== instruction.sellCurrency],
    // guard: created-buy-currency
    ['buyCurrency', shown.buyCurrency !== null && shown.buyCurrency !== instruction.buyCurrency],
    // guard: created-beneficiary
    ['beneficiaryId', isOther(shown.beneficiary?.beneficiaryId, expected.beneficiaryId)],
  ];
  const fields = differs.flatMap(([field, isDifferent]) => (isDifferent ? [field] : []));
  return [...new Set([...fields, ...otherThanQuoted(shown, expected.quotes)])];
}

const AMOUNTS = ['sellAmount', 'buyAmount', 'totalAmount'] as const;

/** The amounts that differ from the newest quote, which is the first; none where one quote has them all. */
function otherThanQuoted(shown: SimplePayment, quotes: readonly QuotedAmounts[]): string[] {
  const differing = quotes.map((quoted) => AMOUNTS.filter((field) => costsOther(shown[field], quoted[field])));
  // guard: created-as-one-quote
  return differing.some((fields) => fields.length === 0) ? [] : (differing[0] ?? []);
}

function costsOther(shown: string | null, quoted: string | null): boolean {
  // guard: created-as-quoted
  return shown !== null && (quoted === null || !isSameMoney(shown, quoted));
}

function isOther(shown: string | null | undefined, expected: string | null): boolean {
  return shown !== null && shown !== undefined && shown !== expected;
}
