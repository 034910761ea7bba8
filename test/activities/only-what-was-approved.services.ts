import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBeneficiaryActivity } from '../../activities/beneficiaries/create-beneficiary.ts';
import { createPaymentActivity } from '../../activities/payments/create-payment.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { fundPaymentActivity } from '../../activities/payments/fund-payment.ts';
import { requestQuoteActivity } from '../../activities/payments/request-quote.ts';
import { requestUploadUrlActivity } from '../../activities/payment-file/request-upload-url.ts';
import { sealQuote } from '../../activities/payments/sealed-facts.ts';
import { uploadFileActivity } from '../../activities/payment-file/upload-file.ts';
import { dayOf } from '../../domain/payments/pay-day.ts';
import { stopPaymentsAs } from '../../store/approvals/authority.ts';
import { readApproval } from '../../store/payments/payment-requests.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { beneficiaryHashOf, contentSha256 } from '../../store/runs/row-identity.ts';
import { pastTriggers } from '../helpers/past-triggers.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { ACCOUNT } from '../store/a-stored-run.ts';
import { type ActivitiesUnderTest, asActivity, startActivities } from './activities-under-test.ts';
import { anApprovedPayment, type ApprovedPayment } from './an-approved-payment.ts';

/**
 * Each activity that sends something, called by itself: it compares what it is about to send with what was approved, and
 * asks for a stop and for the row's day, whatever those before it have done.
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

const stopAll = () => stopPaymentsAs(under.testDatabase.asServer, chris.proof, { scope: 'all' }, null);
const put = (assignments: string, paymentId: string, ...values: unknown[]) =>
  pastTriggers(under.testDatabase.database, `update payments set ${assignments} where payment_id = $1`, [
    paymentId,
    ...values,
  ]);

/** The row says something else than was approved, and everything beside it is as it was. */
const changeWhatItSays = ({ paymentId }: ApprovedPayment) =>
  put(`instruction = jsonb_set(instruction, '{paymentReference}', '"another"')`, paymentId);

/** The provider knows its beneficiary. */
async function aKnownBeneficiary({ instruction }: ApprovedPayment, sealed: 'sealed' | 'not sealed'): Promise<void> {
  const hash = beneficiaryHashOf(instruction);
  const seal = sealed === 'sealed' ? under.seal.of('beneficiary', hash, 'known') : 'of somebody else';
  await under.testDatabase.asWorker.query(
    `insert into beneficiaries (account, fingerprint, beneficiary_id, claimed_by, known_at, seal)
     values ($1, $2, 'known', gen_random_uuid(), now(), $3)`,
    [ACCOUNT, hash, seal],
  );
}

async function aQuotedPayment(sealed: 'sealed' | 'not sealed' = 'sealed'): Promise<ApprovedPayment> {
  const payment = await anApprovedPayment(under.testDatabase);
  const { payment: record, approved } = await readApproval(
    under.testDatabase.asWorker,
    payment.paymentId,
    dayOf(Date.now()),
  );
  if (approved === null) throw new Error('it is not approved');
  const quote = { quoteId: 'a-quote', beneficiaryId: 'known' };
  const seal = sealed === 'sealed' ? sealQuote(under.seal, record, approved, quote) : 'of somebody else';
  const assignments = `state = 'quoted', quote_id = 'a-quote', beneficiary_id = 'known', quote_seal = $2`;
  await put(assignments, payment.paymentId, seal);
  return payment;
}

async function aCreatedPayment(sealed: 'sealed' | 'not sealed' = 'sealed'): Promise<ApprovedPayment> {
  const payment = await anApprovedPayment(under.testDatabase);
  const { paymentId } = payment;
  const provider = `of ${paymentId}`;
  const seal = sealed === 'sealed' ? under.seal.of('payment', paymentId, 1, provider) : 'of somebody else';
  await put(`state = 'created', provider_payment_id = $2, payment_seal = $3`, paymentId, provider, seal);
  return payment;
}

async function aPaymentToQuote(sealed: 'sealed' | 'not sealed' = 'sealed'): Promise<ApprovedPayment> {
  const payment = await anApprovedPayment(under.testDatabase);
  await aKnownBeneficiary(payment, sealed);
  return payment;
}

const aPaymentWithFile = () => anApprovedPayment(under.testDatabase, { files: ['bill.pdf'] });

async function addressOf({ paymentId }: ApprovedPayment): Promise<void> {
  await asActivity(() => requestUploadUrlActivity(under.dependencies)({ paymentId, file: 0 }));
}

async function aPaymentToUpload(): Promise<ApprovedPayment> {
  const payment = await aPaymentWithFile();
  await addressOf(payment);
  return payment;
}

