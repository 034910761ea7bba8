import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../store/database/database.ts';
import { listLedgerBalances, listLedgerTransfers } from '../../store/accounts/ledger-views.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { LedgerWorld } from './ledger-world.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

/** How Postgres may join the balances with the payments: it chooses by their numbers. */
const JOINS = ['hashjoin', 'mergejoin', 'nestloop'] as const;

test.each(JOINS)('the balances of the ledger are listed with their runs and rows, also by a %s', async (join) => {
  const world = new LedgerWorld(testDatabase, { hashjoin: 'EUR', mergejoin: 'USD', nestloop: 'SGD' }[join]);
  world.change(100);
  await world.readHistory();
  const runId = await world.approveRun([60]);
  await world.create(world.runs[0]?.paymentIds[0] ?? '', 0, 'took_effect');
  expect(await world.fund(world.runs[0]?.paymentIds[0] ?? '', 'answered')).toBe('funded');
  const balances = await inTransaction(testDatabase.database, async (client) => {
    for (const other of JOINS) if (other !== join) await client.query(`set local enable_${other} = off`);
    return listLedgerBalances(client, { accounts: null, currency: world.currency, runId: null });
  });
  const shown = balances.map(({ ledgerAccount, amount, runId: of, rowRef }) => ({
    kind: ledgerAccount.split('/')[0],
    amount: Number(amount),
    isOfRun: of === runId,
    hasRow: rowRef !== null,
  }));
  expect(shown).toEqual([
    { kind: 'outside', amount: -100, isOfRun: false, hasRow: false },
    { kind: 'free', amount: 40, isOfRun: false, hasRow: false },
    { kind: 'payment', amount: 60, isOfRun: true, hasRow: true },
  ]);
});

test('only the ledger accounts and transfers of a run are listed where it is named', async () => {
  const world = new LedgerWorld(testDatabase, 'GBP');
  world.change(100);
  await world.readHistory();
  const runId = await world.approveRun([60]);
  const other = await world.approveRun([10]);
  const filter = { accounts: null, currency: 'GBP', runId };
  const balances = await listLedgerBalances(testDatabase.database, filter);
  expect(balances.map(({ ledgerAccount, amount }) => [ledgerAccount, Number(amount)])).toEqual([[`run/${runId}`, 60]]);
  const page = { after: Number.MAX_SAFE_INTEGER, limit: 10 };
  const transfers = await listLedgerTransfers(testDatabase.database, { ...filter, ...page });
  expect(transfers.map(({ debit, credit, reason }) => [debit, credit, reason])).toEqual([
    ['free', `run/${runId}`, 'reserve'],
  ]);
  const all = await listLedgerTransfers(testDatabase.database, { ...filter, runId: null, ...page });
  expect(all.map(({ credit }) => credit)).toContain(`run/${other}`);
});
