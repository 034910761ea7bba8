import { expect, test } from 'vitest';
import { aSandbox, asText, type Caller, type Loose } from './a-sandbox.ts';
import { aCompanyIn, sampleCodes } from './sample-accounts.ts';

const minuteMs = 60_000;

/** The answer of create for a new quote, with some fields changed. */
async function refusal(caller: Caller, differences: Record<string, unknown>): Promise<[number, string, string]> {
  const { quoteId } = await caller.aQuote();
  const { status, body } = await caller.create({ quoteId, ...differences });
  return [status, asText(body['code']), asText(body['message'])];
}

const listed = async (caller: Caller, question: Record<string, unknown>): Promise<unknown[]> => {
  const { body } = await caller.post('/simple-payments/v1/find', question);
  return (body['data'] as unknown as Loose[]).map((payment) => payment['referenceId']);
};

test('a payment awaits funds, is processing once it is funded, and completes within the configured time', async () => {
  const caller = await (await aSandbox({ completionMinMs: 4000, completionMaxMs: 12_000 })).signIn();
  const created = await caller.aPayment({}, { referenceId: 'ref-1', fundingCountry: 'SG' });
  expect(created).toMatchObject({
    status: 'awaiting_funds',
    completedAt: null,
    failureReason: null,
    referenceId: 'ref-1',
  });
  expect(created).toMatchObject({ paymentReference: 'Invoice 4711', fundingCountry: 'SG', currencyPair: 'EURUSD' });
  expect(created['fundingReference']).toMatch(/^[A-Z0-9]{6}$/);
  for (const deprecated of ['beneficiaryName', 'settlementDate', 'paymentDate'])
    expect(created).toHaveProperty(deprecated);
  const funded = await caller.fund(created);
  expect([funded.status, funded.body['data']!['status']]).toEqual([200, 'processing']);
  caller.sandbox.advance(3999);
  expect((await caller.read(created))['status']).toBe('processing');
  caller.sandbox.advance(8001);
  const ended = await caller.read(created);
  expect(ended['status']).toBe('completed');
  const tookMs = Date.parse(asText(ended['completedAt'])) - Date.parse(asText(created['createdAt']));
  expect(tookMs).toBeGreaterThanOrEqual(4000);
  expect(tookMs).toBeLessThanOrEqual(12_000);
});

test("a payment contains its quote's amounts and a part of its beneficiary", async () => {
  const caller = await (await aSandbox()).signIn();
  const quote = await caller.aQuote({ amount: 88.8, fixedSide: 'buy' });
  const payment = (await caller.create({ quoteId: quote['quoteId'] })).body['data']!;
  for (const field of ['buyAmount', 'sellAmount', 'rate', 'totalFee', 'totalAmount', 'fixedSide'] as const) {
    expect(payment[field]).toEqual(quote[field]);
  }
  expect(payment['beneficiary']).toMatchObject({ beneficiaryId: quote['beneficiaryId'], country: 'DE', type: 'bank' });
  expect(payment['beneficiary']).not.toHaveProperty('companyName');
});

test('a quote can be used once', async () => {
  const caller = await (await aSandbox()).signIn();
  const { quoteId } = await caller.aQuote();
  expect((await caller.create({ quoteId })).status).toBe(200);
  const again = await caller.create({ quoteId });
  expect([again.status, again.body['code']]).toEqual([409, 'quote_used']);
});

test('a quote can be used until its expiry and not after', async () => {
  const caller = await (await aSandbox()).signIn();
  const [first, second] = [await caller.aQuote(), await caller.aQuote()];
  caller.sandbox.advance(10 * minuteMs);
  expect((await caller.create({ quoteId: first['quoteId'] })).status).toBe(200);
  caller.sandbox.advance(1);
  const late = await caller.create({ quoteId: second['quoteId'] });
  expect([late.status, late.body['code']]).toEqual([400, 'quote_expired']);
});

