import { Agent } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultKind, appliesTo } from '../../sandbox/faults/fault-kinds.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { defaultOptions, type SandboxOptions } from '../../sandbox/config/options.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { aReceiver } from './a-receiver.ts';
import { audit } from './ledger-property-audit.ts';
import { aBook, type Book, pick, soldCurrencies } from './ledger-property-book.ts';
import { CarefulCaller, type Outcome } from './ledger-property-caller.ts';
import * as payments from './ledger-property-payments.ts';
import { type Step, type Turn, turns } from './ledger-property-steps.ts';
import * as treasury from './ledger-property-treasury.ts';

/** This number takes about three seconds; `npm run test:ledger` runs a thousand. */
const RUNS = Number(process.env['LEDGER_RUNS'] ?? 25);

const SEED = Number(process.env['LEDGER_SEED'] ?? 20260302);

/** The average is half of it. */
const MAX_TURNS = 60;

const keys = [
  { apiKey: 'rich', balances: { USD: '2500.00', JPY: '250000', KWD: '800.000' } },
  { apiKey: 'poor', balances: { USD: '60.00', EUR: '400.00' } },
] as const;

const idle = { apiKey: 'idle', balances: { USD: '1.00' } };

const THREE_DAYS_MS = 3 * 86_400_000;

const setting = fc.record({
  refundMs: fc.constantFrom(0, 10_000),
  refundEvents: fc.constantFrom('on' as const, 'off' as const),
  duplicateReference: fc.constantFrom('refuse' as const, 'return' as const),
});

async function take(book: Book, step: Step, webhookUrl: string): Promise<unknown> {
  switch (step.do) {
    case 'pay':
      if (!(await payments.quote(book, step))) return;
      return payments.fund(book, await payments.create(book, 0, step), step.fund);
    case 'createFromOldQuote':
      return payments.create(book, step.which, step);
    case 'fund':
      return payments.fund(book, pick(book.payments.values(), step.which), step.atOnce);
    case 'convert':
      if (!(await treasury.quoteConversion(book, step))) return;
      return treasury.fundConversion(book, await treasury.createConversion(book, 0), step.fund);
    case 'convertFromOldQuote':
      return treasury.createConversion(book, step.which);
    case 'fundConversion':
      return treasury.fundConversion(book, pick(book.conversions.values(), step.which) ?? null, step.atOnce);
    case 'advance':
      return book.caller.control('clock', { advanceMs: step.byMs });
    case 'addFault': {
      const { kind, operation, nth, times } = step;
      const { settings = {} } = faultKind(kind);
      // A kind that does not apply to the operation is added for all others.
      const target = appliesTo(kind, operation, defaultOptions.openOperations) ? operation : '*';
      const delay = 'delayMs' in settings ? { delayMs: 1 } : {};
      const added = await book.caller.control('faults', [{ kind, operation: target, nth, times, ...delay }]);
      expect(added, 'the sandbox accepts every fault').not.toBeNull();
      return added;
    }
    case 'setWebhooks': {
      const url = step.to === 'receiver' ? webhookUrl : step.to && 'http://127.0.0.1:1/';
      return book.caller.control('webhooks', { url });
    }
    case 'addBeneficiary':
      return payments.addBeneficiary(book, step);
    case 'removeBeneficiary':
      return payments.removeBeneficiary(book, step);
    case 'quote':
      return payments.quote(book, step);
    case 'forcePayment':
      return payments.forcePayment(book, step);
    case 'refund':
      return payments.refund(book, step);
    case 'forceRefund':
      return payments.forceRefund(book, step);
    case 'forceConversion':
      return treasury.forceConversion(book, step);
    case 'setBalance':
      return treasury.setBalance(book, step);
    case 'credit':
      return treasury.credit(book, step);
    case 'receive':
      return treasury.receive(book, step);
    case 'forceFunding':
      return treasury.forceFunding(book, step);
    case 'deposit':
      return treasury.deposit(book, step);
  }
}

/** Plays the turns on a new sandbox, so that the same turns have the same result, and audits every key. */
async function play(all: readonly Turn[], set: Partial<SandboxOptions>, webhookUrl: string): Promise<void> {
  const sandbox = await startSandbox({
    ...set,
    limitPerSecond: 0,
    frozenAtMs: Date.UTC(2026, 2, 2, 9),
    ultimatePartner: true,
    accounts: [...keys, idle].map((key) => ({ ...defaultAccount, ...key })),
  });
  const agent = new Agent({ keepAlive: true });
  try {
    const books = keys.map(({ apiKey, balances }) => {
      const { refundMs = 0, duplicateReference = 'refuse' } = set;
      return aBook(new CarefulCaller(sandbox, apiKey, agent), { refundMs, duplicateReference }, balances);
    });
    const [one, other] = books as [Book, Book];
    for (const book of books) {
      for (const currency of soldCurrencies)
        await payments.addBeneficiary(book, { do: 'addBeneficiary', currency, name: 'Example' });
      expect(book.beneficiaries).toHaveLength(soldCurrencies.length);
    }
    for (const { key, step, meanwhile } of all) {
      const [acting, parallel] = key === 0 ? [one, other] : [other, one];
      await Promise.all([take(acting, step, webhookUrl), meanwhile && take(parallel, meanwhile, webhookUrl)]);
      for (const { caller } of books.filter(({ wasForcedBack }) => !wasForcedBack)) {
        expect(sandbox.ledger(caller.apiKey).invariantHolds, 'the invariant').toBe(true);
      }
    }
    for (const { caller } of books) await caller.clearFaults();
    sandbox.advance(THREE_DAYS_MS);
    for (const book of books) await audit(book);
    await checkKeysAreSeparate(one, other);
    expect(sandbox.ledger(idle.apiKey)).toMatchObject({
      balances: idle.balances,
      payments: {},
      requests: { total: 0 },
    });
  } finally {
    agent.destroy();
    await sandbox.close();
  }
}

/** A key can neither read nor fund the resources of another. */
async function checkKeysAreSeparate(one: Book, other: Book): Promise<void> {
  for (const [of, by] of [
    [one, other],
    [other, one],
  ] as const) {
    const paymentId = pick(of.payments.keys(), 0);
    const fundingId = pick(of.fundings.keys(), 0);
    const tried: Promise<Outcome>[] = [];
    if (paymentId !== undefined) {
      tried.push(by.caller.send(`/simple-payments/v1/item/${paymentId}`));
      tried.push(by.caller.send('/simple-payments/v1/fund', { simplePaymentId: paymentId }));
    }
    if (fundingId !== undefined) tried.push(by.caller.send(`/v2/fundings/${fundingId}`));
    for (const outcome of await Promise.all(tried)) expect(outcome).toMatchObject({ kind: 'not_done', status: 404 });
  }
}

/** Beyond this time the test would end without reporting the turns that failed. */
const TIME_LIMIT_MS = 600_000 + RUNS * 300;

test('after any sequence of calls, operator actions and faults, the ledger is consistent and matches the answers', {
  timeout: TIME_LIMIT_MS + 15_000,
}, async () => {
  const { url } = await aReceiver(200, 500, 200, 503);
  await fc.assert(
    fc.asyncProperty(turns(MAX_TURNS), setting, (all, set) => play(all, set, url)),
    { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: TIME_LIMIT_MS, markInterruptAsFailure: true },
  );
});
