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

/** Runs `payrun versions …` with no configuration but the address of Temporal. */
async function versions(...args: string[]): Promise<{ code: number; output: string; json: unknown }> {
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
  return { code, output: out + err, json: args.includes('--json') ? JSON.parse(out) : null };
}

test('the first version becomes current by itself; a later one stays inactive until an operator makes it current', async () => {
  expect(await versions('list', '--json')).toMatchObject({
    code: 0,
    json: {
      own: ownBuildId(),
      versions: expect.arrayContaining([
        { buildId: 'first', status: 'current', payments: 0, isServed: true },
        { buildId: 'second', status: 'inactive', payments: 0, isServed: true },
      ]) as unknown,
    },
  });
  const result = await becomeCurrent({
    client: payrun.temporal,
    buildId: 'second',
    accounts: ['default'],
    always: false,
  });
  expect(result).toEqual({ kind: 'inactive', currentBuildId: 'first' });
});

test('an operator makes a version current, and the earlier one current again', async () => {
  const made = await versions('set-current', 'second');
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining('New payments start on second') as unknown });
  expect((await versions('list')).output).toMatch(/second +current +0 +yes/);
  expect(await readDeployment(payrun.temporal)).toMatchObject({ currentBuildId: 'second' });
  expect((await versions('set-current', 'first')).code).toBe(0);
  expect(await readDeployment(payrun.temporal)).toMatchObject({ currentBuildId: 'first' });
});

test('when several workers of a version start at the same time, each one finds the version current', async () => {
  const results = await Promise.all(
    [1, 2, 3].map(() =>
      becomeCurrent({ client: payrun.temporal, buildId: 'second', accounts: ['default'], always: true }),
    ),
  );
  expect(results.map(({ kind }) => kind === 'inactive')).toEqual([false, false, false]);
  expect(await readDeployment(payrun.temporal)).toMatchObject({ currentBuildId: 'second' });
});

test('an operation that is not possible is refused with one sentence', async () => {
  expect(await versions('set-current', 'third')).toMatchObject({
    code: 2,
    output: expect.stringMatching(/there is no version third; there are: (first, second|second, first)\n$/) as unknown,
  });
  expect(await versions('take-over', 'first')).toMatchObject({
    code: 2,
    output: expect.stringContaining('workers of first run, or did so minutes ago') as unknown,
  });
});
