import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { codeMail } from '../../domain/users/code-mail.ts';
import { codeMailer } from '../../operations/code-mailer.ts';
import { aMailServer } from '../helpers/mail-server.ts';

/** The server sends codes itself, and says at once what it could not send. */

const CODE = 'payrun_code_x';
const MAIL = codeMail(
  { address: 'eve@example.com', code: CODE, until: '2026-01-06 09:00 UTC' },
  'https://payrun.example.com',
);
const serverAt = (port: number) => ({ url: `smtp://127.0.0.1:${port}`, from: 'payrun@example.com', requireTls: false });

test('a code goes to its user alone, with a link and how to use it', async () => {
  const { port, mails } = await aMailServer();
  expect(await codeMailer(serverAt(port))?.(MAIL)).toBeNull();
  expect(mails).toMatchObject([{ from: 'payrun@example.com', to: ['eve@example.com'] }]);
  expect(mails[0]?.text.replaceAll('=\r\n', '')).toMatch(
    /https:\/\/payrun.example.com\/sign-in#link=(3D)?payrun_code_x[^]*payrun login[^]*2026-01-06 09:00 UTC/,
  );
});

test('a mail server that refuses the address, is not there or does not answer is said to be so', async () => {
  const { port } = await aMailServer({ onRcptTo: (_address, _session, done) => done(new Error('no such user')) });
  expect(await codeMailer(serverAt(port))?.(MAIL)).toBe('mail_refused');
  expect(await codeMailer(serverAt(1))?.(MAIL)).toBe('unreachable');
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await new Promise((resolve) => silent.once('listening', resolve));
  const address = silent.address();
  const silentPort = typeof address === 'object' ? (address?.port ?? 0) : 0;
  expect(await codeMailer(serverAt(silentPort), 200)?.(MAIL)).toBe('timeout');
});

test('without a mail server there is none', () => {
  expect(codeMailer(null)).toBeNull();
});
