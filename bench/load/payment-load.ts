import type { ConnectionPool } from './connection-pool.ts';

/** The number of requests sent by operation. */
export type Mix = Record<'quote' | 'create' | 'fund' | 'get' | 'getByReference' | 'findByTime', number>;

/** One payment in this many is looked up by its reference, as after a lost answer. */
const PAYMENTS_PER_LOOKUP = 20;
/** After this many payments, all that were created since the last such read are listed, as the poller does. */
const PAYMENTS_PER_POLL = 500;

interface Load {
  readonly pool: ConnectionPool;
  /** The prefix of every reference, new to the sandbox. */
  readonly name: string;
  readonly payments: number;
  readonly concurrency: number;
  readonly beneficiaryIds: readonly string[];
  /** Called after each payment with their number so far. */
  readonly onPayment: (done: number) => void;
}

/** Makes payments as a run does: quote, create, fund, a read of each, and lists. @throws Error when one is refused */
export async function makePayments({
  pool,
  name,
  payments,
  concurrency,
  beneficiaryIds,
  onPayment,
}: Load): Promise<Mix> {
  const mix: Mix = { quote: 0, create: 0, fund: 0, get: 0, getByReference: 0, findByTime: 0 };
  let [started, done] = [0, 0];
  let polledUntil = new Date().toISOString();

  const call = async (operation: keyof Mix, path: string, body?: Record<string, unknown>): Promise<string> => {
    mix[operation] += 1;
    const { status, text } = await pool.send(path, body && JSON.stringify(body));
    if (status !== 200) throw new Error(`${operation} was answered ${status}: ${text.slice(0, 200)}`);
    return text;
  };

  const makeOne = async (number: number): Promise<void> => {
    const referenceId = `${name}-${number}`;
    const beneficiaryId = beneficiaryIds[number % beneficiaryIds.length];
    const quote = await call('quote', '/simple-payments/v1/quote', quoteOf(beneficiaryId ?? '', number));
    const created = await call('create', '/simple-payments/v1/create', {
      ...instruction,
      quoteId: idIn(quote, 'quoteId'),
      referenceId,
    });
    const simplePaymentId = idIn(created, 'simplePaymentId');
    await call('fund', '/simple-payments/v1/fund', { simplePaymentId });
    await call('get', `/simple-payments/v1/item/${simplePaymentId}`);
    if (number % PAYMENTS_PER_LOOKUP === 0) {
      await call('getByReference', '/simple-payments/v1/find', { referenceId });
    }
    if (number % PAYMENTS_PER_POLL === 0) {
      const [startDate, endDate] = [polledUntil, new Date().toISOString()];
      polledUntil = endDate;
      await call('findByTime', '/simple-payments/v1/find', { startDate, endDate });
    }
  };

  const makeUntilDone = async (): Promise<void> => {
    while (started < payments) {
      started += 1;
      await makeOne(started);
      done += 1;
      onPayment(done);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, makeUntilDone));
  return mix;
}

const instruction = {
  uniqueReferenceId: true,
  paymentReference: 'Invoice 4711',
  purposeOfTransfer: 'SUPP',
  fundingSource: 'COMPANY_BANK_ACCOUNT',
  fundingMethod: 'PAYNOW',
};

/** Different amounts, none of them a magic value of the sandbox. */
const quoteOf = (beneficiaryId: string, number: number): Record<string, unknown> => ({
  beneficiaryId,
  sellCurrency: 'USD',
  buyCurrency: 'EUR',
  amount: 100 + (number % 900),
  fixedSide: 'buy',
});

/** Finds one field without parsing the JSON, to keep the client cheap. */
function idIn(text: string, field: string): string {
  const begin = text.indexOf(`"${field}":"`) + field.length + 4;
  return text.slice(begin, text.indexOf('"', begin));
}
