import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import {
  hasEnded,
  isUncreated,
  type PaymentState,
  UNCREATED_PAYMENT_STATES,
} from '../../domain/payments/payment-state.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { discardBeneficiary, forgetBeneficiary } from '../../store/beneficiaries/beneficiaries.ts';
import { openShown } from '../../store/beneficiaries/provider-beneficiaries.ts';
import type { Database } from '../../store/database/database.ts';
import { type Answer, type BegunRequest, beginRequest } from '../../store/payments/payment-requests.ts';
import type { PaymentTransition } from '../../store/payments/payment-transition.ts';
import { type PaymentRecord, readPayment } from '../../store/payments/payments.ts';
import { refuseRequest } from '../../store/payments/unapproved.ts';
import { refuseUnapproved } from '../approvals/approved-row.ts';
import { hasValidBeneficiaryMac } from '../beneficiaries/beneficiary-mac.ts';
import { isAsTheProviderShows } from '../beneficiaries/shown-beneficiary.ts';
import { callProvider } from '../calls/call-provider.ts';
import { refusalReason } from '../calls/failure-meaning.ts';
import { refusalIfRowForbidden } from '../calls/forbidden-row.ts';
import { unlessStopped, wasStopped } from '../calls/stop-check.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { instructionToSend, ofWorker, payeesOf, readToSend } from './payee-data.ts';
import { macQuote } from './payment-macs.ts';
import { quoteUpdateOf } from './payment-update.ts';
import { quoteMismatchOf } from './quote-mismatch.ts';
import { recordIfCurrent, recordNoEffect, recordNotSent, type RequestRef } from './record-if-current.ts';
import { recordRefusal } from './record-refusal.ts';

export type QuoteOutcome =
  | { kind: 'quoted' }
  /** The provider no longer has the beneficiary, or not as it was approved: create it again, then quote again. */
  | { kind: 'beneficiary_gone' }
  /** A stop is active, or the data key is missing: nothing was sent. */
  | { kind: 'stopped' }
  | { kind: 'ended'; state: PaymentState };

/** The row names its beneficiary by id, and the provider now shows another one than the approvers saw. */
const NOT_AS_SHOWN = {
  error_code: 'beneficiary_not_as_shown',
  error_message:
    "the provider's beneficiary of this id is not the one that was shown before the approval: find out why, and submit " +
    'the row again with the details of the beneficiary instead of the id',
} as const;

/**
 * Requests a quote for the approved beneficiary and compares it with what was approved. A quote for something else holds the
 * row, and the database holds it where the quote costs more than was approved (`hold_beyond_cost_bound`). A repeated quote costs a request and nothing else. Contract: payments 2.5.
 */
export function requestQuoteActivity(dependencies: ActivityDependencies) {
  const { database, provider, macOf, now } = dependencies;
  return async function requestQuote({
    paymentId,
    isLast,
  }: {
    paymentId: string;
    /** The beneficiary was already created again: another "not found" is a refusal like any other. */
    isLast: boolean;
  }): Promise<QuoteOutcome> {
    const worker = await ofWorker(dependencies);
    const intent = await beginRequest(database, {
      paymentId,
      operation: 'quote',
      whileIn: UNCREATED_PAYMENT_STATES,
      ...worker,
    });
    const { payment, requestId } = intent;
    if (requestId === null) return outcomeWithoutRequest(database, intent);
    const request: RequestRef = { requestId, operation: 'quote' };
    // guard: request-quote-as-approved
    const instruction = await instructionToSend(dependencies, request, intent);
    if (instruction === null || intent.approved === null) {
      await recordNotSent(database, request);
      return { kind: 'ended', state: await refuseUnapproved(database, payment, 'quote') };
    }
    const refused = await refuseIfNotAsShown(dependencies, intent, request);
    if (refused !== null) return refused;
    const mac = macOf(payment.account);
    const beneficiaryId = beneficiaryOf(intent, instruction, (stored) =>
      hasValidBeneficiaryMac(mac, instruction, stored),
    );
    if (beneficiaryId === null) {
      await recordNotSent(database, request);
      const idWithoutMac = intent.beneficiary?.beneficiaryId ?? null;
      const { beneficiaryHash: fingerprint } = intent.approved;
      await discardBeneficiary(database, { ...payment, fingerprint, beneficiaryId: idWithoutMac });
      return { kind: 'beneficiary_gone' };
    }
    const answer = await callProvider(
      (options) => provider(payment.account).simplePayments.quote(quoteRequestOf(instruction, beneficiaryId), options),
      // guard: request-quote-unless-stopped
      unlessStopped(database, payment),
    );
    const reply = await refusalIfRowForbidden(database, payment, answer);
    if (reply instanceof ProviderFailure) {
      return recordFailure(dependencies, reply, { request, payment, beneficiaryId, isLast });
    }
    const quote = reply.value;
    const update = {
      ...quoteUpdateOf(quote, now()),
      beneficiary_id: beneficiaryId,
      quote_mac: macQuote(mac, payment, intent.approved, { quoteId: quote.quoteId, beneficiaryId }),
    };
    const answered = { ...request, httpStatus: reply.httpStatus };
    const mismatch = quoteMismatchOf(quote, instruction, beneficiaryId);
    if (mismatch === null) {
      await recordQuote(database, answered, { to: 'quoted', update });
      return { kind: 'quoted' };
    }
    const held = { ...update, error_code: mismatch.code, error_message: mismatch.message };
    await recordQuote(database, answered, { to: 'held', update: held });
    return { kind: 'ended', state: (await readPayment(database, paymentId)).state };
  };
}

