import { describe, expect, test } from 'vitest';
import { PAYMENT_STATE_TABLE, PAYMENT_STATES, type PaymentState } from '../../domain/payments/payment-state.ts';
import type { ApprovalFacts } from '../../domain/runs/approval-sentences.ts';
import {
  type DecisionFacts,
  decisionInWords,
  isUnsent,
  nothingStandsOut,
  phaseOf,
  rowTextsIn,
  type RunFacts,
  runSentences,
} from '../../domain/runs/run-sentences.ts';
import {
  RUN_STATE_TABLE,
  RUN_STATES,
  runHasEnded,
  type RunState,
  stageOfRun,
  WAITING_RUN_STATES,
} from '../../domain/runs/run-state.ts';

const by = (decision: DecisionFacts['decision'], name: string, more: Partial<DecisionFacts> = {}): DecisionFacts => ({
  ...{ decision, by: { name }, actsFor: null, isCurrent: true },
  ...more,
});

const aRun = (of: Partial<RunFacts>): RunFacts => ({
  ...{ state: 'in_approval', isApproved: false, rows: { ready: 42 }, payable: 42, decisions: [], stops: [] },
  ...of,
});

/** As `runs_once_approved` and the transitions of the table have it. */
function maybeApproved(state: RunState): boolean[] {
  const { decision, stage } = RUN_STATE_TABLE[state];
  if (decision.isNeeded) return [true];
  return stage === 'ended' && !['rejected', 'expired'].includes(decision.recorded) ? [true, false] : [false];
}

/** What people may have done with a run in this state, as the functions of the database record it. */
function decisionsOf(state: RunState, isApproved: boolean): DecisionFacts[][] {
  const approvals = isApproved ? [by('approved', 'Chris')] : [];
  const ends = RUN_STATE_TABLE[state].decision.endedBy.filter((decision) => (decision === 'cancelled') === isApproved);
  const ended = ends.map((decision) => [...approvals, by(decision, 'Mia')]);
  const partly = isApproved || stageOfRun(state) === 'checking' ? [] : [[by('approved', 'Chris')]];
  return [...ended, ...(ends.length > 0 ? [] : [approvals, ...partly])];
}

function stopsOf(state: RunState): RunFacts['stops'][] {
  const ofRun = { scope: 'run', isCancelled: false } as const;
  if (stageOfRun(state) !== 'paying') return [[]];
  return [
    [],
    [ofRun],
    [{ ...ofRun, scope: 'account' }],
    [{ ...ofRun, scope: 'all' }],
    [{ ...ofRun, isCancelled: true }],
  ];
}

function rowsOf(state: RunState, isApproved: boolean): PaymentState[] {
  return PAYMENT_STATES.filter((row) => {
    const { isUsed, needsApproval } = PAYMENT_STATE_TABLE[row].row;
    const isOver = PAYMENT_STATE_TABLE[row].stage === 'ended' || isUnsent(row);
    if (!isUsed || (needsApproval && !isApproved) || (runHasEnded(state) && !isOver)) return false;
    return state !== 'completed' || row === 'paid';
  });
}

const EVERY = RUN_STATES.flatMap((state) =>
  maybeApproved(state).flatMap((isApproved) =>
    decisionsOf(state, isApproved).flatMap((decisions) =>
      stopsOf(state).flatMap((stops) =>
        rowsOf(state, isApproved).map((row) =>
          aRun({ state, isApproved, decisions, stops, rows: { [row]: 2 }, payable: row === 'ready' ? 2 : 0 }),
        ),
      ),
    ),
  ),
);

const allOf = (run: RunFacts): string => {
  const { status, toDo, rows } = runSentences(run);
  return [status, toDo, ...rows.flatMap(({ title, hint }) => [title, hint]), nothingStandsOut(run).text].join(' ');
};