test('a quote without a beneficiary, or with a deleted one, creates nothing', async () => {
  const caller = await (await aSandbox()).signIn();
  const nobody = (
    await caller.post('/simple-payments/v1/quote', {
      beneficiaryId: null,
      sellCurrency: 'USD',
      buyCurrency: 'EUR',
      amount: 1,
    })
  ).body['data']!;
  const deleted = await caller.aQuote();
  await caller.send('DELETE', `/beneficiaries/v1/item/${asText(deleted['beneficiaryId'])}`);
  for (const { quoteId } of [nobody, deleted] as { quoteId: Loose }[]) {
    const answer = await caller.create({ quoteId });
    expect([answer.status, answer.body['code']]).toEqual([400, 'beneficiary_mismatch']);
  }
  expect(caller.sandbox.ledger().payments).toEqual({});
});

test.each([
  [{ quoteId: 'unknown' }, 404, 'quote_not_found', 'quoteId'],
  [{ paymentReference: undefined }, 400, 'validation_failed', 'paymentReference'],
  [{ fundingSource: 'LOTTERY' }, 400, 'validation_failed', 'fundingSource'],
  [{ purposeOfTransfer: 'WX02' }, 400, 'validation_failed', 'purposeOfTransfer'],
  [{ fundingMethod: 'CASH' }, 400, 'validation_failed', 'fundingMethod'],
  [{ fundingMethod: 'BANK_TRANSFER' }, 400, 'validation_failed', 'fundingBankAccountNumber'],
  [{ fundingMethod: 'BANK_TRANSFER', fundingBankAccountNumber: '12-34' }, 400, 'validation_failed', 'digits only'],
  [{ uniqueReferenceId: true }, 400, 'validation_failed', 'referenceId'],
  [{ files: ['not-a-file'] }, 400, 'file_not_uploaded', 'files'],
])('a payment with %j is refused', async (differences, status, code, place) => {
  const caller = await (await aSandbox()).signIn();
  const [givenStatus, givenCode, message] = await refusal(caller, differences);
  expect([givenStatus, givenCode]).toEqual([status, code]);
  expect(message).toContain(place);
});

test('a refused create leaves its quote unused', async () => {
  const caller = await (await aSandbox()).signIn();
  const { quoteId } = await caller.aQuote();
  expect((await caller.create({ quoteId, files: ['not-a-file'] })).status).toBe(400);
  expect((await caller.create({ quoteId })).status).toBe(200);
});

test.each(['OTH', 'OTHR', 'ADCS', 'FEES'])(
  'the outdated purpose %s is taken, unless purposes are strict',
  async (purposeOfTransfer) => {
    const lenient = await (await aSandbox()).signIn();
    const strict = await (await aSandbox({ strictPurpose: true })).signIn();
    expect((await refusal(lenient, { purposeOfTransfer }))[0]).toBe(200);
    expect((await refusal(strict, { purposeOfTransfer }))[0]).toBe(400);
  },
);

test('a beneficiary in Indonesia needs the funding country', async () => {
  const caller = await (await aSandbox()).signIn();
  const account = { currency: 'IDR', country: 'ID', ...sampleCodes('ID', 'LOCAL') };
  const beneficiaryId = await caller.aBeneficiary(aCompanyIn('ID', account));
  const { quoteId } = await caller.aQuote({ beneficiaryId, buyCurrency: 'IDR' });
  const without = await caller.create({ quoteId });
  expect([without.status, asText(without.body['message'])]).toEqual([
    400,
    'fundingCountry: is required for a beneficiary in Indonesia',
  ]);
  expect((await caller.create({ quoteId, fundingCountry: 'SG' })).status).toBe(200);
});

test('a reference that must be unique is refused the second time, and nothing is created', async () => {
  const caller = await (await aSandbox()).signIn();
  const instruction = { referenceId: 'pay-1', uniqueReferenceId: true };
  await caller.aPayment({}, instruction);
  expect((await refusal(caller, instruction)).slice(0, 2)).toEqual([409, 'duplicate_reference']);
  expect(caller.sandbox.ledger()).toMatchObject({ createdMoreThanOnce: [], payments: { awaiting_funds: 1 } });
});

