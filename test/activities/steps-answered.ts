import { randomUUID } from 'node:crypto';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { macQuote } from '../../activities/payments/payment-macs.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { KNOWN_EXTRA_STATUSES, stateByStatus } from '../../domain/payments/provider-status.ts';
import type { AnswerKind, NonIdempotentOperation, RequestOutcome } from '../../domain/payments/request-result.ts';
import { createMac } from '../../provider/mac.ts';
import { beginRequest, readApproval, recordAnswer } from '../../store/payments/payment-requests.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { AUTHENTICATE, aClient, aLocalProvider, type Reply } from '../provider/local-provider.ts';
import { ACCOUNT } from '../store/a-stored-run.ts';
import { TEST_DATA_KEYS, TEST_KEY_IDS } from '../helpers/test-data-keys.ts';
import { anApprovedPayment } from './an-approved-payment.ts';

/** Single steps of approved payments, with a real database and a provider whose answers the test chooses. */

const MAC = createMac(ACCOUNT, 'a secret');

export interface StepsAnswered {
  dependencies: ActivityDependencies;
  /** The number of requests whose path ends with `path`. */
  asked(path: string): number;
}

export async function stepsAnswered(
  testDatabase: TestDatabase,
  answer: (path: string) => Reply | Promise<Reply>,
): Promise<StepsAnswered> {
  const provider = await aLocalProvider(({ path }, response) => {
    if (path === AUTHENTICATE) return undefined;
    void Promise.resolve(answer(path)).then(({ status, body }) => {
      response.writeHead(status ?? 200).end(JSON.stringify(body ?? {}));
    });
    return undefined;
  });
  const client = aClient(provider, { now: Date.now });
  const dependencies = {
    database: testDatabase.asWorker,
    provider: () => client,
    macOf: () => MAC,
    dataKeys: TEST_DATA_KEYS,
    now: Date.now,
    monotonicNow: () => performance.now(),
    settings: {
      visibilityDelayMs: 0,
      requestTimeoutMs: 2_000,
      stateOf: stateByStatus(KNOWN_EXTRA_STATUSES),
    },
  } as unknown as ActivityDependencies;
  return {
    dependencies,
    asked: (path) => provider.apiRequests().filter((request) => request.path.endsWith(path)).length,
  };
}

/** An approved payment, and the provider's record of it once it is created. */
export interface SteppedPayment {
  paymentId: string;
  shown: { simplePaymentId: string; status: string; referenceId: string } & Record<string, string>;
}

/** An approved payment with a quote. */
export async function aQuotedPayment(testDatabase: TestDatabase): Promise<SteppedPayment> {
  const { paymentId } = await anApprovedPayment(testDatabase);
  const { payment, approved } = await readApproval(testDatabase.asWorker, {
    paymentId,
    at: new Date(),
    dataKeys: TEST_KEY_IDS,
  });
  if (approved === null) throw new Error('the payment is not approved');
  const mac = macQuote(MAC, payment, approved, { quoteId: 'a-quote', beneficiaryId: 'known' });
  await put(
    testDatabase,
    paymentId,
    `state = 'quoted', quote_id = 'a-quote', beneficiary_id = 'known', quote_mac = $2, sell_amount = 101, buy_amount = 80, total_amount = 102`,
    mac,
  );
  const shown = {
    simplePaymentId: randomUUID(),
    status: 'awaiting_funds',
    referenceId: referenceIdOf(paymentId, 1),
    sellAmount: '101.00',
    sellCurrency: 'USD',
    buyCurrency: 'GBP',
    totalAmount: '102.00',
  };
  return { paymentId, shown };
}

/** An approved payment that is created with the provider. */
export async function aCreatedPayment(testDatabase: TestDatabase): Promise<SteppedPayment> {
  const payment = await aQuotedPayment(testDatabase);
  const { paymentId, shown } = payment;
  await put(
    testDatabase,
    paymentId,
    `state = 'created', provider_payment_id = $2, payment_mac = $3`,
    shown.simplePaymentId,
    MAC.of('payment', paymentId, 1, shown.simplePaymentId),
  );
  return payment;
}

/** Changes the payment's record, with the database's triggers off. */
export function put(
  { database }: TestDatabase,
  paymentId: string,
  assignments: string,
  ...values: unknown[]
): Promise<void> {
  return bypassTriggers(database, `update payments set ${assignments} where payment_id = $1`, [paymentId, ...values]);
}

/** Records a sent request with an unknown outcome. Returns its id. */
export async function anOpenRequest(
  { asWorker }: TestDatabase,
  paymentId: string,
  operation: NonIdempotentOperation,
  answer: AnswerKind = 'unknown_outcome',
): Promise<string> {
  const whileIn = operation === 'create' ? (['quoted'] as const) : (['created'] as const);
  const { requestId } = await beginRequest(asWorker, {
    paymentId,
    operation,
    whileIn,
    at: new Date(),
    dataKeys: TEST_KEY_IDS,
  });
  if (requestId === null) throw new Error('the request was not begun');
  const sent = { requestId, operation, outcome: null, answer, httpStatus: 500, transition: { to: null } } as const;
  await recordAnswer(asWorker, sent);
  return requestId;
}

/** Records an earlier request with its outcome. */
export async function anEarlierRequest(
  { database }: TestDatabase,
  paymentId: string,
  operation: NonIdempotentOperation,
  outcome: RequestOutcome,
  answer: AnswerKind,
): Promise<void> {
  await database.query(
    `insert into provider_requests (account, payment_id, attempt, operation, non_idempotent, answered_at, outcome, answer)
     select account, payment_id, attempt, $2, true, now(), $3, $4 from payments where payment_id = $1`,
    [paymentId, operation, outcome, answer],
  );
}
