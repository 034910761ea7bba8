import Big from 'big.js';
import { feesAreBeyond } from '../../domain/payments/fee-limit.ts';
import { dayOf } from '../../domain/payments/pay-day.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { hasEnded, type PaymentState } from '../../domain/payments/payment-state.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { Quote } from '../../provider/payments/simple-payment-fields.ts';
import { disownBeneficiary, forgetBeneficiary } from '../../store/beneficiaries/beneficiaries.ts';
import type { Database } from '../../store/database/database.ts';
import type { PaymentMove } from '../../store/payments/payment-transition.ts';
import {
  type Answer,
  type BegunRequest,
  beginRequest,
  mayHaveBeenCreated,
} from '../../store/payments/payment-requests.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';
import { beneficiaryHashOf } from '../../store/runs/row-identity.ts';
import { refuseRequest } from '../../store/payments/unapproved.ts';
import { approvedInstruction, refuseUnapproved } from '../approvals/approved-row.ts';
import { callProvider, refusalWords, retryLater, unlessStopped, wasStopped } from './call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { asForbiddenRow } from '../approvals/forbidden-row.ts';
import { quoteUpdateOf } from './payment-update.ts';
import { recordIfCurrent } from './record-if-current.ts';
import { isSealedBeneficiary } from '../beneficiaries/sealed-beneficiary.ts';
import { sealQuote } from './sealed-facts.ts';
import { isAsTheProviderShows } from '../beneficiaries/shown-beneficiary.ts';
import { asideUnlessCreated } from './uncertain-creation.ts';

export type QuoteOutcome =
  | { kind: 'quoted' }
  /** The provider no longer has the beneficiary, or not as it was approved: make it known again, then quote again. */
  | { kind: 'beneficiary_gone' }
  /** A stop holds, and nothing was sent. */
  | { kind: 'stopped' }
  | { kind: 'ended'; state: PaymentState };

/** The beneficiary that the row names by its id is not the one that those who decided were shown. */
const NOT_AS_SHOWN = {
  error_code: 'beneficiary_not_as_shown',
  error_message:
    "the provider's beneficiary of this id is not the one that was shown before the approval: find out why, and submit " +
    'the row again with the details of the beneficiary instead of the id',
} as const;

type RequestInHand = Pick<Answer, 'requestId' | 'operation'>;

/**
 * Asks for a quote for the approved beneficiary and compares it with what was approved. A quote that asks for something
 * else, or for fees beyond the limit, holds the row. Quoting again costs a request and nothing else. Contract: payments
 * 2.5.
 */
export function requestQuoteActivity(dependencies: ActivityDependencies) {
  const { database, provider, seal, settings, now } = dependencies;
  return async function requestQuote({
    paymentId,
    isLast,
  }: {
    paymentId: string;
    /** The beneficiary was made again already: another "not found" is a refusal like any other. */
    isLast: boolean;
  }): Promise<QuoteOutcome> {
    const today = dayOf(now());
    const begun = await beginRequest(database, { paymentId, operation: 'quote', whileIn: ['ready', 'quoted'], today });
    const { payment, requestId } = begun;
    if (requestId === null) return outcomeWithout(database, begun);
    const answer: RequestInHand = { requestId, operation: 'quote' };
    const instruction = approvedInstruction(payment, begun.approved);
    if (instruction === null || begun.approved === null) {
      await noAnswer(database, answer, null);
      return { kind: 'ended', state: await refuseUnapproved(database, payment, 'quote') };
    }
    const records = seal(payment.account);
    const { shown } = begun;
    const isAsShown = shown === null || (await isAsTheProviderShows(dependencies, payment.account, shown));
    if (isAsShown !== true) {
      await noAnswer(database, answer, null);
      if (isAsShown instanceof ProviderFailure) throw retryLater(isAsShown);
      const state = await refuseRequest(database, { paymentId, operation: 'quote', ...NOT_AS_SHOWN });
      return { kind: 'ended', state };
    }
    const beneficiaryId = beneficiaryOf(begun, instruction, (known) =>
      isSealedBeneficiary(records, instruction, known),
    );
    if (beneficiaryId === null) {
      await noAnswer(database, answer, null);
      const known = begun.beneficiary?.beneficiaryId ?? null;
      const fingerprint = beneficiaryHashOf(instruction);
      await disownBeneficiary(database, { ...payment, fingerprint, beneficiaryId: known });
      return { kind: 'beneficiary_gone' };
    }
    const answered = await callProvider(
      (options) => provider(payment.account).simplePayments.quote(quoteRequestOf(instruction, beneficiaryId), options),
      unlessStopped(database, payment),
    );
    const sent = await asForbiddenRow(database, payment, answered);
    if (sent instanceof ProviderFailure)
      return recordFailure({ database, now }, sent, { answer, payment, beneficiaryId, isLast });
    const facts = {
      ...quoteUpdateOf(sent.value, now()),
      beneficiary_id: beneficiaryId,
      quote_seal: sealQuote(records, payment, begun.approved, { quoteId: sent.value.quoteId, beneficiaryId }),
    };
    const objection = objectionTo(sent.value, instruction, beneficiaryId, settings.maxFeePercent);
    const quoted = { ...answer, httpStatus: sent.httpStatus };
    if (objection === null) return recordQuote(database, quoted, { to: 'quoted', facts });
    const held = { to: 'held', facts: { error_code: objection.code, error_message: objection.message } } as const;
    const aside = asideUnlessCreated(await mayHaveBeenCreated(database, paymentId), held, now());
    return recordQuote(database, quoted, { ...aside, facts: { ...facts, ...aside.facts } });
  };
}

