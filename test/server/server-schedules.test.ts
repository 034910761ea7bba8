import { describe, expect, it } from 'vitest';
import { aScheduleSummary, SCHEDULE } from './fake-schedules.ts';
import { anApp } from './server-harness.ts';

const SCHEDULES = '/api/v1/treasury/schedules';
const ONE = `${SCHEDULES}/${SCHEDULE}`;
const FILE = { kind: 'sweep', name: 'Sweep' };

describe('schedules', () => {
  it('are proposed by treasurers', async () => {
    const { as, application } = anApp();
    const request = { method: 'POST', url: SCHEDULES, payload: { schedule: FILE } } as const;
    expect((await as('checker', request)).statusCode).toBe(403);
    const response = await as('treasurer', request);
    expect([response.statusCode, response.json()]).toEqual([201, { scheduleId: SCHEDULE, version: 1, warnings: [] }]);
    expect(application.calls).toMatchObject([{ method: 'addSchedule', asked: { schedule: FILE, dryRun: false } }]);
  });

  it('with mistakes are refused with all of them', async () => {
    const { as, application } = anApp();
    const problems = [{ field: 'floor', code: 'missing_key', problem: 'it is missing', fix: 'give an amount' }];
    application.scheduleOutcome = { kind: 'refused', problems };
    for (const request of [
      { method: 'POST', url: SCHEDULES, payload: { schedule: FILE, dryRun: true } },
      { method: 'PUT', url: ONE, payload: { schedule: FILE } },
    ] as const) {
      const response = await as('treasurer', request);
      expect(response.statusCode).toBe(422);
      expect(response.json()).toMatchObject({ error: { code: 'schedule_refused', details: { problems } } });
    }
  });

  it.each([
    ['decision', 'decide_conversion', { version: 2, decision: 'confirmed', definitionHash: 'x' }],
    ['pause', 'decide_conversion', { reason: 'rates' }],
    ['resume', 'decide_conversion', {}],
    ['delete', 'convert', {}],
  ])('the call %s needs the permission to %s', async (verb, permission, payload) => {
    const { as, application } = anApp();
    application.schedules = [aScheduleSummary()];
    const request = { method: 'POST', url: `${ONE}/${verb}`, payload } as const;
    expect((await as('maker', request)).statusCode).toBe(403);
    expect((await as('checker', request)).statusCode).toBe(permission === 'convert' ? 403 : 200);
    expect((await as('treasurer', request)).json()).toEqual(aScheduleSummary());
  });

  it('are shown with what they did, and what they would do next', async () => {
    const { as, application } = anApp();
    expect((await as('viewer', { url: ONE })).statusCode).toBe(404);
    application.schedules = [aScheduleSummary()];
    expect((await as('viewer', { url: SCHEDULES })).json()).toEqual({ schedules: [aScheduleSummary()] });
    expect((await as('viewer', { url: ONE })).json()).toMatchObject({ schedule: { name: 'Sweep' }, occurrences: [] });
    expect((await as('viewer', { url: `${ONE}/next` })).json()).toEqual(application.next);
    expect((await as('viewer', { url: `${ONE}/next?count=0` })).statusCode).toBe(400);
  });
});

describe('the cash view', () => {
  it('takes money that is expected', async () => {
    const { as, application } = anApp();
    const url = '/api/v1/treasury/cash?days=5&expect=EUR:10.00:2026-12-01,USD:1:2026-12-02';
    expect((await as('viewer', { url })).json()).toEqual({ accounts: [] });
    const expected = [
      { currency: 'EUR', amount: '10.00', on: '2026-12-01' },
      { currency: 'USD', amount: '1', on: '2026-12-02' },
    ];
    expect(application.calls).toMatchObject([{ asked: { days: 5, expect: expected } }]);
  });

  it.each(['EUR:10.00', 'EUR:1e3:2026-12-01', 'EUR:10.00:2026-02-30'])('refuses %s', async (expected) => {
    const { as } = anApp();
    expect((await as('viewer', { url: `/api/v1/treasury/cash?expect=${expected}` })).statusCode).toBe(400);
  });
});
