import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestQuoteActivity } from '../../activities/payments/request-quote.ts';
import { macShownBeneficiary } from '../../activities/beneficiaries/beneficiary-mac.ts';
import { countriesOf } from '../../domain/beneficiaries/beneficiary-identity.ts';
import { type KnownBeneficiary, knownBeneficiaryOf } from '../../domain/beneficiaries/known-beneficiary.ts';
import { createMac } from '../../provider/mac.ts';
import { saveProviderBeneficiaries } from '../../store/beneficiaries/provider-beneficiaries.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { type KnownIdentity, knownIdentityHashesOf } from '../../domain/runs/row-identity.ts';
import { EXAMPLE_BENEFICIARY } from '../helpers/example-beneficiary.ts';
import { ACCOUNT, anApprovedRun } from '../store/a-stored-run.ts';
import { type ActivitiesUnderTest, asActivity, startActivities } from './activities-under-test.ts';

/** Rows that name their beneficiary by the provider's id. The approvers saw the details in the database. */

let under: ActivitiesUnderTest;

beforeAll(async () => {
  under = await startActivities();
});
afterAll(() => under.stop());

let accounts = 0;

/** A beneficiary at the provider, with the details that the provider shows. */
const payees = () => payeesIn(under.testDatabase.asWorker);

async function aBeneficiary(): Promise<{ beneficiaryId: string; known: KnownBeneficiary }> {
  accounts += 1;
  const client = under.dependencies.provider(ACCOUNT).beneficiaries;
  const { bankAccount } = EXAMPLE_BENEFICIARY;
  const accountNumber = String(112233445566 + accounts);
  const { beneficiaryId } = await client.create({
    ...EXAMPLE_BENEFICIARY,
    bankAccount: { ...bankAccount, accountNumber },
  });
  return { beneficiaryId, known: knownBeneficiaryOf(await client.item(beneficiaryId)) };
}

/** Quotes an approved row that names the beneficiary, whose details in the database are `recorded`. */
async function quoteFor(beneficiaryId: string, recorded: { known: KnownBeneficiary; mac: string | null } | null) {
  if (recorded !== null) {
    await saveProviderBeneficiaries(under.testDatabase.asWorker, await payees(), ACCOUNT, [
      { beneficiaryId, ...recorded },
    ]);
  }
  const beneficiary = { kind: 'existing', beneficiaryId } as const;
  const byId = { beneficiary, sellCurrency: 'SGD', buyCurrency: 'MYR', amount: '1234.50' };
  const { paymentIds } = await anApprovedRun(under.testDatabase.database, 1, () => byId);
  const paymentId = paymentIds[0] ?? '';
  const before = { asked: under.sent('beneficiary-get'), quoted: under.sent('simple-payment-quote') };
  await asActivity(() => requestQuoteActivity(under.dependencies)({ paymentId, isLast: true }));
  const { state } = await readPayment(under.testDatabase.asWorker, paymentId);
  return {
    state,
    asked: under.sent('beneficiary-get') - before.asked,
    quoted: under.sent('simple-payment-quote') - before.quoted,
  };
}

const other = (known: KnownBeneficiary): KnownBeneficiary => ({ ...known, lastName: 'Somebody else' });

test('a beneficiary that a worker has read is quoted without another read', async () => {
  const { beneficiaryId, known } = await aBeneficiary();
  const mac = macShownBeneficiary(under.mac, (await payees()).hash, { beneficiaryId, known });
  expect(await quoteFor(beneficiaryId, { known, mac })).toEqual({ state: 'quoted', asked: 0, quoted: 1 });
});

test('a beneficiary whose details the approvers were not shown is quoted', async () => {
  const { beneficiaryId } = await aBeneficiary();
  expect(await quoteFor(beneficiaryId, null)).toEqual({ state: 'quoted', asked: 0, quoted: 1 });
});

test('a beneficiary with forged details in the database is not quoted, and its row is held', async () => {
  const { beneficiaryId, known } = await aBeneficiary();
  const forged = { known: other(known), mac: 'of somebody else' };
  expect(await quoteFor(beneficiaryId, forged)).toEqual({ state: 'held', asked: 1, quoted: 0 });
});

test('a beneficiary whose details in the database are damaged is not quoted, and no quote stays open', async () => {
  const { beneficiaryId, known } = await aBeneficiary();
  const { database } = under.testDatabase;
  await record(beneficiaryId, known, knownIdentityHashesOf((await payees()).hash, known));
  await bypassTriggers(database, `update provider_beneficiaries set encrypted = 'damaged' where beneficiary_id = $1`, [
    beneficiaryId,
  ]);
  await expect(quoteFor(beneficiaryId, null)).rejects.toThrow('cannot be decrypted');
  const { rows } = await database.query(
    `select outcome from provider_requests join payments using (payment_id)
     where operation = 'quote' and instruction #>> '{beneficiary,beneficiaryId}' = $1`,
    [beneficiaryId],
  );
  expect(rows).toEqual([{ outcome: 'not_sent' }]);
});

