import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** The variable with the path of the results file. */
export const RESULTS_FILE = 'TEST_RESULTS_FILE';

export interface TestResult {
  /** Path of its file; empty for what is of none. */
  file: string;
  /** With the names of its describe blocks, separated by spaces, as `--testNamePattern` matches them. */
  name: string;
  hasPassed: boolean;
  errors: { isAssertion: boolean; message: string }[];
}

type Errors = readonly { name?: string; message: string; cause?: unknown }[];

/** Writes the result of each test that ran, and whether an assertion or something else failed. */
export default class ResultsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: Errors): void {
    const ran = modules.flatMap((file) => [...file.children.allTests()].map((test) => resultOf(test)));
    const files = modules
      .filter((file) => file.errors().length > 0)
      .map((file) => failed(file.moduleId, file.moduleId, file.errors()));
    const others = unhandled.length === 0 ? [] : [failed('', 'outside of tests', unhandled)];
    const results = [...ran.filter((result) => result !== null), ...files, ...others];
    writeFileSync(process.env[RESULTS_FILE] ?? '', JSON.stringify(results));
  }
}

type TestCase = ReturnType<TestModule['children']['allTests']> extends Generator<infer T> ? T : never;

function resultOf(test: TestCase): TestResult | null {
  const { state, errors = [] } = test.result();
  const file = test.module.moduleId;
  const name = test.fullName.replaceAll(' > ', ' ');
  if (state === 'passed') return { file, name, hasPassed: true, errors: [] };
  return state === 'failed' ? failed(file, name, errors) : null;
}

function failed(file: string, name: string, errors: Errors): TestResult {
  const summaries = errors.map((error) => ({ isAssertion: isAssertion(error), message: error.message }));
  return { file, name, hasPassed: false, errors: summaries };
}

/** The cause of a failed property is the assertion of its counterexample. */
function isAssertion({ name, cause }: { name?: string; cause?: unknown }): boolean {
  return name === 'AssertionError' || (typeof cause === 'object' && cause !== null && isAssertion(cause));
}
