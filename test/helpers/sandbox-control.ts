import { expect } from 'vitest';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import type { Fault, FaultSpec } from '../../sandbox/faults/faults.ts';
import type { RunningSandbox } from '../../sandbox/server.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';

/** A payment in the list of the sandbox's control API. */
export interface SandboxPayment {
  id: string;
  referenceId: string | null;
  status: string;
  sellAmount: string;
  totalAmount: string;
  timesFunded: number;
  paymentReference: string;
  beneficiaryAccount: string | null;
  beneficiaryAddress: string | null;
  files: string[];
}

/** A conversion in the list of the sandbox's control API. */
export interface SandboxConversion {
  id: string;
  referenceId: string | null;
  status: string;
  timesFunded: number;
  sellCurrency: string;
  totalAmount: string;
  buyCurrency: string;
  buyAmount: string;
}

/** The provider's statuses of a payment between its funding and its end. */
export const STATUSES_IN_PROGRESS: readonly string[] = ['processing', 'under_review', 'in_transit'];
export const inProgress = expect.toSatisfy((status: string) => STATUSES_IN_PROGRESS.includes(status)) as string;

/** Calls the sandbox's control API: POST with a body, else GET. */
async function control<T>(sandbox: RunningSandbox, path: string, order?: object): Promise<T> {
  const answer = await fetch(
    `${sandbox.url}/__sandbox/${path}`,
    order === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) },
  );
  const body: unknown = await answer.json();
  if (!answer.ok) throw new Error(`the sandbox's control API: ${JSON.stringify(body)}`);
  return body as T;
}

export async function orderFaults(sandbox: RunningSandbox, ...orders: FaultSpec[]): Promise<void> {
  await control(sandbox, 'faults', orders);
}

/** Each fault is for another request of the operation. */
export async function orderEach(
  sandbox: RunningSandbox,
  operation: string,
  kinds: readonly FaultSpec['kind'][],
): Promise<void> {
  await orderFaults(sandbox, ...kinds.map((kind, position) => ({ operation, kind, nth: position + 1 })));
}

export async function clearFaults(sandbox: RunningSandbox): Promise<void> {
  await fetch(`${sandbox.url}/__sandbox/faults`, { method: 'DELETE' });
}

/** The faults injected since they were last cleared, with how often each was applied. */
export function faultsOf(sandbox: RunningSandbox): Promise<Fault[]> {
  return control(sandbox, 'faults');
}

/** Asserts that every injected fault was applied: otherwise the test proves nothing. */
export async function expectAllFaultsApplied(sandbox: RunningSandbox): Promise<void> {
  const missed = (await faultsOf(sandbox)).filter(({ injected }) => injected === 0);
  expect(missed).toEqual([]);
}

/** Events that become due happen. */
export async function advanceClock(sandbox: RunningSandbox, advanceMs: number): Promise<void> {
  await control(sandbox, 'clock', { advanceMs });
}

export async function setBalance(sandbox: RunningSandbox, currency: string, amount: string): Promise<void> {
  await control(sandbox, 'balance', { currency, amount });
}

/** Deposits money into a balance, which the provider also announces by webhook. */
export async function depositMoney(sandbox: RunningSandbox, currency: string, amount: string): Promise<void> {
  await control(sandbox, 'fundings', { currency, amount });
}

export async function forceVirtualAccount(sandbox: RunningSandbox, requestId: string, status: string): Promise<void> {
  await control(sandbox, 'force', { requestId, status });
}

/** The requests for virtual accounts that the provider has, oldest first. */
export function virtualAccountsAt({
  sandbox,
}: Pick<PayrunUnderTest, 'sandbox'>): Promise<{ requestId: string; name: string }[]> {
  return control(sandbox, 'virtual-accounts');
}

/** Adds a funding; completed by default. Returns how to force another status of it. */
export async function addFunding(
  sandbox: RunningSandbox,
  order: { currency: string; amount: string; status?: string },
): Promise<{ id: string; force: (status: string) => Promise<unknown> }> {
  const { fundingId } = await control<{ fundingId: string }>(sandbox, 'fundings', order);
  return { id: fundingId, force: (status) => control(sandbox, 'force', { fundingId, status }) };
}

/** Refunds a payment or a part of it. Returns how to force another status of the refund. */
export async function refundPayment(
  sandbox: RunningSandbox,
  order: { simplePaymentId: string; amount?: string; remarks?: string; status?: 'pending' | 'completed' | 'failed' },
): Promise<{ force: (status: string) => Promise<unknown> }> {
  const { refundId } = await control<{ refundId: string }>(sandbox, 'refunds', order);
  return { force: (status) => control(sandbox, 'force', { refundId, status }) };
}

export async function forcePayment(sandbox: RunningSandbox, simplePaymentId: string, status: string): Promise<void> {
  await control(sandbox, 'force', { simplePaymentId, status });
}

export function paymentsAt(sandbox: RunningSandbox): Promise<SandboxPayment[]> {
  return control(sandbox, 'payments');
}

export function conversionsAt(sandbox: RunningSandbox): Promise<SandboxConversion[]> {
  return control(sandbox, 'conversions');
}

/** The address of the sandbox's webhooks, and the latest deliveries. */
export function webhooksOf(
  sandbox: RunningSandbox,
): Promise<{ url: string; deliveries: { body: string; outcome: string }[] }> {
  return control(sandbox, 'webhooks');
}

/**
 * Asserts that every row of the run was paid by exactly one payment that was funded once, and that the sandbox has no
 * payment that the database does not have.
 */
export async function expectPaidOnce(
  { application, database, sandbox }: PayrunUnderTest,
  runId: string,
): Promise<void> {
  const rows = await application.listRows(runId, { limit: 1_000, afterLine: 0, state: null });
  expect(rows.filter(({ state }) => state !== 'paid')).toEqual([]);
  const references = rows.map(({ paymentId, attempt }) => referenceIdOf(paymentId, attempt));
  const all = await paymentsAt(sandbox);
  const ours = all.filter(({ referenceId }) => references.includes(referenceId ?? ''));
  expect(ours.map(({ referenceId }) => referenceId).sort()).toEqual([...references].sort());
  expect(ours.filter(({ timesFunded, status }) => timesFunded !== 1 || status !== 'completed')).toEqual([]);
  const { rows: known } = await database.query<{ provider_payment_id: string }>(
    'select provider_payment_id from payments where provider_payment_id is not null',
  );
  expect(all.map(({ id }) => id).sort()).toEqual(known.map((payment) => payment.provider_payment_id).sort());
  expect(sandbox.ledger()).toMatchObject({ createdMoreThanOnce: [], fundedMoreThanOnce: [], invariantHolds: true });
}
