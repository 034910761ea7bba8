import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { UserLine } from '../../sandbox/control/user-controls.ts';
import { aSandbox, asText } from './a-sandbox.ts';
import { aCompany, allDetails, aSignUp, aUser, patchDetails } from './sample-users.ts';

const sha256Of = (content: string): string => createHash('sha256').update(content).digest('hex');

async function usersAt(url: string): Promise<UserLine[]> {
  return (await (await fetch(`${url}/__sandbox/users`)).json()) as UserLine[];
}

test('the list of users has every user, with what they gave as SHA-256 only', async () => {
  const caller = await (await aSandbox({ secondSignUp: 'accept', userLagMs: 60_000 })).signIn();
  const first = await aUser(caller);
  const second = await aUser(caller, { email: 'MEI@example.com', accountType: 'individual' });
  await patchDetails(caller, first, allDetails);
  const { body } = await caller.get(`/v2/users/${first}`);
  await caller.send('PATCH', `/v2/company/${asText(body['accountId'])}`, aCompany);

  const users = await usersAt(caller.sandbox.url);
  const emailSha256 = sha256Of(aSignUp.email);
  expect(users.map(({ userId, emailSha256: mail }) => [userId, mail])).toEqual([
    [first, emailSha256],
    [second, emailSha256],
  ]);
  // Although reading the user shows its changes later.
  expect(users[0]).toMatchObject({
    accountType: 'company',
    details: { dateOfBirth: sha256Of('29-02-1988'), firstName: sha256Of('Mei') },
    company: { companyName: sha256Of('Tan Trading'), postalCode: sha256Of('18956') },
    documents: [],
  });
  expect(users[1]).toMatchObject({ accountType: 'individual', company: null });
  expect(JSON.stringify(users)).not.toMatch(/Mei|Tan|example|Road/i);
});

test('the list of users has the last upload of each document', async () => {
  const caller = await (await aSandbox()).signIn();
  const userId = await aUser(caller);
  const created = await caller.post(`/v2/users/${userId}/documents`, { documentType: 'passport', documentName: 'one' });
  await caller.post(`/v2/users/${userId}/documents`, { documentType: 'nric', documentName: 'two' });
  const address = asText(created.body['uploadUrl'] ?? created.body['uploadURL']);
  await fetch(address, { method: 'PUT', headers: { 'content-type': 'application/pdf' }, body: 'pages' });

  expect((await usersAt(caller.sandbox.url))[0]?.documents).toEqual([
    {
      documentId: created.body['id'],
      documentType: 'passport',
      documentName: 'one',
      sha256: sha256Of('pages'),
      sizeBytes: 5,
      contentType: 'application/pdf',
    },
    expect.objectContaining({ documentType: 'nric', sha256: null, sizeBytes: null, contentType: null }),
  ]);
});
