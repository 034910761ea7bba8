/**
 * Records the histories that `replay.test.ts` replays, with a complete payrun on this machine. Run it for every released
 * version, and keep the histories of the versions before. It takes about three minutes, and prints how long it took.
 *
 *   npx tsx test/replay/record-histories.ts 0.1.0
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import * as workflows from '../../workflows/all-workflows.ts';
import { startTestStack } from '../helpers/stack-under-test.ts';
import { ONBOARDING } from './play-onboarding.ts';
import { PAYMENTS } from './play-payments.ts';
import { TREASURY } from './play-treasury.ts';
import type { Recording } from './recording.ts';
import { strippedHistory } from './stripped-history.ts';

const [version] = process.argv.slice(2);
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version))
  throw new Error('usage: record-histories.ts <version>, for example 0.1.0');
const folder = join(import.meta.dirname, 'histories', version);

const WITHIN_MS = 300_000;

const startedAtMs = performance.now();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const types: string[] = [];
for (const recording of [PAYMENTS, TREASURY, ONBOARDING]) types.push(...(await record(recording)));
const missing = Object.keys(workflows).filter((type) => !types.includes(type));
if (missing.length > 0) throw new Error(`no history was recorded of ${missing.join(', ')}`);
const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
console.log(`recorded ${types.length} histories in ${folder}, in ${seconds} s`);

/** Plays it on an installation of its own. Returns the type of each history. */
async function record({ sandboxArguments, variables, play }: Recording): Promise<string[]> {
  const stack = await startTestStack(sandboxArguments, variables);
  const connection = await Connection.connect({ address: stack.stack.addresses.temporalAddress ?? '' });
  try {
    const temporal = new Client({ connection });
    const names = Object.entries(await Promise.race([play(stack, temporal), lateEnd()]));
    return await Promise.all(
      names.map(async ([name, workflowId]) => {
        const workflow = temporal.workflow.getHandle(workflowId);
        writeFileSync(join(folder, `${name}.json`), strippedHistory(historyToJSON(await workflow.fetchHistory())));
        return (await workflow.describe()).type;
      }),
    );
  } finally {
    await connection.close();
    await stack.stop();
  }
}

/** Rejects when a recording takes far longer than any does. */
function lateEnd(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`not recorded within ${WITHIN_MS / 1_000} s`)), WITHIN_MS).unref();
  });
}
