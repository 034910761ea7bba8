import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBeneficiaryActivity } from '../../activities/beneficiaries/create-beneficiary.ts';
import { createPaymentActivity } from '../../activities/payments/create-payment.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { fundPaymentActivity } from '../../activities/payments/fund-payment.ts';
import { requestQuoteActivity } from '../../activities/payments/request-quote.ts';
import { requestUploadUrlActivity } from '../../activities/payment-file/request-upload-url.ts';
import { macQuote } from '../../activities/payments/payment-macs.ts';
import { uploadFileActivity } from '../../activities/payment-file/upload-file.ts';
import { stopPaymentsAs } from '../../store/approvals/stops.ts';
import { readApproval } from '../../store/payments/payment-requests.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { macBeneficiary } from '../../activities/beneficiaries/beneficiary-mac.ts';
import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import { aDataKey, TEST_DATA_KEYS, TEST_KEY_IDS } from '../helpers/test-data-keys.ts';
import { payeesIn, replaceFile } from '../helpers/test-payees.ts';
import { beneficiaryHashOf } from '../../domain/runs/row-identity.ts';
import { contentSha256 } from '../../domain/sha256.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { ACCOUNT, auditKindsOf } from '../store/a-stored-run.ts';
import { type ActivitiesUnderTest, asActivity, startActivities } from './activities-under-test.ts';
import { anApprovedPayment, type ApprovedPayment } from './an-approved-payment.ts';

/**
 * Each activity that sends something, called alone: it compares what it sends with what was approved, and checks for stops
 * and for the row's day, whatever earlier activities have checked.
 */

const DAY_MS = 86_400_000;

let under: ActivitiesUnderTest;
let chris: TestUser;

beforeAll(async () => {
  under = await startActivities();
  chris = await aUser(under.testDatabase, 'Chris', 'checker');
});
afterAll(() => under.stop());
beforeEach(() => under.testDatabase.database.query('update stops set lifted_at = now() where lifted_at is null'));

const stopAll = () => stopPaymentsAs(under.testDatabase.asServer, chris.tokenHash, { scope: 'all' }, null);
const put = (assignments: string, paymentId: string, ...values: unknown[]) =>
  bypassTriggers(under.testDatabase.database, `update payments set ${assignments} where payment_id = $1`, [
    paymentId,
    ...values,
  ]);

/** Changes the row's content and nothing else, so that it is no longer what was approved. */
const changeContent = ({ paymentId }: ApprovedPayment) =>
  put(`instruction = jsonb_set(instruction, '{purposeOfTransfer}', '"another"')`, paymentId);

/** Records that the provider has the payment's beneficiary. */
async function recordBeneficiary({ instruction }: ApprovedPayment, given: 'valid' | 'forged'): Promise<void> {
  const { hash } = await payeesIn(under.testDatabase.asWorker);
  const mac = given === 'valid' ? macBeneficiary(under.mac, instruction, 'known') : 'of somebody else';
  await under.testDatabase.asWorker.query(
    `insert into beneficiaries (account, fingerprint, beneficiary_id, claimed_by, known_at, mac)
     values ($1, $2, 'known', gen_random_uuid(), now(), $3)`,
    [ACCOUNT, beneficiaryHashOf(hash, instruction), mac],
  );
}

const approvalOf = ({ paymentId }: ApprovedPayment) =>
  readApproval(under.testDatabase.asWorker, { paymentId, at: new Date(), dataKeys: TEST_KEY_IDS });

async function aQuotedPayment(given: 'valid' | 'forged' = 'valid'): Promise<ApprovedPayment> {
  const payment = await anApprovedPayment(under.testDatabase);
  const { payment: record, approved } = await approvalOf(payment);
  if (approved === null) throw new Error('the payment is not approved');
  const quote = { quoteId: 'a-quote', beneficiaryId: 'known' };
  const mac = given === 'valid' ? macQuote(under.mac, record, approved, quote) : 'of somebody else';
  const assignments = `state = 'quoted', quote_id = 'a-quote', beneficiary_id = 'known', quote_mac = $2`;
  await put(assignments, payment.paymentId, mac);
  return payment;
}

async function aCreatedPayment(given: 'valid' | 'forged' = 'valid'): Promise<ApprovedPayment> {
  const payment = await anApprovedPayment(under.testDatabase);
  const { paymentId } = payment;
  const provider = `of ${paymentId}`;
  const mac = given === 'valid' ? under.mac.of('payment', paymentId, 1, provider) : 'of somebody else';
  await put(`state = 'created', provider_payment_id = $2, payment_mac = $3`, paymentId, provider, mac);
  return payment;
}

async function aPaymentToQuote(given: 'valid' | 'forged' = 'valid'): Promise<ApprovedPayment> {
  const payment = await anApprovedPayment(under.testDatabase);
  await recordBeneficiary(payment, given);
  return payment;
}

