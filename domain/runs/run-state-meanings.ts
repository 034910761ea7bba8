import type { RunState } from './run-state.ts';

/** What a state means for people in finance. */
export interface RunStateMeaning {
  meaning: string;
  /** Whether money can still leave the balance for this run. */
  money: string;
  /** What a person has to do; null: nothing. */
  action: string | null;
  /** No run gets this state in this version. */
  isReserved?: true;
}

export const RUN_STATE_MEANINGS: Readonly<Record<RunState, RunStateMeaning>> = {
  draft: { meaning: 'The run is being prepared.', money: 'no', action: null, isReserved: true },
  validating: {
    meaning: 'The file was accepted. payrun looks for duplicates and prepares the proposal.',
    money: 'no',
    action: null,
  },
  proposed: {
    meaning: 'The proposal is ready. A moment later it can be decided on.',
    money: 'no',
    action: null,
  },
  in_approval: {
    meaning: 'The run waits for the approvals that the policy requires. It expires if nobody decides in time.',
    money: 'no',
    action: 'approve or reject it',
  },
  scheduled: { meaning: 'The run is approved and waits for its day.', money: 'yes', action: null, isReserved: true },
  awaiting_funds: {
    meaning: 'The run is approved and waits for money.',
    money: 'yes',
    action: null,
    isReserved: true,
  },
  running: {
    meaning: 'The run is approved. Its rows are paid when they are due and the balance is sufficient.',
    money: 'yes',
    action: null,
  },
  paused: {
    meaning: 'The run is stopped: nothing more is sent. What was sent before is still confirmed.',
    money: 'no, unless the stop is lifted; what was funded has left',
    action: 'lift the stop by two people (`payrun resume`), or end the run (`payrun cancel`)',
  },
  completed: {
    meaning: 'Every row is paid.',
    money: 'no',
    action: null,
  },
  partially_completed: {
    meaning: 'The run has ended. Some rows are paid and some are not.',
    money: 'only for rows that are `unknown`',
    action: 'go through `exceptions.csv`; resolve `unknown` rows first',
  },
  failed: {
    meaning: 'The run has ended, and no row is known to be paid.',
    money: 'only for rows that are `unknown`',
    action: 'go through `exceptions.csv`; resolve `unknown` rows first',
  },
  cancelled: {
    meaning: 'The maker withdrew the run, or it was stopped and cancelled. What was sent before may be paid.',
    money: 'only for rows that are `unknown`',
    action: 'go through `results.csv`; resolve `unknown` rows first',
  },
  rejected: { meaning: 'A checker rejected the run.', money: 'no', action: null },
  expired: { meaning: 'Nobody decided in time.', money: 'no', action: 'submit the file again if it is still owed' },
};
