import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConsoleFiles } from '../../server/console/console-files.ts';
import { anApp, type TestApp } from './server-harness.ts';

const SCRIPT = 'export const hello = 1;\n';

/** A server with a console of one page and one script. */
function aConsole(): TestApp {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><script nonce="__CSP_NONCE__" src="/assets/a-1.js"></script>',
  );
  writeFileSync(join(folder, 'assets', 'a-1.js'), SCRIPT);
  writeFileSync(join(folder, 'assets', 'a-1.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'assets', 'a-1.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(folder, 'manifest.json'), '{"secret":true}');
  return anApp({ console: readConsoleFiles(folder) });
}

describe('the page of the console', () => {
  it.each([
    ...['/', '/inbox', '/runs?state=running&q=%2F', '/runs/new', '/runs/018f2a00-0000-7000-8000-000000000001/rows'],
    ...['/admin/users', '/sign-in', '/treasury/conversions'],
  ])('is at %s', async (url) => {
    const { app } = aConsole();
    const { statusCode, headers, body } = await app.inject({ url });
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toContain('/assets/a-1.js');
  });

  it('has a nonce of its own in each response, which its policy names', async () => {
    const { app } = aConsole();
    const answers = await Promise.all([app.inject({ url: '/runs' }), app.inject({ url: '/runs' })]);
    const nonces = answers.map(({ body, headers }) => {
      const nonce = /nonce="([^"]+)"/.exec(body)?.[1] ?? '';
      expect(headers['content-security-policy']).toContain(`script-src 'self' 'nonce-${nonce}'`);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(body).not.toContain('__CSP_NONCE__');
      return nonce;
    });
    expect(nonces[0]).toMatch(/^[A-Za-z0-9+/=]{24}$/);
    expect(nonces[0]).not.toBe(nonces[1]);
    expect(answers[0].headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
  });

  it.each(['/api/v1/nowhere', '/api', '/webhooks', '/nowhere', '/runsaway', '/.env', '/inbox.php'])(
    'is not at %s',
    async (url) => {
      const { app } = aConsole();
      const { statusCode, headers } = await app.inject({ url });
      expect(statusCode).toBe(404);
      expect(headers['content-type']).toContain('application/json');
    },
  );

  it.each(['/nowhere', '/runsaway', '/.env'])('says to a browser that nothing is at %s', async (url) => {
    const { app } = aConsole();
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const answer = await app.inject({ url, headers });
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain('/assets/a-1.js');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    for (const other of ['/api/v1/nowhere', '/api', '/webhooks']) {
      const { statusCode, body } = await app.inject({ url: other, headers });
      expect([statusCode, body.includes('<')]).toEqual([404, false]);
    }
    expect((await app.inject({ method: 'POST', url, headers })).headers['content-type']).toContain('application/json');
  });

  it('is not what a request that changes something gets', async () => {
    const { app } = aConsole();
    expect((await app.inject({ method: 'POST', url: '/runs' })).statusCode).toBe(405);
  });
});

describe('the assets of the console', () => {
  it('never change, and are compressed as the browser asks', async () => {
    const { app } = aConsole();
    const ask = (encodings: string) => app.inject({ url: '/assets/a-1.js', headers: { 'accept-encoding': encodings } });
    const brotli = await ask('gzip, deflate, br;q=0.9');
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(SCRIPT);
    expect((await ask('br;q=0, gzip')).headers['content-encoding']).toBe('gzip');
    const plain = await ask('identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body).toBe(SCRIPT);
  });

  it.each([
    ...['/assets/nothing.js', '/assets/a-1.js.br', '/assets/..%2Fmanifest.json', '/assets/../manifest.json'],
    ...['/assets/%2e%2e%2findex.html', '/assets/', '/assets/__proto__', '/manifest.json'],
  ])('are nothing else: %s', async (url) => {
    const { app } = aConsole();
    expect((await app.inject({ url })).statusCode).toBe(404);
  });
});

it('a console that was not built is none', () => {
  expect(readConsoleFiles(join(tmpdir(), 'payrun-no-such-console'))).toBeNull();
});
