import { describe, expect, test } from 'vitest';
import { consoleRoutes } from './routes.ts';

describe('the pages of the console', () => {
  test('are read from the router, each once', () => {
    const routes = consoleRoutes();
    expect(routes).toContain('/runs/$runId/decide');
    expect(new Set(routes).size).toBe(routes.length);
    expect(routes.length).toBeGreaterThan(25);
  });
});
