import { defineConfig } from 'vitest/config';

/**
 * Four projects, by what they start: `unit` nothing, `replay` Temporal's replayer without any server, `services`
 * Postgres and Temporal once for all files, `e2e` whole installations of their own.
 */
export default defineConfig({
  test: {
    reporters: ['default', './test/helpers/closing-line-reporter.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          // Nothing here keeps state between files, and a world for each of them costs more than the tests.
          isolate: false,
          include: ['test/{domain,provider,sandbox,workers,client,server}/**/*.test.ts'],
          testTimeout: 15_000,
        },
      },
      {
        test: {
          name: 'replay',
          include: ['test/replay/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'services',
          include: ['test/**/*.services.ts'],
          globalSetup: ['test/helpers/services-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.e2e.ts'],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
});
