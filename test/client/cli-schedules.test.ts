import { describe, expect, it } from 'vitest';
import { aScheduleSummary, SCHEDULE } from '../server/fake-schedules.ts';
import { aCommandLine } from './cli-harness.ts';

const FILE = 'kind: sweep\nname: Sweep\n# what stays\nfloor: 50000\ntimes: ["14:00"]\n';

describe('treasury schedule', () => {
  it('add sends what a file and flags say', async () => {
    const { application, run } = await aCommandLine({ 'sweep.yaml': FILE });
    const { code, stdout } = await run([
      ...['treasury', 'schedule', 'add', 'sweep.yaml', '--floor', '60000.00', '--times', '09:00,14:00'],
      ...['--on', '1,15,last'],
    ]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`payrun treasury schedule confirm ${SCHEDULE}`)]);
    expect(application.calls).toMatchObject([
      {
        method: 'addSchedule',
        asked: {
          schedule: {
            kind: 'sweep',
            name: 'Sweep',
            floor: '60000.00',
            times: ['09:00', '14:00'],
            on: { days_of_month: [1, 15, 'last'] },
          },
        },
      },
    ]);
  });

  it('add shows every mistake with its line, field and fix', async () => {
    const { application, run } = await aCommandLine({ 'sweep.yaml': FILE });
    application.scheduleOutcome = {
      kind: 'refused',
      problems: [
        { field: 'times.0', code: 'time_in_gap', problem: 'clocks skip it', fix: 'give a time that every day has' },
        { field: 'floor', code: 'wrong_value', problem: '50000 is not accepted', fix: 'give an amount in quotes' },
      ],
    };
    const { code, stderr } = await run(['treasury', 'schedule', 'add', 'sweep.yaml']);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'line 4, floor: 50000 is not accepted: give an amount in quotes\nline 5, times.0: clocks skip it: give a time',
    );
    const json = await run(['treasury', 'schedule', 'add', 'sweep.yaml', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { details: { problems: [{ line: 5 }, { line: 4 }] } } });
  });

  it.each([
    ['- a\n- b\n', 'give one schedule'],
    ['kind: [sweep\n', 'line 2'],
    ['kind: &a sweep\nname: *a\n', 'refers to another place'],
  ])('add says what is wrong with %j', async (text, says) => {
    const { run } = await aCommandLine({ 'sweep.yaml': text });
    const { code, stderr } = await run(['treasury', 'schedule', 'add', 'sweep.yaml']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });

  it('edit changes the newest version by flags', async () => {
    const { application, run } = await aCommandLine();
    application.schedules = [aScheduleSummary()];
    expect((await run(['treasury', 'schedule', 'edit', 'Sweep', '--floor', '70000.00'])).code).toBe(0);
    const { asked } = application.calls.at(-1) ?? {};
    expect(asked).toMatchObject({ scheduleId: SCHEDULE, schedule: { kind: 'sweep', floor: '70000.00' } });
  });

  it('confirm shows what is to be confirmed, and needs its hash', async () => {
    const { application, run } = await aCommandLine();
    const { inForce } = aScheduleSummary();
    const proposed = { ...inForce, version: 2, schedule: { ...inForce?.schedule, floor: '1.00' } };
    application.schedules = [aScheduleSummary({ proposed: { ...proposed, definitionHash: 'd'.repeat(64) } as never })];
    const without = await run(['treasury', 'schedule', 'confirm', 'Sweep']);
    expect([without.code, without.stderr]).toEqual([
      2,
      expect.stringMatching(/floor: "1\.00"[\s\S]*--content-hash dddddddd/),
    ]);
    expect(application.calls.map(({ method }) => method)).not.toContain('decideSchedule');
    expect((await run(['treasury', 'schedule', 'confirm', 'Sweep', '--content-hash', 'cccccccc'])).code).toBe(2);
    expect((await run(['treasury', 'schedule', 'confirm', 'Sweep', '--content-hash', 'dddddddd'])).code).toBe(0);
    expect(application.calls.at(-1)).toMatchObject({
      method: 'decideSchedule',
      asked: { version: 2, decision: 'confirmed', definitionHash: 'd'.repeat(64) },
    });
  });

  it('pause, resume and delete name the schedule and the reason', async () => {
    const { application, run } = await aCommandLine();
    application.schedules = [aScheduleSummary()];
    for (const verb of ['pause', 'resume', 'delete']) {
      expect((await run(['treasury', 'schedule', verb, SCHEDULE, '--reason', 'rates'])).code).toBe(0);
      expect(application.calls.at(-1)).toMatchObject({
        method: `${verb}Schedule`,
        asked: { scheduleId: SCHEDULE, reason: 'rates' },
      });
    }
  });

  it('trigger and backfill start an occurrence', async () => {
    const { application, run } = await aCommandLine();
    application.schedules = [aScheduleSummary()];
    const triggered = await run(['treasury', 'schedule', 'trigger', 'Sweep', '--idempotency-key', 'k']);
    expect([triggered.code, triggered.stdout]).toEqual([0, expect.stringContaining('Started.')]);
    expect(application.calls.at(-1)).toMatchObject({ method: 'triggerSchedule', asked: { key: 'k' } });
    const made = await run(['treasury', 'schedule', 'backfill', 'Sweep', '--date', '2026-11-23', '--time', '14:00']);
    expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('needs the approval of another person')]);
    expect(application.calls.at(-1)).toMatchObject({ asked: { date: '2026-11-23', time: '14:00' } });
  });

  it('show, list and next print what there is', async () => {
    const { application, run } = await aCommandLine();
    expect((await run(['treasury', 'schedule', 'list'])).stdout).toContain('no schedule yet');
    application.schedules = [
      aScheduleSummary({ state: 'paused', stateText: 'the guards refused', stateChangedBy: null }),
    ];
    expect((await run(['treasury', 'schedule', 'list'])).stdout).toMatch(
      /Sweep +default +sweep +14:00 Europe\/Berlin +paused/,
    );
    expect((await run(['treasury', 'schedule', 'show', 'Sweep'])).stdout).toContain('by payrun: the guards refused');
    const { stdout } = await run(['treasury', 'schedule', 'next', 'Sweep']);
    expect(stdout).toContain('2026-01-05 09:00 UTC  2026-01-05  2026-01-03');
    expect(stdout).toContain('convert nothing: The balance has reached its level.');
    expect((await run(['treasury', 'schedule', 'next', 'Sweep', '--count', '51'])).code).toBe(2);
    expect((await run(['treasury', 'schedule', 'show', 'Sweeps'])).code).toBe(2);
  });
});

describe('treasury cash', () => {
  it('shows days on which something changes, and the first shortage', async () => {
    const { application, run } = await aCommandLine();
    application.cash = [
      {
        account: 'default',
        dates: ['2026-11-23', '2026-11-24', '2026-11-25'],
        currencies: [
          {
            currency: 'EUR',
            isKnown: true,
            held: '1200.00',
            committed: '200.00',
            free: '1000.00',
            balances: ['1000.00', '1000.00', '-5.00'],
            needed: ['0.00', '0.00', '1005.00'],
            firstShortage: '2026-11-25',
          },
        ],
        withoutConversion: [
          { on: '2026-11-24', schedule: 'Sweep', reason: 'nothing_to_convert', message: 'Nothing above.' },
        ],
        warnings: ['a warning'],
      },
    ];
    const { stdout } = await run(['treasury', 'cash']);
    expect(stdout).toContain('SHORT of EUR from 2026-11-25 on');
    expect(stdout).toContain('2026-11-23');
    expect(stdout).not.toMatch(/^2026-11-24 +1/m);
    expect(stdout).toContain('2026-11-24: Sweep converts nothing: Nothing above.');
    expect((await run(['treasury', 'cash', '--expect', '10 EUR'])).code).toBe(2);
  });
});
