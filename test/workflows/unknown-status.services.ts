import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentWorkflowId } from '../../domain/identifiers.ts';
import { type AnswerProxy, startAnswerProxy } from '../helpers/answer-proxy.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows } from '../helpers/run-under-test.ts';
import { expectAllFaultsApplied, orderFaults } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

const UNKNOWN_STATUS = 'under_review_by_committee';

let shown = 0;
let proxy: AnswerProxy;
let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun({ startProxy });
});
afterAll(async () => {
  await payrun.stop();
  proxy.close();
});

async function startProxy(sandboxUrl: string): Promise<string> {
  proxy = await startAnswerProxy(sandboxUrl, (body) => {
    if (body.includes('"awaiting_funds"')) shown += 1;
    return body.replaceAll('"awaiting_funds"', `"${UNKNOWN_STATUS}"`);
  });
  return proxy.url;
}

const waitingSteps = async (paymentId: string): Promise<string[]> => {
  const handle = payrun.temporal.workflow.getHandle(paymentWorkflowId(paymentId));
  const { raw } = await handle.describe().catch(() => ({ raw: { pendingActivities: [] } }));
  return (raw.pendingActivities ?? []).map(({ lastFailure }) => lastFailure?.applicationFailureInfo?.type ?? '');
};

describe('a status that the contract does not name', () => {
  test('does not resolve a create request whose answer was lost: nothing is sent', async () => {
    await orderFaults(payrun.sandbox, { kind: 'error_after', operation: 'simple-payment-create', nth: 1 });
    const runId = await beginRun(payrun, newRows(1));
    const [row] = await payrun.application.listRows(runId, { limit: 1, afterLine: 0, state: null });
    await until(async () => (await waitingSteps(row?.paymentId ?? '')).includes('status_not_known'));
    expect(shown).toBeGreaterThan(0);
    expect(payrun.sandbox.ledger().requests.byOperation['simple-payment-fund'] ?? 0).toBe(0);
    await expectAllFaultsApplied(payrun.sandbox);
  });
});
