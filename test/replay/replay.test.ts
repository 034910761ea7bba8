import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { beforeAll, describe, expect, test } from 'vitest';
import { TRACE_HEADER } from '../../workflows/trace-headers.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const HISTORIES = join(import.meta.dirname, 'histories');
const WORKFLOWS = join(ROOT, 'workflows', 'all-workflows.ts');
/** As every worker bundles it: histories are replayed with what it adds. */
const TRACE_HEADERS = join(ROOT, 'workflows', 'trace-headers.ts');

interface Recorded {
  version: string;
  file: string;
  name: string;
}

const recorded: Recorded[] = readdirSync(HISTORIES).flatMap((version) =>
  readdirSync(join(HISTORIES, version)).map((file) => ({ version, file, name: file.replace(/\.json$/, '') })),
);

function historyOf({ version, file }: Recorded): unknown {
  return JSON.parse(readFileSync(join(HISTORIES, version, file), 'utf8'));
}

async function bundle(workflowsPath: string): Promise<WorkflowBundleWithSourceMap> {
  const workflowInterceptorModules = [TRACE_HEADERS];
  return bundleWorkflowCode({ workflowsPath, workflowInterceptorModules, logger: new DefaultLogger('ERROR') });
}

beforeAll(() => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
});

describe('histories that released versions recorded', () => {
  let workflowBundle: WorkflowBundleWithSourceMap;
  beforeAll(async () => {
    workflowBundle = await bundle(WORKFLOWS);
  });

  test('this version has recorded histories, against which the next one is replayed', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(
      recorded.map((history) => history.version),
      `record them: npx tsx test/replay/record-histories.ts ${version}`,
    ).toContain(version);
  });

  test('each replays with the current workflows', async () => {
    expect(await failuresOf(workflowBundle, historyOf)).toEqual([]);
  });

  test('each replays within a trace', async () => {
    expect(await failuresOf(workflowBundle, (history) => traced(historyOf(history)))).toEqual([]);
  });
});

/** The recorded histories that do not replay, and why. Each is replayed; one worker replays them all. */
async function failuresOf(
  workflowBundle: WorkflowBundleWithSourceMap,
  read: (history: Recorded) => unknown,
  of = recorded,
): Promise<string[]> {
  const histories = of.map((history) => ({
    workflowId: `${history.version} ${history.name}`,
    history: read(history),
  }));
  const failures: string[] = [];
  let replayed = 0;
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
    replayed += 1;
    if (error !== undefined) failures.push(`${workflowId}: ${error.message}`);
  }
  expect(replayed).toBe(of.length);
  return failures;
}

/** The same history, as it is when whoever started and told the workflow was traced. */
function traced(history: unknown): unknown {
  const carrier = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  const payload = {
    metadata: { encoding: Buffer.from('json/plain').toString('base64') },
    data: Buffer.from(JSON.stringify(carrier)).toString('base64'),
  };
  const header = { fields: { [TRACE_HEADER]: payload } };
  const { events } = history as { events: Record<string, unknown>[] };
  const names = ['workflowExecutionStartedEventAttributes', 'workflowExecutionSignaledEventAttributes'];
  return {
    events: events.map((event) => {
      const name = names.find((candidate) => event[candidate] !== undefined);
      return name === undefined ? event : { ...event, [name]: { ...(event[name] as object), header } };
    }),
  };
}

describe('the versioning behavior of workflows', () => {
  const behaviours = (history: unknown): Set<unknown> =>
    new Set(
      (
        history as { events: { workflowTaskCompletedEventAttributes?: { versioningBehavior?: string } }[] }
      ).events.flatMap(({ workflowTaskCompletedEventAttributes: done }) =>
        done === undefined ? [] : [done.versioningBehavior],
      ),
    );

  test.each([
    ['payment-paid', 'VERSIONING_BEHAVIOR_PINNED'],
    ['reference-data', 'VERSIONING_BEHAVIOR_PINNED'],
    ['run-completed', 'VERSIONING_BEHAVIOR_AUTO_UPGRADE'],
    ['payment-status-poller', 'VERSIONING_BEHAVIOR_AUTO_UPGRADE'],
  ])('%s is %s in the latest recorded history', (name, behaviour) => {
    const history = recorded.findLast((candidate) => candidate.name === name);
    if (history === undefined) throw new Error(`there is no recorded ${name}`);
    expect([...behaviours(historyOf(history))]).toEqual([behaviour]);
  });
});

test('a workflow with a nondeterministic change is detected', async () => {
  const changed = await bundle(join(import.meta.dirname, 'changed-workflows.ts'));
  const paid = recorded.find(({ name }) => name === 'payment-paid');
  if (paid === undefined) throw new Error('there is no recorded payment');
  expect(await failuresOf(changed, historyOf, [paid])).toEqual([expect.stringContaining('Nondeterminism error')]);
});
