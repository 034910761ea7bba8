import { expect, test } from 'vitest';
import { aSandbox, asText, type Caller } from './a-sandbox.ts';
import { aCompany, aCompleteUser, aUser, patchDetails, screen, statusOf } from './sample-users.ts';

const LAG_MS = 2000;

/** What reading a user and its company shows. */
async function shown(caller: Caller, userId: string): Promise<unknown[]> {
  const { status, accountId } = (await caller.get(`/v2/users/${userId}`)).body;
  const { mobileNumber, status: ofDetails } = (await caller.get(`/v2/users/${userId}/detail`)).body;
  const isMissing = (ofDetails!['missing_fields'] as unknown as string[]).includes('mobileNumber');
  const { city } = (await caller.get(`/v2/company/${asText(accountId)}`)).body;
  return [status, mobileNumber, isMissing, city];
}

const lagging = async (): Promise<Caller> => (await aSandbox({ userLagMs: LAG_MS })).signIn();

test('a change shows after the visibility delay, and its own answer has it at once', async () => {
  const caller = await lagging();
  const userId = await aUser(caller);
  const before = ['pending_phone', null, true, null];
  expect(await shown(caller, userId)).toEqual(before);
  const phone = { mobileCountryCode: '+65', mobileNumber: '81234567' };
  const { mobileNumber, status } = (await patchDetails(caller, userId, phone)).body;
  expect([mobileNumber, status!['missing_fields']]).toEqual(['81234567', expect.not.arrayContaining(['mobileNumber'])]);
  caller.sandbox.advance(1000);
  const { accountId } = (await caller.get(`/v2/users/${userId}`)).body;
  const updated = await caller.send('PATCH', `/v2/company/${asText(accountId)}`, aCompany);
  expect(updated.body['city']).toBe('Singapore');
  caller.sandbox.advance(999);
  expect(await shown(caller, userId)).toEqual(before);
  caller.sandbox.advance(1);
  expect(await shown(caller, userId)).toEqual(['pending_docs', '81234567', false, null]);
  caller.sandbox.advance(999);
  expect((await shown(caller, userId)).at(-1)).toBeNull();
  caller.sandbox.advance(1);
  expect((await shown(caller, userId)).at(-1)).toBe('Singapore');
});

test('a screening counts what was changed, not what is shown; several changes show one after another', async () => {
  const caller = await lagging();
  const userId = await aCompleteUser(caller);
  expect(await statusOf(caller, userId)).toBe('pending_phone');
  expect((await screen(caller, userId)).body['status']).toBe('pending_approval');
  caller.sandbox.advance(500);
  await caller.post('/__sandbox/screenings', { userId, outcome: 'rejected', remarks: 'No' });
  caller.sandbox.advance(LAG_MS - 501);
  expect(await statusOf(caller, userId)).toBe('pending_phone');
  caller.sandbox.advance(1);
  expect(await statusOf(caller, userId)).toBe('pending_approval');
  caller.sandbox.advance(500);
  expect((await caller.get(`/v2/users/${userId}`)).body).toMatchObject({ status: 'rejected', remarks: 'No' });
  await caller.post('/__sandbox/force', { userId, status: 'approved' });
  expect(await statusOf(caller, userId)).toBe('rejected');
  caller.sandbox.advance(LAG_MS);
  expect(await statusOf(caller, userId)).toBe('approved');
});