async function recordQuote(
  database: Database,
  answer: RequestInHand & Pick<Answer, 'httpStatus'>,
  move: PaymentMove & { to: 'quoted' | 'held' | 'unknown' },
): Promise<QuoteOutcome> {
  await recordIfCurrent(database, { ...answer, outcome: 'took_effect', answer: 'as_asked', move });
  return move.to === 'quoted' ? { kind: 'quoted' } : { kind: 'ended', state: move.to };
}

function noAnswer(database: Database, answer: RequestInHand, failure: ProviderFailure | null): Promise<void> {
  const { kind, httpStatus } = failure ?? { kind: 'not_sent', httpStatus: null };
  return recordIfCurrent(database, {
    ...answer,
    outcome: 'had_no_effect',
    answer: kind,
    httpStatus,
    move: { to: null },
  });
}

async function outcomeWithout(
  database: Database,
  { payment, approved, isStopped }: BegunRequest,
): Promise<QuoteOutcome> {
  const { state } = payment;
  if (hasEnded(state) || state === 'held') return { kind: 'ended', state };
  const isBefore = state === 'ready' || state === 'quoted';
  if (isBefore && approved === null) {
    return { kind: 'ended', state: await refuseUnapproved(database, payment, 'quote') };
  }
  // What is quoted goes on to its creation, which is stopped as well: that may be open, and is looked up then.
  return state === 'ready' && isStopped ? { kind: 'stopped' } : { kind: 'quoted' };
}

async function recordFailure(
  { database, now }: Pick<ActivityDependencies, 'database' | 'now'>,
  failure: ProviderFailure,
  of: { answer: RequestInHand; payment: PaymentRecord; beneficiaryId: string; isLast: boolean },
): Promise<QuoteOutcome> {
  const { payment, beneficiaryId, isLast } = of;
  const { httpStatus, kind } = failure;
  if (kind !== 'refused') {
    await noAnswer(database, of.answer, failure);
    if (wasStopped(failure)) return { kind: 'stopped' };
    throw retryLater(failure);
  }
  const answer = { ...of.answer, outcome: 'refused', answer: kind, httpStatus } as const;
  if (httpStatus === 404 && !isLast && (await forgetBeneficiary(database, { ...payment, beneficiaryId }))) {
    await recordIfCurrent(database, { ...answer, move: { to: null } });
    return { kind: 'beneficiary_gone' };
  }
  const facts = { ...refusalWords(failure), ended_at: new Date(now()) };
  const mayExist = await mayHaveBeenCreated(database, payment.paymentId);
  const move = asideUnlessCreated(mayExist, { to: 'rejected', facts }, now());
  await recordIfCurrent(database, { ...answer, move });
  return { kind: 'ended', state: move.to };
}

/** The provider's id of the very beneficiary that was approved; null when it is not known, or not known to be that. */
function beneficiaryOf(
  { beneficiary: known }: Pick<BegunRequest, 'beneficiary'>,
  { beneficiary }: PaymentInstruction,
  isSealed: (known: { beneficiaryId: string; seal: string | null }) => boolean,
): string | null {
  if (beneficiary.kind === 'existing') return beneficiary.beneficiaryId;
  return known !== null && isSealed(known) ? known.beneficiaryId : null;
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

/** Why a quote is not used. */
interface Objection {
  code: string;
  message: string;
}

function objectionTo(
  quote: Quote,
  instruction: PaymentInstruction,
  beneficiaryId: string,
  maxFeePercent: number,
): Objection | null {
  const fixed = instruction.amountSide === 'sell' ? quote.sellAmount : quote.buyAmount;
  const isAsked =
    new Big(fixed).eq(instruction.amount) &&
    quote.sellCurrency === instruction.sellCurrency &&
    quote.buyCurrency === instruction.buyCurrency &&
    quote.beneficiaryId === beneficiaryId;
  if (!isAsked)
    return { code: 'quote_differs', message: 'the quote is for another payment than the one that was approved' };
  if (feesAreBeyond(maxFeePercent, quote)) {
    return { code: 'fees_beyond_limit', message: `the fees are more than ${maxFeePercent} % of the amount` };
  }
  const documentsMissing = quote.supportingDocumentsRequired === true && instruction.supportingFiles.length === 0;
  return documentsMissing
    ? { code: 'documents_required', message: 'the provider wants supporting documents: name them in supporting_files' }
    : null;
}
