import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { beforeAll, describe, expect, test } from 'vitest';

const HISTORIES = join(import.meta.dirname, 'histories');
const WORKFLOWS = join(import.meta.dirname, '..', '..', 'workflows', 'all-workflows.ts');

const recorded = readdirSync(HISTORIES).flatMap((version) =>
  readdirSync(join(HISTORIES, version)).map((file) => ({ version, file, name: file.replace(/\.json$/, '') })),
);

function historyOf({ version, file }: { version: string; file: string }): unknown {
  return JSON.parse(readFileSync(join(HISTORIES, version, file), 'utf8'));
}

async function bundle(workflowsPath: string): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
}

beforeAll(() => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
});

describe('histories that released versions recorded', () => {
  let workflowBundle: WorkflowBundleWithSourceMap;
  beforeAll(async () => {
    workflowBundle = await bundle(WORKFLOWS);
  });

  test('there are some of every kind of workflow', () => {
    const types = new Set(
      recorded.map((history) => {
        const { events } = historyOf(history) as {
          events: [{ workflowExecutionStartedEventAttributes: { workflowType: { name: string } } }];
        };
        return events[0].workflowExecutionStartedEventAttributes.workflowType.name;
      }),
    );
    expect([...types].sort()).toEqual(['confirmation', 'payment', 'paymentRun', 'referenceData']);
  });

  test.each(recorded)('$version $name goes the same way with the workflows of today', async (history) => {
    await expect(Worker.runReplayHistory({ workflowBundle }, historyOf(history))).resolves.toBeUndefined();
  });
});

test('a workflow that was changed without care is caught', async () => {
  const changed = await bundle(join(import.meta.dirname, 'changed-workflows.ts'));
  const paid = recorded.find(({ name }) => name === 'payment-paid');
  if (paid === undefined) throw new Error('there is no recorded payment');
  await expect(Worker.runReplayHistory({ workflowBundle: changed }, historyOf(paid))).rejects.toThrow(
    DeterminismViolationError,
  );
});
