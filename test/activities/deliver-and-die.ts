import { openDatabase } from '../../store/database/database.ts';
import { deliverer } from './deliveries-under-test.ts';

/** A process that makes one delivery, and is killed by whoever started it before it records what came of it. */
const [databaseUrl = '', endpointId = ''] = process.argv.slice(2);
const database = openDatabase(databaseUrl, {
  role: 'payrun_worker',
  maxConnections: 1,
  applicationName: 'payrun-test',
});
await deliverer(database)({ endpointId });
await database.end();
