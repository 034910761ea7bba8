import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentWorkflowId } from '../../domain/identifiers.ts';
import { type PayrunUnderTest, startPayrun, WEBHOOK_HEADERS } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { expectPaidOnce, setBalance, webhooksOf } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterAll(() => payrun.stop());

/** Payments of the run whose funding was refused, and how often it was asked for. */
async function refusedFundings(runId: string): Promise<{ paymentId: string; asked: number }[]> {
  const { rows } = await payrun.database.query<{ paymentId: string; asked: number }>(
    `select payment_id as "paymentId", count(*)::int as asked
     from provider_requests join payments using (payment_id)
     where run_id = $1 and operation = 'fund' and state = 'created'
     group by payment_id having bool_and(provider_requests.outcome = 'refused')`,
    [runId],
  );
  return rows;
}

describe('a balance that is too small', () => {
  test('holds the rest of the run without failing anything, until money comes', async () => {
    await setBalance(payrun.sandbox, 'USD', '250.00');
    const runId = await beginRun(payrun, newRows(4, { amount: '100.00' }));
    const waiting = await until(async () => {
      const run = await payrun.engine.findRun(runId);
      const refused = await refusedFundings(runId);
      return run?.rows.paid === 2 && refused.length === 2 ? refused : null;
    });
    const meanwhile = await payrun.engine.findRun(runId);
    expect(meanwhile).toMatchObject({ state: 'running', rows: { paid: 2, created: 2 } });
    // Asked once each: what waits for money does not use up the request limit.
    expect(waiting.map(({ asked }) => asked)).toEqual([1, 1]);

    await setBalance(payrun.sandbox, 'USD', '1000.00');
    // The provider tells of money that came in; the payments find out for themselves whether it is enough.
    const { url } = await webhooksOf(payrun.sandbox);
    const event = { fundingId: 'a-funding', resource: 'funding', status: 'completed' };
    expect((await fetch(url, { method: 'POST', headers: WEBHOOK_HEADERS, body: JSON.stringify(event) })).status).toBe(
      200,
    );
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: 4 } });
    await expectPaidOnce(payrun, runId);
  });

  test('a false word of its end wakes the payment once', async () => {
    await setBalance(payrun.sandbox, 'USD', '0.00');
    const runId = await beginRun(payrun, newRows(1, { amount: '100.00' }));
    const [first] = await until(async () => {
      const refused = await refusedFundings(runId);
      return refused.length === 1 ? refused : null;
    });
    const handle = payrun.temporal.workflow.getHandle(paymentWorkflowId(first?.paymentId ?? ''));
    await handle.signal('paymentSettled', { state: 'paid' });
    await until(async () => ((await refusedFundings(runId))[0]?.asked ?? 0) >= 2);
    // By the time that it has taken another piece of news in, it would have asked a third time for the first one.
    await handle.signal('fundsArrived');
    await until(async () => ((await refusedFundings(runId))[0]?.asked ?? 0) >= 3);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await refusedFundings(runId))[0]?.asked).toBe(3);

    await setBalance(payrun.sandbox, 'USD', '500.00');
    await handle.signal('fundsArrived');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('news of money that is still too little leaves the payment waiting', async () => {
    await setBalance(payrun.sandbox, 'USD', '0.00');
    const runId = await beginRun(payrun, newRows(1, { amount: '100.00' }));
    const [first] = await until(async () => {
      const refused = await refusedFundings(runId);
      return refused.length === 1 ? refused : null;
    });
    const handle = payrun.temporal.workflow.getHandle(paymentWorkflowId(first?.paymentId ?? ''));
    await setBalance(payrun.sandbox, 'USD', '10.00');
    await handle.signal('fundsArrived');
    await until(async () => (await refusedFundings(runId))[0]?.asked === 2);
    expect((await payrun.engine.findRun(runId))?.rows).toEqual({ created: 1 });

    await setBalance(payrun.sandbox, 'USD', '500.00');
    await handle.signal('fundsArrived');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });
});
