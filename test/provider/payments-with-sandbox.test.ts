import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { ProviderClient } from '../../provider/client.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { EXAMPLE_BENEFICIARY } from '../helpers/example-beneficiary.ts';
import { aClient } from './local-provider.ts';

async function aClientOfTheSandbox(): Promise<ProviderClient> {
  const sandbox = await startSandbox({ answers: 'plain', limitPerSecond: 0 });
  onTestFinished(() => sandbox.close());
  return aClient({ baseUrl: sandbox.url }, { credentials: defaultAccount, now: Date.now });
}

async function aBeneficiary(client: ProviderClient): Promise<string> {
  const { beneficiaryId } = await client.beneficiaries.create(EXAMPLE_BENEFICIARY);
  return beneficiaryId;
}

test('a payment with a supporting file is quoted, created, found and funded', async () => {
  const client = await aClientOfTheSandbox();
  const beneficiaryId = await aBeneficiary(client);
  const bytes = Buffer.from('an invoice');
  const { uploadUrl, fileId } = await client.simplePayments.uploadUrl({
    fileName: 'invoice.pdf',
    contentType: 'application/pdf',
    contentLength: bytes.length,
  });
  await client.simplePayments.uploadFile({ uploadUrl, contentType: 'application/pdf', bytes });
  const request = {
    beneficiaryId,
    sellCurrency: 'SGD',
    buyCurrency: 'MYR',
    amount: '1234.50',
    fixedSide: 'buy',
  } as const;
  const quote = await client.simplePayments.quote(request);
  expect(quote).toMatchObject({ buyCurrency: 'MYR', beneficiaryId });
  expect(Number(quote.buyAmount)).toBe(1234.5);
  expect(quote.expiresAt?.epochMs).toBeGreaterThan(Date.now());

  const referenceId = randomUUID();
  const payment = (quoteId: string) => ({
    quoteId,
    referenceId,
    uniqueReferenceId: true,
    fundingSource: 'COMPANY_BANK_ACCOUNT' as const,
    paymentReference: 'INV 2026-7',
    purposeOfTransfer: 'SUPP',
    fundingMethod: 'PAYNOW' as const,
    files: [fileId],
  });
  const created = await client.simplePayments.create(payment(quote.quoteId));
  expect(created).toMatchObject({ status: 'awaiting_funds', referenceId });

  const again = client.simplePayments.create(payment((await client.simplePayments.quote(request)).quoteId));
  await expect(again).rejects.toMatchObject({ kind: 'duplicate_reference' });
  const found = await client.simplePayments.find({ referenceId });
  expect(found.map((one) => one.simplePaymentId)).toEqual([created.simplePaymentId]);

  const { simplePaymentId } = created;
  expect((await client.simplePayments.fund({ simplePaymentId })).status).not.toBe('awaiting_funds');
  const fundedAgain = client.simplePayments.fund({ simplePaymentId });
  await expect(fundedAgain).rejects.toMatchObject({ kind: 'refused', httpStatus: 409 });
  expect((await client.simplePayments.item(simplePaymentId)).totalAmount).toBe(created.totalAmount);
  await client.authentication.logout();
});

test('reference data, balances and beneficiaries can be read', async () => {
  const client = await aClientOfTheSandbox();
  const requirements = { currency: 'MYR', bankAccountCountry: 'MY', beneficiaryCountry: 'MY' };
  expect((await client.beneficiaries.requirements(requirements)).map(({ entityType }) => entityType)).toContain(
    'company',
  );
  expect(await client.currencies.supported()).toContainEqual(
    expect.objectContaining({ code: 'MYR', decimalPlaces: 2 }),
  );
  const pair = (await client.currencies.pairs())[0]!;
  expect((await client.currencies.rate(pair)).currencyPair).toBe(pair);
  expect(await client.simplePayments.supportedLocalCurrencies()).toContain('MYR-MY');
  const balances = await client.balances.find();
  const { id, currency, amount } = balances[0]!;
  expect(await client.balances.byId(id)).toMatchObject({ currency });
  expect(await client.balances.byCurrency(currency)).toMatchObject({ id, amount });
  expect(await client.balances.history({ startDate: new Date(0) })).toBeInstanceOf(Array);
  const beneficiaryId = await aBeneficiary(client);
  expect((await client.beneficiaries.find()).map((one) => one.beneficiaryId)).toEqual([beneficiaryId]);
  await client.beneficiaries.remove(beneficiaryId);
  await expect(client.beneficiaries.item(beneficiaryId)).rejects.toMatchObject({ kind: 'refused', httpStatus: 404 });
});
