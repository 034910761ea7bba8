import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Attacker, inputsOf, paymentNames, startAttacker } from '../helpers/attacker.ts';
import type { PaymentRow } from '../../fixtures/payment-rows.ts';
import { liftAs } from '../helpers/lifting-stops.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { approve, beginRun, newRows, submitRows, untilPaid, untilUnfunded } from '../helpers/run-under-test.ts';
import {
  clearFaults,
  expectPaidOnce,
  orderFaults,
  type SandboxPayment,
  setBalance,
} from '../helpers/sandbox-control.ts';
import { providerPaymentsOf, auditOf, RUN_ENDING_ACTIVITIES, paymentIdsOf } from '../helpers/attacked-run.ts';
import { until } from '../helpers/until.ts';

let payrun: PayrunUnderTest;
let attacker: Attacker;

beforeAll(async () => {
  payrun = await startPayrun();
  attacker = await startAttacker(payrun);
});
afterAll(async () => {
  await attacker.stop();
  await payrun.stop();
});

/** A row of the run, which the provider must have exactly so, or not at all. */
interface Approved {
  account: string;
  amount: string;
  reference: string;
}

function approvedOf(rows: readonly PaymentRow[]): Approved[] {
  return rows.map((row) => ({
    account: row.bank_account_number,
    amount: row.amount,
    reference: row.payment_reference,
  }));
}

function shownOf(payment: SandboxPayment | null): Approved | null {
  if (payment === null) return null;
  const { beneficiaryAccount, sellAmount, paymentReference } = payment;
  return { account: beneficiaryAccount ?? '', amount: sellAmount, reference: paymentReference };
}