test('a reference that need not be unique can be reused, and the ledger reports it', async () => {
  const caller = await (await aSandbox()).signIn();
  await caller.aPayment({}, { referenceId: 'pay-1' });
  await caller.aPayment({}, { referenceId: 'pay-1' });
  expect(caller.sandbox.ledger().createdMoreThanOnce).toEqual(['pay-1']);
});

test('the sandbox can return the existing payment for a known reference', async () => {
  const caller = await (await aSandbox({ duplicateReference: 'return' })).signIn();
  const instruction = { referenceId: 'pay-1', uniqueReferenceId: true };
  const [first, second] = [await caller.aPayment({}, instruction), await caller.aPayment({}, instruction)];
  expect(second).toEqual(first);
});

test('find filters by createdAt in [startDate, endDate) and by exact reference, newest first', async () => {
  const caller = await (await aSandbox()).signIn();
  const created: string[] = [];
  for (const referenceId of ['a', 'b', 'c']) {
    created.push(asText((await caller.aPayment({}, { referenceId }))['createdAt']));
    caller.sandbox.advance(1000);
  }
  expect(await listed(caller, {})).toEqual(['c', 'b', 'a']);
  expect(await listed(caller, { startDate: created[0], endDate: created[2] })).toEqual(['b', 'a']);
  expect(await listed(caller, { startDate: created[1] })).toEqual(['c', 'b']);
  expect(await listed(caller, { startDate: created[1]!.replace('Z', '') })).toEqual(['c', 'b']);
  expect(await listed(caller, { referenceId: 'b' })).toEqual(['b']);
  expect(await listed(caller, { referenceId: 'B' })).toEqual([]);
  expect(await listed(caller, { referenceId: 'b', endDate: created[1] })).toEqual([]);
  const wrong = await caller.post('/simple-payments/v1/find', { startDate: 'yesterday' });
  expect([wrong.status, asText(wrong.body['message'])]).toEqual([400, expect.stringContaining('startDate')]);
});

test('find can be delayed and limited, as with a real provider', async () => {
  const caller = await (await aSandbox({ findLagMs: 2000, maxFindResults: 2 })).signIn();
  for (const referenceId of ['a', 'b', 'c']) await caller.aPayment({}, { referenceId });
  caller.sandbox.advance(1999);
  expect(await listed(caller, {})).toEqual([]);
  expect(await listed(caller, { referenceId: 'b' })).toEqual([]);
  caller.sandbox.advance(1);
  expect(await listed(caller, {})).toEqual(['c', 'b']);
});

test('a payment is funded once: the second funding is refused and debits nothing', async () => {
  const caller = await (await aSandbox({ balances: { USD: '500.00' } })).signIn();
  const payment = await caller.aPayment();
  await caller.fund(payment);
  const again = await caller.fund(payment);
  expect([again.status, again.body['code']]).toEqual([409, 'not_fundable']);
  expect(caller.sandbox.ledger()).toMatchObject({
    balances: { USD: '398.25' },
    fundedMoreThanOnce: [],
    invariantHolds: true,
  });
});

test('funding is refused for an insufficient balance, and succeeds after a deposit', async () => {
  const caller = await (await aSandbox({ balances: { USD: '101.74' } })).signIn();
  const payment = await caller.aPayment();
  expect(payment['totalAmount']).toBe(101.75);
  const refused = await caller.fund(payment);
  expect([refused.status, refused.body['code']]).toEqual([400, 'insufficient_balance']);
  await caller.post('/__sandbox/balance', { currency: 'USD', credit: '0.01' });
  expect((await caller.fund(payment)).status).toBe(200);
  expect(caller.sandbox.ledger()).toMatchObject({ balances: { USD: '0.00' }, invariantHolds: true });
});

