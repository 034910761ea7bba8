import { detailOf } from '../server/fake-inbox.ts';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPayrunClient, fetchTrusting } from '../../client/sdk/index.ts';
import { aTestAuthority } from '../helpers/certificates.ts';
import { aRun } from '../server/application-records.ts';
import { TOKENS } from '../server/fake-application.ts';
import { type CommandLine, aCommandLine } from './cli-harness.ts';

const RUN = '018f2a00-0000-7000-8000-000000000001';

/** A TLS proxy, as a server has in production. */
async function aProxy(behind: string, certificate: { key: string; cert: string }): Promise<string> {
  const proxy = createServer(certificate, (incoming, response) => {
    const { method, url, headers } = incoming;
    const onward = request(new URL(url ?? '', behind), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });
  return `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

async function behindTls(files: Record<string, string> = {}) {
  const authority = aTestAuthority();
  const line: CommandLine = await aCommandLine(files);
  line.application.runs.set(RUN, aRun());
  const url = await aProxy(line.url, authority.server);
  return { ...line, url, authority };
}

describe('a server with a certificate of a private authority', () => {
  it('is trusted by PAYRUN_CA_FILE', async () => {
    const { run, url, authority, application } = await behindTls();
    const env = { PAYRUN_URL: url, PAYRUN_CA_FILE: authority.path };
    const shown = await run(['show', RUN, '--json'], { env });
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(shown.stdout)).toEqual({ ...detailOf(aRun()), review: application.review });
  });

  it('accepts and returns files, and streams the progress of a run', async () => {
    const { run, url, authority, application } = await behindTls({ 'a.csv': 'row_ref\nA\n' });
    const env = { PAYRUN_URL: url, PAYRUN_CA_FILE: authority.path };
    expect(await run(['submit', 'a.csv'], { env })).toMatchObject({ code: 0 });
    expect(application.submissions.at(-1)).toMatchObject({ submission: { fileName: 'a.csv' } });
    expect((await run(['results', RUN], { env })).code).toBe(0);
    application.runs.set(RUN, aRun({ state: 'completed', rows: { paid: 1 } }));
    expect((await run(['watch', RUN, '--json'], { env })).stdout).toContain('"state":"completed"');
  });

  it.each(['another authority', 'the usual ones'])('is not trusted by %s', async (by) => {
    const { run, url } = await behindTls();
    const other = by === 'another authority' ? { PAYRUN_CA_FILE: aTestAuthority().path } : {};
    const { code, stderr, stdout } = await run(['show', RUN], { env: { PAYRUN_URL: url, ...other } });
    expect(code).toBe(5);
    expect(stderr).toMatch(/no answer from payrun at https:\S+ .*(certificate|issuer)/);
    expect(stdout).toBe('');
  });

  it('is not followed to another address', async () => {
    const authority = aTestAuthority();
    const server = createServer(authority.server, (_, response) => {
      response.writeHead(307, { location: 'https://elsewhere.invalid' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = createPayrunClient({ url, token: 'secret', fetch: fetchTrusting(authority.pem) });
    await expect(client.getMe()).rejects.toThrow('redirected, which is not followed');
  });
});

describe('the TypeScript client', () => {
  it('sends no token to a server that it would reach unencrypted', () => {
    const url = 'http://pay.example';
    expect(() => createPayrunClient({ url, token: TOKENS.viewer })).toThrow(
      'http://pay.example is not encrypted, and the token would be sent unencrypted: give an https address',
    );
    expect(() => createPayrunClient({ url, token: TOKENS.viewer, allowPlaintext: true })).not.toThrow();
    expect(() => createPayrunClient({ url, token: null })).not.toThrow();
    expect(() => createPayrunClient({ url: 'http://[::1]:8700', token: TOKENS.viewer })).not.toThrow();
  });
});
