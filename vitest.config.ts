import { defineConfig } from 'vitest/config';
import { HTTP_FOLDERS } from './test/helpers/http-folders.ts';

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
        test: {
          name: 'unit',
          // Nothing here keeps state between files, and a world for each of them costs more than the tests.
          isolate: false,
          maxWorkers: 2,
          include: [
            'test/{activities,application,config,console,docs,domain,guards,local,reconciliation,references,store,workers}/**/*.test.ts',
          ],
          testTimeout: 15_000,
        },
      },
      {
        test: {
          name: 'http',
          isolate: false,
          maxWorkers: 2,
          include: [`test/{${HTTP_FOLDERS.join(',')}}/**/*.test.ts`],
          testTimeout: 15_000,
        },
      },
      {
        test: {
          name: 'sandbox',
          isolate: false,
          maxWorkers: 2,
          include: ['test/sandbox/**/*.test.ts'],
          testTimeout: 15_000,
        },
      },
      {
        test: {
          name: 'properties',
          maxWorkers: 2,
          include: ['test/**/*.property.ts'],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'processes',
          maxWorkers: 2,
          include: ['test/**/*.process.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'contract',
          isolate: false,
          maxWorkers: 2,
          include: ['test/contract/**/*.contract.ts'],
          testTimeout: 15_000,
        },
      },
      {
        test: {
          name: 'replay',
          maxWorkers: 2,
          include: ['test/replay/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'services',
          isolate: false,
          maxWorkers: 5,
          sequence: { groupOrder: 1 },
          include: ['test/**/*.services.ts'],
          globalSetup: ['test/helpers/services-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'long',
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          include: ['test/**/*.long.ts'],
          globalSetup: ['test/helpers/services-setup.ts'],
          testTimeout: 600_000,
          hookTimeout: 900_000,
        },
      },
      {
        test: {
          name: 'e2e',
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
          include: ['test/e2e/**/*.e2e.ts'],
          testTimeout: 300_000,
          hookTimeout: 900_000,
        },
      },
      {
        test: {
          // The console in a browser, before a whole installation.
          name: 'console',
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
          include: ['test/console/**/*.e2e.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'faults',
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
          include: ['test/faults/**/*.faults.ts'],
          // As many as there are stacks to play on.
          maxConcurrency: 4,
          testTimeout: 600_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
