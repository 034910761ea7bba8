import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transitionPayment, resolveOpenRequest } from '../../store/payments/payment-outcome.ts';
import { type BegunRequest, beginRequest, recordAnswer } from '../../store/payments/payment-requests.ts';
import { mayHaveBeenCreated, readOpenRequest } from '../../store/payments/request-history.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { anApprovedRun, auditKindsOf, putInto } from './a-stored-run.ts';
import { TEST_KEY_IDS } from '../helpers/test-data-keys.ts';

const TODAY = '2026-01-31';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

async function aQuotedPayment(): Promise<string> {
  const { paymentIds } = await anApprovedRun(testDatabase.database);
  const paymentId = paymentIds[0] ?? '';
  await putInto(testDatabase.database, paymentId, 'quoted');
  return paymentId;
}

function beginCreate(paymentId: string): Promise<BegunRequest> {
  return beginRequest(testDatabase.database, {
    paymentId,
    operation: 'create',
    whileIn: ['quoted'],
    at: new Date(TODAY),
    dataKeys: TEST_KEY_IDS,
  });
}

async function begunCreate(paymentId: string): Promise<string> {
  const { requestId } = await beginCreate(paymentId);
  if (requestId === null) throw new Error('the request was not begun');
  return requestId;
}

/** Records the answer that the provider created the payment. */
function created(requestId: string, providerPaymentId: string) {
  return recordAnswer(testDatabase.database, {
    requestId,
    operation: 'create',
    outcome: 'took_effect',
    answer: 'as_asked',
    httpStatus: 200,
    transition: { to: 'created', update: { provider_payment_id: providerPaymentId } },
  });
}

function lostAnswer(requestId: string) {
  return recordAnswer(testDatabase.database, {
    requestId,
    operation: 'create',
    outcome: null,
    answer: 'unknown_outcome',
    httpStatus: 502,
    transition: { to: null },
  });
}

describe('a request that must not be sent twice', () => {
  test('begins for one of all that send it at the same time, and for none while its outcome is unknown', async () => {
    const { database } = testDatabase;
    const paymentId = await aQuotedPayment();
    const begun = await Promise.all(Array.from({ length: 8 }, () => beginCreate(paymentId)));
    expect(begun.filter(({ requestId }) => requestId !== null)).toHaveLength(1);
    const requestId = begun.find((one) => one.requestId !== null)?.requestId ?? '';
    expect(await readOpenRequest(database, paymentId, 'create')).toMatchObject({ requestId, endSeen: false });

    expect(await lostAnswer(requestId)).toBe('recorded');
    expect((await beginCreate(paymentId)).requestId).toBeNull();
    expect(await readOpenRequest(database, paymentId, 'create')).toMatchObject({ requestId, endSeen: true });
    expect(await auditKindsOf(database, paymentId)).toEqual(['create_requested', 'create_outcome_unknown']);
  });

  test('begins only in a state from which it may be sent', async () => {
    const { paymentIds } = await anApprovedRun(testDatabase.database);
    const begun = await beginCreate(paymentIds[0] ?? '');
    expect(begun).toMatchObject({ requestId: null, payment: { state: 'ready' } });
    expect(await auditKindsOf(testDatabase.database, paymentIds[0] ?? '')).toEqual([]);
  });

  test('may begin again after a lookup has shown that the last one had no effect', async () => {
    const { database } = testDatabase;
    const paymentId = await aQuotedPayment();
    const first = await begunCreate(paymentId);
    await lostAnswer(first);
    const finding = { requestId: first, outcome: 'not_seen', to: null, update: {} } as const;
    expect(await resolveOpenRequest(database, finding)).toBe(true);
    expect(await resolveOpenRequest(database, finding)).toBe(false);
    const second = await begunCreate(paymentId);
    expect(await readOpenRequest(database, paymentId, 'create')).toMatchObject({ requestId: second, earlier: 1 });
  });

  test('is superseded if its answer comes after others have resolved it, and nothing is recorded', async () => {
    const { database } = testDatabase;
    const paymentId = await aQuotedPayment();
    const late = await begunCreate(paymentId);
    await resolveOpenRequest(database, { requestId: late, outcome: 'not_seen', to: null, update: {} });
    const next = await begunCreate(paymentId);
    const auditBefore = await auditKindsOf(database, paymentId);
    await expect(created(late, 'of-the-late-answer')).resolves.toBe('superseded');
    expect(await readPayment(database, paymentId)).toMatchObject({ state: 'quoted', providerPaymentId: null });
    expect(await auditKindsOf(database, paymentId)).toEqual(auditBefore);

    expect(await created(next, 'of-the-next')).toBe('recorded');
    expect(await readPayment(database, paymentId)).toMatchObject({
      state: 'created',
      providerPaymentId: 'of-the-next',
    });
  });

  test('is answered without moving the payment back when it is further already', async () => {
    const { database } = testDatabase;
    const paymentId = await aQuotedPayment();
    const requestId = await begunCreate(paymentId);
    await putInto(database, paymentId, 'paid', { providerPaymentId: 'seen-by-the-poller' });
    await expect(created(requestId, 'seen-by-the-poller')).resolves.toBe('not_applied');
    expect((await readPayment(database, paymentId)).state).toBe('paid');
    expect(await readOpenRequest(database, paymentId, 'create')).toBeNull();
  });

  test('is resolved without moving the payment back when it is further already', async () => {
    const { database } = testDatabase;
    const paymentId = await aQuotedPayment();
    const requestId = await begunCreate(paymentId);
    await putInto(database, paymentId, 'paid', { providerPaymentId: 'seen-by-another-poller' });
    const finding = { requestId, outcome: 'took_effect', to: 'processing', update: {} } as const;
    await expect(resolveOpenRequest(database, finding)).resolves.toBe(true);
    expect((await readPayment(database, paymentId)).state).toBe('paid');
  });

  test.each(['an answer', 'a lookup'])(
    'leaves to people what was given up before %s showed that it took effect, and says what the provider has',
    async (what) => {
      const { database } = testDatabase;
      const paymentId = await aQuotedPayment();
      const requestId = await begunCreate(paymentId);
      await putInto(database, paymentId, 'unknown');
      const update = { provider_payment_id: `there after ${what}` };
      if (what === 'an answer') await created(requestId, update.provider_payment_id);
      else await resolveOpenRequest(database, { requestId, outcome: 'took_effect', to: 'created', update });
      // In state `created` it would wait for a workflow that is gone, in a run that may have ended.
      expect(await readPayment(database, paymentId)).toMatchObject({
        state: 'unknown',
        providerPaymentId: update.provider_payment_id,
      });
    },
  );

  test('is not begun again after one has taken effect, whatever the payment’s state', async () => {
    const { database } = testDatabase;
    const paymentId = await aQuotedPayment();
    await created(await begunCreate(paymentId), 'created-once');
    await putInto(database, paymentId, 'quoted');
    expect((await beginCreate(paymentId)).requestId).toBeNull();
  });

  test('cannot assign the same payment at the provider to two rows', async () => {
    const [one, other] = [await aQuotedPayment(), await aQuotedPayment()];
    await created(await begunCreate(one), 'the-same');
    await expect(created(await begunCreate(other), 'the-same')).rejects.toThrow('payments_by_provider_payment');
    expect((await readPayment(testDatabase.database, other)).providerPaymentId).toBeNull();
  });
});

