import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import type { SandboxOptions } from '../../sandbox/config/options.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { Caller } from './a-sandbox.ts';
import { wholeReport } from './state-report.ts';
import { Known, initialSteps, signIn, type Step, steps, take } from './state-steps.ts';

/** Between two steps: nothing, a delay, or a kill followed by a start some time later. */
const pauses = fc.oneof(
  { arbitrary: fc.constant({ passMs: 0, stops: false }), weight: 6 },
  { arbitrary: fc.record({ passMs: fc.nat(15_000), stops: fc.constant(false) }), weight: 2 },
  { arbitrary: fc.record({ passMs: fc.nat(15_000), stops: fc.constant(true) }), weight: 1 },
);
const courses = fc.array(fc.tuple(steps, pauses), { minLength: 30, maxLength: 60 });

const accounts = [defaultAccount, { ...defaultAccount, apiKey: 'second' }];

class Course {
  #wallMs = Date.UTC(2026, 2, 2, 9);
  readonly #options: Partial<SandboxOptions> = {
    limitPerSecond: 0,
    accounts,
    refundMs: 3000,
    screeningOutcome: 'approved',
    screeningIncomplete: 'unchanged',
    wallNow: () => this.#wallMs,
  };
  readonly #folder = mkdtempSync(join(tmpdir(), 'payrun-state-'));
  readonly known = new Known();
  #starts = 0;
  /** One sandbox has a state file and is stopped sometimes; the other never stops. */
  stopping!: Caller;
  steady!: Caller;

  async begin(): Promise<void> {
    this.steady = new Caller(await startSandbox(this.#options), defaultAccount.apiKey);
    this.stopping = await this.#startOn(join(this.#folder, '0'));
  }

  async both(step: Step): Promise<void> {
    // Both give the same identifiers, or the test fails here.
    const expected = await take(step, this.steady, this.known);
    expect(await take(step, this.stopping, this.known)).toBe(expected);
    this.stopping.token = this.steady.token;
    if (expected.startsWith('401')) await this.both(signIn);
  }

  pass(ms: number): void {
    this.#wallMs += ms;
  }

  /** The file is copied before the sandbox closes, as after a kill. */
  async stopAndStart(passMs: number): Promise<void> {
    const next = join(this.#folder, String(this.#starts + 1));
    copyFileSync(join(this.#folder, String(this.#starts)), next);
    await this.stopping.sandbox.close();
    this.#starts += 1;
    this.pass(passMs);
    this.stopping = await this.#startOn(next);
    this.stopping.token = this.steady.token;
  }

  async end(): Promise<void> {
    await Promise.all([this.steady.sandbox.close(), this.stopping.sandbox.close()]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #startOn(stateFile: string): Promise<Caller> {
    return new Caller(await startSandbox({ ...this.#options, stateFile }), defaultAccount.apiKey);
  }
}

async function runCourse(course: Course, taken: readonly [Step, { passMs: number; stops: boolean }][]): Promise<void> {
  await course.begin();
  for (const step of initialSteps) await course.both(step);
  for (const [step, { passMs, stops }] of taken) {
    await course.both(step);
    if (stops) await course.stopAndStart(passMs);
    else course.pass(passMs);
  }
  await course.stopAndStart(0);
  const [stopping, steady] = [course.stopping, course.steady];
  expect(await wholeReport(stopping, course.known)).toEqual(await wholeReport(steady, course.known));
  // Further calls have the same identifiers, too.
  for (const [step] of taken.slice(0, 10)) await course.both(step);
}

test('a sandbox that is killed at any time continues like one that never stopped', async () => {
  await fc.assert(
    fc.asyncProperty(courses, async (taken) => {
      const course = new Course();
      await runCourse(course, taken).finally(() => course.end());
    }),
    { seed: 11, numRuns: 12, endOnFailure: true },
  );
});
