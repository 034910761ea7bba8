import { describe, expect, it } from 'vitest';
import type { SuspectedRows } from '../../api/runs/release.ts';
import { renderRowDetail } from '../../client/cli/runs/render-row-detail.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { aRun } from '../server/application-records.ts';
import { aRowDetail, aSimilarRow } from '../server/a-row-detail.ts';
import { aCommandLine } from './cli-harness.ts';

const RUN = '018f2a00-0000-7000-8000-000000000001';
const OTHER = '018f2a00-0000-7000-8000-000000000002';
const HASH = '1f0c93ab'.padEnd(64, '0');
const RELEASE = ['release', RUN, '--row', 'INV-1', '--seen', '1f0c93ab', '--reason', 'the retainer of March'];

const similar = {
  rows: [aSimilarRow({ runId: OTHER })],
  rowCount: 1,
  hash: HASH,
};
const suspect = aRowDetail({ state: 'duplicate_suspect', errorCode: 'same_beneficiary_and_amount', similar });

async function aLineWithSuspects(parts: Partial<SuspectedRows> = {}) {
  const line = await aCommandLine();
  line.application.runs.set(RUN, aRun());
  line.application.suspects = {
    rowCount: 2,
    amounts: [{ currency: 'EUR', amount: '2400.00' }],
    alikeCount: 0,
    similarCount: 3,
    runs: [
      {
        ...{ runId: OTHER, fileName: 'october.csv', submittedAt: '2026-10-25T09:00:00.000Z' },
        ...{ rowCount: 2, paidCount: 2, paidAt: '2026-10-28T09:00:00.000Z' },
      },
    ],
    hash: HASH,
    ...parts,
  };
  return line;
}

describe('release', () => {
  it('says what would be released and what it may repeat, and releases nothing', async () => {
    const { application, run } = await aLineWithSuspects({ alikeCount: 2 });
    const { code, stdout } = await run(['release', RUN]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'A release would pay 2 suspected duplicates: EUR 2,400.00.',
        '2 rows of them pay the same as another one of them.',
        'They may repeat 3 rows:',
        `    october.csv, submitted 2026-10-25 09:00 UTC: 2 rows, 2 paid, the last on 2026-10-28 09:00 UTC, run ${OTHER}`,
        '    … and 1 more row, of other accounts or not listed',
        'To release them, a checker other than the maker adds: --seen 1f0c93ab --reason TEXT\n',
      ].join('\n'),
    );
    expect(application.resolved).toEqual([]);
  });

  it('releases what was seen with its reason, and says what follows', async () => {
    const { application, run } = await aLineWithSuspects();
    const { code, stdout } = await run(RELEASE);
    expect(code).toBe(0);
    const rows = { rowRef: 'INV-1', q: null, currency: null, code: null };
    expect(application.resolved).toMatchObject([{ asked: { rows, hash: HASH, reason: 'the retainer of March' } }]);
    expect(stdout).toBe(
      'Released 2 rows. The run is proposed again, and is paid once it is approved. ' +
        `1 earlier approval no longer counts.\nTo see it: payrun show ${RUN}\n`,
    );
  });

  it.each([
    ['other rows than were seen', {}, ['--seen', '99999999'], 'which shows 1f0c93ab'],
    ['too short a hash', {}, ['--seen', '1f'], 'which shows 1f0c93ab'],
    ['what is none', { rowCount: 0 }, [], 'there is no such suspected duplicate'],
    ['no reason', {}, ['--reason', ' '], 'must say why it is to be paid all the same'],
  ])('refuses %s, and releases nothing', async (_what, parts, args, said) => {
    const { application, run } = await aLineWithSuspects(parts);
    const { code, stderr } = await run([...RELEASE, ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(application.resolved).toEqual([]);
  });

  it('is only for users who decide', async () => {
    const { application, run } = await aLineWithSuspects();
    expect((await run(RELEASE, { role: 'maker' })).code).toBe(4);
    expect(application.resolved).toEqual([]);
    application.failures.set(
      'releaseRows',
      new ApplicationError('not_allowed', 'the maker of a run cannot release a row of it'),
    );
    expect((await run(RELEASE)).code).toBe(4);
  });
});

describe('show --row', () => {
  it('lists the rows that a suspected duplicate resembles, and how to release it', () => {
    const text = renderRowDetail(aRun(), suspect);
    expect(text).toMatch(
      /february\.csv +7 +INV-0 +Budi +4567890123.* +SGD 10\.00 +IDR 120,000 +paid +2026-01-05 09:00 UTC +2026-01-05 09:12 UTC +018f2a00-0000-7000-8000-000000000002/,
    );
    expect(text).toContain(`payrun release ${RUN} --row INV-1 --seen 1f0c93ab --reason TEXT`);
  });

  it('shows who released it, and why', () => {
    const by = { userId: 'user-checker', name: 'Chris' };
    const release = { by, reason: 'another\u001b[2J month', at: '2026-01-06T09:00:00.000Z' };
    const text = renderRowDetail(aRun(), aRowDetail({ state: 'paid', release }));
    expect(text).toContain('Suspected duplicate, released by Chris on 2026-01-06 09:00 UTC: another');
    expect(text).not.toContain('\u001b');
  });
});
