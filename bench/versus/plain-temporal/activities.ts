import type { PreparedRow } from '../contender.ts';

/** A payment in an answer of the provider. */
export interface Payment {
  readonly simplePaymentId: string;
  readonly status: string;
}

/** One request each, or two after a conflict. A refusal is thrown, and Temporal retries it by default. */
export function createActivities(url: string, headers: Readonly<Record<string, string>>) {
  const call = async <T>(path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  };
  const item = async (id: string): Promise<Payment> =>
    (await call<{ data: Payment }>(`/simple-payments/v1/item/${id}`)).data;

  return {
    quote: async ({ beneficiaryId, amount }: PreparedRow): Promise<string> => {
      const price = {
        beneficiaryId,
        amount: Number(amount),
        sellCurrency: 'USD',
        buyCurrency: 'GBP',
        fixedSide: 'sell',
      };
      return (await call<{ data: { quoteId: string } }>('/simple-payments/v1/quote', price)).data.quoteId;
    },
    /** The reference is the workflow id: a second creation is refused, and the first payment is looked up. */
    create: async (quoteId: string, referenceId: string): Promise<string> => {
      const payment = {
        ...{ quoteId, referenceId, uniqueReferenceId: true },
        paymentReference: 'Invoice 4711',
        purposeOfTransfer: 'SUPP',
        fundingSource: 'COMPANY_BANK_ACCOUNT',
        fundingMethod: 'PAYNOW',
      };
      try {
        return (await call<{ data: Payment }>('/simple-payments/v1/create', payment)).data.simplePaymentId;
      } catch (error) {
        if (!String(error).includes(' 409 ')) throw error;
        const { value } = await call<{ value: Payment[] }>('/simple-payments/v1/find', { referenceId });
        if (!value[0]) throw error;
        return value[0].simplePaymentId;
      }
    },
    fund: async (simplePaymentId: string): Promise<void> => {
      try {
        await call('/simple-payments/v1/fund', { simplePaymentId });
      } catch (error) {
        // Otherwise an earlier attempt, whose answer was lost, has funded it.
        if (String(error).includes(' 429 ') || (await item(simplePaymentId)).status === 'awaiting_funds') throw error;
      }
    },
    readStatus: async (simplePaymentId: string): Promise<string> => (await item(simplePaymentId)).status,
  };
}
