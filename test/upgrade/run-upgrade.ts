import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  conversionWorkflowId,
  onboardingWorkflowId,
  paymentRunWorkflowId,
  paymentWorkflowId,
} from '../../domain/identifiers.ts';
import type { ExampleClients } from '../../local/demo/example-users.ts';
import type { ServiceProcess } from '../../local/embedded/service-process.ts';
import { newFolderInMemory } from '../helpers/folder-in-memory.ts';
import { until } from '../helpers/until.ts';
import { traceOf, type VersionTrace } from '../helpers/versions-under-test.ts';
import { type Installation, startInstallation } from './installation.ts';
import {
  beginWork,
  finishWork,
  type InterruptedWork,
  ROWS,
  STUCK_ROWS,
  untilOthersArePaid,
  WAITING_ROWS,
} from './interrupted-work.ts';
import { ADDED_TABLE, CHANGED_FUNCTION, makeNextVersion } from './next-version.ts';

/**
 * Upgrades this version to a made-up next one (`next-version.ts`) as operators do, with a run, conversions and onboarding cases in the
 * middle of their work: side by side, then on one machine, where all processes are replaced at once. Exit code 0 when everything was
 * done exactly once, on the version that `docs/upgrading.md` says.
 *
 *     npm run test:upgrade
 */

const ROOT = resolve(import.meta.dirname, '../..');
/** A worker that has stopped counts as running for two and a half minutes, and is looked for twice a minute. */
const WITHIN_MS = 420_000;

const failures: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'payrun-next-'));
try {
  makeNextVersion(ROOT, folder);
  await tryUpgrade('side by side', upgradeSideBySide);
  await tryUpgrade('on one machine', upgradeOnOneMachine);
  replayHistories();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures.length === 0 ? 'everything was done exactly once' : `FAILED:\n${failures.join('\n')}`);
process.exitCode = failures.length === 0 ? 0 : 1;

function check(isSo: boolean, what: string, found: unknown): void {
  if (!isSo) failures.push(`not so: ${what}. Found: ${JSON.stringify(found).slice(0, 1_000)}`);
}

interface OldProcesses {
  worker: ServiceProcess;
  server: ServiceProcess;
}

type Upgrade = (
  under: Installation,
  old: OldProcesses,
  work: { clients: ExampleClients; begun: InterruptedWork },
) => Promise<Upgraded>;

interface Upgraded {
  oldBuild: string;
  nextBuild: string;
  /** Whether workers of both versions ran together. */
  isSideBySide: boolean;
}

async function tryUpgrade(name: string, upgrade: Upgrade): Promise<void> {
  const startedAtMs = performance.now();
  const home = newFolderInMemory('upgrade');
  mkdirSync(join(home, 'logs'));
  chmodSync(home, 0o755);
  const under = await startInstallation(home, ROOT);
  try {
    await under.operate(ROOT, 'migrate');
    const old = { worker: await under.start(ROOT, 'worker'), server: await under.start(ROOT, 'server') };
    const clients = await under.clients();
    const within = <T>(work: Promise<T>): Promise<T> => Promise.race([work, lateEnd(name)]);
    const begun = await within(beginWork(clients, under));
    console.log(`${name}: a run, conversions and cases are in the middle of their work`);
    const upgraded = await within(upgrade(under, old, { clients, begun }));
    await within(checkEverything(under, clients, begun, upgraded));
  } finally {
    await under.stop();
    rmSync(home, { recursive: true, force: true });
  }
  console.log(`${name}: ${Math.round((performance.now() - startedAtMs) / 1_000)} s`);
}

/** As in production: the next version's workers and servers are started beside the old ones. */
async function upgradeSideBySide(
  under: Installation,
  old: OldProcesses,
  { clients, begun }: Parameters<Upgrade>[2],
): ReturnType<Upgrade> {
  await migrateToNext(under);
  await under.start(folder, 'worker');
  const { oldBuild, nextBuild } = await buildsOf(under);
  await under.operate(folder, 'versions', 'set-current', nextBuild);
  await old.server.stop();
  await under.start(folder, 'server');
  console.log('the next version is current');
  await untilOthersArePaid(clients, begun);
  console.log('all rows are paid but those that the provider has not confirmed');
  // Temporal's counts lag a moment behind.
  await until(async () => (await versionOf(under, oldBuild)).payments === STUCK_ROWS);
  const { status } = await versionOf(under, oldBuild);
  check(status === 'draining', 'the old version drains while payments of it are open', status);
  await finishWork(clients, under, begun);
  await until(async () => (await versionOf(under, oldBuild)).payments === 0);
  await old.worker.stop();
  return { oldBuild, nextBuild, isSideBySide: true };
}

/** As `payrun up` does: the next version's worker takes over what is open. */
async function upgradeOnOneMachine(
  under: Installation,
  old: OldProcesses,
  { clients, begun }: Parameters<Upgrade>[2],
): ReturnType<Upgrade> {
  await old.server.stop();
  await old.worker.stop();
  await migrateToNext(under);
  await Promise.all([under.start(folder, 'worker', '--set-current', '--take-over'), under.start(folder, 'server')]);
  await untilOthersArePaid(clients, begun);
  await finishWork(clients, under, begun);
  return { ...(await buildsOf(under)), isSideBySide: false };
}

