import { expect } from 'vitest';
import { asText } from '../../sandbox/a-sandbox.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import { aUser, beIn, complete } from '../users-and-companies.ts';

const LONGER_THAN_ANY_SCREENING_MS = 60_000;

/** Contract: account 2.10, 3, 4.2. */
const statuses: readonly ContractCase[] = [
  {
    name: 'a phone number ends the pending_phone status, with a notification',
    covers: ['user-detail-patch', 'user-get'],
    calls: ['users.updateDetails', 'users.get'],
    run: async (context) => {
      const { users } = context.client;
      const begun = context.setting('initial-user-status');
      const { userId } = await aUser(context);
      await users.updateDetails(userId, { mobileCountryCode: '+65' });
      expect((await users.get(userId)).status).toBe(begun);
      await users.updateDetails(userId, { mobileNumber: '81234567' });
      const after = begun === 'pending_phone' ? 'pending_docs' : begun;
      expect((await users.get(userId)).status).toBe(after);
      expect(await context.notifiedStatuses(userId)).toEqual(begun === after ? [begun] : [begun, after]);
    },
  },
  {
    name: "a user has the operator's remarks only after a rejection or a request for documents",
    covers: ['user-get'],
    calls: ['users.get'],
    run: async (context) => {
      const { userId } = await aUser(context);
      await beIn(context, userId, 'pending_approval');
      const notified = await context.notifiedStatuses(userId);
      for (const outcome of ['rejected', 'documents_need_resubmission', 'pending_verification', 'approved']) {
        await context.control('screenings', { userId, outcome, remarks: 'The photo is blurred' });
        const shown = outcome === 'rejected' || outcome === 'documents_need_resubmission';
        const user = await context.client.users.get(userId);
        expect([user.status, user.remarks]).toEqual([outcome, shown ? 'The photo is blurred' : null]);
        const written = await context.ask('user-get', { params: { userId } });
        expect(written['remarks'] ?? undefined).toBe(shown ? user.remarks : undefined);
        notified.push(outcome);
      }
      expect(await context.notifiedStatuses(userId)).toEqual(notified);
    },
  },
];

const cases: readonly ContractCase[] = [
  {
    name: 'a screening without all details is refused with the missing fields, or leaves the user unchanged',
    covers: ['user-screen'],
    calls: ['users.screen', 'users.get'],
    run: async (context) => {
      const { users } = context.client;
      const begun = context.setting('initial-user-status');
      const { userId } = await aUser(context);
      if (context.setting('screening-incomplete') === 'refuse') {
        const screening = users.screen(userId);
        await context.expectRefused(screening, { kind: 'refused', status: 400, code: 'details_incomplete' });
        const { body } = await context.send('user-screen', { params: { userId } });
        expect(asText(body['message'])).toMatch(/\bgender\b.*\bissueDate\b/);
      } else {
        expect(await users.screen(userId)).toMatchObject({ userId, status: begun });
      }
      expect((await users.get(userId)).status).toBe(begun);
      await context.expectHidden('user-screen', { userId });
    },
  },
  {
    name: 'a user with complete details is screened from the statuses that allow it, and gets the decided status',
    covers: ['user-screen', 'user-get'],
    calls: ['users.screen', 'users.get'],
    run: async (context) => {
      const { users } = context.client;
      const begun = context.setting('initial-user-status');
      const { userId } = await aUser(context);
      await complete(context, userId);
      const ready = begun === 'pending_phone' ? 'pending_docs' : begun;
      const begins = ready === 'pending_docs' || ready === 'documents_need_resubmission';
      const asked = await users.screen(userId);
      expect(asked).toMatchObject({ userId, status: begins ? 'pending_approval' : ready });
      await context.ask('user-screen', { params: { userId } });
      await context.advance(LONGER_THAN_ANY_SCREENING_MS);
      const outcome = context.setting('screening-outcome');
      const ended = begins && outcome !== 'operator' ? outcome : asked.status;
      expect((await users.get(userId)).status).toBe(ended);
      const notified = [begun, ready, asked.status, ended].filter((status, place, all) => status !== all[place - 1]);
      expect(await context.notifiedStatuses(userId)).toEqual(notified);
      await context.expectKind(userId, 'user');
    },
  },
];

export const screenings: readonly Area[] = [
  { name: 'statuses of users', settings: ['initial-user-status'], cases: statuses },
  { name: 'screenings', settings: ['screening-outcome', 'screening-incomplete', 'initial-user-status'], cases },
];
