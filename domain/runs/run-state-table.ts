import type { StateTexts } from '../state-table.ts';

/** The states of a payment run, and all that is asked of each. */

export const RUN_STATES = [
  'validating',
  'proposed',
  'checked',
  'in_approval',
  'scheduled',
  'awaiting_funds',
  'running',
  'paused',
  'completed',
  'partially_completed',
  'failed',
  'cancelled',
  'rejected',
  'expired',
] as const;

export type RunState = (typeof RUN_STATES)[number];

/** `checking` its rows; `deciding` whether to approve it; approved and `paying`, also while it waits or is stopped. */
export type RunStage = 'checking' | 'deciding' | 'paying' | 'ended';

/** What people have decided, as far as the state says it. `withdrawn`: by its maker. */
export type RunDecision = 'pending' | 'approved' | 'rejected' | 'withdrawn' | 'expired';

/** What a person did with a run: a checker approved or rejected it, its maker withdrew it, somebody cancelled it after a stop. */
export const DECISION_KINDS = ['approved', 'rejected', 'withdrawn', 'cancelled'] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

export interface RunStateRow extends StateTexts {
  /** Whether money can still leave the balance for it, in words. */
  money: string;
  stage: RunStage;
  next: readonly RunState[];
  decision: {
    /** If nothing else is recorded. */
    recorded: RunDecision;
    /** The proposal is being prepared: a moment later people can decide on it, or the run has ended. */
    isBeingPrepared: boolean;
    /** It gets into this state only once it is approved. */
    isNeeded: boolean;
    /** What people end a run with in this state; empty: it has not ended, or no person ends it so. */
    endedBy: readonly DecisionKind[];
  };
  run: {
    /** Some run gets this state in this version. */
    isUsed: boolean;
    /** A workflow carries it out. */
    hasWorkflow: boolean;
    /** It pays, or would if it were not stopped. */
    hasStarted: boolean;
    /** It changes with the outcomes of its payments. */
    followsPayments: boolean;
    /** A worker moves a run into it, and not only a function that verifies who asks. */
    isSetByWorker: boolean;
  };
  /** Its file and its rows count as submitted: some of it was paid, or may be. */
  countsAsSubmitted: boolean;
}

