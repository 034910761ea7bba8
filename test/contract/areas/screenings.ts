import { expect } from 'vitest';
import { asText } from '../../sandbox/a-sandbox.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import { anIndividual, aUser, beIn, complete, notifiedOf, withPhone } from '../users-and-companies.ts';

const LONGER_THAN_ANY_SCREENING_MS = 60_000;

const withoutRepeats = (statuses: readonly string[]): string[] =>
  statuses.filter((status, place) => status !== statuses[place - 1]);

/** Contract: account 2.10, 3, 4.2. */
const statuses: readonly ContractCase[] = [
  {
    name: 'a phone number ends the statuses pending_phone and pending, with a notification',
    covers: ['user-detail-patch', 'user-get'],
    calls: ['users.updateDetails', 'users.get'],
    run: async (context) => {
      const { users } = context.client;
      const begun = context.setting('initial-user-status');
      const { userId } = await aUser(context);
      await users.updateDetails(userId, { mobileCountryCode: '+65' });
      expect((await users.get(userId)).status).toBe(begun);
      await users.updateDetails(userId, { mobileNumber: '81234567' });
      const after = withPhone(begun);
      expect((await users.get(userId)).status).toBe(after);
      expect(await context.notifiedStatuses(userId)).toEqual(notifiedOf(context, withoutRepeats([begun, after])));
    },
  },
];

const remarks: readonly ContractCase[] = [
  {
    name: "a user can have the operator's remarks only after a rejection, and has them after a request for documents",
    covers: ['user-get'],
    calls: ['users.get'],
    run: async (context) => {
      const { userId } = await aUser(context);
      await beIn(context, userId, 'pending_approval');
      const outcomes = ['rejected', 'documents_need_resubmission', 'pending_verification', 'approved'];
      for (const outcome of outcomes) {
        await context.control('screenings', { userId, outcome, remarks: 'The photo is blurred' });
        const isShownRejected = outcome === 'rejected' && context.setting('rejection-remarks') === 'present';
        const shown = isShownRejected || outcome === 'documents_need_resubmission';
        const user = await context.client.users.get(userId);
        expect([user.status, user.remarks]).toEqual([outcome, shown ? 'The photo is blurred' : null]);
        const written = await context.ask('user-get', { params: { userId } });
        expect(written['remarks'] ?? undefined).toBe(shown ? user.remarks : undefined);
      }
      const had = withoutRepeats([context.setting('initial-user-status'), 'pending_approval', ...outcomes]);
      expect(await context.notifiedStatuses(userId)).toEqual(notifiedOf(context, had));
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
        if (!context.isSeeded) expect(asText(body['message'])).toMatch(/\bgender\b.*\bissueDate\b/);
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
      const { userId } = await aUser(context, anIndividual);
      await complete(context, userId);
      const ready = withPhone(begun);
      const begins = ready === 'pending_docs' || ready === 'documents_need_resubmission';
      const asked = begins ? 'pending_approval' : ready;
      const answered = context.setting('screening-answer') === 'new' ? asked : ready;
      expect(await users.screen(userId)).toMatchObject({ userId, status: answered });
      expect((await users.get(userId)).status).toBe(asked);
      await context.ask('user-screen', { params: { userId } });
      await context.advance(LONGER_THAN_ANY_SCREENING_MS);
      const outcome = context.setting('screening-outcome');
      const isDecided = begins && outcome !== 'operator';
      const steps = isDecided && context.setting('screening-steps') === 'verification' ? ['pending_verification'] : [];
      const ended = isDecided ? outcome : asked;
      expect((await users.get(userId)).status).toBe(ended);
      const notified = notifiedOf(context, withoutRepeats([begun, ready, asked, ...steps, ended]));
      expect(await context.notifiedStatuses(userId)).toEqual(notified);
      if (notified.length > 0) await context.expectKind(userId, 'user');
    },
  },
];

export const screenings: readonly Area[] = [
  { name: 'statuses of users', settings: ['initial-user-status', 'user-events'], cases: statuses },
  { name: 'remarks', settings: ['rejection-remarks', 'user-events'], cases: remarks },
  { name: 'screenings', settings: ['screening-outcome', 'screening-incomplete', 'initial-user-status'], cases },
  {
    name: 'ways of screenings',
    settings: ['screening-outcome', 'screening-answer', 'screening-steps', 'user-events'],
    cases,
  },
];
