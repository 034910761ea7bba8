import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { HTTP_FOLDERS } from '../helpers/http-folders.ts';
import { type RunningServices, startServices, TEST_SERVICES } from '../helpers/services.ts';
import { type Guard, readMarks, sourceWithout } from './guard.ts';
import { ALL_GUARDS, GUARDS } from './guards.ts';
import { LIMIT_GUARDS } from './limit-guards.ts';
import { MONEY_GUARDS } from './money-guards.ts';
import { RESULTS_FILE, type TestResult } from './results-reporter.ts';

/**
 * Removes each guard by itself in a copy of the repository and runs its tests, which must fail with an assertion. Prints
 * `N passed, N failed` at the end; exit code 0 when none failed.
 *
 *     npm run test:guards [-- ID…]   those of docs/security.md
 *     npm run mutate [-- ID…]        and those of the money and of the limit
 *     npm run mutate -- --money      only those of the money and of the limit
 */

const ROOT = resolve(import.meta.dirname, '../..');
const MARKS = readMarks();
const PROJECTS = ['unit', 'http', 'properties', 'services', 'long'] as const;
const WITH_SERVICES: readonly string[] = ['services', 'long'];

const asked = process.argv.slice(2);
process.exitCode = await tryGuards(chosen(asked)).then(
  (isWhole) => (isWhole ? 0 : 1),
  (error: unknown) => {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    say('interrupted');
    return 130;
  },
);

function chosen(words: readonly string[]): readonly Guard[] {
  const ids = words.filter((word) => word !== '--all' && word !== '--money');
  const unknown = ids.filter((id) => !ALL_GUARDS.some((guard) => guard.id === id));
  if (unknown.length > 0) throw new Error(`unknown guards: ${unknown.join(', ')}`);
  if (ids.length > 0) return ALL_GUARDS.filter(({ id }) => ids.includes(id));
  if (words.includes('--money')) return [...MONEY_GUARDS, ...LIMIT_GUARDS];
  return words.includes('--all') ? ALL_GUARDS : GUARDS;
}