const aPaymentWithFile = () => anApprovedPayment(under.testDatabase, { files: ['bill.pdf'] });

async function requestUploadUrl({ paymentId }: ApprovedPayment): Promise<void> {
  await asActivity(() => requestUploadUrlActivity(under.dependencies)({ paymentId, file: 0 }));
}

async function aPaymentToUpload(): Promise<ApprovedPayment> {
  const payment = await aPaymentWithFile();
  await requestUploadUrl(payment);
  return payment;
}

/** What each step does for a valid payment is shown by tests of whole runs. */
const STEPS = [
  {
    what: 'a beneficiary',
    operation: 'beneficiary-create',
    prepare: () => anApprovedPayment(under.testDatabase),
    run: (of: ActivityDependencies, paymentId: string) => createBeneficiaryActivity(of)({ paymentId }),
    refused: { kind: 'ended', state: 'held' },
    stopped: { kind: 'stopped' },
  },
  {
    what: 'the request for an upload URL',
    operation: 'simple-payment-upload-url',
    prepare: aPaymentWithFile,
    run: (of: ActivityDependencies, paymentId: string) => requestUploadUrlActivity(of)({ paymentId, file: 0 }),
    refused: { kind: 'ended', state: 'held' },
    stopped: { kind: 'stopped' },
  },
  {
    what: 'a file',
    operation: 'simple-payment-upload-file',
    prepare: aPaymentToUpload,
    run: (of: ActivityDependencies, paymentId: string) => uploadFileActivity(of)({ paymentId, file: 0 }),
    refused: 'not_approved',
    stopped: 'stopped',
  },
  {
    what: 'the request for a quote',
    operation: 'simple-payment-quote',
    prepare: aPaymentToQuote,
    run: (of: ActivityDependencies, paymentId: string) => requestQuoteActivity(of)({ paymentId, isLast: true }),
    refused: { kind: 'ended', state: 'held' },
    stopped: { kind: 'stopped' },
  },
  {
    what: 'a creation',
    operation: 'simple-payment-create',
    prepare: aQuotedPayment,
    run: (of: ActivityDependencies, paymentId: string) => createPaymentActivity(of)({ paymentId }),
    refused: { kind: 'ended', state: 'held' },
    stopped: { kind: 'stopped' },
  },
  {
    what: 'a funding',
    operation: 'simple-payment-fund',
    prepare: aCreatedPayment,
    run: (of: ActivityDependencies, paymentId: string) => fundPaymentActivity(of)({ paymentId }),
    refused: { kind: 'nothing_to_fund', state: 'unknown' },
    stopped: { kind: 'stopped' },
  },
] as const;

const OTHER_KEY = aDataKey('another');

/** The result, or the error as a string. */
const outcomeOf = (work: () => Promise<unknown>): Promise<unknown> => asActivity(work).catch(String);

const NAMED = STEPS.map((step) => [step.what, step] as const);

describe.each(NAMED)('%s', (_what, { operation, prepare, run, refused, stopped }) => {
  test('is not sent for a row whose content is not what was approved', async () => {
    const payment = await prepare();
    await changeContent(payment);
    const before = under.sent(operation);
    expect(await outcomeOf(() => run(under.dependencies, payment.paymentId))).toEqual(refused);
    expect(under.sent(operation)).toBe(before);
  });

  test('is not sent while a stop is active', async () => {
    const payment = await prepare();
    await stopAll();
    const before = under.sent(operation);
    expect(await outcomeOf(() => run(under.dependencies, payment.paymentId))).toEqual(stopped);
    expect(under.sent(operation)).toBe(before);
  });

  test('waits while its data key is missing: nothing is begun, and it goes on once the key is there', async () => {
    const payment = await prepare();
    const stateOf = async () => (await readPayment(under.testDatabase.asWorker, payment.paymentId)).state;
    const recordedOf = () => auditKindsOf(under.testDatabase.database, payment.paymentId);
    const wrappedBy = (id: string) =>
      under.testDatabase.database.query('update run_keys set wrapped_by = $2 where run_id = $1', [payment.runId, id]);
    const state = await stateOf();
    const before = under.sent(operation);
    const recorded = await recordedOf();
    const dataKeys: DataKeys = { current: OTHER_KEY, all: [OTHER_KEY] };
    for (const without of [dataKeys, null]) {
      const outcome = outcomeOf(() => run({ ...under.dependencies, dataKeys: without }, payment.paymentId));
      expect(await outcome).toEqual(stopped);
    }
    // The secret of all payees is known to the process, and the key of the run is not.
    await wrappedBy(OTHER_KEY.id);
    expect(await outcomeOf(() => run(under.dependencies, payment.paymentId))).toEqual(stopped);
    expect([under.sent(operation), await stateOf()]).toEqual([before, state]);
    expect(await recordedOf()).toEqual(recorded);
    await wrappedBy(TEST_DATA_KEYS.current.id);
    const reread = () => (dataKeys.all = [OTHER_KEY, TEST_DATA_KEYS.current]);
    const withFile = { ...under.dependencies, dataKeys: Object.assign(dataKeys, { reread }) };
    expect(await outcomeOf(() => run(withFile, payment.paymentId))).not.toEqual(stopped);
  });

  test('whose content is damaged is not sent, and nothing counts as sent', async () => {
    const payment = await prepare();
    await put(`encrypted = 'damaged'`, payment.paymentId);
    const before = under.sent(operation);
    expect(await outcomeOf(() => run(under.dependencies, payment.paymentId))).toMatch('cannot be decrypted');
    expect(under.sent(operation)).toBe(before);
    const { rows } = await under.testDatabase.database.query(
      'select from provider_requests where payment_id = $1 and outcome is null',
      [payment.paymentId],
    );
    expect(rows).toEqual([]);
  });

  test('is not sent before the row’s day, and the row stays as it is', async () => {
    const payment = await prepare();
    const stateOf = async () => (await readPayment(under.testDatabase.asWorker, payment.paymentId)).state;
    const state = await stateOf();
    const before = under.sent(operation);
    const dayBefore = { ...under.dependencies, now: () => Date.now() - DAY_MS };
    expect(await outcomeOf(() => run(dayBefore, payment.paymentId))).toEqual(stopped);
    expect(under.sent(operation)).toBe(before);
    expect(await stateOf()).toBe(state);
  });

  test('is not sent if a stop is made while it waits for its lease', async () => {
    const payment = await prepare();
    const before = under.sent(operation);
    const stoppedBeforeSend = under.withActionBeforeSend(stopAll);
    expect(await outcomeOf(() => run(stoppedBeforeSend, payment.paymentId))).toEqual(stopped);
    expect(under.sent(operation)).toBe(before);
  });
});

