import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningSandbox } from '../../sandbox/server.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { approveOverHttp } from '../helpers/decide-over-http.ts';
import { faultsOf, orderFaults, paymentsAt } from '../helpers/sandbox-control.ts';
import { compareViews, type Finding } from './compare-views.ts';
import { disturb } from './disturb.ts';
import { type FaultStack, REQUESTS_PER_SECOND } from './fault-stack.ts';
import { readFourViews } from './four-views.ts';
import { atRequests, atRows, type OnMoment } from './moments.ts';
import { type Disturbance, disturbanceInWords, type Scenario } from './scenario.ts';
import { createBeneficiary, type PaymentFile, paymentFileOf } from './scenario-rows.ts';
import { untilWithin } from './until-within.ts';

export type Outcome =
  /** `missed`: what was ordered and never came, since the run did not get there. */
  | { kind: 'passed'; missed: string[] }
  | { kind: 'failed'; findings: Finding[] }
  /** It could not be played here. */
  | { kind: 'skipped'; why: string };

/** However much goes wrong, a run of a few rows has ended by then; balances are read every two minutes. */
const ENDS_WITHIN_MS = 400_000;
/** After the end: what is still on its way to Temporal, to the ledger and to the record. */
const OUTCOME_VISIBLE_WITHIN_MS = 60_000;
/** A run that could not be started is looked for every minute. */
const PROPOSED_WITHIN_MS = 150_000;

/** The provider's limit is on any second. */
const LIMIT_WINDOW_MS = 1_000;

let tags = 0;

/**
 * Plays a scenario on a stack: a run is submitted and approved, everything goes wrong that the scenario orders, and
 * when the run has ended and all is repaired, the four views of it are compared.
 */
export async function runScenario(stack: FaultStack, scenario: Scenario): Promise<Outcome> {
  const needsDisk = scenario.disturbances.some(({ does }) => does.kind === 'fill_disk');
  if (needsDisk && stack.disk === null) return { kind: 'skipped', why: 'a small disk cannot be mounted here' };
  tags += 1;
  const sandbox = await startSandbox({
    seed: scenario.seed,
    answers: 'drawn',
    limitPerSecond: REQUESTS_PER_SECOND,
    completionMinMs: 100,
    completionMaxMs: 800,
    publicUrl: stack.door.urlOf(0),
    webhookUrl: scenario.webhooks ? stack.webhookUrl : null,
    ...scenario.sandbox,
  });
  try {
    const file = paymentFileOf(scenario, tags, await createBeneficiary(sandbox.url));
    const ownRequestsMs = performance.now();
    await prepare(stack, scenario, sandbox);
    // These did not pass payrun's gate: no second that holds them may hold requests of payrun's.
    await sleep(Math.max(0, ownRequestsMs + LIMIT_WINDOW_MS - performance.now()));
    const runId = await submit(stack, file, scenario);
    await orderFaults(sandbox, ...scenario.faults);
    const missed = await play({ stack, scenario, sandbox, runId });
    await untilEnded(stack, sandbox, runId);
    const views = await readFourViews(stack, sandbox, runId, file);
    const findings = compareViews(views, REQUESTS_PER_SECOND).filter(
      ({ kind }) => kind !== 'unknown' || scenario.mayEndUnknown !== true,
    );
    return findings.length === 0 ? { kind: 'passed', missed } : { kind: 'failed', findings };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', findings: [{ kind: 'disagreement', what }] };
  } finally {
    stack.door.watch(null);
    await sandbox.close();
  }
}

async function prepare(stack: FaultStack, scenario: Scenario, sandbox: RunningSandbox): Promise<void> {
  stack.door.pointAt(sandbox.url);
  for (const worker of [0, 1]) stack.setClock(worker, scenario.clocksMs[worker] ?? 0);
  await stack.employ(scenario.workers);
}

