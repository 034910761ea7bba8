import { expect, test } from 'vitest';
import type { ProviderClient } from '../../provider/client.ts';
import { parseWebhook } from '../../provider/webhooks/webhooks.ts';
import { defaultAccount, type SandboxOptions } from '../../sandbox/config/defaults.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.ts';
import { withoutAdditional } from '../contract/drawn-answers.ts';
import { EXAMPLE_BENEFICIARY } from '../helpers/example-beneficiary.ts';
import { aClient } from './local-provider.ts';

const SEEDS = Array.from({ length: 40 }, (_, place) => place + 1);
const STARTED_MS = Date.UTC(2026, 2, 2, 9, 0, 0, 789);
const ON_ITS_WAY: readonly unknown[] = ['under_review', 'in_transit'];

const aCompany = {
  country: 'DE',
  entityType: 'company',
  companyName: 'Schmidt Papier GmbH',
  bankAccount: {
    country: 'DE',
    currency: 'EUR',
    bankName: 'Commerzbank',
    bankAccountHolderName: 'Schmidt Papier GmbH',
    iban: 'DE89370400440532013000',
  },
} as const;

/** What a provider holds, as the client reads it. */
type Reading = Record<string, unknown>;

class Provider {
  readonly client: ProviderClient;
  readonly #sandbox: RunningSandbox;

  private constructor(sandbox: RunningSandbox) {
    this.#sandbox = sandbox;
    this.client = aClient({ baseUrl: sandbox.url }, { credentials: defaultAccount, now: () => STARTED_MS });
  }

  static async start(seed: number, answers: SandboxOptions['answers']): Promise<Provider> {
    // Nobody listens there: what is told is read at the control door.
    const webhookUrl = 'http://127.0.0.1:9/';
    const usual = { limitPerSecond: 0, standingAtMs: STARTED_MS, completionMinMs: 6000, completionMaxMs: 6000 };
    return new Provider(await startSandbox({ ...usual, seed, answers, webhookUrl }));
  }

