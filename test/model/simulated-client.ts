import type { CallOptions } from '../../provider/calls/api-call.ts';
import type { Timestamp } from '../../provider/calls/answer-fields.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { ProviderClient } from '../../provider/client.ts';
import type { Operation } from '../../provider/operations.ts';
import type { FailureKind } from '../../domain/payments/request-result.ts';
import type { Dice } from './dice.ts';
import { type Pending, type ProviderPayment, Refusal, type SimulatedProvider } from './simulated-provider.ts';

/** The worker died: nobody records the answer. */
export class WorkerDied extends Error {
  override readonly name = 'WorkerDied';
}

/** What becomes of a request that may not be repeated, beside being answered. */
const FAULTS = {
  none: 60,
  answer_lost: 9,
  request_lost: 6,
  carried_out_late: 7,
  not_sent: 4,
  refused: 4,
  died_before: 5,
  died_after: 5,
} as const;

/** What the client needs of the history that is played. */
export interface Circumstances {
  provider: SimulatedProvider;
  now: () => number;
  /** Of the event that is played. */
  dice: () => Dice;
  isFaulty: () => boolean;
  /** Other events happen between the intent of a request and the request, or between the request and its answer. */
  meanwhile: () => Promise<void>;
}

/** A client of the simulated provider, in process: only the calls that payments and the ledger need. */
export function simulatedClient(of: Circumstances): ProviderClient {
  const { provider } = of;
  const read = <T>(operation: Operation, options: CallOptions | undefined, answer: () => T): Promise<T> =>
    readThrough(of, operation, options, answer);
  const payments = {
    quote: (
      request: { sellCurrency: string; buyCurrency: string; amount: string; beneficiaryId: string | null },
      options?: CallOptions,
    ) =>
      read('simple-payment-quote', options, () =>
        shownQuote(provider.quote(minor(request.amount), request.sellCurrency), request),
      ),
    create: (request: { quoteId: string; referenceId?: string }, options?: CallOptions) => {
      const referenceId = request.referenceId ?? '';
      const acceptedMs = of.now();
      const priceFactor = of.isFaulty() && of.dice().chance(0.04) ? 3 : 1;
      const carryOut = (): ProviderPayment => provider.create(request.quoteId, referenceId, acceptedMs, priceFactor);
      return sendThrough(of, 'simple-payment-create', options, { kind: 'create', referenceId, carryOut });
    },
    fund: ({ simplePaymentId }: { simplePaymentId: string }, options?: CallOptions) => {
      const referenceId = provider.payment(simplePaymentId)?.referenceId ?? '';
      const acceptedMs = of.now();
      const carryOut = (): ProviderPayment => provider.fund(simplePaymentId, acceptedMs);
      return sendThrough(of, 'simple-payment-fund', options, { kind: 'fund', referenceId, carryOut });
    },
    find: ({ referenceId }: { referenceId?: string }, options?: CallOptions) =>
      read('simple-payment-find', options, () =>
        provider
          .listed(provider.payments)
          .flatMap((payment) =>
            payment.referenceId === referenceId ? [shownPayment(payment, provider.hidesAmounts)] : [],
          ),
      ),
    findReadable: ({ startDate, endDate }: { startDate: Date; endDate: Date }, options?: CallOptions) =>
      read('simple-payment-find', options, () =>
        provider
          .listed(provider.payments)
          .flatMap((payment) =>
            payment.createdMs >= startDate.getTime() && payment.createdMs < endDate.getTime()
              ? [shownPayment(payment, provider.hidesAmounts)]
              : [],
          ),
      ),
    item: (id: string, options?: CallOptions) =>
      read('simple-payment-get', options, () => {
        const payment = provider.payment(id);
        if (payment === null) throw new Refusal(404, 'no such payment');
        return shownPayment(payment, provider.hidesAmounts);
      }),
  };
  return {
    simplePayments: payments,
    balances: {
      findReadable: (options?: CallOptions) =>
        read('balance-find', options, () =>
          provider
            .balances()
            .map(({ currency, amount }) => ({ id: `balance-${currency}`, currency, amount: decimal(amount) })),
        ),
      historyReadable: ({ startDate, endDate }: { startDate: Date; endDate?: Date }, options?: CallOptions) =>
        read('balance-history', options, () => ({
          entries: provider
            .listed(provider.history)
            .filter(({ dateMs }) => dateMs >= startDate.getTime() && dateMs < (endDate?.getTime() ?? Infinity))
            .toReversed()
            .map(shownLine),
          unreadable: 0,
        })),
    },
    refunds: {
      listReadable: (options?: CallOptions) =>
        read('refund-list', options, () => ({
          entries: provider.listed(provider.refunds).map(({ amount, ...refund }) => ({
            ...refund,
            ...{ amount: decimal(amount), resource: 'simple_payment', remarks: null },
          })),
          unreadable: [],
        })),
    },
    fundings: {
      pageReadable: ({ page = 1 }: { page?: number }, options?: CallOptions) =>
        read('funding-list', options, () => ({
          entries: (page > 1 ? [] : provider.listed(provider.fundings)).map(({ id, currency, amount }) => ({
            ...{ id, currency, amount: decimal(amount), status: 'completed', balanceId: null, reference: null },
          })),
          unreadable: [],
        })),
    },
  } as unknown as ProviderClient;
}

