import { expect } from 'vitest';
import { asText } from '../../sandbox/a-sandbox.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import type { ContractContext } from '../contract-context.ts';

const aFunding = async (context: ContractContext, order: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  asText((await context.control('fundings', { currency: 'USD', amount: '90.50', ...order }))['fundingId']);

/** Contract: account 2.7, 4.5. */
const cases: readonly ContractCase[] = [
  {
    name: 'incoming money credits its balance when it completes, with a notification of each status',
    covers: ['funding-get'],
    calls: ['fundings.get', 'balances.byCurrency'],
    run: async (context) => {
      const { fundings, balances } = context.client;
      const before = await balances.byCurrency('USD');
      const id = await aFunding(context, { reference: 'TOP-UP', status: 'awaiting_funds' });
      const read = { id, balanceId: before.id, currency: 'USD', amount: '90.50', reference: 'TOP-UP' };
      for (const status of ['awaiting_funds', 'pending', 'completed']) {
        if (status !== 'awaiting_funds') await context.control('force', { fundingId: id, status });
        expect(await fundings.get(id)).toMatchObject({ ...read, status });
        const { amount } = await balances.byCurrency('USD');
        expect(amount).toBe(status === 'completed' ? '5000090.50' : before.amount);
      }
      expect(await context.ask('funding-get', { params: { fundingId: id } })).toMatchObject({ id, amount: 90.5 });
      expect(await context.notifiedStatuses(id)).toEqual(['awaiting_funds', 'pending', 'completed']);
      await context.expectKind(id, 'funding');
    },
  },
  {
    name: 'a failed funding credits nothing',
    covers: ['funding-get'],
    calls: ['fundings.get'],
    run: async (context) => {
      const before = context.ledger().balances;
      const id = await aFunding(context, { status: 'pending' });
      await context.control('force', { fundingId: id, status: 'failed' });
      expect((await context.client.fundings.get(id)).status).toBe('failed');
      expect(context.ledger().balances).toEqual(before);
      expect(await context.notifiedStatuses(id)).toEqual(['pending', 'failed']);
    },
  },
  {
    name: 'every page is listed, with either spelling of the account',
    covers: ['funding-list', 'funding-get'],
    calls: ['fundings.list', 'fundings.page', 'fundings.pageReadable', 'fundings.get'],
    run: async (context) => {
      const { fundings } = context.client;
      const ids: string[] = [];
      for (let place = 1; place <= 41; place += 1) ids.push(await aFunding(context, { amount: place }));
      const all = await fundings.list();
      const listed = all.map(({ id }) => id);
      expect([...listed].sort()).toEqual([...ids].sort());
      const { accountId } = await fundings.get(ids[0]!);
      expect([...new Set(all.map((each) => each.accountId))]).toEqual([accountId]);
      expect((await fundings.page({ page: 3 })).map(({ id }) => id)).toEqual(listed.slice(40));
      const readable = await fundings.pageReadable({ page: 3 });
      expect([readable.entries.map(({ id }) => id), readable.unreadable]).toEqual([listed.slice(40), []]);
      const written = await context.askList('funding-list', { query: '?pagination%5Bpage%5D=2' });
      expect(written.map((each) => each['id'])).toEqual(listed.slice(20, 40));
      expect(written[0]).toHaveProperty(context.setting('funding-account-spelling'), accountId);
    },
  },
  {
    name: 'two statuses can be used as a filter; another one is refused or ignored',
    covers: ['funding-list'],
    calls: ['fundings.list'],
    run: async (context) => {
      const { fundings } = context.client;
      const pending = await aFunding(context, { status: 'pending' });
      const completed = await aFunding(context);
      const listed = async (status: string): Promise<string[]> => (await fundings.list({ status })).map(({ id }) => id);
      expect(await listed('pending')).toEqual([pending]);
      expect(await listed('completed')).toEqual([completed]);
      if (context.setting('funding-filter') === 'ignore') {
        expect((await listed('failed')).sort()).toEqual([completed, pending].sort());
        return;
      }
      const wrong = { kind: 'refused', status: 400, code: 'validation_failed', field: 'status' } as const;
      await context.expectRefused(listed('failed'), wrong);
      const query = '?pagination[page]=first';
      await context.expectRawRefusal('funding-list', { query }, { ...wrong, field: 'pagination[page]' });
    },
  },
  {
    name: "another caller's funding is not found",
    covers: ['funding-get'],
    calls: ['fundings.get', 'fundings.page'],
    run: async (context) => {
      const fundingId = await aFunding(context);
      await context.expectHidden('funding-get', { fundingId });
      const nobodys = context.client.fundings.get('nobodys');
      await context.expectRefused(nobodys, { kind: 'refused', status: 404, code: 'not_found' });
      await context.expectUnsent(context.client.fundings.get('../v2'), 'request');
      await context.expectUnsent(context.client.fundings.page({ page: -1 }), 'page');
    },
  },
];

export const fundings: Area = { name: 'fundings', settings: ['funding-account-spelling', 'funding-filter'], cases };
