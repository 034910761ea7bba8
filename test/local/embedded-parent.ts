/**
 * A small main process for the tests: starts Postgres, Temporal and a service under one supervisor, prints what runs as
 * one line of JSON, and stops in order on a signal. Arguments: home folder, Temporal's program or '' for none, and the
 * folder for a cluster that the user in place of root cannot reach elsewhere.
 */
import { join } from 'node:path';
import { startPostgres } from '../../local/embedded/postgres-server.ts';
import { spawnService } from '../../local/embedded/service-process.ts';
import { onStopSignals } from '../../local/embedded/stop-signals.ts';
import { createSupervisor } from '../../local/embedded/supervisor.ts';
import { startTemporal } from '../../local/embedded/temporal-server.ts';

const [home = '', binary = '', reachableRoot = ''] = process.argv.slice(2);
const report = (line: string): void => console.error(line);
const supervisor = createSupervisor({ report, onGaveUp: () => process.exit(1) });
onStopSignals({
  signals: process,
  report,
  stop: () => void supervisor.stop().then(() => process.exit(0)),
  kill: () => {
    supervisor.kill();
    process.exit(1);
  },
});

const pids: number[] = [];
const dataDir = join(home, 'postgres');
const postgres = await supervisor.start({
  name: 'Postgres',
  start: () => startPostgres({ dataDir, report, ...(reachableRoot === '' ? {} : { reachableRoot }) }),
});
pids.push(postgres.pid);
if (binary !== '') {
  const temporal = await supervisor.start({
    name: 'Temporal',
    start: () =>
      startTemporal({ binary, dataDir: join(home, 'temporal'), namespace: 'payrun', searchAttributes: {}, report }),
  });
  pids.push(temporal.pid);
}
const service = await supervisor.start({
  name: 'worker',
  start: () =>
    spawnService({
      name: 'worker',
      command: '/bin/sh',
      args: ['-c', 'echo ready; exec sleep 600'],
      env: { PATH: '/usr/bin:/bin' },
      logFile: join(home, 'worker.log'),
      readyWhen: (line) => line === 'ready',
      report,
    }),
});
pids.push(service.pid);
console.log(JSON.stringify({ pids, url: postgres.url }));
