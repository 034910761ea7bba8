import { describe, expect, it } from 'vitest';
import { type AuditPiece, HASH_BEFORE_ALL } from '../../domain/audit/audit-export.ts';
import { contentSha256 } from '../../domain/sha256.ts';
import { aRun, anAuditEntry } from '../server/application-records.ts';
import { aCommandLine, aFolder } from './cli-harness.ts';

const RUN = '018f2a00-0000-7000-8000-000000000001';
const HEAD = `2:${'b'.repeat(64)}`;

async function withATrail() {
  const commandLine = await aCommandLine();
  const { application } = commandLine;
  application.runs.set(RUN, aRun());
  const ofRun = { paymentId: null, rowRef: null, line: null };
  const approval = { ...ofRun, actor: 'user-checker', person: 'Chris', kind: 'run_running', detail: {} };
  application.auditEntries = [
    anAuditEntry({ entryId: 1, ...approval }),
    anAuditEntry({ entryId: 2 }),
    anAuditEntry({ entryId: 3, rowRef: 'INV-\u001b[2J' }),
  ];
  return commandLine;
}

describe('payrun audit RUN', () => {
  it('prints time, user, row, event and outcome, one entry per line, safe for a terminal', async () => {
    const { run } = await withATrail();
    const { code, stdout } = await run(['audit', RUN]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'Time (UTC)               Who               Row                   What                        Outcome',
        '2026-01-05 09:00:07.123  Chris                                   run running',
        '2026-01-05 09:00:07.123  worker            INV-1                 create took effect          created, status 200',
        '2026-01-05 09:00:07.123  worker            INV-\\u{1b}[2J         create took effect          created, status 200',
        '',
      ].join('\n'),
    );
  });

  it('prints the entries of one row, and says if there is no such row', async () => {
    const { run } = await withATrail();
    expect((await run(['audit', RUN, '--row', 'INV-1'])).stdout.trimEnd().split('\n')).toHaveLength(2);
    const missing = await run(['audit', RUN, '--row', 'INV-9']);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('has no entries for a row INV-9')]);
  });

  it('prints what people did, of a run', async () => {
    const { run } = await withATrail();
    const { stdout } = await run(['audit', RUN, '--people', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ entries: [{ person: 'Chris' }] });
    const { code, stderr } = await run(['audit', '--people']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--people belongs to a run')]);
  });

  it.each([0, 1, 700])('gives %d entries as one document', async (count) => {
    const { application, run } = await withATrail();
    application.auditEntries = Array.from({ length: count }, (_, index) => anAuditEntry({ entryId: index + 1 }));
    const { stdout } = await run(['audit', RUN, '--json']);
    expect(JSON.parse(stdout)).toEqual({ runId: RUN, entries: application.auditEntries });
  });
});

describe('payrun audit verify', () => {
  it('that has nothing says what was looked for, and where entries of runs are', async () => {
    const { application, run } = await aCommandLine();
    application.auditEntries = [];
    const said = async (...options: string[]) => (await run(['audit', ...options], { role: 'viewer' })).stdout;
    expect(await said('--kind', 'decision_approved', '--from', '2026-01-01')).toBe(
      'Among the entries that belong to no run there is none of the kind decision_approved since 2026-01-01. ' +
        'Entries of this kind, if there are any, belong to a run: payrun audit RUN\n',
    );
    expect(await said('--kind', 'user_added')).toBe(
      'Among the entries that belong to no run there is none of the kind user_added. ' +
        'What happened to a run is not among them: payrun audit RUN\n',
    );
    expect(await said()).not.toContain('There are no entries');
  });

  it('says that the trail is intact, what is not chained yet, and the head to note', async () => {
    const { application, run } = await withATrail();
    application.auditReport = { ...application.auditReport, unchained: 1, unchainedSince: '2026-01-05T09:00:00.000Z' };
    const { code, stdout } = await run(['audit', 'verify', '--head', HEAD]);
    expect([code, stdout]).toEqual([
      0,
      `Intact: 2 entries as they were when chained.\nThe noted head is in the chain.\n` +
        `Not chained yet: 1 entry, since 2026-01-05 09:00:00.000 UTC.\nHead, to be noted elsewhere: ${HEAD}\n`,
    ]);
    expect(application.notedHeads).toEqual([{ position: 2, hash: 'b'.repeat(64) }]);
  });

  it('ends with exit code 6 if the trail is broken, and names the first broken position', async () => {
    const { application, run } = await withATrail();
    application.auditReport = {
      ...application.auditReport,
      broken: { position: 2, entryId: 17, problem: 'entry_missing' },
      chained: 1,
      head: null,
    };
    const shown = await run(['audit', 'verify']);
    expect([shown.code, shown.stderr]).toEqual([
      6,
      'payrun: the audit trail is broken: position 2, entry 17: the entry was removed\n',
    ]);
    const json = await run(['audit', 'verify', '--json']);
    expect([json.code, JSON.parse(json.stdout)]).toEqual([6, application.auditReport]);
  });

  it('refuses a malformed head', async () => {
    const { run } = await withATrail();
    const { code, stderr } = await run(['audit', 'verify', '--head', 'abc']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('must be POSITION:HASH')]);
  });
});