async function submit(stack: FaultStack, file: PaymentFile, { rows, disturbances }: Scenario): Promise<string> {
  const { maker, checker } = stack;
  const atOnce = disturbances.filter(({ at }) => at.on === 'submitted');
  const underWay = atOnce.map(({ does }) => disturb({ stack, sandboxUrl: '' }, does, null));
  const { runId } = await maker.submitRun({ fileName: 'faults.csv', csv: file.csv, files: file.files });
  await Promise.all(underWay);
  await untilWithin(PROPOSED_WITHIN_MS, 'the run waits for its approval', async () => {
    return (await maker.getRun(runId)).state === 'in_approval';
  });
  const released = file.rowRefs.filter((_, index) => rows[index] === 'released');
  for (const rowRef of released) {
    const { similar } = await checker.getRow(runId, rowRef);
    const similarHash = similar?.hash ?? '';
    await checker.releaseRow({ runId, rowRef }, { similarHash, reason: 'another invoice' });
  }
  await untilWithin(PROPOSED_WITHIN_MS, 'the run is proposed with what was released', async () => {
    return (await maker.getRun(runId)).proposal?.payable === file.rowRefs.length;
  });
  return runId;
}

interface Play {
  stack: FaultStack;
  scenario: Scenario;
  sandbox: RunningSandbox;
  runId: string;
}

/**
 * Approves the run, and lets happen what the scenario orders, until the run has ended and all is put right again.
 * Answers what did not happen.
 */
async function play({ stack, scenario, sandbox, runId }: Play): Promise<string[]> {
  const { disturbances } = scenario;
  const underWay: Promise<void>[] = [];
  const missed = new Set(disturbances.filter(({ at }) => at.on !== 'submitted'));
  const onMoment: OnMoment = (disturbance: Disturbance, passing) => {
    const { does } = disturbance;
    missed.delete(disturbance);
    underWay.push(disturb({ stack, sandboxUrl: sandbox.url }, does, passing));
  };
  stack.door.countAnew();
  stack.door.watch(atRequests(disturbances, onMoment));
  await approveOverHttp(stack.checker, runId);
  for (const disturbance of disturbances) if (disturbance.at.on === 'approved') onMoment(disturbance, null);
  const rowsWatched = atRows(stack.database, runId, disturbances, onMoment);
  await untilWithin(ENDS_WITHIN_MS, 'the run ends', () => hasEnded(stack, runId));
  await rowsWatched;
  await Promise.all(underWay);
  const faults = (await faultsOf(sandbox)).filter(({ struck }) => struck === 0);
  return [...[...missed].map(disturbanceInWords), ...faults.map(({ kind, operation }) => `${kind} on ${operation}`)];
}

async function hasEnded({ database }: FaultStack, runId: string): Promise<boolean> {
  // Asked past the broken ways; the database itself may be gone for a while.
  const answer = await database
    .query<{ ended: boolean }>('select finished_at is not null as ended from runs where run_id = $1', [runId])
    .catch(() => null);
  return answer?.rows[0]?.ended === true;
}

/** Until everything runs again, no payment is on its way at the sandbox, and every workflow of the run was told. */
async function untilEnded(stack: FaultStack, sandbox: RunningSandbox, runId: string): Promise<void> {
  await untilWithin(OUTCOME_VISIBLE_WITHIN_MS, 'the services answer again', async () => {
    return (await stack.maker.health().catch(() => null))?.status === 'ok';
  });
  const firstBeats = new Map<string, number>();
  await untilWithin(OUTCOME_VISIBLE_WITHIN_MS, 'every worker is alive', async () => {
    const { rows } = await stack.database.query<{ holder: string; beat: number }>(
      'select holder, beat from slot_holders',
    );
    for (const { holder, beat } of rows) if (!firstBeats.has(holder)) firstBeats.set(holder, beat);
    return rows.filter(({ holder, beat }) => beat > (firstBeats.get(holder) ?? beat)).length >= stack.workers.length;
  });
  await untilWithin(OUTCOME_VISIBLE_WITHIN_MS, 'no payment is on its way', async () => {
    return (await paymentsAt(sandbox)).every(({ status }) => status !== 'processing');
  });
  await untilWithin(OUTCOME_VISIBLE_WITHIN_MS, 'every workflow of the run has ended', () =>
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