/** A run that has ended still changes its outcome when that of an unknown payment becomes known, or a payment comes back. */
export const RUN_STATE_TABLE: Readonly<Record<RunState, RunStateRow>> = {
  validating: {
    word: 'Checking',
    tone: 'moving',
    meaning: 'The file was accepted. payrun looks for duplicates and prepares the proposal.',
    action: null,
    money: 'no',
    stage: 'checking',
    next: ['proposed', 'failed', 'cancelled'],
    decision: { recorded: 'pending', isBeingPrepared: true, isNeeded: false, endedBy: [] },
    run: { isUsed: true, hasWorkflow: true, hasStarted: false, followsPayments: false, isSetByWorker: false },
    countsAsSubmitted: true,
  },
  proposed: {
    word: 'Proposed',
    tone: 'moving',
    meaning: 'The proposal is ready. A moment later it can be decided on.',
    action: null,
    money: 'no',
    stage: 'deciding',
    next: [
      'checked',
      'in_approval',
      'failed',
      'scheduled',
      'awaiting_funds',
      'running',
      'rejected',
      'expired',
      'cancelled',
    ],
    decision: { recorded: 'pending', isBeingPrepared: true, isNeeded: false, endedBy: [] },
    run: { isUsed: true, hasWorkflow: true, hasStarted: false, followsPayments: false, isSetByWorker: true },
    countsAsSubmitted: true,
  },
  checked: {
    word: 'Checked',
    tone: 'waiting',
    meaning: 'The run is checked, and waits for its maker to send it for approval. It expires if nobody does in time.',
    action: 'its maker sends it for approval (`payrun send`), or withdraws it',
    money: 'no',
    stage: 'deciding',
    next: ['in_approval', 'expired', 'cancelled'],
    decision: { recorded: 'pending', isBeingPrepared: false, isNeeded: false, endedBy: [] },
    run: { isUsed: true, hasWorkflow: true, hasStarted: false, followsPayments: false, isSetByWorker: true },
    countsAsSubmitted: true,
  },
  in_approval: {
    word: 'Waits for approval',
    tone: 'waiting',
    meaning: 'The run waits for the approvals that the policy requires. It expires if nobody decides in time.',
    action: 'a checker approves or rejects it',
    money: 'no',
    stage: 'deciding',
    next: ['scheduled', 'awaiting_funds', 'running', 'rejected', 'expired', 'cancelled'],
    // guard: decision-from-the-record
    decision: { recorded: 'pending', isBeingPrepared: false, isNeeded: false, endedBy: [] },
    run: { isUsed: true, hasWorkflow: true, hasStarted: false, followsPayments: false, isSetByWorker: true },
    countsAsSubmitted: true,
  },
  scheduled: {
    word: 'Scheduled',
    tone: 'waiting',
    meaning: 'The run is approved and waits for its day.',
    action: null,
    money: 'yes',
    stage: 'paying',
    next: ['awaiting_funds', 'running', 'paused', 'cancelled'],
    decision: { recorded: 'approved', isBeingPrepared: false, isNeeded: true, endedBy: [] },
    run: { isUsed: false, hasWorkflow: true, hasStarted: false, followsPayments: false, isSetByWorker: false },
    countsAsSubmitted: true,
  },
  awaiting_funds: {
    word: 'Waits for money',
    tone: 'waiting',
    meaning: 'The run is approved and waits for money.',
    action: null,
    money: 'yes',
    stage: 'paying',
    next: ['running', 'paused', 'cancelled'],
    decision: { recorded: 'approved', isBeingPrepared: false, isNeeded: true, endedBy: [] },
    run: { isUsed: false, hasWorkflow: true, hasStarted: true, followsPayments: false, isSetByWorker: false },
    countsAsSubmitted: true,
  },
  running: {
    word: 'Paying',
    tone: 'moving',
    meaning: 'The run is approved. Its rows are paid when they are due and the balance is sufficient.',
    action: null,
    money: 'yes',
    stage: 'paying',
    next: ['paused', 'awaiting_funds', 'completed', 'partially_completed', 'failed', 'cancelled'],
    decision: { recorded: 'approved', isBeingPrepared: false, isNeeded: true, endedBy: [] },
    run: { isUsed: true, hasWorkflow: true, hasStarted: true, followsPayments: false, isSetByWorker: false },
    countsAsSubmitted: true,
  },
  paused: {
    word: 'Stopped',
    tone: 'waiting',
    meaning: 'The run is stopped: nothing more is sent. What was sent before is still confirmed.',
    action: 'lift the stop by two people (`payrun resume`), or end the run (`payrun cancel`)',
    money: 'no, unless the stop is lifted; what was funded has left',
    stage: 'paying',
    next: ['running', 'completed', 'partially_completed', 'failed', 'cancelled'],
    decision: { recorded: 'approved', isBeingPrepared: false, isNeeded: true, endedBy: [] },
    run: { isUsed: true, hasWorkflow: true, hasStarted: true, followsPayments: false, isSetByWorker: false },
    countsAsSubmitted: true,
  },
  completed: {
    word: 'Paid',
    tone: 'paid',
    meaning: 'Every row is paid.',
    action: null,
    money: 'no',
    stage: 'ended',
    next: ['partially_completed'],
    decision: { recorded: 'approved', isBeingPrepared: false, isNeeded: true, endedBy: [] },
    run: { isUsed: true, hasWorkflow: false, hasStarted: false, followsPayments: true, isSetByWorker: true },
    countsAsSubmitted: true,
  },
  partially_completed: {
    word: 'Partly paid',
    tone: 'waiting',
    meaning: 'The run has ended. Some rows are paid and some are not.',
    action: 'go through `exceptions.csv`; resolve `unknown` rows first',
    money: 'only for rows that are `unknown`',
    stage: 'ended',
    next: ['running', 'completed'],
    decision: { recorded: 'approved', isBeingPrepared: false, isNeeded: true, endedBy: [] },
    run: { isUsed: true, hasWorkflow: false, hasStarted: false, followsPayments: true, isSetByWorker: true },
    countsAsSubmitted: true,
  },
  failed: {
    word: 'Not paid',
    tone: 'failed',
    meaning: 'The run has ended, and no row is known to be paid.',
    action: 'go through `exceptions.csv`; resolve `unknown` rows first',
    money: 'only for rows that are `unknown`',
    stage: 'ended',
    next: ['running', 'partially_completed', 'completed'],
    decision: { recorded: 'approved', isBeingPrepared: false, isNeeded: false, endedBy: [] },
    run: { isUsed: true, hasWorkflow: false, hasStarted: false, followsPayments: true, isSetByWorker: true },
    countsAsSubmitted: true,
  },
  cancelled: {
    word: 'Cancelled',
    tone: 'neutral',
    meaning: 'The maker withdrew the run, or it was stopped and cancelled. What was sent before may be paid.',
    action: 'go through `results.csv`; resolve `unknown` rows first',
    money: 'only for rows that are `unknown`',
    stage: 'ended',
    next: [],
    decision: { recorded: 'withdrawn', isBeingPrepared: false, isNeeded: false, endedBy: ['withdrawn', 'cancelled'] },
    run: { isUsed: true, hasWorkflow: false, hasStarted: false, followsPayments: false, isSetByWorker: true },
    countsAsSubmitted: true,
  },
  rejected: {
    word: 'Rejected',
    tone: 'failed',
    meaning: 'A checker rejected the run. Nothing was paid.',
    action: null,
    money: 'no',
    stage: 'ended',
    next: [],
    decision: { recorded: 'rejected', isBeingPrepared: false, isNeeded: false, endedBy: ['rejected'] },
    run: { isUsed: true, hasWorkflow: false, hasStarted: false, followsPayments: false, isSetByWorker: false },
    countsAsSubmitted: false,
  },
  expired: {
    word: 'Expired',
    tone: 'neutral',
    meaning: 'Nobody decided in time. Nothing was paid.',
    action: 'submit the file again if it is still owed',
    money: 'no',
    stage: 'ended',
    next: [],
    decision: { recorded: 'expired', isBeingPrepared: false, isNeeded: false, endedBy: [] },
    run: { isUsed: true, hasWorkflow: false, hasStarted: false, followsPayments: false, isSetByWorker: true },
    countsAsSubmitted: false,
  },
};