describe('payrun audit verify --export', () => {
  const next = (previous: string, text: string) =>
    contentSha256(Buffer.concat([Buffer.from(previous, 'hex'), Buffer.from(text)]));
  const first = next(HASH_BEFORE_ALL, '["one"]');
  const second = next(first, '["two"]');
  const piece = (position: number, previousHash: string, text: string): AuditPiece => ({
    format: 'payrun-audit-1',
    previousHash,
    entries: [{ position, hash: next(previousHash, text), text }],
  });
  const PIECES = {
    'b.json': JSON.stringify(piece(1, HASH_BEFORE_ALL, '["one"]')),
    'a.json': JSON.stringify(piece(2, first, '["two"]')),
    'c.json.partial-7': 'half',
  };

  it('verifies the pieces by themselves, and asks the server whether it still has their last hash', async () => {
    const { run, application } = await withATrail();
    const { code, stdout } = await run(['audit', 'verify', '--export', await aFolder(PIECES)]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('unbroken: 2 pieces, positions 1 to 2')]);
    expect(stdout).toContain('Intact: 2 entries');
    expect(application.notedHeads).toEqual([{ position: 2, hash: second }]);
  });

  it('says so when the database has another trail, or cannot be asked', async () => {
    const { run, application } = await withATrail();
    const folder = await aFolder(PIECES);
    application.failures.set('verifyAudit', new Error('down'));
    const alone = await run(['audit', 'verify', '--export', folder]);
    expect([alone.code, alone.stdout]).toEqual([0, expect.stringContaining('It was not compared with the database')]);
    application.failures.delete('verifyAudit');
    application.auditReport = {
      ...{ broken: { position: 2, entryId: 2, problem: 'head_differs' }, chained: 1, head: null },
      ...{ unchained: 0, unchainedSince: null, afterNotedSince: null },
    };
    const { code, stderr } = await run(['audit', 'verify', '--export', folder]);
    expect([code, stderr]).toEqual([6, expect.stringContaining('the noted head is not in the chain')]);
  });

  it('says by how much the export is behind, and fails once that is more than the export takes', async () => {
    const { run, application } = await withATrail();
    const folder = await aFolder(PIECES);
    const behind = (afterNotedSince: string) => {
      application.auditReport = { ...application.auditReport, head: { position: 7, hash: second }, afterNotedSince };
      return run(['audit', 'verify', '--export', folder]);
    };
    const lately = await behind(new Date().toISOString());
    expect([lately.code, lately.stdout]).toEqual([
      0,
      expect.stringContaining('5 entries of the database are not in it'),
    ]);
    const late = await behind('2026-01-05T09:00:00.000Z');
    expect([late.code, late.stdout]).toEqual([6, expect.stringContaining('since 2026-01-05 09:00:00.000 UTC')]);
    expect(late.stderr).toContain('the export is behind');
    const empty = await run(['audit', 'verify', '--export', await aFolder()]);
    expect([empty.code, empty.stderr]).toEqual([6, expect.stringContaining('no piece')]);
  });

  it('names the piece and the position that is not as it was', async () => {
    const { run } = await withATrail();
    const altered = { ...PIECES, 'a.json': PIECES['a.json'].replace('two', 'TWO') };
    const { code, stdout, stderr } = await run(['audit', 'verify', '--export', await aFolder(altered)]);
    expect([code, stdout]).toEqual([6, expect.stringContaining('BROKEN at a.json, position 2')]);
    expect(stderr).toContain('the entry was altered after it was exported');
  });

  it('accepts nothing else than pieces', async () => {
    const { run } = await withATrail();
    const wrong = await run(['audit', 'verify', '--export', await aFolder({ 'a.json': '{}' })]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('a.json is no piece of an exported')]);
    expect((await run(['audit', 'verify', '--export', '/nowhere'])).code).toBe(2);
    expect((await run(['audit', 'verify', '--export', '.', '--head', HEAD])).code).toBe(2);
    const empty = await run(['audit', 'verify', '--export', await aFolder()]);
    expect(empty.stdout).toContain('There is no piece');
  });
});