test('a payment cannot be funded after its cut-off, nor can an unknown one', async () => {
  const caller = await (await aSandbox()).signIn();
  const payment = await caller.aPayment();
  caller.sandbox.advance(24 * 60 * minuteMs + 1);
  await caller.signIn();
  expect((await caller.fund(payment)).body['code']).toBe('funding_cutoff_passed');
  expect((await caller.post('/simple-payments/v1/fund', { simplePaymentId: 'none' })).status).toBe(404);
  expect((await caller.post('/simple-payments/v1/fund', {})).body['message']).toContain('simplePaymentId');
  expect((await caller.get('/simple-payments/v1/item/none')).body['code']).toBe('not_found');
});

test.each([
  [{ sellCurrency: 'USD', amount: 100.13 }, 'rejected', 'account closed'],
  [{ sellCurrency: 'USD', amount: 100.14 }, 'failed', 'name mismatch'],
  [{ sellCurrency: 'JPY', amount: 10_013 }, 'rejected', 'account closed'],
  [{ sellCurrency: 'USD', amount: 200.14, fixedSide: 'buy' }, 'failed', 'name mismatch'],
])('a payment of %j is %s after funding, and its money comes back', async (quote, status, reason) => {
  const caller = await (await aSandbox()).signIn();
  const before = caller.sandbox.ledger().balances;
  const payment = await caller.aPayment(quote);
  expect((await caller.fund(payment)).body['data']!['status']).toBe('processing');
  expect(caller.sandbox.ledger().balances).not.toEqual(before);
  caller.sandbox.advance(minuteMs);
  const ended = await caller.read(payment);
  expect(ended).toMatchObject({ status, completedAt: null });
  expect(ended['failureReason']).toContain(reason);
  expect(caller.sandbox.ledger()).toMatchObject({ balances: before, invariantHolds: true, payments: { [status]: 1 } });
});

test('a sanctioned name is refused, and a name that only contains the word is not', async () => {
  const caller = await (await aSandbox()).signIn();
  const company = aCompanyIn('GB', { currency: 'GBP', country: 'GB', ...sampleCodes('GB', 'LOCAL') });
  const refused = await caller.post('/beneficiaries/v1/create', { ...company, companyName: 'Acme SANCTIONED Ltd' });
  expect([refused.status, refused.body['code']]).toEqual([400, 'compliance_refused']);
  expect((await caller.post('/beneficiaries/v1/create', { ...company, companyName: 'UNSANCTIONED Ltd' })).status).toBe(
    200,
  );
});

test('SLOW takes a minute, STUCK stays in processing until it is forced', async () => {
  const caller = await (await aSandbox()).signIn();
  const slow = await caller.aPayment({ beneficiaryId: await caller.aBeneficiary({ companyName: 'SLOW Boat GmbH' }) });
  const stuck = await caller.aPayment({ beneficiaryId: await caller.aBeneficiary({ companyName: 'STUCK GmbH' }) });
  await caller.fund(slow);
  await caller.fund(stuck);
  caller.sandbox.advance(minuteMs - 1);
  expect((await caller.read(slow))['status']).toBe('processing');
  caller.sandbox.advance(1);
  expect((await caller.read(slow))['status']).toBe('completed');
  caller.sandbox.advance(100 * minuteMs);
  expect((await caller.read(stuck))['status']).toBe('processing');
  await caller.post('/__sandbox/force', { simplePaymentId: stuck['simplePaymentId'], status: 'completed' });
  expect((await caller.read(stuck))['status']).toBe('completed');
});

test('the earlier variant always requires files, and a description with OTH', async () => {
  const caller = await (await aSandbox({ paymentVariant: 'earlier' })).signIn();
  expect((await refusal(caller, {}))[2]).toContain('files');
  expect((await refusal(caller, { purposeOfTransfer: 'OTH' }))[2]).toContain('purposeOfTransferDescription');
});