  async control(call: string, body: object): Promise<void> {
    const answer = await fetch(`${this.#sandbox.url}/__sandbox/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
  }

  advance(byMs: number): void {
    this.#sandbox.advance(byMs);
  }

  /** The notifications, less those of statuses that the contract does not have. */
  async told(): Promise<unknown[]> {
    const answer = await fetch(`${this.#sandbox.url}/__sandbox/webhooks`);
    const { deliveries } = (await answer.json()) as { deliveries: { body: string }[] };
    const events = deliveries.map(({ body }) => withoutAdditional(parseWebhook(body)));
    const documented = events.filter((event) => !('status' in event && ON_ITS_WAY.includes(event.status)));
    // A payment may come back to a status that was told.
    return [...new Set(documented.map((event) => JSON.stringify(event)))].sort();
  }

  close(): Promise<void> {
    return this.#sandbox.close();
  }
}

/** As text: a field of another name is one that is asked for, and counts. */
async function requirementsIn({ beneficiaries }: ProviderClient): Promise<string[]> {
  const germany = { currency: 'EUR', bankAccountCountry: 'DE', beneficiaryCountry: 'DE' };
  return (await beneficiaries.requirements(germany)).map((entry) => JSON.stringify(entry));
}

/** Pays, exchanges and takes in money, and reads all of it, on the way and at its end. */
async function readAll(provider: Provider): Promise<Reading> {
  const { beneficiaries, simplePayments, conversions, fundings, refunds, balances, currencies } = provider.client;
  const reading: Reading = {};
  const company = await beneficiaries.create(aCompany);
  const person = await beneficiaries.create(EXAMPLE_BENEFICIARY);
  for (const [place, amount] of ['100.00', '100.13', '100.14', '75.20', '80.00'].entries()) {
    const { beneficiaryId } = company;
    const side = { sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell' } as const;
    const quote = await simplePayments.quote({ ...side, beneficiaryId, amount });
    const payment = await simplePayments.create({
      quoteId: quote.quoteId,
      fundingSource: 'COMPANY_BANK_ACCOUNT',
      paymentReference: 'Invoice 4711',
      purposeOfTransfer: 'SUPP',
      fundingMethod: 'PAYNOW',
      ...(place === 3 ? {} : { referenceId: `p-${place}`, uniqueReferenceId: true }),
    });
    reading[`quote ${place}`] = quote;
    reading[`created ${place}`] = payment;
    const { simplePaymentId } = payment;
    reading[`funded ${place}`] = place === 4 ? null : await simplePayments.fund({ simplePaymentId });
    provider.advance(700);
    reading[`on its way ${place}`] = await simplePayments.item(simplePaymentId);
  }
  const { quoteId } = await conversions.quote({
    buyCurrency: 'EUR',
    sellCurrency: 'USD',
    fixedSide: 'sell',
    amount: '250.00',
  });
  const { conversionId } = await conversions.create({ quoteId });
  reading['conversion funded'] = await conversions.fund({ conversionId });
  for (let place = 1; place <= 25; place += 1) {
    await provider.control('fundings', { currency: 'USD', amount: `${place}.50`, reference: `F${place}` });
  }
  provider.advance(12_000);
  Object.assign(reading, {
    'each beneficiary': [
      await beneficiaries.item(company.beneficiaryId),
      await beneficiaries.item(person.beneficiaryId),
    ],
    beneficiaries: await beneficiaries.find(),
    requirements: await requirementsIn(provider.client),
    payments: await simplePayments.find(),
    readable: await simplePayments.findReadable(),
    'one payment': await simplePayments.find({ referenceId: 'p-1' }),
    'no payment': await simplePayments.find({ referenceId: 'nobodys' }),
    conversions: await conversions.find(),
    fundings: await fundings.list(),
    refunds: await refunds.list(),
    balances: await balances.find(),
    'one balance': await balances.byCurrency('USD'),
    history: await balances.history(),
    supported: await currencies.supported(),
    pairs: await currencies.pairs(),
    local: await simplePayments.supportedLocalCurrencies(),
    told: await provider.told(),
  });
  return reading;
}

/**
 * What it means: lists without their order, times to the second, a status on the way as the documented one, and nothing
 * that nobody foresaw.
 */
function meaningOf(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    const entries = value.map((entry) => meaningOf(entry));
    return entries.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  if (name === 'status' && ON_ITS_WAY.includes(value)) return 'processing';
  if (typeof value !== 'object' || value === null) return value;
  if ('raw' in value && 'epochMs' in value) return Math.floor(Number(value.epochMs) / 1000);
  const members = Object.entries(value).filter(([key, member]) => member !== null && key !== 'raw');
  return Object.fromEntries(
    members.map(([key, member]) => [key, isUnreadTime(member) ? 'a time' : meaningOf(member, key)]).sort(),
  );
}

/** A time that the client hands on without having read it, as those of deprecated fields. */
const isUnreadTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/.test(value);

async function readingOf(seed: number, answers: SandboxOptions['answers']): Promise<Reading> {
  const provider = await Provider.start(seed, answers);
  try {
    return await readAll(provider);
  } finally {
    await provider.close();
  }
}

test('whatever words, order and form the seed draws, the client reads what the plain answers say', async () => {
  const forms = new Set<string>();
  for (const seed of SEEDS) {
    const [plain, drawn] = [await readingOf(seed, 'plain'), await readingOf(seed, 'drawn')];
    expect([seed, meaningOf(withoutAdditional(drawn))]).toEqual([seed, meaningOf(plain)]);
    forms.add(JSON.stringify(drawn['payments']));
    if (JSON.stringify(drawn) === JSON.stringify(plain)) throw new Error(`seed ${seed} draws nothing`);
  }
  expect(forms.size).toBe(SEEDS.length);
});

test('a seed draws the same answers each time', async () => {
  for (const seed of SEEDS.slice(0, 3)) {
    expect(await readingOf(seed, 'drawn')).toEqual(await readingOf(seed, 'drawn'));
  }
});
