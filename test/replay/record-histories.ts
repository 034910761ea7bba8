/**
 * Records the histories that `replay.test.ts` replays, from a whole payrun on this machine: run it for every released
 * version, and keep what older versions recorded.
 *
 *   npx tsx test/replay/record-histories.ts 0.1.0
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { paymentRunWorkflowId } from '../../domain/identifiers.ts';
import { rejectOverHttp } from '../helpers/decide-over-http.ts';
import { aRow, csvOf, type RowParts, someRows } from '../helpers/payment-file.ts';
import { type StackUnderTest, startTestStack, submitAndApprove, untilRunIs } from '../helpers/stack-under-test.ts';

/** What says where a history was recorded, and what stands there instead. */
const OF_THE_MACHINE: Readonly<Record<string, string>> = { identity: 'recorded', stackTrace: '' };

const [version] = process.argv.slice(2);
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version))
  throw new Error('say which version this is, as in 0.1.0');
const folder = join(import.meta.dirname, 'histories', version);

const payrun = await startTestStack();
try {
  const names = await playEverything(payrun);
  mkdirSync(folder, { recursive: true });
  const connection = await Connection.connect({ address: payrun.stack.addresses.temporalAddress ?? '' });
  const client = new Client({ connection });
  for (const [name, workflowId] of names) {
    const history = await client.workflow.getHandle(workflowId).fetchHistory();
    writeFileSync(join(folder, `${name}.json`), `${withoutMachine(historyToJSON(history))}\n`);
  }
  await connection.close();
  console.log(`recorded ${names.length} histories in ${folder}`);
} finally {
  await payrun.stop();
}

/** Every way that a payment can take, and the workflows that went it. */
async function playEverything(stack: StackUnderTest): Promise<[name: string, workflowId: string][]> {
  const plain = await runToEnd(stack, someRows(3));
  const badEnds = await runToEnd(stack, [
    aRow(11, { amount: '50.13' }),
    aRow(12, { amount: '60.14' }),
    aRow(13, { beneficiary_company_name: 'SANCTIONED Trading Ltd' }),
  ]);
  const withFile = await runToEnd(stack, [aRow(21, { amount: '70.15', supporting_files: 'invoice.pdf' })]);
  await orderFault(stack, { operation: 'simple-payment-create', kind: 'error_after' });
  await orderFault(stack, { operation: 'simple-payment-fund', kind: 'error_before' });
  const unknown = await runToEnd(stack, [aRow(31)]);
  const { runId: rejected } = await stack.maker.submitRun({ fileName: 'test.csv', csv: csvOf([aRow(41)]) });
  await untilRunIs(stack.maker, rejected, ({ state }) => state === 'in_approval');
  await rejectOverHttp(stack.checker, rejected, 'not this one');
  return [
    ['run-completed', paymentRunWorkflowId(plain.runId)],
    ['run-partially-completed', paymentRunWorkflowId(badEnds.runId)],
    ['run-rejected', paymentRunWorkflowId(rejected)],
    ['payment-paid', plain.payments[0] ?? ''],
    ['payment-rejected', badEnds.payments[0] ?? ''],
    ['payment-failed', badEnds.payments[1] ?? ''],
    ['payment-payee-refused', badEnds.payments[2] ?? ''],
    ['payment-with-file', withFile.payments[0] ?? ''],
    ['payment-outcome-unknown', unknown.payments[0] ?? ''],
    ['confirmation', 'confirmation/default'],
    ['reference-data', await firstOf(stack, 'referenceData')],
  ];
}

async function runToEnd(stack: StackUnderTest, rows: RowParts[]): Promise<{ runId: string; payments: string[] }> {
  const runId = await submitAndApprove(stack, csvOf(rows), [
    { name: 'invoice.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF-1.4\n%%EOF\n') },
  ]);
  await untilRunIs(stack.maker, runId, ({ finishedAt }) => finishedAt !== null);
  const payments: string[] = [];
  for await (const { paymentId } of stack.maker.listRows(runId)) payments.push(`payment/${paymentId}`);
  return { runId, payments };
}

/** The id of some workflow of a type. */
async function firstOf({ stack }: StackUnderTest, type: string): Promise<string> {
  const connection = await Connection.connect({ address: stack.addresses.temporalAddress ?? '' });
  try {
    for await (const { workflowId } of new Client({ connection }).workflow.list({
      query: `WorkflowType = '${type}'`,
    })) {
      return workflowId;
    }
    throw new Error(`no workflow of type ${type} ran`);
  } finally {
    await connection.close();
  }
}

async function orderFault(stack: StackUnderTest, fault: Record<string, string>): Promise<void> {
  const answer = await fetch(`${stack.stack.addresses.sandboxUrl ?? ''}/__sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([fault]),
  });
  if (!answer.ok) throw new Error(`the sandbox takes no fault: ${await answer.text()}`);
}

/** The histories are kept: which machine and process recorded them is nobody's business. */
function withoutMachine(history: string): string {
  return JSON.stringify(
    JSON.parse(history, (key, value: unknown) => (typeof value === 'string' ? (OF_THE_MACHINE[key] ?? value) : value)),
    null,
    1,
  );
}
