import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { aRun } from './application-records.ts';
import { anApp } from './server-harness.ts';

const URL = '/api/v1/payment-file';
const RUN = '018f2a00-0000-7000-8000-000000000001';

interface Columns {
  columns: { name: string; need: string }[];
}

describe('what a payment file looks like', () => {
  it('is shown to everybody who is signed in, and to nobody else', async () => {
    const { app, as } = anApp();
    const { columns } = (await as('administrator', { url: `${URL}/columns` })).json<Columns>();
    expect(columns.filter(({ need }) => need === 'always').map(({ name }) => name)).toContain('row_ref');
    expect((await app.inject({ url: `${URL}/columns` })).statusCode).toBe(401);
  });

  it('is a template without rows, with the columns that are described', async () => {
    const { as } = anApp();
    const template = await as('maker', { url: `${URL}/template.csv` });
    expect(template.headers['content-disposition']).toContain('attachment');
    const { columns } = (await as('maker', { url: `${URL}/columns` })).json<Columns>();
    expect(parse(template.body)).toEqual([columns.map(({ name }) => name)]);
  });

  it('is written for a currency and a country, for those who submit runs', async () => {
    const { as } = anApp();
    const url = `${URL}/corridor.csv?to=EUR&country=DE`;
    const template = await as('maker', { url });
    expect(template.headers['content-type']).toContain('text/csv');
    expect(parse(template.body)).toEqual([
      ['row_ref', 'buy_currency', 'bank_country'],
      ['INV-1', 'EUR', 'DE'],
    ]);
    expect((await as('checker', { url })).statusCode).toBe(403);
    expect((await as('maker', { url: `${URL}/corridor.csv?to=euro` })).statusCode).toBe(400);
  });
});

describe('what a run has cost', () => {
  it('is nothing before a payment was funded, and not found without a run', async () => {
    const { as, application } = anApp();
    const url = `/api/v1/runs/${RUN}/costs`;
    expect((await as('viewer', { url })).statusCode).toBe(404);
    application.runs.set(RUN, aRun());
    expect((await as('viewer', { url })).json()).toEqual({ costs: null });
  });
});
