import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../store/database/database.ts';
import { WORKER_ROLE } from '../../store/database/runtime-role.ts';
import { compareDay } from './compare-day.ts';
import type { DayForThread } from './reconcile-day.ts';

const { databaseUrl, range } = workerData as DayForThread;
// It reads and stores by itself: handing half a million entries from thread to thread would double them.
const database = openDatabase(databaseUrl, {
  role: WORKER_ROLE,
  maxConnections: 1,
  applicationName: 'payrun reconciliation',
});
try {
  parentPort?.postMessage(await compareDay(database, range));
} finally {
  await database.end();
}