async function migrateToNext(under: Installation): Promise<void> {
  await under.operate(folder, 'migrate');
  const { rows } = await under.database.query<{ body: string }>(
    'select prosrc as body from pg_proc where proname = $1',
    [CHANGED_FUNCTION.name],
  );
  check(rows[0]?.body.includes(CHANGED_FUNCTION.mark) === true, 'the function has the text of the next version', rows);
}

async function checkEverything(
  under: Installation,
  clients: ExampleClients,
  { runIds, orderIds, caseIds }: InterruptedWork,
  { oldBuild, nextBuild, isSideBySide }: Upgraded,
): Promise<void> {
  const ledger = await under.ledger();
  const repeated = [ledger.createdMoreThanOnce, ledger.fundedMoreThanOnce, ledger.signedUpMoreThanOnce].flat();
  check(repeated.length === 0, 'by the books of the provider nothing was done twice', repeated);
  check(ledger.invariantHolds && ledger.rejectedByLimit === 0, 'they balance, and its limit was kept', ledger);
  check(ledger.payments['completed'] === ROWS + WAITING_ROWS, 'each row has a completed payment', ledger.payments);

  const [waiting, paying] = [await paymentsOf(under, clients, runIds[0]), await paymentsOf(under, clients, runIds[1])];
  const ofBuilds = (...builds: string[]) => paying.filter((payment) => payment.builds.join() === builds.join());
  const [ended, moved] = [ofBuilds(oldBuild), ofBuilds(oldBuild, nextBuild)];
  const known = ended.length + moved.length + ofBuilds(nextBuild).length;
  check(paying.length === ROWS && known === ROWS, 'no payment goes back', paying);
  const stays = isSideBySide ? ended.length >= STUCK_ROWS && moved.length === 0 : moved.length >= STUCK_ROWS;
  check(stays, 'payments end on the version that began them, if it has a worker, and move if not', { ended, moved });
  const isOfNext = ({ builds, timers }: VersionTrace): boolean => builds.join() === nextBuild && timers > 0;
  check(
    waiting.length === WAITING_ROWS && waiting.every(isOfNext),
    'payments begun later are of the next version',
    waiting,
  );

  const others = await tracesOf(under, [
    ...runIds.map(paymentRunWorkflowId),
    ...orderIds.map(conversionWorkflowId),
    ...caseIds.map(onboardingWorkflowId),
  ]);
  const haveMoved = others.every(({ builds }) => builds.join() === [oldBuild, nextBuild].join());
  check(haveMoved, 'runs, conversions and cases go on on the next version', others);
  const failed = [...waiting, ...paying, ...others].filter(({ failedTasks }) => failedTasks > 0);
  check(failed.length === 0, 'no workflow met code that does not replay it', failed);
  const { rows: notes } = await under.database.query<{ id: string }>(`select run_id as id from ${ADDED_TABLE}`);
  const noted = notes.map(({ id }) => id).sort();
  check(noted.join() === [...runIds].sort().join(), 'runs end as the next version ends them', notes);
}

/** The traces of a run's payments, which are all paid. */
async function paymentsOf(under: Installation, { maker }: ExampleClients, runId: string): Promise<VersionTrace[]> {
  const workflowIds: string[] = [];
  for await (const { paymentId, state } of maker.eachRow({ runId })) {
    check(state === 'paid', 'every row is paid', { paymentId, state });
    workflowIds.push(paymentWorkflowId(paymentId));
  }
  return tracesOf(under, workflowIds);
}

function tracesOf(under: Installation, workflowIds: readonly string[]): Promise<VersionTrace[]> {
  return Promise.all(workflowIds.map((workflowId) => traceOf(under, workflowId)));
}

/** The next version replays what this version has recorded, and its migration only adds. */
function replayHistories(): void {
  const tests = ['test/replay/replay.test.ts', 'test/store/expanding-migrations.test.ts'];
  const only = ['-t', 'each replays|only adds'];
  try {
    execFileSync('npx', ['vitest', 'run', '--project', 'replay', '--project', 'unit', ...tests, ...only], {
      cwd: folder,
      stdio: 'pipe',
    });
  } catch (error) {
    failures.push(
      `the next version does not replay histories, or breaks the schema: ${(error as { stdout?: Buffer }).stdout?.toString() ?? ''}`,
    );
  }
}

interface ListedVersion {
  buildId: string;
  status: string;
  payments: number;
}

async function listVersions(under: Installation): Promise<{ own: string; versions: ListedVersion[] }> {
  return JSON.parse(await under.operate(folder, 'versions', 'list', '--json')) as never;
}

async function buildsOf(under: Installation): Promise<{ oldBuild: string; nextBuild: string }> {
  const { own, versions } = await listVersions(under);
  return { oldBuild: versions.find(({ buildId }) => buildId !== own)?.buildId ?? '', nextBuild: own };
}

async function versionOf(under: Installation, build: string): Promise<ListedVersion> {
  const found = (await listVersions(under)).versions.find(({ buildId }) => buildId === build);
  if (found === undefined) throw new Error(`there is no version ${build}`);
  return found;
}

function lateEnd(name: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`${name}: not done within ${WITHIN_MS / 1_000} s`)), WITHIN_MS).unref();
  });
}