describe('every run that the database allows', () => {
  test('is several hundred combinations of state, decisions, stops and rows', () => {
    expect(EVERY.length).toBeGreaterThan(300);
  });

  test('has sentences with their full stop, and nothing that is missing', () => {
    for (const run of EVERY) {
      const { status, toDo, rows } = runSentences(run);
      for (const text of [status, toDo ?? 'Nothing.', ...rows.map(({ hint }) => hint)]) {
        expect(text, JSON.stringify(run)).toMatch(/^[A-Z\d].*\.$/);
        expect(text).not.toMatch(/null|undefined|`|\.\.|NaN/);
      }
    }
  });

  test('names as the one who ended it whoever did, and nobody else', () => {
    for (const run of EVERY) {
      const { status } = runSentences(run);
      const last = run.decisions.at(-1);
      const isEndedByMia = last?.by.name === 'Mia';
      expect(status.includes('Mia'), JSON.stringify(run)).toBe(isEndedByMia);
      expect(status).not.toContain('Chris');
    }
  });

  test('says that nothing was paid of those only that were never approved', () => {
    for (const run of EVERY) {
      const said = allOf(run);
      expect(said.includes('Nothing was paid'), JSON.stringify(run)).toBe(runHasEnded(run.state) && !run.isApproved);
      if (!run.isApproved) expect(said).not.toMatch(/\bis paid\b(?! of)|are paid as soon/);
    }
  });

  test('asks for releases and decisions only while it waits for its maker or for a decision', () => {
    for (const run of EVERY) {
      const waits = WAITING_RUN_STATES.includes(run.state);
      const { toDo } = runSentences(run);
      if (!waits) expect(toDo ?? '', JSON.stringify(run)).not.toMatch(/approve|reject|release|withdraw/);
      if (waits) expect(toDo).not.toBeNull();
      if (runHasEnded(run.state)) expect(allOf(run)).not.toMatch(/unless a checker|while the run is stopped|lift/);
      if (!run.isApproved && runHasEnded(run.state)) expect(allOf(run)).not.toContain('before the run was approved');
    }
  });

  test('has no row in the words of one that is still to be sent, once it has ended', () => {
    for (const run of EVERY.filter(({ state }) => runHasEnded(state))) {
      for (const state of Object.keys(run.rows) as PaymentState[]) {
        if (isUnsent(state)) expect(rowTextsIn(run.state, state).word).toMatch(/not paid$/i);
        else expect(rowTextsIn(run.state, state)).toBe(PAYMENT_STATE_TABLE[state]);
      }
    }
  });

  test('says of rows whose outcome is not known what to do, and not to pay them by other means', () => {
    for (const run of EVERY.filter(({ rows }) => (rows.unknown ?? 0) > 0)) {
      expect(runSentences(run).toDo, JSON.stringify(run)).toContain('do not pay by other means');
    }
  });

  test('is not called all right by an empty list of findings, if nothing was compared', () => {
    for (const run of EVERY) {
      const { isReassuring, text } = nothingStandsOut(run);
      const compared = run.isApproved ? run.payable : run.rows.ready;
      expect(isReassuring, JSON.stringify(run)).toBe((compared ?? 0) > 0);
      expect(text.startsWith('Nothing stands out')).toBe(isReassuring);
    }
  });

  test('is in a phase of its rows', () => {
    for (const run of EVERY) expect(phaseOf(run) === 'never_approved').toBe(runHasEnded(run.state) && !run.isApproved);
  });
});

describe('who ended a run', () => {
  test('is who cancelled it, and not who had approved it', () => {
    const decisions = [by('approved', 'Chris Checker'), by('cancelled', 'Mia Maker')];
    const run = aRun({ state: 'cancelled', isApproved: true, decisions, rows: { paid: 3, cancelled: 39 } });
    expect(runSentences(run).status).toBe('Cancelled by Mia Maker. 3 of 42 rows are paid.');
  });

  test('is its maker, a checker, or nobody', () => {
    const withdrawn = aRun({ state: 'cancelled', decisions: [by('withdrawn', 'Mia')], rows: { cancelled: 42 } });
    expect(runSentences(withdrawn).status).toBe('Withdrawn by Mia. Nothing was paid.');
    const rejected = aRun({ state: 'rejected', decisions: [by('approved', 'Chris'), by('rejected', 'Nora')] });
    expect(runSentences(rejected).status).toBe('Rejected by Nora. Nothing was paid.');
    expect(runSentences(aRun({ state: 'expired' })).status).toBe('Nobody decided in time. Nothing was paid.');
  });

  test('is named with the user for whom a deputy acted', () => {
    const decision = by('approved', 'Nora Night', { actsFor: { name: 'Chris Checker' } });
    expect(decisionInWords(decision)).toBe('Approved by Nora Night for Chris Checker');
    expect(decisionInWords({ ...decision, isCurrent: false })).toMatch(/, which no longer counts$/);
  });
});

describe('a rejected run', () => {
  test('shows no ready rows, and asks for nothing but another file', () => {
    const run = aRun({ state: 'rejected', decisions: [by('rejected', 'Chris')], rows: { ready: 42, held: 1 } });
    expect(runSentences(run)).toEqual({
      status: 'Rejected by Chris. Nothing was paid.',
      toDo: 'If it is still owed, its maker submits the file again, corrected where needed.',
      rows: [
        expect.objectContaining({ state: 'held', hint: 'They were not paid: the run was never approved.' }),
        expect.objectContaining({ state: 'ready', title: '42 rows that were not sent' }),
      ],
    });
    expect([rowTextsIn('rejected', 'ready').word, rowTextsIn('rejected', 'held').word]).toEqual([
      'Not paid',
      'Held, not paid',
    ]);
  });
});

describe('a run that cannot be approved', () => {
  const step = {
    step: 1,
    role: 'checker',
    logins: null,
    takenBy: null,
    eligibleApprovers: [],
    eligibleApproverCount: 0,
  };
  const approval: ApprovalFacts = { steps: [step], isCovered: true, canBeApproved: false };
  const toDo = (rows: RunFacts['rows'], of: Partial<ApprovalFacts>): string | null =>
    runSentences(aRun({ rows }), { ...approval, ...of }).toDo;

  test.each<[string, RunFacts['rows'], Partial<ApprovalFacts>, string]>([
    [
      'as no row can be paid, names what is released, and not the policy',
      { duplicate_suspect: 15 },
      { steps: [], isCovered: false },
      'No row of it can be paid, and 15 are suspected duplicates: a checker other than its maker releases what is to be paid, or its maker withdraws it, or a checker rejects it.',
    ],
    [
      'as nothing can be released either, is ended',
      { held: 2 },
      { steps: [], isCovered: false },
      'No row of it can be paid: its maker withdraws it, or a checker rejects it.',
    ],
    [
      'as no rule covers it, needs another policy',
      { ready: 1 },
      { steps: [], isCovered: false },
      'No rule of the policy covers it: an administrator changes the policy, or its maker withdraws it, or a checker rejects it.',
    ],
    [
      'as nobody may take a step, needs somebody who may',
      { ready: 1 },
      {},
      'Nobody can take step 1: it is for a checker, and nobody approves their own run. An administrator adds somebody who may, or its maker withdraws it, or a checker rejects it.',
    ],
    [
      'as one person cannot take two steps, needs another one',
      { ready: 1 },
      { steps: [1, 2].map((each) => ({ ...step, step: each, eligibleApproverCount: 1 })) },
      'Its steps take more people than there are who may, as each person counts once. An administrator adds somebody who may, or its maker withdraws it, or a checker rejects it.',
    ],
    [
      'yet says who can',
      { ready: 1 },
      {
        steps: [{ ...step, eligibleApprovers: [{ name: 'Chris' }, { name: 'Nora' }], eligibleApproverCount: 2 }],
        canBeApproved: true,
      },
      'Step 1 of 1 is for a checker: Chris or Nora approves or rejects it.',
    ],
  ])('%s', (_what, rows, of, said) => {
    expect(toDo(rows, of)).toBe(said);
  });

  test('is said to be empty even where its steps were not asked', () => {
    expect(runSentences(aRun({ rows: { duplicate_suspect: 15 } })).toDo).toContain('releases what is to be paid');
    expect(runSentences(aRun({})).toDo).toBe('A checker approves or rejects it.');
  });
});

test('nothing stands out only in what was compared', () => {
  expect(nothingStandsOut(aRun({})).text).toBe(
    'Nothing stands out: every beneficiary was paid before, at the same bank account.',
  );
  expect(nothingStandsOut(aRun({ rows: { duplicate_suspect: 15 }, payable: 0 }))).toEqual({
    text: 'Nothing was compared, as no row would be paid: 15 rows are on hold.',
    isReassuring: false,
  });
  expect(nothingStandsOut(aRun({ rows: { ready: 1, held: 1 } }))).toEqual({
    text: 'Nothing stands out in 1 row to be paid: every beneficiary was paid before, at the same bank account. 1 row is on hold, and not compared.',
    isReassuring: false,
  });
});
