import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { inject } from 'vitest';
import {
  createMainActivities,
  createNotificationActivities,
  createProviderActivities,
  createUploadActivities,
} from '../../activities/create-activities.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import {
  MAIN_TASK_QUEUE,
  paymentRunWorkflowId,
  paymentWorkflowId,
  providerTaskQueue,
  NOTIFICATION_TASK_QUEUE,
  UPLOAD_TASK_QUEUE,
} from '../../domain/identifiers.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';

const ACCOUNT = 'default';
const OWN_QUEUE = 'of-the-attacker';

/** Someone with access to Temporal who knows the ids of a run and its rows. */
export interface Attacker {
  /** Every activity of payrun's workers, with its task queue. */
  readonly activities: readonly { taskQueue: string; name: string }[];
  /** Calls an activity of payrun's workers; returns its result or its error. */
  call(activity: { taskQueue: string; name: string }, input: object): Promise<unknown>;
  /** Calls activities of payrun's workers, all at once; returns when all have ended, or after `WAIT_MS`. */
  callAll(activities: readonly { taskQueue: string; name: string }[], input: object): Promise<unknown>;
  /** Starts one of payrun's workflows; returns when it has ended, was refused, or after `WAIT_MS`. */
  start(type: string, workflowId: string, input: object): Promise<unknown>;
  /** Sends the signals and updates of a run's workflow. */
  notifyRun(runId: string, checkerId: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startAttacker({ temporal }: PayrunUnderTest): Promise<Attacker> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(import.meta.dirname, 'attacker-workflows.ts'),
    logger: new DefaultLogger('ERROR'),
  });
  const connection = await NativeConnection.connect({ address: inject('temporalAddress') });
  const worker = await Worker.create({
    connection,
    namespace: temporal.options.namespace,
    taskQueue: OWN_QUEUE,
    workflowBundle: { code },
  });
  const running = worker.run();
  const attempt = (work: Promise<unknown>): Promise<unknown> => {
    const timeout = new Promise((resolve) => setTimeout(resolve, WAIT_MS, 'still running'));
    return Promise.race([work.catch((error: unknown) => error), timeout]);
  };
  const execute = (type: string, argument: unknown) =>
    attempt(
      temporal.workflow.execute(type, {
        workflowId: `attack/${randomUUID()}`,
        taskQueue: OWN_QUEUE,
        args: [argument],
      }),
    );
  return {
    activities: activityNames(),
    call: (activity, input) => execute('callActivity', { ...activity, input }),
    callAll: (activities, input) =>
      execute(
        'callActivities',
        activities.map((activity) => ({ ...activity, input })),
      ),
    start: (type, workflowId, input) =>
      attempt(temporal.workflow.execute(type, { workflowId, taskQueue: MAIN_TASK_QUEUE, args: [input] })),
    notifyRun: async (runId, checkerId) => {
      const handle = temporal.workflow.getHandle(paymentRunWorkflowId(runId));
      for (const update of ['approveRun', 'rejectRun']) {
        await attempt(handle.executeUpdate(update, { args: [{ userId: checkerId, contentHash: null }] }));
      }
      for (const signal of ['decisionRecorded', 'stopChanged', 'paymentsEnded', 'approve', 'fundsArrived']) {
        await attempt(handle.signal(signal, { userId: checkerId, kind: 'approved', decidedBy: checkerId }));
      }
    },
    stop: async () => {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}

/** Longer than any call takes that does not wait for something. */
const WAIT_MS = 5_000;

/** The names under which the workers register their activities. */
function activityNames(): { taskQueue: string; name: string }[] {
  const nothing = { settings: {} } as ActivityDependencies;
  const named = (activities: object, taskQueue: string) => Object.keys(activities).map((name) => ({ taskQueue, name }));
  return [
    ...named(createProviderActivities(nothing), providerTaskQueue(ACCOUNT)),
    ...named(createMainActivities(nothing), MAIN_TASK_QUEUE),
    ...named(createUploadActivities(nothing), UPLOAD_TASK_QUEUE),
    ...named(createNotificationActivities(nothing), NOTIFICATION_TASK_QUEUE),
  ];
}

/** The fields of all inputs of workflows and activities together, so that each finds its own. */
export function inputsOf(runId: string, paymentId: string): Record<string, unknown> {
  return {
    ...{
      runId,
      paymentId,
      account: ACCOUNT,
      rowNumber: 1,
      afterRow: 0,
      concurrencyLimit: 50,
      file: 0,
      files: 0,
    },
    ...{ decisionWithinMs: 60_000, dueBy: '2999-12-31', after: '2000-01-01', isLast: false, newBeneficiary: true },
    ...{ runWorkflowId: paymentRunWorkflowId(runId), kind: 'approved', userId: randomUUID(), reason: null },
    ...{
      code: 'upload_refused',
      message: 'x',
      corridors: [],
      lookups: [],
      manualOutcomeId: randomUUID(),
      providerPaymentId: 'x',
    },
    endpointId: randomUUID(),
    progress: { lastRowNumber: 0, decidedBy: '' },
  };
}

/** Two workflow ids for a payment: payrun's, and another one. */
export function paymentNames(paymentId: string): string[] {
  return [paymentWorkflowId(paymentId), `mine/${paymentId}`];
}
