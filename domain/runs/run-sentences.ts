import {
  countParts,
  PAYMENT_STATE_TABLE,
  PAYMENT_STATES,
  type PaymentPart,
  type PaymentState,
} from '../payments/payment-state.ts';
import { counted } from '../counted.ts';
import { actionSentence, type StateSentences, type StateTexts, withoutMarkdown } from '../state-table.ts';
import { type ApprovalFacts, nextStepInWords, whyNobodyApproves } from './approval-sentences.ts';
import { type DecisionKind, RUN_STATE_TABLE, runHasEnded, type RunState, stageOfRun } from './run-state.ts';
import { ROW_HINTS, type RunPhase } from './row-hints.ts';

/**
 * What is said of a run to people, from the facts of the database alone: the same sentences in the API, the console, the command
 * line, the inbox and notifications.
 */

export interface RunFacts {
  state: RunState;
  /** People have approved it: it was paid, or may be. */
  isApproved: boolean;
  rows: Readonly<Partial<Record<PaymentState, number>>>;
  /** Rows that its proposal would pay; null: there is no proposal yet. */
  payable: number | null;
  /** What people did with it, the oldest first. */
  decisions: readonly DecisionFacts[];
  /** What keeps it from being paid. */
  stops: readonly { scope: 'run' | 'account' | 'all'; isCancelled: boolean }[];
}

export interface DecisionFacts {
  decision: DecisionKind;
  /** Of an approval. */
  by: { name: string };
  /** Whose deputy that person was; null: they decided for themselves. */
  actsFor: { name: string } | null;
  isCurrent: boolean;
}

export interface RunSentences extends StateSentences {
  /** Of rows that are not simply on their way or paid: what it means for them. */
  rows: { state: PaymentState; count: number; title: string; hint: string }[];
}

/** `approval`: of a run that waits for one; null: it does not, or it was not asked. */
export function runSentences(run: RunFacts, approval: ApprovalFacts | null = null): RunSentences {
  return { status: statusOf(run), toDo: toDoOf(run, approval), rows: rowSentences(run) };
}

const VERBS: Readonly<Record<DecisionKind, string>> = {
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  cancelled: 'Cancelled',
};

/** `Approved by Nora Night for Chris Checker`. */
export function decisionInWords({ decision, by, actsFor, isCurrent }: DecisionFacts): string {
  const deputy = actsFor === null ? '' : ` for ${actsFor.name}`;
  const isVoid = decision === 'approved' && !isCurrent;
  return `${VERBS[decision]} by ${by.name}${deputy}${isVoid ? ', which no longer counts' : ''}`;
}

/** The decision of a person that ended the run; null: it has not ended, or nobody ended it. */
export function endingDecision({ state, decisions }: Pick<RunFacts, 'state' | 'decisions'>): DecisionFacts | null {
  return decisions.findLast(({ decision }) => RUN_STATE_TABLE[state].decision.endedBy.includes(decision)) ?? null;
}

function statusOf(run: RunFacts): string {
  if (runHasEnded(run.state)) return [endOf(run), outcomeOf(run)].filter((part) => part !== '').join(' ');
  if (stageOfRun(run.state) !== 'paying' || run.stops.length === 0) {
    return withoutMarkdown(RUN_STATE_TABLE[run.state].meaning);
  }
  const cancelled = run.decisions.findLast(({ decision }) => decision === 'cancelled');
  if (!isCancelled(run)) return RUN_STATE_TABLE.paused.meaning;
  const who = cancelled === undefined ? 'The run is cancelled' : decisionInWords(cancelled);
  return `${who}. Nothing more is sent; what was sent before is still confirmed.`;
}

function endOf(run: RunFacts): string {
  const decision = endingDecision(run);
  if (decision !== null) return `${decisionInWords(decision)}.`;
  if (run.state === 'completed') return 'Every row is paid.';
  if (run.state === 'expired') return 'Nobody decided in time.';
  return run.isApproved ? 'The run has ended.' : 'The run ended before it was approved.';
}

function outcomeOf({ state, isApproved, rows }: RunFacts): string {
  if (state === 'completed') return '';
  if (!isApproved) return 'Nothing was paid.';
  const all = PAYMENT_STATES.reduce((sum, each) => sum + (rows[each] ?? 0), 0);
  const [paid, unknown] = [rows.paid ?? 0, rows.unknown ?? 0];
  return `${paid} of ${counted(all, 'row')} ${paid === 1 || all === 1 ? 'is' : 'are'} paid${unknown === 0 ? '' : `; of ${unknown} the outcome is not known`}.`;
}

function isCancelled({ stops }: RunFacts): boolean {
  return stops.some((stop) => stop.isCancelled);
}

function toDoOf(run: RunFacts, approval: ApprovalFacts | null): string | null {
  switch (stageOfRun(run.state)) {
    case 'checking':
      return null;
    case 'deciding':
      return decisionToDo(run, approval);
    case 'paying':
      return payingToDo(run);
    case 'ended':
      return endedToDo(run);
  }
}

function decisionToDo(run: RunFacts, approval: ApprovalFacts | null): string | null {
  if (run.state === 'checked') return actionOf('checked');
  if (run.state !== 'in_approval') return null;
  const obstacle = whyNobodyApproves(run, approval);
  if (obstacle !== null) return obstacle;
  return nextStepInWords(approval) ?? actionSentence(RUN_STATE_TABLE.in_approval);
}

