import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../store/database/database.ts';
import { SERVER_ROLE } from '../../store/database/runtime-role.ts';
import { computeReview } from './compute-review.ts';
import type { ReviewForThread } from './run-review.ts';

const { databaseUrl, keys, runId, nowMs } = workerData as ReviewForThread;
// It reads by itself: handing the facts of a million rows from thread to thread would take longer than the review.
const database = openDatabase(databaseUrl, { role: SERVER_ROLE, maxConnections: 1, applicationName: 'payrun review' });
try {
  parentPort?.postMessage(await computeReview(database, keys, runId, nowMs));
} finally {
  await database.end();
}
