import { describe, expect, it } from 'vitest';
import { createPayrunClient } from '../../client/sdk/index.ts';
import { aManualOutcome, aRowDetail } from './a-row-detail.ts';
import { TOKENS } from './fake-application.ts';
import { anApp, aServer } from './server-harness.ts';

const ROW = '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/rows/INV-1';

describe('a row', () => {
  it('is answered completely, for a row_ref with any characters', async () => {
    const { application, server } = await aServer();
    const row = aRowDetail({ rowRef: 'März/7 #1?', manualOutcomes: [aManualOutcome()] });
    application.rowDetails.set(row.rowRef, row);
    const client = createPayrunClient({ url: server.url, token: TOKENS.viewer });
    expect(await client.getRow({ runId: '018f2a00-0000-7000-8000-000000000001', rowRef: row.rowRef })).toEqual(row);
  });

  it('that does not exist is not found', async () => {
    const { as } = anApp();
    expect((await as('viewer', { url: ROW })).statusCode).toBe(404);
  });
});

describe('a manual outcome', () => {
  it.each([
    ['no reason', { outcome: 'paid' }, 'body.reason'],
    ['an empty reason', { outcome: 'paid', reason: ' ' }, 'must say how it is known'],
    ['another end', { outcome: 'gone', reason: 'x' }, 'body.outcome'],
    ['a field that is none', { outcome: 'paid', reason: 'x', force: true }, 'force'],
  ])('with %s is refused and named', async (_what, payload, said) => {
    const { as, application } = anApp();
    const { statusCode, body } = await as('maker', { method: 'POST', url: `${ROW}/manual-outcome`, payload });
    expect([statusCode, application.resolved]).toEqual([400, []]);
    expect(body).toContain(said);
  });

  it('is confirmed by naming the proposal that was seen', async () => {
    const { as, application } = anApp();
    application.rowDetails.set('INV-1', aRowDetail());
    const url = `${ROW}/manual-outcome/confirm`;
    expect((await as('checker', { method: 'POST', url, payload: {} })).statusCode).toBe(400);
    const payload = { manualOutcomeId: aManualOutcome().manualOutcomeId };
    const { statusCode, body } = await as('checker', { method: 'POST', url, payload });
    expect([statusCode, JSON.parse(body)]).toMatchObject([200, { manualOutcomes: [{ state: 'confirmed' }] }]);
    expect(application.resolved).toMatchObject([{ user: { userId: 'user-checker' }, rowRef: 'INV-1', asked: payload }]);
  });
});
