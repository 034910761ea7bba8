import { createServer, type Server } from 'node:http';
import type { Client } from '@temporalio/client';
import pg from 'pg';
import { liftOf } from '../../api/approvals/lift-of-stop.ts';
import {
  deliveryWorkflowId,
  DEFAULT_ACCOUNT,
  manualOutcomeWorkflowId,
  paymentRunWorkflowId,
  paymentStatusPollerWorkflowId,
  paymentWorkflowId,
} from '../../domain/identifiers.ts';
import { aRow, csvOf, someRows } from '../../fixtures/payment-rows.ts';
import { approveOverHttp, rejectOverHttp } from '../helpers/decide-over-http.ts';
import { type StackUnderTest, submitAndApprove, untilRunIs } from '../helpers/stack-under-test.ts';
import { newestCompleted, type Recording } from './recording.ts';
import { suspects } from '../helpers/suspected-duplicates.ts';

/** Runs and payments on every course that they can take, and the notifications of them. */
export const PAYMENTS: Recording = {
  sandboxArguments: [],
  variables: { PAYRUN_NOTIFICATION_PRIVATE_HOSTS: '127.0.0.1' },
  play: async (stack, temporal) => {
    const receiver = await startReceiver();
    try {
      const delivery = await anEndpoint(stack, receiver);
      return { ...(await playRuns(stack, temporal)), delivery };
    } finally {
      receiver.close();
    }
  },
};

async function playRuns(stack: StackUnderTest, temporal: Client): Promise<Record<string, string>> {
  const plain = await runToEnd(stack, someRows(3));
  const badEnds = await runToEnd(stack, [
    aRow(11, { amount: '50.13' }),
    aRow(12, { amount: '60.14' }),
    aRow(13, { beneficiary_company_name: 'SANCTIONED Trading Ltd' }),
  ]);
  const withFile = await runToEnd(stack, [aRow(21, { amount: '70.15', supporting_files: 'invoice.pdf' })]);
  await stack.control('faults', [{ operation: 'simple-payment-create', kind: 'error_after' }]);
  await stack.control('faults', [{ operation: 'simple-payment-fund', kind: 'error_before' }]);
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
  const { runId: rejected } = await stack.maker.submitRun({ fileName: 'test.csv', file: csvOf([aRow(41)]) });
  await untilRunIs(stack.maker, rejected, ({ state }) => state === 'in_approval');
  await rejectOverHttp(stack.checker, rejected, 'not this one');
  return {
    'run-completed': paymentRunWorkflowId(plain.runId),
    'run-partially-completed': paymentRunWorkflowId(badEnds.runId),
    'run-rejected': paymentRunWorkflowId(rejected),
    'run-stopped-and-lifted': paymentRunWorkflowId(stopped),
    'run-cancelled': paymentRunWorkflowId(cancelled),
    'run-with-a-released-row': paymentRunWorkflowId(released),
    'run-waited-for-funds': paymentRunWorkflowId(waited.runId),
    'run-by-beneficiary-id': paymentRunWorkflowId(byId.runId),
    'payment-waited-for-funds': waited.payments[0] ?? '',
    'payment-stopped-and-lifted': await stoppedPayment(stack, temporal, stopped),
    'payment-paid': plain.payments[0] ?? '',
    'payment-rejected': badEnds.payments[0] ?? '',
    'payment-failed': badEnds.payments[1] ?? '',
    'payment-beneficiary-refused': badEnds.payments[2] ?? '',
    'payment-with-file': withFile.payments[0] ?? '',
    'payment-outcome-unknown': unknown.payments[0] ?? '',
    'manual-outcome': await manualOutcome(stack),
    'payment-status-poller': paymentStatusPollerWorkflowId(DEFAULT_ACCOUNT),
    'reference-data': await newestCompleted(temporal, 'referenceData'),
  };
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
  for await (const { paymentId } of stack.maker.eachRow({ runId })) payments.push(paymentWorkflowId(paymentId));
  return { runId, payments };
}

/** A run whose second row is a suspected duplicate of its first, and is released. */
async function releasedRun(stack: StackUnderTest): Promise<string> {
  const { maker, checker } = stack;
  const [first, again] = [aRow(95), { ...aRow(95), row_ref: 'T-95-again' }];
  const { runId } = await maker.submitRun({ fileName: 'test.csv', file: csvOf([first, again]) });
  await untilRunIs(maker, runId, ({ state }) => state === 'in_approval');
  const { similar } = await checker.getRow({ runId, rowRef: again.row_ref });
  const rows = suspects({ rowRef: again.row_ref });
  await checker.releaseRows({ runId, rows, hash: similar?.hash ?? '', reason: 'another month' });
  await untilRunIs(maker, runId, ({ proposal }) => proposal?.payable === 2);
  await approveOverHttp(checker, runId);
  await ended(stack, runId);
  return runId;
}

async function runThatWaitedForFunds(stack: StackUnderTest): Promise<EndedRun> {
  await stack.control('balance', { currency: 'USD', amount: '0.00' });
  const runId = await submitAndApprove(stack, csvOf([aRow(96), aRow(97)]));
  await untilRunIs(stack.maker, runId, ({ rows }) => (rows.awaiting_funds ?? 0) > 0);
  await stack.control('fundings', { currency: 'USD', amount: '9000000.00' });
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
async function stoppedPayment({ maker }: StackUnderTest, temporal: Client, runId: string): Promise<string> {
  for await (const { paymentId } of maker.eachRow({ runId })) {
    const workflowId = paymentWorkflowId(paymentId);
    const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
    const isNotified = (events ?? []).some(
      ({ workflowExecutionSignaledEventAttributes: signaled }) => signaled?.signalName === 'stopChanged',
    );
    if (isNotified) return workflowId;
  }
  throw new Error('no payment was begun when the run was stopped');
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

/** A payment that the provider refuses to fund although there is money, and that two people say has failed. */
async function manualOutcome(stack: StackUnderTest): Promise<string> {
  await stack.control('faults', [
    { operation: 'simple-payment-fund', kind: 'error_before', status: 409, every: 1, times: 4 },
  ]);
  const row = aRow(99);
  const { runId } = await runToEnd(stack, [row]);
  const { providerPaymentId } = await stack.maker.getRow({ runId, rowRef: row.row_ref });
  await stack.control('force', { simplePaymentId: providerPaymentId, status: 'failed' });
  const key = { runId, rowRef: row.row_ref };
  const proposal = { outcome: 'failed', providerPaymentId: null, reason: 'said on the telephone' } as const;
  const { manualOutcomes } = await stack.maker.proposeManualOutcome({ ...key, ...proposal });
  const manualOutcomeId = manualOutcomes.at(-1)?.manualOutcomeId ?? '';
  await stack.checker.confirmManualOutcome({ ...key, manualOutcomeId });
  return manualOutcomeWorkflowId(manualOutcomeId);
}

/** Has everything notified to it. Returns the id of the workflow that delivers. */
async function anEndpoint({ administrator }: StackUnderTest, receiver: Server): Promise<string> {
  const address = receiver.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const endpoint = { kind: 'webhook', name: 'recorded', url: `http://127.0.0.1:${port}/` } as const;
  const { endpointId } = await administrator.addEndpoint(endpoint);
  return deliveryWorkflowId(endpointId);
}

async function startReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
