import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { signIn } from '../../load/sandbox-account.ts';
import { createActivities } from './activities.ts';

/** `worker.ts TEMPORAL_ADDRESS PROVIDER_URL REQUESTS_PER_SECOND`. Temporal's task queue enforces the limit. */
const [address = '', url = '', perSecond = ''] = process.argv.slice(2);
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue: 'plain',
  workflowsPath: fileURLToPath(new URL('workflows.ts', import.meta.url)),
  activities: createActivities(url, await signIn(url)),
  maxTaskQueueActivitiesPerSecond: Number(perSecond),
});
process.stdout.write('plain worker is ready\n');
await worker.run();