async function tryGuards(guards: readonly Guard[]): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-guards-'));
  const copy = join(folder, 'payrun');
  let services: RunningServices | null = null;
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
  try {
    copyRepository(copy);
    const needsServices = guards.some(({ test }) => WITH_SERVICES.includes(projectOf(test.file)));
    if (needsServices) services = await startServices(say);
    const run = (tests: readonly Guard['test'][]): Promise<TestResult[]> =>
      runTests({ folder, copy, services, signal: interrupted.signal }, tests);
    const failures = (await failuresWithAllGuards(guards, run)).map((reason) => `unchanged: ${reason}`);
    for (const failure of failures) say(`FAIL ${failure}`);
    let passed = 0;
    for (const guard of guards) {
      const startedMs = performance.now();
      const failure = await tryWithout(copy, guard, run);
      const seconds = Math.round((performance.now() - startedMs) / 1000);
      say(`${failure === null ? 'ok  ' : 'FAIL'} ${guard.id} (${seconds} s)${failure === null ? '' : `: ${failure}`}`);
      if (failure === null) passed += 1;
    }
    const failed = guards.length - passed + failures.length;
    say(`${passed} passed, ${failed} failed`);
    return failed === 0;
  } finally {
    await services?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies the working tree, with uncommitted files. */
function copyRepository(to: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  for (const file of listed.toString().split('\0')) {
    if (file === '' || file === 'node_modules') continue;
    mkdirSync(dirname(join(to, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(to, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(to, 'node_modules'));
}

type Run = (tests: readonly Guard['test'][]) => Promise<TestResult[]>;

/** Tests that fail or do not exist although every guard is in place. */
async function failuresWithAllGuards(guards: readonly Guard[], run: Run): Promise<string[]> {
  const reasons: string[] = [];
  for (const project of PROJECTS) {
    const tests = guards.map(({ test }) => test).filter(({ file }) => projectOf(file) === project);
    if (tests.length === 0) continue;
    const results = await run(tests);
    const passed = results.filter(({ hasPassed }) => hasPassed);
    const missing = new Set(
      tests
        .filter(({ file, name }) => !passed.some((one) => one.file.endsWith(`/${file}`) && one.name.includes(name)))
        .map(({ file, name }) => `no passing test of ${file} has the name "${name}"`),
    );
    for (const { name, hasPassed, errors } of results) {
      if (!hasPassed) reasons.push(`${name}: ${errors[0]?.message.split('\n')[0] ?? ''}`);
    }
    reasons.push(...missing);
  }
  return reasons;
}

/** Null: its tests fail without it, as they must; else the reason why the guard is not proved. */
async function tryWithout(copy: string, { id, without, test }: Guard, run: Run): Promise<string | null> {
  const marked = MARKS.get(id);
  if (marked === undefined) return 'it is marked nowhere';
  const path = join(copy, marked.file);
  const original = readFileSync(path, 'utf8');
  writeFileSync(path, sourceWithout(original, marked, without));
  try {
    const failed = (await run([test])).filter(({ hasPassed }) => !hasPassed);
    const errors = failed.flatMap((result) => result.errors);
    if (failed.length === 0) return 'every test passes without it';
    if (errors.some(({ isAssertion }) => isAssertion)) return null;
    return `no assertion failed: ${errors[0]?.message.split('\n')[0] ?? 'no test ran'}`;
  } finally {
    writeFileSync(path, original);
  }
}

interface TestEnvironment {
  folder: string;
  copy: string;
  services: RunningServices | null;
  signal: AbortSignal;
}

function projectOf(file: string): (typeof PROJECTS)[number] {
  if (file.endsWith('.services.ts')) return 'services';
  if (file.endsWith('.long.ts')) return 'long';
  if (file.endsWith('.property.ts')) return 'properties';
  return HTTP_FOLDERS.some((folder) => file.startsWith(`test/${folder}/`)) ? 'http' : 'unit';
}

/** Runs tests of one project. A file that cannot be run, or no test at all, counts as a failed test. */
async function runTests(
  { folder, copy, services, signal }: TestEnvironment,
  tests: readonly Guard['test'][],
): Promise<TestResult[]> {
  const output = join(folder, 'results.json');
  rmSync(output, { force: true });
  const names = new Set(tests.map(({ name }) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  const files = [...new Set(tests.map(({ file }) => file))];
  const selection = ['--project', projectOf(files[0] ?? ''), '--testNamePattern', [...names].join('|')];
  const reporter = '--reporter=./test/guards/results-reporter.ts';
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...files, ...selection, reporter], {
    cwd: copy,
    signal,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      ...(services === null ? {} : { [TEST_SERVICES]: JSON.stringify(services.services) }),
      [RESULTS_FILE]: output,
      // Bundles of changed sources must not get into the user's cache.
      XDG_CACHE_HOME: join(folder, 'cache'),
    },
  });
  let errorOutput = '';
  child.stderr.on('data', (piece: Buffer) => (errorOutput += piece.toString()));
  const closed = new Promise((resolve) => child.once('close', resolve));
  // An interrupt is reported below.
  child.on('error', () => undefined);
  await closed;
  signal.throwIfAborted();
  return resultsIn(output, errorOutput);
}

function resultsIn(output: string, errorOutput: string): TestResult[] {
  const results = existsSync(output) ? (JSON.parse(readFileSync(output, 'utf8')) as TestResult[]) : [];
  if (results.length > 0) return results;
  const lines = errorOutput.trim().split('\n');
  const message = lines.find((line) => line.includes('Error')) ?? lines.at(-1) ?? '';
  return [{ file: '', name: 'nothing ran', hasPassed: false, errors: [{ isAssertion: false, message }] }];
}

function say(line: string): void {
  console.log(line);
}