describe('an approved run', () => {
  /** Checks that every row at the provider is as it was approved, and was funded at most once. */
  async function expectAsApproved(runId: string, rows: readonly PaymentRow[]): Promise<void> {
    const held = await providerPaymentsOf(payrun, runId);
    for (const [index, approved] of approvedOf(rows).entries()) {
      const payment = held[index] ?? null;
      if (payment !== null && payment.timesFunded > 0) expect(shownOf(payment)).toEqual(approved);
      expect(payment?.timesFunded ?? 0).toBeLessThanOrEqual(1);
    }
  }

  /** Two rows that are paid, so that the provider has both beneficiaries. */
  let known: PaymentRow[];

  beforeAll(async () => {
    known = newRows(2).map((row, index) => ({
      ...row,
      amount: `${300 + index}.00`,
      payment_reference: `Order ${index}`,
    }));
    await untilPaid(payrun, await beginRun(payrun, known));
  });

  /** Other rows to the same beneficiaries. No two amounts are equal, so that none is a suspected duplicate. */
  function rowsToKnown(amount: number): PaymentRow[] {
    return known.map((row, index) => ({
      ...row,
      row_ref: `${row.row_ref}-${amount}`,
      amount: `${amount + index}.00`,
      payment_reference: `Order ${index} of ${amount}`,
    }));
  }

  const swaps: [what: string, amount: number, statement: string][] = [
    [
      'the provider’s ids of beneficiaries',
      700,
      `update beneficiaries mine set beneficiary_id = other.beneficiary_id
       from beneficiaries other where mine.beneficiary_id is not null and other.beneficiary_id is not null
         and mine.fingerprint <> other.fingerprint
         and mine.fingerprint in (select beneficiary_hash from payments where run_id = $1)
         and other.fingerprint in (select beneficiary_hash from payments where run_id = $1)`,
    ],
    [
      'them together with their MACs',
      800,
      `update beneficiaries mine set beneficiary_id = other.beneficiary_id, mac = other.mac
       from beneficiaries other where mine.beneficiary_id is not null and other.beneficiary_id is not null
         and mine.fingerprint <> other.fingerprint
         and mine.fingerprint in (select beneficiary_hash from payments where run_id = $1)
         and other.fingerprint in (select beneficiary_hash from payments where run_id = $1)`,
    ],
  ];
  test.each(swaps)('pays the approved beneficiaries, even if somebody swaps %s', async (_what, amount, statement) => {
    const rows = rowsToKnown(amount);
    const runId = await submitRows(payrun, rows);
    await payrun.testDatabase.asWorker.query(statement, [runId]);
    await approve(payrun, runId);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 2 });
    await expectAsApproved(runId, rows);
    expect((await auditOf(payrun, runId)).filter((kind) => kind === 'beneficiary_discarded')).toHaveLength(2);
    await expectPaidOnce(payrun, runId);
  });

  test('is created from its own quotes, even if somebody swaps them', async () => {
    const rows = newRows(2);
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-create', kind: 'rate_limited', times: 50 });
    const runId = await beginRun(payrun, rows);
    await until(async () => (await payrun.application.findRun(runId))?.rows.quoted === 2);
    const swapped = `update payments mine set quote_id = other.quote_id, quote_mac = other.quote_mac,
      beneficiary_id = other.beneficiary_id, quote_expires_at = other.quote_expires_at
      from payments other where mine.run_id = $1 and other.run_id = $1 and mine.payment_id <> other.payment_id`;
    await payrun.testDatabase.asWorker.query(swapped, [runId]);
    await clearFaults(payrun.sandbox);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 2 });
    await expectAsApproved(runId, rows);
    await expectPaidOnce(payrun, runId);
  });

  test('funds its own payments, even if somebody swaps the provider’s ids of them', async () => {
    await setBalance(payrun.sandbox, 'USD', '0.00');
    const rows = newRows(2);
    const runId = await beginRun(payrun, rows);
    await untilUnfunded(payrun, runId, 2);
    // One after the other, since an id must be unique in the database.
    const { asWorker } = payrun.testDatabase;
    const [first = '', second = ''] = await paymentIdsOf(payrun, runId);
    const { rows: known } = await payrun.database.query<{ id: string; provider: string; mac: string }>(
      'select payment_id as id, provider_payment_id as provider, payment_mac as mac from payments where run_id = $1',
      [runId],
    );
    const of = (paymentId: string) => known.find(({ id }) => id === paymentId);
    const put = (paymentId: string, provider: string | undefined, mac: string | undefined) =>
      asWorker.query('update payments set provider_payment_id = $2, payment_mac = $3 where payment_id = $1', [
        paymentId,
        provider,
        mac,
      ]);
    await put(first, 'nobody', undefined);
    await put(second, of(first)?.provider, of(first)?.mac);
    await put(first, of(second)?.provider, of(second)?.mac);
    await setBalance(payrun.sandbox, 'USD', '100000.00');
    for (const paymentId of [first, second]) {
      await payrun.temporal.workflow.getHandle(paymentNames(paymentId)[0] ?? '').signal('fundsArrived');
    }
    const run = await untilPaid(payrun, runId);
    expect((run.rows.paid ?? 0) + (run.rows.unknown ?? 0)).toBe(2);
    await expectAsApproved(runId, rows);
  });

  test('pays no row before its day, whoever starts its workflows and activities', async () => {
    const later = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const runId = await beginRun(payrun, newRows(2, { pay_on: later }));
    await until(async () => (await payrun.application.findRun(runId))?.stateReason?.includes('due on') === true);
    const [first = '', second = ''] = await paymentIdsOf(payrun, runId);
    const activity = (name: string) => attacker.activities.find((one) => one.name === name) ?? { taskQueue: '', name };
    await Promise.all([
      attacker.start('payment', paymentNames(first)[1] ?? '', inputsOf(runId, first)),
      attacker.start('payment', paymentNames(second)[0] ?? '', inputsOf(runId, second)),
      attacker.call(activity('beginPayments'), inputsOf(runId, first)),
      ...['createBeneficiary', 'requestQuote', 'createPayment', 'fundPayment'].map((name) =>
        attacker.call(activity(name), inputsOf(runId, first)),
      ),
    ]);
    expect(await providerPaymentsOf(payrun, runId)).toEqual([null, null]);
    // They wait for their day: neither failed nor held.
    expect((await payrun.application.findRun(runId))?.rows).toEqual({ ready: 2 });
  });

  test('accepts no additional row, file or attempt from either database login', async () => {
    const { asServer, asWorker, database } = payrun.testDatabase;
    const rows = newRows(1);
    const runId = await submitRows(payrun, rows);
    await payrun.application.stopPayments(payrun.checker, { scope: 'all' }, null);
    await approve(payrun, runId);
    const { rows: columns } = await database.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = 'payments'`,
    );
    for (const login of [asServer, asWorker]) {
      for (const { name } of columns) {
        // A write that is allowed must not change what is paid.
        await login.query(`update payments set ${name} = null where run_id = $1`, [runId]).catch(() => undefined);
      }
      await login
        .query(
          `insert into payments (payment_id, run_id, account, row_number, line, row_ref, state, instruction, row_hash)
           select gen_random_uuid(), run_id, account, 9, 9, 'more', 'ready', instruction, row_hash from payments where run_id = $1`,
          [runId],
        )
        .catch(() => undefined);
    }
    const [stop] = await payrun.application.listStops(payrun.checker);
    await liftAs(payrun, payrun.maker, stop?.stopId ?? '');
    await liftAs(payrun, payrun.checker, stop?.stopId ?? '');
    const run = await untilPaid(payrun, runId);
    expect(run.rowCount).toBe(1);
    await expectAsApproved(runId, rows);
    expect(await providerPaymentsOf(payrun, runId)).toHaveLength(1);
  });

  test('is paid once, whatever other workflows and activities are started', async () => {
    const rows = newRows(2);
    const runId = await submitRows(payrun, rows);
    const paymentIds = await paymentIdsOf(payrun, runId);
    await approve(payrun, runId);
    const harmless = attacker.activities.filter(({ name }) => !RUN_ENDING_ACTIVITIES.has(name));
    await Promise.all(
      paymentIds.flatMap((paymentId) => {
        const input = inputsOf(runId, paymentId);
        return [
          attacker.callAll(harmless, input),
          ...paymentNames(paymentId).map((workflowId) => attacker.start('payment', workflowId, input)),
          attacker.start('paymentRun', `mine/${paymentId}`, input),
        ];
      }),
    );
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 2 });
    await expectAsApproved(runId, rows);
    await expectPaidOnce(payrun, runId);
  });
});
