import Big from 'big.js';
import type { PaymentInstruction } from '../domain/payment-instruction.ts';
import { hasEnded, type PaymentState } from '../domain/payment-state.ts';
import { ProviderFailure } from '../provider/failure.ts';
import type { Quote } from '../provider/simple-payment-fields.ts';
import { forgetBeneficiary } from '../store/beneficiaries.ts';
import { beginRequest } from '../store/payment-requests.ts';
import { callProvider, refusalWords, retryLater } from './call-provider.ts';
import { approvedInstruction, NOT_AS_APPROVED } from './check-approved-row.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { factsOfQuote } from './payment-facts.ts';
import { recordInTurn } from './record-in-turn.ts';

export type QuoteOutcome =
  | { kind: 'quoted' }
  /** The provider no longer has the payee: make it known again, then quote again. */
  | { kind: 'payee_gone' }
  | { kind: 'ended'; state: PaymentState };

/**
 * Asks for a quote and compares it with what was approved. A quote that asks for something else, or for fees beyond
 * the limit, holds the row. Quoting again costs a request and nothing else. Contract: payments 2.5.
 */
export function requestQuoteActivity({ database, provider, settings, now }: ActivityDependencies) {
  return async function requestQuote({
    paymentId,
    rowHash,
    isLast,
  }: {
    paymentId: string;
    rowHash: string;
    /** The payee was made anew already: another "not found" is a refusal like any other. */
    isLast: boolean;
  }): Promise<QuoteOutcome> {
    const { payment, requestId } = await beginRequest(database, {
      paymentId,
      operation: 'quote',
      whileIn: ['ready', 'quoted'],
    });
    if (requestId === null) return atEndOrQuoted(payment.state);
    const instruction = approvedInstruction(payment, rowHash);
    if (instruction === null) {
      const answer = { requestId, operation: 'quote', outcome: 'had_no_effect', httpStatus: null } as const;
      await recordInTurn(database, { ...answer, move: NOT_AS_APPROVED });
      return { kind: 'ended', state: 'held' };
    }
    const { beneficiaryId } = payment;
    if (beneficiaryId === null) throw new Error(`payment ${paymentId} is quoted before its payee is known`);
    const sent = await callProvider((options) =>
      provider(payment.account).simplePayments.quote(
        {
          beneficiaryId,
          sellCurrency: instruction.sellCurrency,
          buyCurrency: instruction.buyCurrency,
          amount: instruction.amount,
          fixedSide: instruction.amountSide,
          ...(instruction.paymentChannel === null ? {} : { paymentChannel: instruction.paymentChannel }),
        },
        options,
      ),
    );
    const answer = { requestId, operation: 'quote' } as const;
    if (sent instanceof ProviderFailure) {
      if (sent.kind !== 'refused') {
        await recordInTurn(database, {
          ...answer,
          outcome: 'had_no_effect',
          httpStatus: sent.httpStatus,
          move: { to: null },
        });
        throw retryLater(sent);
      }
      if (sent.httpStatus === 404 && !isLast && (await forgetBeneficiary(database, { ...payment, beneficiaryId }))) {
        await recordInTurn(database, { ...answer, outcome: 'refused', httpStatus: 404, move: { to: null } });
        return { kind: 'payee_gone' };
      }
      const move = { to: 'rejected', facts: { ...refusalWords(sent), settled_at: new Date(now()) } } as const;
      await recordInTurn(database, { ...answer, outcome: 'refused', httpStatus: sent.httpStatus, move });
      return { kind: 'ended', state: 'rejected' };
    }
    const objection = objectionTo(sent.value, instruction, beneficiaryId, settings.maxFeePercent);
    const facts = factsOfQuote(sent.value, now());
    const move =
      objection === null
        ? ({ to: 'quoted', facts } as const)
        : ({ to: 'held', facts: { ...facts, error_code: objection.code, error_message: objection.message } } as const);
    await recordInTurn(database, { ...answer, outcome: 'took_effect', httpStatus: sent.httpStatus, move });
    return objection === null ? { kind: 'quoted' } : { kind: 'ended', state: 'held' };
  };
}

function atEndOrQuoted(state: PaymentState): QuoteOutcome {
  return hasEnded(state) || state === 'held' ? { kind: 'ended', state } : { kind: 'quoted' };
}

function objectionTo(
  quote: Quote,
  instruction: PaymentInstruction,
  beneficiaryId: string,
  maxFeePercent: number,
): { code: string; message: string } | null {
  const fixed = instruction.amountSide === 'sell' ? quote.sellAmount : quote.buyAmount;
  const isAsked =
    new Big(fixed).eq(instruction.amount) &&
    quote.sellCurrency === instruction.sellCurrency &&
    quote.buyCurrency === instruction.buyCurrency &&
    quote.beneficiaryId === beneficiaryId;
  if (!isAsked)
    return { code: 'quote_differs', message: 'the quote is for another payment than the one that was approved' };
  const fees = new Big(quote.totalAmount).minus(quote.sellAmount);
  if (fees.times(100).gt(new Big(quote.sellAmount).times(maxFeePercent))) {
    return { code: 'fees_beyond_limit', message: `the fees are more than ${maxFeePercent} % of the amount` };
  }
  const documentsMissing = quote.supportingDocumentsRequired === true && instruction.supportingFiles.length === 0;
  return documentsMissing
    ? { code: 'documents_required', message: 'the provider wants supporting documents: name them in supporting_files' }
    : null;
}
