/**
 * Records the histories that `replay.test.ts` replays, with a complete payrun on this machine. Run it for every released
 * version, and keep the histories of older versions.
 *
 *   npx tsx test/replay/record-histories.ts 0.1.0
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import pg from 'pg';
import { liftOf } from '../../api/approvals/lift-of-stop.ts';
import { paymentRunWorkflowId } from '../../domain/identifiers.ts';
import { approveOverHttp, rejectOverHttp } from '../helpers/decide-over-http.ts';
import { aRow, csvOf, someRows } from '../../fixtures/payment-rows.ts';
import { type StackUnderTest, startTestStack, submitAndApprove, untilRunIs } from '../helpers/stack-under-test.ts';
import { withoutMachine } from './without-machine.ts';

const [version] = process.argv.slice(2);
if (version === undefined || !/^\d+\.\d+\.\d+(-[a-z]+)?$/.test(version))
  throw new Error('usage: record-histories.ts <version>, for example 0.1.0 or 0.1.0-next');
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

/** Runs every course that a payment can take. Returns the workflows by the names of their histories. */
async function playEverything(stack: StackUnderTest): Promise<[name: string, workflowId: string][]> {
  const plain = await runToEnd(stack, someRows(3));
  const badEnds = await runToEnd(stack, [
    aRow(11, { amount: '50.13' }),
    aRow(12, { amount: '60.14' }),
    aRow(13, { beneficiary_company_name: 'SANCTIONED Trading Ltd' }),
  ]);
  const withFile = await runToEnd(stack, [aRow(21, { amount: '70.15', supporting_files: 'invoice.pdf' })]);
  await control(stack, 'faults', [{ operation: 'simple-payment-create', kind: 'error_after' }]);
  await control(stack, 'faults', [{ operation: 'simple-payment-fund', kind: 'error_before' }]);
  const unknown = await runToEnd(stack, [aRow(31)]);
  const stopped = await stoppedRun(stack, 50);
  await lift(stack);
  await untilRunIs(stack.maker, stopped, ({ finishedAt }) => finishedAt !== null);
  const cancelled = await stoppedRun(stack, 70);
  await stack.maker.cancelRun({ runId: cancelled });
  await untilRunIs(stack.maker, cancelled, ({ finishedAt }) => finishedAt !== null);
  const byId = await runToEnd(stack, [await rowByBeneficiaryId(stack, plain.runId)]);
  const released = await releasedRun(stack);
  const waited = await runThatWaitedForFunds(stack);
  const { runId: rejected } = await stack.maker.submitRun({ fileName: 'test.csv', csv: csvOf([aRow(41)]) });
  await untilRunIs(stack.maker, rejected, ({ state }) => state === 'in_approval');
  await rejectOverHttp(stack.checker, rejected, 'not this one');
  return [
    ['run-completed', paymentRunWorkflowId(plain.runId)],
    ['run-partially-completed', paymentRunWorkflowId(badEnds.runId)],
    ['run-rejected', paymentRunWorkflowId(rejected)],
    ['run-stopped-and-lifted', paymentRunWorkflowId(stopped)],
    ['run-cancelled', paymentRunWorkflowId(cancelled)],
    ['run-with-a-released-row', paymentRunWorkflowId(released)],
    ['run-waited-for-funds', paymentRunWorkflowId(waited.runId)],
    ['payment-waited-for-funds', waited.payments[0] ?? ''],
    ['run-by-beneficiary-id', paymentRunWorkflowId(byId.runId)],
    ['payment-stopped-and-lifted', await stoppedPayment(stack, stopped)],
    ['payment-paid', plain.payments[0] ?? ''],
    ['payment-rejected', badEnds.payments[0] ?? ''],
    ['payment-failed', badEnds.payments[1] ?? ''],
    ['payment-beneficiary-refused', badEnds.payments[2] ?? ''],
    ['payment-with-file', withFile.payments[0] ?? ''],
    ['payment-outcome-unknown', unknown.payments[0] ?? ''],
    ['confirmation', 'confirmation/default'],
    ['reference-data', await firstOf(stack, 'referenceData')],
  ];
}

interface EndedRun {
  runId: string;
  payments: string[];
}

async function runToEnd(stack: StackUnderTest, rows: Record<string, string>[]): Promise<EndedRun> {
  const runId = await submitAndApprove(stack, csvOf(rows), [
    { name: 'invoice.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF-1.4\n%%EOF\n') },
  ]);
  return ended(stack, runId);
}

