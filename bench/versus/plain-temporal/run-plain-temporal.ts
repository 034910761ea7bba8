import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { type ServiceProcess, spawnService } from '../../../local/embedded/service-process.ts';
import type { BenchStack } from '../../engine/bench-stack.ts';
import type { Contender, Task } from '../contender.ts';
import { peerRows } from '../peer-rows.ts';
import type { pay } from './workflows.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const REQUESTS_PER_SECOND = 5;

/** One workflow a payment, from the start of the first to the end of the last. */
export const plainTemporalContender: Contender = {
  pay: async ({ stack, rows, killAt, report }: Task) => {
    const waiting = await peerRows(stack.sandboxUrl, rows);
    let worker = await startWorker(stack, report);
    const connection = await Connection.connect({ address: stack.temporalAddress });
    try {
      const client = new Client({ connection });
      const beganMs = performance.now();
      const restarted = killAt?.then(async () => {
        process.kill(worker.pid, 'SIGKILL');
        await worker.exited;
        report('versus: the plain worker was killed and is started again');
        worker = await startWorker(stack, report);
      });
      const started = await Promise.all(
        waiting.map(async (row) => ({
          rowRef: row.rowRef,
          handle: await client.workflow.start<typeof pay>('pay', {
            taskQueue: 'plain',
            workflowId: row.rowRef,
            args: [row],
          }),
        })),
      );
      const ended = await Promise.all(
        started.map(async ({ rowRef, handle }) => ({ rowRef, status: await handle.result() })),
      );
      const seconds = (performance.now() - beganMs) / 1000;
      await restarted;
      const saidPaid = new Set(ended.filter(({ status }) => status === 'completed').map(({ rowRef }) => rowRef));
      return { seconds, saidPaid, rowOf: (referenceId) => referenceId };
    } finally {
      await worker.stop();
      await connection.close();
    }
  },
};

function startWorker(stack: BenchStack, report: (line: string) => void): Promise<ServiceProcess> {
  return spawnService({
    name: 'plain-worker',
    command: process.execPath,
    args: ['--import', 'tsx', WORKER, stack.temporalAddress, stack.sandboxUrl, String(REQUESTS_PER_SECOND)],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    logFile: join(stack.home, 'logs', 'plain-worker.log'),
    readyWhen: (line) => line === 'plain worker is ready',
    report,
  });
}
