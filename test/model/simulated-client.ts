import type { CallOptions } from '../../provider/calls/api-call.ts';
import type { ProviderClient } from '../../provider/client.ts';
import type { Operation } from '../../provider/operations.ts';
import { decimal, minor, timestamp } from './shown-values.ts';
import { simulatedConversionCalls } from './simulated-conversion-calls.ts';
import { Refusal } from './refusal.ts';
import type { ProviderPayment, SimulatedProvider } from './simulated-provider.ts';
import { type Circumstances, readThrough, sendThrough, someFactor } from './simulated-transport.ts';

/** A client of the simulated provider, in process: only the calls that payments, the ledger and conversions need. */
export function simulatedClient(of: Circumstances): ProviderClient {
  const { provider } = of;
  const read = <T>(operation: Operation, options: CallOptions | undefined, answer: () => T): Promise<T> =>
    readThrough(of, operation, options, answer);
  const shown = (payment: ProviderPayment) => shownPayment(payment, provider.hidesAmounts);
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
      const priceFactor = someFactor(of);
      const carryOut = () => shown(provider.create(request.quoteId, referenceId, acceptedMs, priceFactor));
      return sendThrough(of, 'simple-payment-create', options, { kind: 'create', referenceId, carryOut });
    },
    fund: ({ simplePaymentId }: { simplePaymentId: string }, options?: CallOptions) => {
      const referenceId = provider.payment(simplePaymentId)?.referenceId ?? '';
      const acceptedMs = of.now();
      const carryOut = () => shown(provider.fund(simplePaymentId, acceptedMs));
      return sendThrough(of, 'simple-payment-fund', options, { kind: 'fund', referenceId, carryOut });
    },
    find: ({ referenceId }: { referenceId?: string }, options?: CallOptions) =>
      read('simple-payment-find', options, () =>
        provider
          .listed(provider.payments)
          .flatMap((payment) => (payment.referenceId === referenceId ? [shown(payment)] : [])),
      ),
    findReadable: ({ startDate, endDate }: { startDate: Date; endDate: Date }, options?: CallOptions) =>
      read('simple-payment-find', options, () =>
        provider
          .listed(provider.payments)
          .flatMap((payment) =>
            payment.createdMs >= startDate.getTime() && payment.createdMs < endDate.getTime() ? [shown(payment)] : [],
          ),
      ),
    item: (id: string, options?: CallOptions) =>
      read('simple-payment-get', options, () => {
        const payment = provider.payment(id);
        if (payment === null) throw new Refusal(404, 'no such payment');
        return shown(payment);
      }),
  };
  return {
    simplePayments: payments,
    ...simulatedConversionCalls(of),
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
