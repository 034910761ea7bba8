import { expect } from 'vitest';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import type { Fault, FaultOrder } from '../../sandbox/faults/faults.ts';
import type { RunningSandbox } from '../../sandbox/server.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';

/** A payment as the sandbox's control door lists it. */
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

/** The statuses that a provider may give a payment between its funding and its end. */
export const STATUSES_ON_THE_WAY: readonly string[] = ['processing', 'under_review', 'in_transit'];
export const onTheWay = expect.toSatisfy((status: string) => STATUSES_ON_THE_WAY.includes(status)) as string;

/** One call of the sandbox's control door. */
async function control<T>(sandbox: RunningSandbox, path: string, order?: object): Promise<T> {
  const answer = await fetch(
    `${sandbox.url}/__sandbox/${path}`,
    order === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) },
  );
  const body: unknown = await answer.json();
  if (!answer.ok) throw new Error(`the sandbox's control door: ${JSON.stringify(body)}`);
  return body as T;
}

export async function orderFaults(sandbox: RunningSandbox, ...orders: FaultOrder[]): Promise<void> {
  await control(sandbox, 'faults', orders);
}

export async function clearFaults(sandbox: RunningSandbox): Promise<void> {
  await fetch(`${sandbox.url}/__sandbox/faults`, { method: 'DELETE' });
}

/** The faults ordered since they were last cleared, with how often each struck. */
export function faultsOf(sandbox: RunningSandbox): Promise<Fault[]> {
  return control(sandbox, 'faults');
}

/** Asserts that every ordered fault struck: else the test has shown nothing. */
export async function expectAllStruck(sandbox: RunningSandbox): Promise<void> {
  const missed = (await faultsOf(sandbox)).filter(({ struck }) => struck === 0);
  expect(missed).toEqual([]);
}

export async function setBalance(sandbox: RunningSandbox, currency: string, amount: string): Promise<void> {
  await control(sandbox, 'balance', { currency, amount });
}

/** Money that comes in to a balance, as the provider also tells by webhook. */
export async function bringMoney(sandbox: RunningSandbox, currency: string, amount: string): Promise<void> {
  await control(sandbox, 'fundings', { currency, amount });
}

export async function forcePayment(sandbox: RunningSandbox, simplePaymentId: string, status: string): Promise<void> {
  await control(sandbox, 'force', { simplePaymentId, status });
}

export function paymentsAt(sandbox: RunningSandbox): Promise<SandboxPayment[]> {
  return control(sandbox, 'payments');
}

/** Where the sandbox sends its webhooks, and the latest of them. */
export function webhooksOf(
  sandbox: RunningSandbox,
): Promise<{ url: string; deliveries: { body: string; outcome: string }[] }> {
  return control(sandbox, 'webhooks');
}

/**
 * Asserts that every row of the run is paid, by exactly one payment that was funded once, and that the sandbox holds
 * no payment that the record does not know.
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