/** What each does for a good payment is shown by the runs; here it is enough that it would send something. */
const STEPS = [
  {
    what: 'a beneficiary',
    operation: 'beneficiary-create',
    prepare: () => anApprovedPayment(under.testDatabase),
    run: (of: ActivityDependencies, paymentId: string) => createBeneficiaryActivity(of)({ paymentId }),
    refused: { ended: 'held' },
    stopped: { ended: null, isStopped: true },
  },
  {
    what: 'the request for an upload’s address',
    operation: 'simple-payment-upload-url',
    prepare: aPaymentWithFile,
    run: (of: ActivityDependencies, paymentId: string) => requestUploadUrlActivity(of)({ paymentId, file: 0 }),
    refused: { ended: 'held' },
    stopped: { ended: null, isStopped: true },
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
    refused: { kind: 'funded', state: 'unknown' },
    stopped: { kind: 'stopped' },
  },
] as const;

/** The outcome, or why there is none. */
const outcomeOf = (work: () => Promise<unknown>): Promise<unknown> => asActivity(work).catch(String);

const NAMED = STEPS.map((step) => [step.what, step] as const);

describe.each(NAMED)('%s', (_what, { operation, prepare, run, refused, stopped }) => {
  test('is not sent for a row that says something else than was approved', async () => {
    const payment = await prepare();
    await changeWhatItSays(payment);
    const before = under.sent(operation);
    expect(await outcomeOf(() => run(under.dependencies, payment.paymentId))).toEqual(refused);
    expect(under.sent(operation)).toBe(before);
  });

  test('is not sent while a stop holds', async () => {
    const payment = await prepare();
    await stopAll();
    const before = under.sent(operation);
    expect(await outcomeOf(() => run(under.dependencies, payment.paymentId))).toEqual(stopped);
    expect(under.sent(operation)).toBe(before);
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

  test('is not sent when a stop comes while it waits to leave', async () => {
    const payment = await prepare();
    const before = under.sent(operation);
    const interrupted = under.whileSomethingHappens(stopAll);
    expect(await outcomeOf(() => run(interrupted, payment.paymentId))).toEqual(stopped);
    expect(under.sent(operation)).toBe(before);
  });
});

describe('what nobody with the provider’s secret has sealed is not used', () => {
  test('a beneficiary is not quoted for', async () => {
    const { paymentId } = await aPaymentToQuote('not sealed');
    const quote = requestQuoteActivity(under.dependencies);
    const before = under.sent('simple-payment-quote');
    expect(await outcomeOf(() => quote({ paymentId, isLast: true }))).toEqual({ kind: 'beneficiary_gone' });
    expect(under.sent('simple-payment-quote')).toBe(before);
  });

  test('a beneficiary is not taken for known', async () => {
    const payment = await aPaymentToQuote('not sealed');
    const create = createBeneficiaryActivity(under.dependencies);
    expect(await outcomeOf(() => create(payment))).toContain('is not known to be the approved one');
  });

  test('a quote is not created from', async () => {
    const payment = await aQuotedPayment('not sealed');
    const create = createPaymentActivity(under.dependencies);
    const before = under.sent('simple-payment-create');
    expect(await outcomeOf(() => create(payment))).toEqual({ kind: 'quote_expired' });
    // The provider does not know the quote either: what it answers would be taken for the same.
    expect(under.sent('simple-payment-create')).toBe(before);
  });

  test('a payment at the provider is not funded', async () => {
    const payment = await aCreatedPayment('not sealed');
    const fund = fundPaymentActivity(under.dependencies);
    const before = under.sent('simple-payment-fund');
    expect(await outcomeOf(() => fund(payment))).toEqual({ kind: 'look_again' });
    expect(under.sent('simple-payment-fund')).toBe(before);
  });

  test('an uploaded file does not go with a payment', async () => {
    const payment = await aPaymentWithFile();
    const { payment: record, approved } = await readApproval(
      under.testDatabase.asWorker,
      payment.paymentId,
      dayOf(Date.now()),
    );
    const quote = { quoteId: 'a-quote', beneficiaryId: 'known' };
    await put(
      `state = 'quoted', quote_id = 'a-quote', beneficiary_id = 'known', quote_seal = $2`,
      payment.paymentId,
      approved === null ? null : sealQuote(under.seal, record, approved, quote),
    );
    await addressOf(payment);
    await under.testDatabase.asWorker.query(
      `update file_uploads set uploaded_at = now(), seal = 'of somebody else' where payment_id = $1`,
      [payment.paymentId],
    );
    const create = createPaymentActivity(under.dependencies);
    const before = under.sent('simple-payment-create');
    expect(await outcomeOf(() => create(payment))).toEqual({ kind: 'files_missing' });
    expect(under.sent('simple-payment-create')).toBe(before);
  });
});

test('a file leaves with the bytes that were approved, and with no others', async () => {
  const payment = await aPaymentToUpload();
  const exchanged = Buffer.from('%PDF another bill');
  expect(contentSha256(exchanged)).not.toBe(contentSha256(payment.content));
  await under.testDatabase.database.query('update supporting_files set content = $2 where run_id = $1', [
    payment.runId,
    exchanged,
  ]);
  const upload = uploadFileActivity(under.dependencies);
  expect(await outcomeOf(() => upload({ ...payment, file: 0 }))).toBe('not_approved');
});
