import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { paymentRunWorkflowId, paymentWorkflowId } from '../../domain/identifiers.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';

const CHANGED_WORKFLOWS = join(import.meta.dirname, '..', 'replay', 'changed-workflows.ts');

/** The bundle of a later version, whose payment workflow takes different steps. */
export async function changedBundle(): Promise<{ path: string; remove(): void }> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: CHANGED_WORKFLOWS,
    logger: new DefaultLogger('ERROR'),
  });
  const folder = mkdtempSync(join(tmpdir(), 'payrun-bundle-'));
  const path = join(folder, 'changed.js');
  writeFileSync(path, code);
  return { path, remove: () => rmSync(folder, { recursive: true }) };
}

/** What the history of a workflow shows about versions. */
export interface VersionTrace {
  workflowId: string;
  /** The versions whose workers executed it, in order, without repetition. */
  builds: string[];
  /** Failed workflow tasks, as after an incompatible change of the workflow. */
  failedTasks: number;
  timers: number;
}

export async function traceOf(
  { temporal }: Pick<PayrunUnderTest, 'temporal'>,
  workflowId: string,
): Promise<VersionTrace> {
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  const builds = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: done }) => {
    const buildId = done?.deploymentVersion?.buildId;
    return buildId === undefined || buildId === null ? [] : [buildId];
  });
  return {
    workflowId,
    builds: builds.filter((buildId, index) => buildId !== builds[index - 1]),
    failedTasks: (events ?? []).filter(({ workflowTaskFailedEventAttributes: failed }) => failed).length,
    timers: (events ?? []).filter(({ timerStartedEventAttributes: started }) => started).length,
  };
}

/** The traces of the run and of its payments, in the order of the rows. */
export async function tracesOf(
  payrun: PayrunUnderTest,
  runId: string,
): Promise<{ run: VersionTrace; payments: VersionTrace[] }> {
  const rows = await payrun.application.listRows(runId, { limit: 1_000, afterLine: 0, state: null });
  return {
    run: await traceOf(payrun, paymentRunWorkflowId(runId)),
    payments: await Promise.all(rows.map(({ paymentId }) => traceOf(payrun, paymentWorkflowId(paymentId)))),
  };
}

/** The number of payments of the run that were created at the provider. */
export async function createdOf({ database }: PayrunUnderTest, runId: string): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    'select count(provider_payment_id) as n from payments where run_id = $1',
    [runId],
  );
  return rows[0]?.n ?? 0;
}