describe('a request that may be repeated', () => {
  test('begins again although the last one was never answered', async () => {
    const { paymentIds } = await anApprovedRun(testDatabase.database);
    const quote = {
      paymentId: paymentIds[0] ?? '',
      operation: 'quote',
      whileIn: ['ready'],
      at: new Date(TODAY),
      dataKeys: TEST_KEY_IDS,
    } as const;
    const begun = [await beginRequest(testDatabase.database, quote), await beginRequest(testDatabase.database, quote)];
    expect(new Set(begun.map(({ requestId }) => requestId)).size).toBe(2);
    expect(begun.map(({ requestId }) => requestId)).not.toContain(null);
  });
});

describe('a worker that was thought dead', () => {
  const quoteAnswer = (requestId: string | null, quoteId: string) =>
    recordAnswer(testDatabase.database, {
      requestId: requestId ?? '',
      operation: 'quote',
      outcome: 'took_effect',
      answer: 'as_asked',
      httpStatus: 200,
      transition: { to: 'quoted', update: { quote_id: quoteId } },
    });
  const beginQuote = (paymentId: string) =>
    beginRequest(testDatabase.database, {
      paymentId,
      operation: 'quote',
      whileIn: ['ready', 'quoted'],
      at: new Date(TODAY),
      dataKeys: TEST_KEY_IDS,
    });

  test('does not replace the quote that another worker uses with its own late quote', async () => {
    const paymentId = await aQuotedPayment();
    const late = await beginQuote(paymentId);
    const taken = await beginQuote(paymentId);
    expect(await quoteAnswer(taken.requestId, 'the quote that is used')).toBe('recorded');
    expect(await quoteAnswer(late.requestId, 'a late quote')).toBe('not_applied');
    expect((await readPayment(testDatabase.database, paymentId)).quoteId).toBe('the quote that is used');
  });

  test('begins no quote while a creation is under way, and cannot end the payment', async () => {
    const { database } = testDatabase;
    const paymentId = await aQuotedPayment();
    const requestId = await begunCreate(paymentId);
    expect((await beginQuote(paymentId)).requestId).toBeNull();
    const transition = {
      paymentId,
      to: 'rejected',
      kind: 'beneficiary_refused',
      update: {},
      untilCreated: true,
    } as const;
    expect(await transitionPayment(database, transition)).toBeNull();
    expect(await created(requestId, 'provider-late')).toBe('recorded');
    expect(await transitionPayment(database, transition)).toBeNull();
    expect((await readPayment(database, paymentId)).state).toBe('created');
  });
});

describe('a payment whose reference the provider says is taken', () => {
  test('may exist, although a lookup did not show it', async () => {
    const { database } = testDatabase;
    const paymentId = await aQuotedPayment();
    const answerResolved = async (requestId: string): Promise<unknown> =>
      resolveOpenRequest(database, { requestId, outcome: 'not_seen', to: null, update: {} });
    const first = await begunCreate(paymentId);
    await lostAnswer(first);
    expect(await mayHaveBeenCreated(database, paymentId)).toBe(true);
    await answerResolved(first);
    expect(await mayHaveBeenCreated(database, paymentId)).toBe(true);
    const second = await begunCreate(paymentId);
    const taken = {
      requestId: second,
      operation: 'create',
      outcome: null,
      answer: 'duplicate_reference',
      httpStatus: 409,
      transition: { to: null },
    } as const;
    await recordAnswer(database, taken);
    await answerResolved(second);
    expect(await mayHaveBeenCreated(database, paymentId)).toBe(true);
  });
});
