import { OPEN_RUN_STATES, PAYING_RUN_STATES } from '../../domain/runs/run-state.ts';

/** Runs that pay, or would if they were not stopped. A scheduled run has not started. */
export const STARTED_RUN_STATES = PAYING_RUN_STATES.filter((state) => state !== 'scheduled');

/** Open runs that have a workflow: a draft has none. */
export const SUBMITTED_RUN_STATES = OPEN_RUN_STATES.filter((state) => state !== 'draft');
