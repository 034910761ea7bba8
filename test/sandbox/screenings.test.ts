import { expect, test } from 'vitest';
import type { SandboxOptions } from '../../sandbox/config/options.ts';
import { aReceiver } from './a-receiver.ts';
import { aSandbox, type Caller } from './a-sandbox.ts';
import { aCompleteUser, screen, statusOf } from './sample-users.ts';
import { eventually } from '../helpers/until.ts';

const BLURRED = 'The photo is blurred: upload the documents again';
const UNVERIFIED = 'The identity could not be verified';

const signedIn = async (options: Partial<SandboxOptions>): Promise<Caller> => (await aSandbox(options)).signIn();

const read = async (caller: Caller, userId: string): Promise<unknown[]> => {
  const { body } = await caller.get(`/v2/users/${userId}`);
  return [body['status'], body['remarks']];
};

test('a screening that the sandbox decides takes the time of a completion', async () => {
  const caller = await signedIn({ screeningOutcome: 'approved', completionMinMs: 3000, completionMaxMs: 3000 });
  const userId = await aCompleteUser(caller);
  await screen(caller, userId);
  caller.sandbox.advance(2999);
  expect(await statusOf(caller, userId)).toBe('pending_approval');
  caller.sandbox.advance(1);
  expect(await statusOf(caller, userId)).toBe('approved');
});

test('a user named RESUBMIT is asked for documents once, with remarks, and then decided as usual', async () => {
  const caller = await signedIn({ screeningOutcome: 'approved' });
  const userId = await aCompleteUser(caller, { firstName: 'Mei-RESUBMIT' });
  await screen(caller, userId);
  caller.sandbox.advance(12_000);
  expect(await read(caller, userId)).toEqual(['documents_need_resubmission', BLURRED]);
  await screen(caller, userId);
  caller.sandbox.advance(12_000);
  expect(await read(caller, userId)).toEqual(['approved', undefined]);
});

test('a name decides also where screenings wait for the operator, and other users wait', async () => {
  const caller = await signedIn({});
  const rejected = await aCompleteUser(caller, { firstName: 'REJECTED' });
  const both = await aCompleteUser(caller, { firstName: 'REJECTED RESUBMIT', email: 'both@example.com' });
  const other = await aCompleteUser(caller, { firstName: 'Rejected', email: 'other@example.com' });
  for (const userId of [rejected, both, other]) await screen(caller, userId);
  caller.sandbox.advance(12_000);
  expect(await read(caller, rejected)).toEqual(['rejected', UNVERIFIED]);
  expect(await read(caller, both)).toEqual(['documents_need_resubmission', BLURRED]);
  expect(await read(caller, other)).toEqual(['pending_approval', undefined]);
  await screen(caller, both);
  caller.sandbox.advance(12_000);
  expect(await read(caller, both)).toEqual(['rejected', UNVERIFIED]);
});

test('the screening of a user named SLOW takes long', async () => {
  const caller = await signedIn({ screeningOutcome: 'approved', slowCompletionMs: 50_000 });
  const userId = await aCompleteUser(caller, { firstName: 'SLOW' });
  await screen(caller, userId);
  caller.sandbox.advance(49_999);
  expect(await statusOf(caller, userId)).toBe('pending_approval');
  caller.sandbox.advance(1);
  expect(await statusOf(caller, userId)).toBe('approved');
});

test('a status that the operator sets is kept: the earlier screening decides nothing any more', async () => {
  const caller = await signedIn({ screeningOutcome: 'approved', completionMinMs: 9000, completionMaxMs: 9000 });
  const userId = await aCompleteUser(caller);
  await screen(caller, userId);
  caller.sandbox.advance(4000);
  await caller.post('/__sandbox/force', { userId, status: 'documents_need_resubmission', reason: 'Blurred' });
  await screen(caller, userId);
  caller.sandbox.advance(8999);
  expect(await statusOf(caller, userId)).toBe('pending_approval');
  caller.sandbox.advance(1);
  expect(await statusOf(caller, userId)).toBe('approved');
});

test('the answer to a screening request can have the status of before, which reading no longer shows', async () => {
  const caller = await signedIn({ screeningAnswer: 'old' });
  const userId = await aCompleteUser(caller);
  expect((await screen(caller, userId)).body).toEqual({ userId, status: 'pending_docs' });
  expect(await statusOf(caller, userId)).toBe('pending_approval');
  expect((await screen(caller, userId)).body['status']).toBe('pending_approval');
});

test('a screening can go through pending_verification', async () => {
  const options = { screeningOutcome: 'approved', completionMinMs: 8000, completionMaxMs: 8000 } as const;
  const caller = await signedIn({ ...options, screeningSteps: 'verification' });
  const userId = await aCompleteUser(caller);
  await screen(caller, userId);
  caller.sandbox.advance(4000);
  expect(await statusOf(caller, userId)).toBe('pending_verification');
  caller.sandbox.advance(4000);
  expect(await statusOf(caller, userId)).toBe('approved');
});

test('a rejected user can lack remarks; a user who must resubmit documents has them', async () => {
  const caller = await signedIn({ rejectionRemarks: 'absent' });
  const userId = await aCompleteUser(caller);
  await caller.post('/__sandbox/screenings', { userId, outcome: 'rejected', remarks: 'No' });
  expect(await read(caller, userId)).toEqual(['rejected', undefined]);
  const again = { userId, outcome: 'documents_need_resubmission', remarks: 'Blurred' };
  await caller.post('/__sandbox/screenings', again);
  expect(await read(caller, userId)).toEqual([again.outcome, again.remarks]);
});

test.each(['pending', 'pending_phone'] as const)('%s ends once the phone is known', async (initialUserStatus) => {
  const caller = await signedIn({ initialUserStatus });
  const userId = await aCompleteUser(caller);
  expect(await statusOf(caller, userId)).toBe('pending_docs');
});

test.each([
  ['every', ['pending_phone', 'pending_docs', 'pending_approval', 'approved']],
  ['changes', ['pending_docs', 'pending_approval', 'approved']],
  ['decisions', ['approved']],
] as const)('with user events %s the notified statuses are %j', async (userEvents, statuses) => {
  const { url, received } = await aReceiver();
  const caller = await signedIn({ userEvents, screeningOutcome: 'approved', webhookUrl: url });
  const userId = await aCompleteUser(caller);
  await screen(caller, userId);
  caller.sandbox.advance(12_000);
  await eventually(() => expect(received.map(({ body }) => body['status'])).toEqual(statuses));
});