const failure = (
  operation: Operation,
  kind: FailureKind,
  httpStatus: number | null,
  cause?: unknown,
): ProviderFailure => new ProviderFailure({ operation, kind, reason: 'simulated', httpStatus, cause });

function refusalOf(operation: Operation, error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const isDuplicate = error.httpStatus === 409 && operation === 'simple-payment-create';
  return failure(operation, isDuplicate ? 'duplicate_reference' : 'refused', error.httpStatus);
}

async function begin(operation: Operation, options: CallOptions | undefined): Promise<void> {
  try {
    await options?.beforeSend?.();
  } catch (cause) {
    throw failure(operation, 'not_sent', null, cause);
  }
}

/** A request that may be repeated. */
async function readThrough<T>(
  of: Circumstances,
  operation: Operation,
  options: CallOptions | undefined,
  answer: () => T,
): Promise<T> {
  await begin(operation, options);
  if (of.isFaulty() && of.dice().chance(0.05)) throw failure(operation, 'unknown_outcome', 503);
  try {
    return answer();
  } catch (error) {
    throw refusalOf(operation, error);
  }
}

/** A request that may not be repeated. */
async function sendThrough(
  of: Circumstances,
  operation: Operation,
  options: CallOptions | undefined,
  asked: Omit<Pending, 'carryOut'> & { carryOut: () => ProviderPayment },
): Promise<ReturnType<typeof shownPayment>> {
  if (of.isFaulty() && of.dice().chance(0.15)) await of.meanwhile();
  await begin(operation, options);
  const fault = of.isFaulty() ? of.dice().weighted(FAULTS) : 'none';
  if (fault === 'died_before') throw new WorkerDied();
  if (fault === 'not_sent') throw failure(operation, 'not_sent', null);
  if (fault === 'refused') throw failure(operation, 'refused', 400);
  if (fault === 'request_lost') throw failure(operation, 'unknown_outcome', null);
  if (fault === 'carried_out_late') {
    of.provider.pending.push({ ...asked, carryOut: () => void asked.carryOut() });
    throw failure(operation, 'unknown_outcome', 504);
  }
  const shown = carriedOut(of, operation, asked.carryOut);
  if (of.isFaulty() && of.dice().chance(0.1)) await of.meanwhile();
  if (fault === 'died_after') throw new WorkerDied();
  if (fault === 'answer_lost') throw failure(operation, 'unknown_outcome', 500);
  return shown;
}

function carriedOut(
  { provider }: Circumstances,
  operation: Operation,
  carryOut: () => ProviderPayment,
): ReturnType<typeof shownPayment> {
  try {
    return shownPayment(carryOut(), provider.hidesAmounts);
  } catch (error) {
    throw refusalOf(operation, error);
  }
}

export function decimal(minorUnits: number): string {
  return (minorUnits / 100).toFixed(2);
}

function minor(amount: string): number {
  return Math.round(Number(amount) * 100);
}

function timestamp(ms: number): Timestamp {
  return { raw: new Date(ms).toISOString(), epochMs: ms };
}

function shownQuote(
  quote: { quoteId: string; sell: number; fee: number; expiresMs: number },
  request: { sellCurrency: string; buyCurrency: string; beneficiaryId: string | null },
) {
  return {
    ...request,
    ...{ quoteId: quote.quoteId, expiresAt: timestamp(quote.expiresMs), fixedSide: 'sell', rate: '1' },
    ...{ sellAmount: decimal(quote.sell), buyAmount: decimal(quote.sell), totalFee: decimal(quote.fee) },
    ...{ totalAmount: decimal(quote.sell + quote.fee), supportingDocumentsRequired: false },
  };
}

function shownPayment(payment: ProviderPayment, hidesAmounts: boolean) {
  const { id, status, referenceId, sell, fee, currency } = payment;
  const given = (amount: number): string | null => (hidesAmounts ? null : decimal(amount));
  return {
    ...{ simplePaymentId: id, status, referenceId, sellCurrency: currency, buyCurrency: 'GBP' },
    ...{ createdAt: timestamp(payment.createdMs), fundingCutoffTime: timestamp(payment.cutOffMs) },
    ...{ sellAmount: given(sell), buyAmount: given(sell), totalFee: given(fee), totalAmount: given(sell + fee) },
    ...{ rate: '1', failureReason: null, beneficiary: null },
  };
}

function shownLine({ id, currency, before, after, dateMs, transactionId }: SimulatedProvider['history'][number]) {
  return {
    ...{ id, balanceId: null, currency, amountBefore: decimal(before), amountAfter: decimal(after) },
    ...{ totalAmount: decimal(Math.abs(after - before)), transactionId, transactionType: '' },
    date: { raw: new Date(dateMs).toISOString(), epochMs: dateMs },
  };
}
