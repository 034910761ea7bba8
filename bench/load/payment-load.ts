import type { ConnectionPool } from './connection-pool.ts';

/** How many requests of each operation were sent. */
export type Mix = Record<'quote' | 'create' | 'fund' | 'get' | 'findByReference' | 'findByTime', number>;

/** A payment in so many is looked for by its reference, as after an answer that was lost. */
const PAYMENTS_FOR_A_LOOK_UP = 20;
/** A read of all that was created since the last such read follows on so many payments, as a sweep does. */
const PAYMENTS_FOR_A_SWEEP = 500;

interface Load {
  readonly pool: ConnectionPool;
  /** Begins every reference, which must be new to the sandbox. */
  readonly name: string;
  readonly payments: number;
  readonly atOnce: number;
  readonly beneficiaryIds: readonly string[];
  /** Told after each payment how many there are. */
  readonly onPayment: (done: number) => void;
}

/** Makes payments as a run does: quote, create, fund, one look at each, and finds. @throws Error when one is refused */
export async function makePayments({ pool, name, payments, atOnce, beneficiaryIds, onPayment }: Load): Promise<Mix> {
  const mix: Mix = { quote: 0, create: 0, fund: 0, get: 0, findByReference: 0, findByTime: 0 };
  let [begun, done] = [0, 0];
  let sweptUntil = new Date().toISOString();

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
    if (number % PAYMENTS_FOR_A_LOOK_UP === 0) {
      await call('findByReference', '/simple-payments/v1/find', { referenceId });
    }
    if (number % PAYMENTS_FOR_A_SWEEP === 0) {
      const [startDate, endDate] = [sweptUntil, new Date().toISOString()];
      sweptUntil = endDate;
      await call('findByTime', '/simple-payments/v1/find', { startDate, endDate });
    }
  };

  const makeInTurn = async (): Promise<void> => {
    while (begun < payments) {
      begun += 1;
      await makeOne(begun);
      done += 1;
      onPayment(done);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, makeInTurn));
  return mix;
}

const instruction = {
  uniqueReferenceId: true,
  paymentReference: 'Invoice 4711',
  purposeOfTransfer: 'SUPP',
  fundingSource: 'COMPANY_BANK_ACCOUNT',
  fundingMethod: 'PAYNOW',
};

/** Amounts differ, and none of them has a meaning to the sandbox. */
const quoteOf = (beneficiaryId: string, number: number): Record<string, unknown> => ({
  beneficiaryId,
  sellCurrency: 'USD',
  buyCurrency: 'EUR',
  amount: 100 + (number % 900),
  fixedSide: 'buy',
});

/** An answer is not parsed for the one field that is needed of it. */
function idIn(text: string, field: string): string {
  const begin = text.indexOf(`"${field}":"`) + field.length + 4;
  return text.slice(begin, text.indexOf('"', begin));
}
