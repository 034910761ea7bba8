import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { type ServiceProcess, spawnService } from '../../../local/embedded/service-process.ts';
import type { BenchStack } from '../../harness/bench-stack.ts';
import type { Contender, Task } from '../contender.ts';
import { prepareRows } from '../prepare-rows.ts';
import type { pay } from './workflows.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const REQUESTS_PER_SECOND = 5;

/** One workflow per payment, from the start of the first to the end of the last. */
export const plainTemporalContender: Contender = {
  pay: async ({ stack, rows, killAt, report }: Task) => {
    const waiting = await prepareRows(stack.sandboxUrl, rows);
    let worker = await startWorker(stack, report);
    const connection = await Connection.connect({ address: stack.temporalAddress });
    try {
      const client = new Client({ connection });
      const startedMs = performance.now();
      const restarted = killAt?.then(async () => {
        process.kill(worker.pid, 'SIGKILL');
        await worker.exited;
        report('versus: the plain worker was killed and is restarted');
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
      const seconds = (performance.now() - startedMs) / 1000;
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
