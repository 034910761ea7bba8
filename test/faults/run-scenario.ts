import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningSandbox } from '../../sandbox/server.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { approveOverHttp } from '../helpers/decide-over-http.ts';
import { faultsOf, orderFaults, paymentsAt } from '../helpers/sandbox-control.ts';
import { compareViews } from './compare-views.ts';
import { performAction } from './perform-action.ts';
import { type FaultStack, REQUESTS_PER_SECOND } from './fault-stack.ts';
import type { Outcome } from './outcome.ts';
import { readRunViews } from './run-views.ts';
import { type OnTrigger, requestTriggers, watchRowTriggers } from './triggers.ts';
import { describeDisruption, type Disruption, type Scenario } from './scenario.ts';
import { createBeneficiary, type PaymentFile, paymentFileOf } from './scenario-rows.ts';
import { untilRepaired } from './until-repaired.ts';
import { untilWithin } from './until-within.ts';
import { suspects } from '../helpers/suspected-duplicates.ts';

/** Enough for a run of a few rows with any faults; balances are read every two minutes. */
const ENDS_WITHIN_MS = 400_000;
/** After the end of the run, updates of Temporal, the ledger and the database may still be under way. */
const OUTCOME_VISIBLE_WITHIN_MS = 60_000;
/** The poller may have shown the end while a payment's own read waits to be retried, for up to a minute. */
const WORKFLOWS_END_WITHIN_MS = 120_000;
/** A run whose workflow could not be started is retried every minute. */
const PROPOSED_WITHIN_MS = 150_000;

/** The provider limits the requests in any second. */
const LIMIT_PERIOD_MS = 1_000;

let lastTag = 0;

/**
 * Runs a scenario on a stack: submits and approves a run, causes the scenario's faults and disruptions, and compares the
 * four views of the run after it has ended and everything is repaired.
 */
export async function runScenario(stack: FaultStack, scenario: Scenario): Promise<Outcome> {
  const needsDisk = scenario.disruptions.some(({ action }) => action.kind === 'fill_disk');
  if (needsDisk && stack.disk === null) return { kind: 'skipped', why: 'a small disk cannot be mounted here' };
  lastTag += 1;
  const sandbox = await startSandbox({
    seed: scenario.seed,
    answers: 'seeded',
    limitPerSecond: REQUESTS_PER_SECOND,
    completionMinMs: 100,
    completionMaxMs: 800,
    publicUrl: stack.providerProxy.urlOf(0),
    webhookUrl: scenario.webhooks ? stack.webhookUrl : null,
    ...scenario.sandbox,
  });
  try {
    const file = paymentFileOf(scenario, lastTag, await createBeneficiary(sandbox.url));
    const ownRequestsMs = performance.now();
    await prepare(stack, scenario, sandbox);
    // The suite's own requests bypassed payrun's rate limiter, so they must not share a second with payrun's requests.
    await sleep(Math.max(0, ownRequestsMs + LIMIT_PERIOD_MS - performance.now()));
    const runId = await submit(stack, file, scenario);
    await orderFaults(sandbox, ...scenario.faults);
    const missed = await approveAndDisrupt({ stack, scenario, sandbox, runId });
    await untilEnded(stack, sandbox, runId);
    const views = await readRunViews(stack, sandbox, runId, file);
    const findings = compareViews(views, REQUESTS_PER_SECOND).filter(
      ({ kind }) => kind !== 'unknown' || scenario.mayEndUnknown !== true,
    );
    return findings.length === 0 ? { kind: 'passed', missed } : { kind: 'failed', findings };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', findings: [{ kind: 'disagreement', what }] };
  } finally {
    stack.providerProxy.setListener(null);
    await sandbox.close();
  }
}

async function prepare(stack: FaultStack, scenario: Scenario, sandbox: RunningSandbox): Promise<void> {
  stack.providerProxy.setTarget(sandbox.url);
  for (const worker of [0, 1]) stack.setClock(worker, scenario.clocksMs[worker] ?? 0);
  await stack.setWorkerCount(scenario.workers);
}

