import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runCommandLine } from '../../client/cli/run-command-line.ts';
import { buildProgram } from '../../client/cli/program.ts';
import { addVersionCommands } from '../../operations/version-commands.ts';
import { ownBuildId } from '../../workers/build-id.ts';
import { becomeCurrent } from '../../workers/versions/become-current.ts';
import { readDeployment } from '../../workers/versions/deployment.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';

let payrun: PayrunUnderTest;
let second: { stop(): Promise<void> };

beforeAll(async () => {
  payrun = await startPayrun();
  second = await payrun.startVersion({ buildId: 'second', bundlePath: inject('bundlePath') });
});
afterAll(async () => {
  await second.stop();
  await payrun.stop();
});

/** `payrun versions …` as an operator types it, with nothing known but where Temporal is. */
async function versions(...args: string[]): Promise<{ code: number; said: string; json: unknown }> {
  let out = '';
  let err = '';
  const io = {
    stdout: { write: (text: string) => Boolean((out += text)) },
    stderr: { write: (text: string) => Boolean((err += text)) },
    env: {
      PAYRUN_HOME: '/nonexistent',
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      TEMPORAL_NAMESPACE: payrun.temporal.options.namespace,
    },
    cwd: '/',
    isTty: false,
  } as never;
  const program = buildProgram(io);
  addVersionCommands(program, io);
  const code = await runCommandLine(program, ['versions', ...args], io);
  return { code, said: out + err, json: args.includes('--json') ? JSON.parse(out) : null };
}

test('the first version is current without anybody’s doing; a later one waits until an operator says so', async () => {
  expect(await versions('list', '--json')).toMatchObject({
    code: 0,
    json: {
      own: ownBuildId(),
      versions: expect.arrayContaining([
        { buildId: 'first', status: 'current', rampPercent: null, payments: 0, isServed: true },
        { buildId: 'second', status: 'inactive', rampPercent: null, payments: 0, isServed: true },
      ]) as unknown,
    },
  });
  const standing = await becomeCurrent({
    client: payrun.temporal,
    buildId: 'second',
    accounts: ['default'],
    always: false,
  });
  expect(standing).toEqual({ kind: 'waits', currentBuildId: 'first' });
});

test('a version is tried on a part, made current, and undone', async () => {
  expect((await versions('set-current', 'second', '--ramp', '10')).said).toContain('10 % begins on second');
  expect((await versions('list')).said).toMatch(/second +ramping \(10 %\) +0 +yes/);
  expect((await versions('set-current', 'second')).code).toBe(0);
  expect(await readDeployment(payrun.temporal)).toMatchObject({ currentBuildId: 'second', ramp: null });
  expect((await versions('set-current', 'first')).code).toBe(0);
  expect(await readDeployment(payrun.temporal)).toMatchObject({ currentBuildId: 'first' });
});

test('of workers that start at once, each finds its version current', async () => {
  const standings = await Promise.all(
    [1, 2, 3].map(() =>
      becomeCurrent({ client: payrun.temporal, buildId: 'second', accounts: ['default'], always: true }),
    ),
  );
  expect(standings.map(({ kind }) => kind === 'waits')).toEqual([false, false, false]);
  expect(await readDeployment(payrun.temporal)).toMatchObject({ currentBuildId: 'second' });
});

test('what cannot be is refused in one sentence', async () => {
  expect(await versions('set-current', 'third')).toMatchObject({
    code: 2,
    said: expect.stringMatching(/there is no version third; there are: (first, second|second, first)\n$/) as unknown,
  });
  expect(await versions('set-current', 'first', '--ramp', '101')).toMatchObject({
    code: 2,
    said: expect.stringContaining('give a number from 0 to 100') as unknown,
  });
  expect(await versions('take-over', 'first')).toMatchObject({
    code: 2,
    said: expect.stringContaining('workers of first run, or did so minutes ago') as unknown,
  });
});
