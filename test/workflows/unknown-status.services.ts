import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentWorkflowId } from '../../domain/identifiers.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows } from '../helpers/run-under-test.ts';
import { expectAllFaultsApplied, orderFaults } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

const UNKNOWN_STATUS = 'under_review_by_committee';

let shown = 0;
let server: Server;
let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun({ startProxy });
});
afterAll(async () => {
  await payrun.stop();
  server.close();
});

async function startProxy(sandboxUrl: string): Promise<string> {
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      void (async () => {
        const { method = 'GET', url = '/', headers } = request;
        const body = pieces.length === 0 ? {} : { body: Buffer.concat(pieces) };
        const kept = Object.entries(headers).filter(
          ([name]) => !['connection', 'host', 'content-length'].includes(name),
        );
        const answer = await fetch(sandboxUrl + url, { method, headers: kept as [string, string][], ...body });
        const text = await answer.text();
        const isChanged = text.includes('"awaiting_funds"');
        if (isChanged) shown += 1;
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
        response.end(isChanged ? text.replaceAll('"awaiting_funds"', `"${UNKNOWN_STATUS}"`) : text);
      })().catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