function payingToDo(run: RunFacts): string | null {
  const waiting = run.rows.awaiting_funds ?? 0;
  const sentences = [
    unknownToDo(run),
    ...(isCancelled(run) ? [] : [stopToDo(run)]),
    run.stops.length === 0 && waiting > 0
      ? `Add money to the balance: ${counted(waiting, 'payment')} ${waiting === 1 ? 'waits' : 'wait'} for it.`
      : null,
  ];
  return joined(sentences);
}

function stopToDo({ stops }: RunFacts): string | null {
  if (stops.length === 0) return null;
  const own = stops.some(({ scope }) => scope === 'run');
  return own ? actionOf('paused') : 'Two people lift the stop of its account, or of everything (payrun resume).';
}

function endedToDo(run: RunFacts): string | null {
  if (!run.isApproved) return 'If it is still owed, its maker submits the file again, corrected where needed.';
  const unpaid = PAYMENT_STATES.filter((state) => PAYMENT_STATE_TABLE[state].counts.asUnpaid && state !== 'excluded');
  const count = unpaid.reduce((sum, state) => sum + (run.rows[state] ?? 0), 0);
  return joined([
    unknownToDo(run),
    count === 0
      ? null
      : `${counted(count, 'row')} ${count === 1 ? 'is' : 'are'} known not to be paid: correct what is still owed in exceptions.csv, and submit it again.`,
  ]);
}

function unknownToDo({ rows }: RunFacts): string | null {
  const count = rows.unknown ?? 0;
  if (count === 0) return null;
  return `Ask the provider how ${counted(count, 'row')} ended, and resolve ${count === 1 ? 'it' : 'each'} by two people; do not pay by other means before.`;
}

function actionOf(state: RunState): string | null {
  const sentence = actionSentence(RUN_STATE_TABLE[state]);
  return sentence === null ? null : withoutMarkdown(sentence);
}

function joined(sentences: readonly (string | null)[]): string | null {
  const said = sentences.filter((sentence) => sentence !== null);
  return said.length === 0 ? null : said.join(' ');
}

/** In which phase a run is, as far as it matters to its rows. */
export function phaseOf({ state, isApproved, stops }: Pick<RunFacts, 'state' | 'isApproved' | 'stops'>): RunPhase {
  if (runHasEnded(state)) return isApproved ? 'ended' : 'never_approved';
  if (stageOfRun(state) !== 'paying') return 'undecided';
  return stops.length === 0 ? 'paying' : 'stopped';
}

function rowSentences(run: RunFacts): RunSentences['rows'] {
  const phase = phaseOf(run);
  return PAYMENT_STATES.flatMap((state) => {
    const count = run.rows[state] ?? 0;
    const said = ROW_HINTS[state];
    const hint = said?.[phase] ?? null;
    return said === null || hint === null || count === 0
      ? []
      : [{ state, count, title: counted(count, said.one, said.many), hint }];
  });
}

/** What is read of the state of a row: one that was never sent is not paid once its run has ended, whatever it waited for. */
export function rowTextsIn(run: RunState, state: PaymentState): StateTexts {
  const texts = PAYMENT_STATE_TABLE[state];
  if (!runHasEnded(run) || !isUnsent(state)) return texts;
  const word = texts.stage === 'on_hold' ? `${texts.word}, not paid` : 'Not paid';
  return {
    word,
    tone: 'neutral',
    meaning: 'The run has ended, and the row was not sent. It is not paid.',
    action: null,
  };
}

/** How many rows are in each part of the progress of their run. */
export function partsIn(run: RunState, rows: RunFacts['rows']): Record<PaymentPart, number> {
  const counts = countParts(rows);
  if (!runHasEnded(run)) return counts;
  for (const state of PAYMENT_STATES.filter(isUnsent)) {
    const count = rows[state] ?? 0;
    counts[PAYMENT_STATE_TABLE[state].progress.part] -= count;
    counts.not_paid += count;
  }
  return counts;
}

/** Not created with the provider, and not ended by itself. */
export function isUnsent(state: PaymentState): boolean {
  const { stage } = PAYMENT_STATE_TABLE[state];
  return stage === 'on_hold' || stage === 'uncreated';
}

/** What is said where the review of a run has no finding: nothing stands out in what was compared, which may be nothing. */
export function nothingStandsOut(run: Omit<RunFacts, 'stops' | 'decisions'>): { text: string; isReassuring: boolean } {
  const compared = run.isApproved ? (run.payable ?? 0) : (run.rows.ready ?? 0);
  const onHold = PAYMENT_STATES.reduce(
    (sum, state) => (PAYMENT_STATE_TABLE[state].stage === 'on_hold' ? sum + (run.rows[state] ?? 0) : sum),
    0,
  );
  const held = `${counted(onHold, 'row')} ${onHold === 1 ? 'is' : 'are'} on hold`;
  if (compared === 0) {
    const why = onHold === 0 ? '' : `: ${held}`;
    return { text: `Nothing was compared, as no row would be paid${why}.`, isReassuring: false };
  }
  const known = 'every beneficiary was paid before, at the same bank account';
  if (onHold === 0) return { text: `Nothing stands out: ${known}.`, isReassuring: true };
  return {
    text: `Nothing stands out in ${counted(compared, 'row')} to be paid: ${known}. ${held}, and not compared.`,
    isReassuring: false,
  };
}
