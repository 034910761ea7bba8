import { describe, expect, it } from 'vitest';
import { aRun, anAuditEntry } from '../server/application-records.ts';
import { aCommandLine } from './cli-harness.ts';

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
