import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MailServer } from '../../domain/notifications/mail-server.ts';
import { addEndpointAs } from '../../store/notifications/endpoints.ts';
import { transitionRun } from '../../store/runs/run-transition.ts';
import { aTestAuthority } from '../helpers/certificates.ts';
import { aMailServer } from '../helpers/mail-server.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aStoredRun, beneficiaryAt } from '../store/a-stored-run.ts';
import { deliverer, deliveriesTo, plan, queueATest } from './deliveries-under-test.ts';

let testDatabase: TestDatabase;
let ada: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  ada = await aUser(testDatabase, 'Ada', 'administrator');
});
afterAll(() => testDatabase.drop());

const settingsFor = (port: number, parts: Partial<MailServer> = {}): MailServer => ({
  url: `smtp://127.0.0.1:${port}`,
  from: 'payrun <payrun@example.com>',
  requireTls: false,
  ...parts,
});

async function aMailEndpoint(...addresses: string[]): Promise<string> {
  const endpointId = randomUUID();
  const name = `mail-${endpointId.slice(0, 8)}`;
  const to = { kind: 'mail', addresses } as const;
  await addEndpointAs(testDatabase.asServer, ada.tokenHash, {
    endpointId,
    name,
    types: ['run.finished'],
    to,
    target: 'x',
  });
  return endpointId;
}

async function send(endpointId: string, mail: MailServer | null): Promise<unknown> {
  await deliverer(testDatabase.asWorker, { mail })({ endpointId });
  const [delivery] = await deliveriesTo(testDatabase, endpointId);
  return { state: delivery?.state, error: delivery?.error };
}

describe('a mail', () => {
  test('tells of a run by name, to all addresses, with the id of the notification and nothing of a beneficiary', async () => {
    const { port, mails } = await aMailServer();
    const endpointId = await aMailEndpoint('ada@example.com', 'ops@example.com');
    const account = '12345698765';
    const { runId } = await aStoredRun(testDatabase.database, 2, () => beneficiaryAt(account));
    await transitionRun(testDatabase.asWorker, runId, { to: 'failed', finished: true });
    await plan(testDatabase);
    expect(await send(endpointId, settingsFor(port))).toEqual({ state: 'delivered', error: null });
    const [delivery] = await deliveriesTo(testDatabase, endpointId);
    const [mail] = mails;
    expect(mail).toMatchObject({ from: 'payrun@example.com', to: ['ada@example.com', 'ops@example.com'] });
    const text = mail?.text ?? '';
    expect(text.replaceAll('\r\n ', ' ')).toMatch(
      /^Subject: payrun: test.csv: The run ended before it was approved. Nothing was paid\r$/m,
    );
    expect(text).toContain(`Message-ID: <${delivery?.notificationId ?? ''}@example.com>`);
    expect(text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(text).toContain('rows: 2 ready');
    expect(text.replaceAll(/=\r\n/g, '')).toContain(`https://payrun.example.com/api/v1/runs/${runId}`);
    for (const secret of [account, 'Paid Ltd', '101.00', 'Invoice of May']) expect(text).not.toContain(secret);
  });

  test('with a line break in the name of its run has no header of its own', async () => {
    const { port, mails } = await aMailServer();
    const endpointId = await aMailEndpoint('ada@example.com');
    const { runId } = await aStoredRun(testDatabase.database);
    await testDatabase.database.query('update runs set file_name = $2 where run_id = $1', [
      runId,
      'a.csv\r\nBcc: eve@example.com\r\n\r\nx',
    ]);
    await transitionRun(testDatabase.asWorker, runId, { to: 'failed', finished: true });
    await plan(testDatabase);
    await send(endpointId, settingsFor(port));
    expect(mails[0]?.to).toEqual(['ada@example.com']);
    expect(mails[0]?.text).not.toMatch(/^Bcc:/m);
  });

  test('that some addresses refuse is not sent to the others twice', async () => {
    const { port, mails } = await aMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('gone') ? new Error('no such user') : undefined),
    });
    const endpointId = await aMailEndpoint('ada@example.com', 'gone@example.com');
    await queueATest(testDatabase, ada, endpointId);
    expect(await send(endpointId, settingsFor(port))).toEqual({ state: 'delivered', error: 'some_addresses_refused' });
    expect(mails.map(({ to }) => to)).toEqual([['ada@example.com']]);
  });

  test('that nobody takes is tried again', async () => {
    const { port } = await aMailServer({ onRcptTo: (_address, _session, done) => done(new Error('no such user')) });
    const endpointId = await aMailEndpoint('gone@example.com');
    await queueATest(testDatabase, ada, endpointId);
    expect(await send(endpointId, settingsFor(port))).toEqual({ state: 'failing', error: 'mail_refused' });
    expect(await send(endpointId, null)).toEqual({ state: 'failing', error: 'mail_not_configured' });
    expect(await send(endpointId, settingsFor(1))).toEqual({ state: 'failing', error: 'unreachable' });
  });

  test('is sent with the login in the address of the mail server', async () => {
    const logins: unknown[] = [];
    const { port, mails } = await aMailServer({
      authOptional: false,
      authMethods: ['PLAIN'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        logins.push([username, password]);
        done(null, password === 'pass/word' ? { user: username ?? '' } : undefined);
      },
    });
    const endpointId = await aMailEndpoint('ada@example.com');
    await queueATest(testDatabase, ada, endpointId);
    const url = (password: string) => `smtp://payrun:${encodeURIComponent(password)}@127.0.0.1:${port}`;
    expect(await send(endpointId, settingsFor(port, { url: url('wrong') }))).toEqual({
      state: 'failing',
      error: 'mail_refused',
    });
    expect(await send(endpointId, settingsFor(port, { url: url('pass/word') }))).toEqual({
      state: 'delivered',
      error: null,
    });
    expect(logins.at(-1)).toEqual(['payrun', 'pass/word']);
    expect(mails).toHaveLength(1);
  });

  test('is not sent in clear where encryption is required', async () => {
    const { port, mails } = await aMailServer();
    const endpointId = await aMailEndpoint('ada@example.com');
    await queueATest(testDatabase, ada, endpointId);
    expect(await send(endpointId, settingsFor(port, { requireTls: true }))).toEqual({
      state: 'failing',
      error: 'tls_failed',
    });
    expect(mails).toEqual([]);
  });

  test('is not sent to a mail server with a certificate that nobody trusts', async () => {
    const { port, mails } = await aMailServer({ ...aTestAuthority().server, disabledCommands: [] });
    const endpointId = await aMailEndpoint('ada@example.com');
    await queueATest(testDatabase, ada, endpointId);
    expect(await send(endpointId, settingsFor(port, { requireTls: true }))).toMatchObject({ state: 'failing' });
    expect(mails).toEqual([]);
  });
});