async function ended(stack: StackUnderTest, runId: string): Promise<EndedRun> {
  await untilRunIs(stack.maker, runId, ({ finishedAt }) => finishedAt !== null);
  const payments: string[] = [];
  for await (const { paymentId } of stack.maker.eachRow({ runId })) payments.push(`payment/${paymentId}`);
  return { runId, payments };
}

/** A run whose second row is a suspected duplicate of its first, and is released. */
async function releasedRun(stack: StackUnderTest): Promise<string> {
  const { maker, checker } = stack;
  const [first, again] = [aRow(95), { ...aRow(95), row_ref: 'T-95-again' }];
  const { runId } = await maker.submitRun({ fileName: 'test.csv', csv: csvOf([first, again]) });
  await untilRunIs(maker, runId, ({ state }) => state === 'in_approval');
  const { similar } = await checker.getRow({ runId, rowRef: again.row_ref });
  const seen = { rowRef: again.row_ref, similarHash: similar?.hash ?? '', reason: 'another month' };
  await checker.releaseRow({ runId, ...seen });
  await untilRunIs(maker, runId, ({ proposal }) => proposal?.payable === 2);
  await approveOverHttp(checker, runId);
  await ended(stack, runId);
  return runId;
}

async function runThatWaitedForFunds(stack: StackUnderTest): Promise<EndedRun> {
  await control(stack, 'balance', { currency: 'USD', amount: '0.00' });
  const runId = await submitAndApprove(stack, csvOf([aRow(96), aRow(97)]));
  await untilRunIs(stack.maker, runId, ({ rows }) => (rows.awaiting_funds ?? 0) > 0);
  await control(stack, 'fundings', { currency: 'USD', amount: '9000000.00' });
  return ended(stack, runId);
}

/** A run that is stopped after some of its payments were funded. */
async function stoppedRun(stack: StackUnderTest, firstRow: number): Promise<string> {
  const rows = Array.from({ length: 12 }, (_, n) => aRow(firstRow + n));
  const runId = await submitAndApprove(stack, csvOf(rows));
  await untilRunIs(
    stack.maker,
    runId,
    ({ rows: { funded = 0, processing = 0, paid = 0 } }) => funded + processing + paid > 0,
  );
  await stack.maker.stopRun({ runId });
  return runId;
}

async function lift({ maker, checker }: StackUnderTest): Promise<void> {
  for (const client of [maker, checker]) {
    const [stop] = (await client.listStops()).stops;
    if (stop === undefined) throw new Error('there is no stop to lift');
    await client.liftStop(liftOf(stop));
  }
}

/** A payment of the run that received the signal `stopChanged`. */
async function stoppedPayment({ stack, maker }: StackUnderTest, runId: string): Promise<string> {
  const connection = await Connection.connect({ address: stack.addresses.temporalAddress ?? '' });
  try {
    const client = new Client({ connection });
    for await (const { paymentId } of maker.eachRow({ runId })) {
      const { events } = await client.workflow.getHandle(`payment/${paymentId}`).fetchHistory();
      const isNotified = (events ?? []).some(
        ({ workflowExecutionSignaledEventAttributes: signaled }) => signaled?.signalName === 'stopChanged',
      );
      if (isNotified) return `payment/${paymentId}`;
    }
    throw new Error('no payment was begun when the run was stopped');
  } finally {
    await connection.close();
  }
}

/** A row that names the beneficiary of a paid row by the provider's id. */
async function rowByBeneficiaryId({ stack }: StackUnderTest, runId: string): Promise<Record<string, string>> {
  const record = new pg.Client({ connectionString: stack.ownerDatabaseUrl });
  await record.connect();
  const { rows } = await record.query<{ beneficiary_id: string }>(
    'select beneficiary_id from payments where run_id = $1 and beneficiary_id is not null',
    [runId],
  );
  await record.end();
  const others = Object.entries(aRow(90)).filter(([name]) => !/^(beneficiary|bank)_/.test(name));
  return { ...Object.fromEntries(others), beneficiary_id: rows[0]?.beneficiary_id ?? '' };
}

/** The id of any workflow of this type. */
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

/** A call of the sandbox's control API. */
async function control({ stack }: StackUnderTest, path: string, order: object): Promise<void> {
  const answer = await fetch(`${stack.addresses.sandboxUrl ?? ''}/__sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  if (!answer.ok) throw new Error(`the sandbox refuses ${path}: ${await answer.text()}`);
}
