import { defineConfig } from 'vitest/config';
import { HTTP_FOLDERS } from './test/helpers/http-folders.ts';

/** End what hangs, and nothing that is merely slow: beside other work, a test takes as long as it needs. */
const LIMITS = {
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 100_000 } },
} as const;

/**
 * Twelve projects, by what they start: `unit` nothing, `properties` the same for seconds, `http` servers and clients of HTTP,
 * `processes` processes and threads, `sandbox` and `contract` hundreds of sandboxes, `replay` Temporal's replayer without any
 * server, `services` Postgres and Temporal once for all files, `e2e` and `console` whole installations of their own, `faults`
 * installations that everything is done to. `long` is what takes minutes by itself, of all these: `npm run test:long`, not part
 * of `npm test`. They take turns in groups, by how many files two processors bear at once: those of `services` mostly wait.
 */
export default defineConfig({
  test: {
    reporters: ['default', './test/helpers/closing-line-reporter.ts'],
    // Modules as they were last transformed, by their content, in node_modules: a third of the time of the unit tests.
    experimental: { fsModuleCache: true },
    projects: [
      {
        name: 'unit',
        // Nothing here keeps state between files, and a world for each of them costs more than the tests.
        isolate: false,
        maxWorkers: 2,
        include: [
          'test/{activities,application,config,console,docs,domain,guards,local,reconciliation,references,store,workers}/**/*.test.ts',
        ],
      },
      {
        name: 'http',
        isolate: false,
        maxWorkers: 2,
        include: [`test/{${HTTP_FOLDERS.join(',')}}/**/*.test.ts`],
      },
      {
        name: 'sandbox',
        isolate: false,
        maxWorkers: 2,
        include: ['test/sandbox/**/*.test.ts'],
      },
      {
        name: 'properties',
        maxWorkers: 2,
        include: ['test/**/*.property.ts'],
      },
      {
        name: 'processes',
        maxWorkers: 2,
        include: ['test/**/*.process.ts'],
      },
      {
        name: 'contract',
        isolate: false,
        maxWorkers: 2,
        include: ['test/contract/**/*.contract.ts'],
      },
      {
        name: 'replay',
        maxWorkers: 2,
        include: ['test/replay/**/*.test.ts'],
      },
      {
        name: 'services',
        isolate: false,
        maxWorkers: 5,
        sequence: { groupOrder: 1 },
        include: ['test/**/*.services.ts'],
        globalSetup: ['test/helpers/services-setup.ts'],
      },
      {
        name: 'long',
        maxWorkers: 4,
        sequence: { groupOrder: 1 },
        include: ['test/**/*.long.ts'],
        globalSetup: ['test/helpers/services-setup.ts'],
      },
      {
        name: 'e2e',
        maxWorkers: 3,
        sequence: { groupOrder: 2 },
        include: ['test/e2e/**/*.e2e.ts'],
      },
      {
        // The console in a browser, before a whole installation.
        name: 'console',
        maxWorkers: 3,
        sequence: { groupOrder: 2 },
        include: ['test/console/**/*.e2e.ts'],
      },
      {
        name: 'faults',
        maxWorkers: 1,
        sequence: { groupOrder: 3 },
        include: ['test/faults/**/*.faults.ts'],
        // As many as there are stacks to play on.
        maxConcurrency: 4,
      },
    ].map((test) => ({ test: { ...LIMITS, ...test } })),
  },
});
