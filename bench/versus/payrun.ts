import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import type { ServiceProcess } from '../../local/embedded/service-process.ts';
import { approveRun, proposeRun, untilPaid } from '../harness/pay-run.ts';
import type { Contender, Task } from './contender.ts';

/** payrun with one worker, from the approval to the end of the run. It creates its beneficiaries within this time. */
export const payrunContender: Contender = {
  pay: async ({ stack, rows, killAt, report }: Task) => {
    let worker: ServiceProcess = await stack.startWorker();
    const runId = await proposeRun(stack, rows);
    const startedMs = performance.now();
    await approveRun(stack.checker, runId);
    const restarted = killAt?.then(async () => {
      process.kill(worker.pid, 'SIGKILL');
      await worker.exited;
      report('versus: the worker was killed and is restarted');
      worker = await stack.startWorker();
    });
    await Promise.all([untilPaid(stack, runId), restarted]);
    const seconds = (performance.now() - startedMs) / 1000;
    const saidPaid = new Set<string>();
    const rowByReference = new Map<string, string>();
    for await (const { rowRef, paymentId, attempt, state } of stack.maker.eachRow({ runId })) {
      if (state === 'paid') saidPaid.add(rowRef);
      rowByReference.set(referenceIdOf(paymentId, attempt), rowRef);
    }
    return { seconds, saidPaid, rowOf: (referenceId) => rowByReference.get(referenceId) };
  },
};