test('a beneficiary whose details the provider now formats differently is the same one', async () => {
  const { beneficiaryId, known } = await aBeneficiary();
  const { bankAccountHolderName = '', accountNumber = '' } = known.bankAccount;
  const bankAccount = {
    ...known.bankAccount,
    bankName: 'As the list abbreviates it',
    bankAccountHolderName: bankAccountHolderName.toUpperCase(),
    accountNumber: `${accountNumber.slice(0, 4)} ${accountNumber.slice(4)}`,
  };
  const recorded = { known: { ...known, bankAccount }, mac: 'with an earlier secret' };
  expect(await quoteFor(beneficiaryId, recorded)).toEqual({ state: 'quoted', asked: 1, quoted: 1 });
  expect(await quoteFor(beneficiaryId, null)).toEqual({ state: 'quoted', asked: 0, quoted: 1 });
});

/** Writes hashes into the database that need not be those of the details. */
async function record(
  beneficiaryId: string,
  known: KnownBeneficiary,
  hashes: KnownIdentity,
  { mac = 'of somebody else', countries = countriesOf(known) }: { mac?: string; countries?: string[] } = {},
): Promise<void> {
  await under.testDatabase.asWorker.query(
    `insert into provider_beneficiaries (account, beneficiary_id, encrypted, account_hash, routing_hash, name_hash, countries, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[ACCOUNT, beneficiaryId, (await payees()).encryptBeneficiary(ACCOUNT, beneficiaryId, known)],
      ...[hashes.accountHash, hashes.routingHash, hashes.nameHash, JSON.stringify(countries), mac],
    ],
  );
}

test('a beneficiary with other countries in the database is not quoted, whatever its MAC, and its row is held', async () => {
  const { beneficiaryId, known } = await aBeneficiary();
  const { hash } = await payees();
  const mac = macShownBeneficiary(under.mac, hash, { beneficiaryId, known });
  await record(beneficiaryId, known, knownIdentityHashesOf(hash, known), { mac, countries: ['GB'] });
  expect(await quoteFor(beneficiaryId, null)).toEqual({ state: 'held', asked: 0, quoted: 0 });
});

test('a beneficiary with forged details but correct hashes in the database is not quoted, and its row is held', async () => {
  const { beneficiaryId, known } = await aBeneficiary();
  await record(beneficiaryId, other(known), knownIdentityHashesOf((await payees()).hash, known));
  expect(await quoteFor(beneficiaryId, null)).toEqual({ state: 'held', asked: 1, quoted: 0 });
});

test('a beneficiary with a forged account hash in the database is not quoted, and its row is held', async () => {
  const { beneficiaryId, known } = await aBeneficiary();
  await record(beneficiaryId, known, {
    ...knownIdentityHashesOf((await payees()).hash, known),
    accountHash: 'of an account paid before',
  });
  expect(await quoteFor(beneficiaryId, null)).toEqual({ state: 'held', asked: 1, quoted: 0 });
});

test('the MAC of one beneficiary is invalid for another', async () => {
  const [shown, paid] = [await aBeneficiary(), await aBeneficiary()];
  const mac = macShownBeneficiary(under.mac, (await payees()).hash, shown);
  const recorded = { known: shown.known, mac };
  expect(await quoteFor(paid.beneficiaryId, recorded)).toMatchObject({ state: 'held', quoted: 0 });
});

test('a beneficiary that the provider does not have is not quoted', async () => {
  const { known } = await aBeneficiary();
  const gone = '018f2a00-0000-7000-8000-00000000dead';
  expect(await quoteFor(gone, { known, mac: null })).toMatchObject({ state: 'held', quoted: 0 });
});

test('a beneficiary whose MAC is by an earlier secret is read again, once, and gets one by the new secret', async () => {
  const { beneficiaryId, known } = await aBeneficiary();
  const mac = macShownBeneficiary(createMac(ACCOUNT, 'an earlier secret'), (await payees()).hash, {
    beneficiaryId,
    known,
  });
  expect(await quoteFor(beneficiaryId, { known, mac })).toEqual({ state: 'quoted', asked: 1, quoted: 1 });
  expect(await quoteFor(beneficiaryId, null)).toEqual({ state: 'quoted', asked: 0, quoted: 1 });
});