/** Null: the row describes its beneficiary, or the provider shows the same one that the approvers saw. */
async function refuseIfNotAsShown(
  dependencies: ActivityDependencies,
  { payment, shown }: BegunRequest,
  request: RequestRef,
): Promise<QuoteOutcome | null> {
  const { database } = dependencies;
  const isAsShown = await readToSend(database, request, async () => {
    const payees = await payeesOf(dependencies);
    return shown === null || isAsTheProviderShows(dependencies, payees, payment.account, openShown(payees, shown));
  });
  // guard: shown-beneficiary-mac
  if (isAsShown !== true) {
    await recordNotSent(database, request);
    if (isAsShown instanceof ProviderFailure) throw retryLater(isAsShown);
    const refusal = { paymentId: payment.paymentId, operation: 'quote', ...NOT_AS_SHOWN };
    return { kind: 'ended', state: await refuseRequest(database, refusal) };
  }
  return null;
}

/** What follows when no request could begin. */
async function outcomeWithoutRequest(
  database: Database,
  { payment, approved, isStopped }: BegunRequest,
): Promise<QuoteOutcome> {
  const { state } = payment;
  if (hasEnded(state) || state === 'held') return { kind: 'ended', state };
  if (isUncreated(state) && approved === null) {
    return { kind: 'ended', state: await refuseUnapproved(database, payment, 'quote') };
  }
  // A quoted payment continues with its creation: that may be open and has to be looked up, and it checks for stops itself.
  return state === 'ready' && isStopped ? { kind: 'stopped' } : { kind: 'quoted' };
}

/** The provider's id of the approved beneficiary; null when it has none, or one without a valid MAC. */
function beneficiaryOf(
  { beneficiary: stored }: Pick<BegunRequest, 'beneficiary'>,
  { beneficiary }: PaymentInstruction,
  hasValidMac: (stored: { beneficiaryId: string; mac: string | null }) => boolean,
): string | null {
  if (beneficiary.kind === 'existing') return beneficiary.beneficiaryId;
  // guard: beneficiary-mac
  return stored !== null && hasValidMac(stored) ? stored.beneficiaryId : null;
}

function quoteRequestOf(instruction: PaymentInstruction, beneficiaryId: string) {
  return {
    beneficiaryId,
    sellCurrency: instruction.sellCurrency,
    buyCurrency: instruction.buyCurrency,
    amount: instruction.amount,
    fixedSide: instruction.amountSide,
    ...(instruction.paymentChannel === null ? {} : { paymentChannel: instruction.paymentChannel }),
  };
}

function recordQuote(
  database: Database,
  answered: RequestRef & Pick<Answer, 'httpStatus'>,
  transition: PaymentTransition,
): Promise<void> {
  return recordIfCurrent(database, { ...answered, outcome: 'took_effect', answer: 'as_asked', transition });
}

async function recordFailure(
  { database, now }: Pick<ActivityDependencies, 'database' | 'now'>,
  failure: ProviderFailure,
  of: { request: RequestRef; payment: PaymentRecord; beneficiaryId: string; isLast: boolean },
): Promise<QuoteOutcome> {
  const { request, payment, beneficiaryId, isLast } = of;
  const { httpStatus, kind } = failure;
  if (kind !== 'refused') {
    await recordNoEffect(database, request, failure);
    if (wasStopped(failure)) return { kind: 'stopped' };
    throw retryLater(failure);
  }
  const answer = { ...request, operation: 'quote', outcome: 'refused', answer: kind, httpStatus } as const;
  if (httpStatus === 404 && !isLast && (await forgetBeneficiary(database, { ...payment, beneficiaryId }))) {
    await recordIfCurrent(database, { ...answer, transition: { to: null } });
    return { kind: 'beneficiary_gone' };
  }
  const update = { ...refusalReason(failure), ended_at: new Date(now()) };
  const refused = { ...answer, transition: { to: 'rejected', update } } as const;
  return { kind: 'ended', state: await recordRefusal(database, { payment, failure }, refused) };
}
