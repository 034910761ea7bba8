import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { migrateOrphaned } from '../../workers/versions/migrate-orphaned.ts';
import { describeVersions } from '../../workers/versions/describe-versions.ts';
import { readDeployment } from '../../workers/versions/deployment.ts';
import { setCurrent } from '../../workers/versions/set-current.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { expectPaidOnce } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { changedBundle, createdOf, tracesOf } from '../helpers/versions-under-test.ts';
import type { WorkerVersion } from '../helpers/workers-under-test.ts';

const REQUESTS_PER_SECOND = 40;
/** Far more than the concurrency limit, so that some begin after the upgrade. */
const ROWS = 110;
const TEN_MINUTES_MS = 600_000;

let changed: Awaited<ReturnType<typeof changedBundle>>;
let payrun: PayrunUnderTest;
let running: { stop(): Promise<void> }[];

beforeAll(async () => {
  changed = await changedBundle();
});
afterAll(() => changed.remove());
beforeEach(async () => {
  running = [];
  payrun = await startPayrun({ requestsPerSecond: REQUESTS_PER_SECOND });
});
afterEach(async () => {
  await Promise.all(running.map((workers) => workers.stop()));
  await payrun.stop();
});

/** Starts workers of another version beside the running ones, and makes that version current. */
async function upgradeTo(version: WorkerVersion): Promise<void> {
  running.push(await payrun.startVersion(version));
  await setCurrent(payrun.temporal, version.buildId);
}

/** Migrates orphaned workflows to this version, at a time when versions with stopped workers count as gone. */
async function adopt(version: WorkerVersion): Promise<string[]> {
  const said: string[] = [];
  const stop = new AbortController();
  const say = (line: string): void => {
    said.push(line);
    stop.abort();
  };
  const now = (): number => Date.now() + TEN_MINUTES_MS;
  const client = payrun.temporal;
  await migrateOrphaned({ ...version, client, now, info: say, warn: say, stopSignal: stop.signal });
  return said;
}

async function expectPaidWithinTheLimit(runId: string, rows: number): Promise<void> {
  expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: rows } });
  await expectPaidOnce(payrun, runId);
  const ledger = payrun.sandbox.ledger();
  expect(ledger.rejectedByLimit).toBe(0);
  expect(ledger.mostInAnySecond).toBeLessThanOrEqual(REQUESTS_PER_SECOND);
}

describe('an upgrade in the middle of a run', () => {
  test('payments end on the version that began them, later ones start on the next, and the run moves to it', async () => {
    const rows = newRows(ROWS);
    // Its workers are ready, so that the upgrade happens before most payments begin.
    running.push(await payrun.startVersion({ buildId: 'second', bundlePath: changed.path }));
    const runId = await beginRun(payrun, rows);
    await until(async () => (await createdOf(payrun, runId)) >= 8);
    await setCurrent(payrun.temporal, 'second');
    await expectPaidWithinTheLimit(runId, rows.length);

    const { run, payments } = await tracesOf(payrun, runId);
    expect(run).toMatchObject({ builds: ['first', 'second'], failedTasks: 0 });
    expect(payments.filter(({ failedTasks }) => failedTasks > 0)).toEqual([]);
    // The code that ran is visible too: payments of the changed version waited a second.
    const [old, later] = ['first', 'second'].map((build) => payments.filter(({ builds }) => builds.join() === build));
    expect(old?.length).toBeGreaterThan(0);
    expect(later?.length).toBeGreaterThan(0);
    expect((old?.length ?? 0) + (later?.length ?? 0)).toBe(rows.length);
    expect(old?.filter(({ timers }) => timers !== 0)).toEqual([]);
    expect(later?.filter(({ timers }) => timers !== 1)).toEqual([]);
  });

  test('workflows of a version without workers continue on the next, if it replays them', async () => {
    const rows = newRows(30);
    const runId = await beginRun(payrun, rows);
    await until(async () => (await createdOf(payrun, runId)) >= 8);
    await payrun.stopWorkers();
    const version = { buildId: 'same-code', bundlePath: inject('bundlePath') };
    await upgradeTo(version);
    expect(await adopt(version)).toEqual([
      expect.stringMatching(/^\d+ open payments of first, .* continue on same-code$/),
    ]);
    await expectPaidWithinTheLimit(runId, rows.length);
    const { run, payments } = await tracesOf(payrun, runId);
    expect([run, ...payments].filter(({ failedTasks }) => failedTasks > 0)).toEqual([]);
    expect(payments.filter(({ builds }) => builds.join() === 'first,same-code').length).toBeGreaterThan(0);
  });

  test('workflows that it cannot replay stay, and end once workers of their version return', async () => {
    const rows = newRows(30);
    const runId = await beginRun(payrun, rows);
    await until(async () => (await createdOf(payrun, runId)) >= 8);
    await payrun.stopWorkers();
    const version = { buildId: 'other-code', bundlePath: changed.path };
    await upgradeTo(version);
    expect(await adopt(version)).toEqual([
      expect.stringMatching(/^\d+ open payments of first cannot continue on other-code, .*start a worker of first/),
    ]);
    await payrun.restartWorkers();
    expect((await readDeployment(payrun.temporal))?.currentBuildId).toBe('other-code');
    await expectPaidWithinTheLimit(runId, rows.length);
    const { run, payments } = await tracesOf(payrun, runId);
    expect(run.builds).toEqual(['first', 'other-code']);
    expect([run, ...payments].filter(({ failedTasks }) => failedTasks > 0)).toEqual([]);
    expect(payments.filter(({ builds }) => builds.length !== 1)).toEqual([]);
    // Temporal's counts lag a moment behind.
    await until(async () =>
      (await describeVersions(payrun.temporal, Date.now())).every((found) => found.payments === 0),
    );
  });
});
