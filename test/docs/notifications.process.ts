import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postWebhook, signatureHeaders } from '../../activities/notifications/post-webhook.ts';
import { composeBody } from '../../domain/notifications/compose.ts';
import { DELIVERY_ERRORS } from '../../domain/notifications/delivery-errors.ts';
import { NOTIFICATION_TYPES, ruleOf } from '../../domain/notifications/notification-types.ts';
import type { SubjectFacts } from '../../domain/notifications/subject-facts.ts';
import { tableUnder } from '../helpers/document-tables.ts';
import { readPage, ROOT } from './document-pages.ts';

const PAGE = 'docs/notifications.md';
const EXAMPLE = join(ROOT, 'examples/notifications/receive-webhooks.mjs');
const SECRET = Buffer.alloc(32, 7);

function blockIn(language: string): string {
  const [, block] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readPage(PAGE)) ?? [];
  if (block === undefined) throw new Error(`${PAGE} has no block of ${language}`);
  return block;
}

const FACTS: SubjectFacts = {
  subject: 'run',
  data: {
    ...{
      runId: '018f2a00-0000-7000-8000-000000000001',
      account: 'default',
      name: 'june-salaries.csv',
      state: 'running',
      reason: null,
    },
    rows: { held: 2, paid: 41 },
  },
};

describe('the page about notifications', () => {
  it('lists every type with when it is sent', () => {
    const documented = tableUnder('notifications.md', 'Types of notifications');
    expect(documented).toEqual(NOTIFICATION_TYPES.map((type) => ({ type, when: ruleOf(type).when })));
  });

  it('explains every error of deliveries', () => {
    const documented = readPage(PAGE).split('\n');
    for (const [code, { cause, fix }] of Object.entries(DELIVERY_ERRORS)) {
      expect(documented).toContain(`| \`${code}\` | ${cause} | ${fix} |`);
    }
  });

  it('shows a webhook as it is sent', () => {
    const body = composeBody('run.rows_held', new Date('2026-01-05T09:00:00Z'), FACTS, 'https://payrun.example.com');
    expect(JSON.parse(blockIn('json'))).toEqual(JSON.parse(JSON.stringify(body)));
  });

  it('shows the verification of the example', () => {
    expect(readFileSync(EXAMPLE, 'utf8')).toContain(blockIn('js'));
  });
});

describe('the example of a receiver', () => {
  it('prints each notification that payrun signed once, and refuses others', async () => {
    const { url, lines } = await theExample();
    const body = JSON.stringify(composeBody('run.rows_held', new Date(), FACTS, null));
    const send = (secrets: Buffer[], sent = body, at = Date.now()) => {
      const headers = signatureHeaders({ id: 'an-id', body }, secrets, at);
      return postWebhook({ url, headers, body: sent }, { timeoutMs: 5_000, privateHosts: ['127.0.0.1'] });
    };
    expect(await send([Buffer.alloc(32, 8)])).toMatchObject({ httpStatus: 400 });
    expect(await send([SECRET], body.replace('41', '42'))).toMatchObject({ httpStatus: 400 });
    expect(await send([SECRET], body, Date.now() - 600_000)).toMatchObject({ httpStatus: 400 });
    expect(await send([SECRET])).toEqual({ httpStatus: 204, error: null });
    // As while its secret is rotated, and as after a crash.
    expect(await send([Buffer.alloc(32, 9), SECRET])).toEqual({ httpStatus: 204, error: null });
    expect(lines).toEqual(['an-id run.rows_held june-salaries.csv running']);
  });
});

/** The example as a process of its own; what it prints after its first line. */
async function theExample(): Promise<{ url: string; lines: string[] }> {
  const secret = `whsec_${SECRET.toString('base64')}`;
  const env = { ...process.env, PAYRUN_WEBHOOK_SECRET: secret, PORT: '0' };
  const child = spawn(process.execPath, [EXAMPLE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill();
  });
  const output = createInterface(child.stdout);
  const [first] = (await once(output, 'line')) as [string];
  const lines: string[] = [];
  output.on('line', (line) => lines.push(line));
  return { url: `http://127.0.0.1:${/\d+$/.exec(first)?.[0] ?? ''}/`, lines };
}
