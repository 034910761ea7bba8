import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentWorkflowId } from '../../domain/identifiers.ts';
import { type RecordedWorkflow, recordedWorkflows } from '../helpers/histories.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { approve, beginRun, newRows, submitRows, textOf, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, orderFaults } from '../helpers/sandbox-control.ts';

/** Part of every text in the file about a person, a company or an account. */
const MARKER = 'MARKERTEXT';
const ACCOUNT_NUMBERS = ['55779900', '55779911', '55779922'];
const EVENTS_PER_PAYMENT = 40;

let payrun: PayrunUnderTest;
let runId: string;
let workflows: RecordedWorkflow[];

beforeAll(async () => {
  payrun = await startPayrun();
  const parts = ACCOUNT_NUMBERS.map((bank_account_number, index) => ({
    row_ref: `${MARKER}-ref-${index}`,
    bank_account_number,
    beneficiary_company_name: index === 2 ? `SANCTIONED ${MARKER} Ltd` : `${MARKER} Supplies Ltd`,
    payment_reference: `${MARKER} invoice`,
    beneficiary_address: `${MARKER} Street`,
    beneficiary_city: `${MARKER} City`,
    bank_name: `${MARKER} Bank`,
    echo: `${MARKER} echo`,
    supporting_files: index === 0 ? `${MARKER}.pdf` : '',
  }));
  // Failure messages must not contain personal data either.
  await orderFaults(
    payrun.sandbox,
    { operation: 'beneficiary-create', kind: 'garbled_after' },
    { operation: 'simple-payment-create', kind: 'error_after' },
    { operation: 'simple-payment-quote', kind: 'garbled_after' },
    { operation: 'simple-payment-fund', kind: 'garbled_after' },
  );
  runId = await submitRows(
    payrun,
    parts.map((part) => ({ ...newRows(1, part)[0] })),
    {
      fileName: `${MARKER}.csv`,
      files: [{ name: `${MARKER}.pdf`, bytes: Buffer.from(`%PDF-1.4 ${MARKER}`) }],
    },
  );
  await approve(payrun, runId, { comment: `${MARKER} comment` });
  expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 2, rejected: 1 });
  workflows = await recordedWorkflows(payrun.temporal);
});
afterAll(() => payrun.stop());

describe('the histories of a run', () => {
  test('cover every type of workflow, and have readable payloads: without them the next test proves nothing', () => {
    const types = new Set(workflows.map(({ type }) => type));
    expect([...types].sort()).toEqual(['moneyWatch', 'payment', 'paymentRun', 'paymentStatusPoller', 'referenceData']);
    const run = workflows.find(({ type }) => type === 'paymentRun');
    expect(run?.text).toContain(`"runId":"${runId}"`);
  });

  test('contain no beneficiary, account, reference or file, and no member of the team, not even an id', async () => {
    const shown = await textOf(payrun.application.results(runId));
    expect(shown).toContain(MARKER);
    for (const secret of [
      MARKER,
      ...ACCOUNT_NUMBERS,
      'Mia Maker',
      'Chris Checker',
      payrun.checker.userId,
      'sandbox-api-key',
    ]) {
      const found = workflows.filter(({ text }) => text.toLowerCase().includes(secret.toLowerCase()));
      expect(found.map(({ workflowId }) => workflowId)).toEqual([]);
    }
  });

  test(`have at most ${EVENTS_PER_PAYMENT} events for a payment to a new beneficiary`, async () => {
    await clearFaults(payrun.sandbox);
    const plain = await beginRun(payrun, newRows(2));
    expect((await untilPaid(payrun, plain)).state).toBe('completed');
    const rows = await payrun.application.listRows(plain, { limit: 10, afterLine: 0, state: null });
    for (const { paymentId } of rows) {
      const handle = payrun.temporal.workflow.getHandle(paymentWorkflowId(paymentId));
      await handle.result();
      const history = await handle.fetchHistory();
      expect(history.events?.length).toBeLessThanOrEqual(EVENTS_PER_PAYMENT);
    }
  });
});