async function submit(stack: FaultStack, file: PaymentFile, { rows, disruptions }: Scenario): Promise<string> {
  const { maker, checker } = stack;
  const immediate = disruptions.filter(({ trigger }) => trigger.on === 'submitted');
  const underWay = immediate.map(({ action }) => performAction({ stack, sandboxUrl: '' }, action, null));
  const { runId } = await maker.submitRun({ fileName: 'faults.csv', file: file.csv, files: file.files });
  await Promise.all(underWay);
  await untilWithin(PROPOSED_WITHIN_MS, 'the run waits for approval', async () => {
    return (await maker.getRun({ runId })).state === 'in_approval';
  });
  const released = file.rowRefs.filter((_, index) => rows[index] === 'released');
  for (const rowRef of released) {
    const { similar } = await checker.getRow({ runId, rowRef });
    const hash = similar?.hash ?? '';
    await checker.releaseRows({ runId, rows: suspects({ rowRef }), hash, reason: 'another invoice' });
  }
  await untilWithin(PROPOSED_WITHIN_MS, 'the proposal includes the released rows', async () => {
    return (await maker.getRun({ runId })).proposal?.payable === file.rowRefs.length;
  });
  return runId;
}

interface RunningScenario {
  stack: FaultStack;
  scenario: Scenario;
  sandbox: RunningSandbox;
  runId: string;
}

/**
 * Approves the run and performs the scenario's disruptions until the run has ended and everything is repaired. Returns
 * the disruptions and faults that did not happen.
 */
async function approveAndDisrupt({ stack, scenario, sandbox, runId }: RunningScenario): Promise<string[]> {
  const { disruptions } = scenario;
  const underWay: Promise<void>[] = [];
  const missed = new Set(disruptions.filter(({ trigger }) => trigger.on !== 'submitted'));
  const onTrigger: OnTrigger = (disruption: Disruption, request) => {
    const { action } = disruption;
    missed.delete(disruption);
    underWay.push(performAction({ stack, sandboxUrl: sandbox.url }, action, request));
  };
  stack.providerProxy.resetCounts();
  stack.providerProxy.setListener(requestTriggers(disruptions, onTrigger));
  await approveOverHttp(stack.checker, runId);
  for (const disruption of disruptions) if (disruption.trigger.on === 'approved') onTrigger(disruption, null);
  const rowsWatched = watchRowTriggers(stack.database, runId, disruptions, onTrigger);
  await untilWithin(ENDS_WITHIN_MS, 'the run ends', () => hasEnded(stack, runId));
  await rowsWatched;
  await Promise.all(underWay);
  const faults = (await faultsOf(sandbox)).filter(({ injected }) => injected === 0);
  return [...[...missed].map(describeDisruption), ...faults.map(({ kind, operation }) => `${kind} on ${operation}`)];
}

async function hasEnded({ database }: FaultStack, runId: string): Promise<boolean> {
  // This connection does not use the proxy, but the database itself may be down for a while.
  const answer = await database
    .query<{ ended: boolean }>('select finished_at is not null as ended from runs where run_id = $1', [runId])
    .catch(() => null);
  return answer?.rows[0]?.ended === true;
}

/** Waits until all services run again, no payment is in progress at the sandbox, and the run's workflows have ended. */
async function untilEnded(stack: FaultStack, sandbox: RunningSandbox, runId: string): Promise<void> {
  await untilRepaired(stack);
  await untilWithin(OUTCOME_VISIBLE_WITHIN_MS, 'no payment is in progress', async () => {
    return (await paymentsAt(sandbox)).every(({ status }) => status !== 'processing');
  });
  await untilWithin(WORKFLOWS_END_WITHIN_MS, 'every workflow of the run has ended', () =>
    hasNoOpenWorkflow(stack, runId),
  );
}

async function hasNoOpenWorkflow({ database, temporal }: FaultStack, runId: string): Promise<boolean> {
  const { rows } = await database.query<{ id: string }>(
    `select 'payment/' || payment_id as id from payments where run_id = $1 union all select 'payment-run/' || $1`,
    [runId],
  );
  const open = await Promise.all(
    rows.map(async ({ id }) => {
      const description = await temporal.workflow
        .getHandle(id)
        .describe()
        .catch(() => null);
      return description?.status.name === 'RUNNING';
    }),
  );
  return !open.includes(true);
}