describe('without a MAC by the provider’s secret', () => {
  test('no quote is requested for a beneficiary', async () => {
    const { paymentId } = await aPaymentToQuote('forged');
    const quote = requestQuoteActivity(under.dependencies);
    const before = under.sent('simple-payment-quote');
    expect(await outcomeOf(() => quote({ paymentId, isLast: true }))).toEqual({ kind: 'beneficiary_gone' });
    expect(under.sent('simple-payment-quote')).toBe(before);
  });

  test('a beneficiary in the database is not used', async () => {
    const payment = await aPaymentToQuote('forged');
    const create = createBeneficiaryActivity(under.dependencies);
    expect(await outcomeOf(() => create(payment))).toContain('is not known to be the approved one');
  });

  test('no payment is created from a quote', async () => {
    const payment = await aQuotedPayment('forged');
    const create = createPaymentActivity(under.dependencies);
    const before = under.sent('simple-payment-create');
    expect(await outcomeOf(() => create(payment))).toEqual({ kind: 'quote_expired' });
    // The provider does not know the quote either, and its refusal would have the same result.
    expect(under.sent('simple-payment-create')).toBe(before);
  });

  test('a payment at the provider is not funded', async () => {
    const payment = await aCreatedPayment('forged');
    const fund = fundPaymentActivity(under.dependencies);
    const before = under.sent('simple-payment-fund');
    expect(await outcomeOf(() => fund(payment))).toEqual({ kind: 'read_required' });
    expect(under.sent('simple-payment-fund')).toBe(before);
  });

  test('no payment is created with an uploaded file', async () => {
    const payment = await aPaymentWithFile();
    const { payment: record, approved } = await approvalOf(payment);
    const quote = { quoteId: 'a-quote', beneficiaryId: 'known' };
    await put(
      `state = 'quoted', quote_id = 'a-quote', beneficiary_id = 'known', quote_mac = $2`,
      payment.paymentId,
      approved === null ? null : macQuote(under.mac, record, approved, quote),
    );
    await requestUploadUrl(payment);
    await under.testDatabase.asWorker.query(
      `update file_uploads set uploaded_at = now(), mac = 'of somebody else' where payment_id = $1`,
      [payment.paymentId],
    );
    const create = createPaymentActivity(under.dependencies);
    const before = under.sent('simple-payment-create');
    expect(await outcomeOf(() => create(payment))).toEqual({ kind: 'files_missing' });
    expect(under.sent('simple-payment-create')).toBe(before);
  });
});

test('a file is not uploaded with other bytes than were approved', async () => {
  const payment = await aPaymentToUpload();
  const replaced = Buffer.from('%PDF another bill');
  expect(contentSha256(replaced)).not.toBe(contentSha256(payment.content));
  await replaceFile(under.testDatabase.database, payment.runId, replaced);
  const upload = uploadFileActivity(under.dependencies);
  expect(await outcomeOf(() => upload({ ...payment, file: 0 }))).toBe('not_approved');
});
