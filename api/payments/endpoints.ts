import { json } from '../answers.ts';
import { endpoints } from '../endpoint.ts';
import { rowDetailSchema } from '../runs/row-detail.ts';
import { rowParams } from '../runs/row.ts';
import { confirmationSchema, outcomeRejectionSchema, manualOutcomeRequestSchema } from './manual-outcome.ts';

/** One row with its evidence, and how two people resolve it when it is unknown. */
export const paymentEndpoints = endpoints({
  getRow: {
    method: 'GET',
    path: '/runs/:runId/rows/:rowRef',
    access: 'read_runs',
    limitedBy: 'runId',
    reads: ['read_instructions'],
    tag: 'runs',
    summary: 'One row, with the evidence of what became of it',
    description: 'Bank details and other instructions need the permission read_instructions.',
    params: rowParams,
    answers: { 200: json('The row.', rowDetailSchema) },
    errors: [400, 404],
  },
  proposeManualOutcome: {
    method: 'POST',
    path: '/runs/:runId/rows/:rowRef/manual-outcome',
    access: 'propose_manual_outcome',
    limitedBy: 'runId',
    reads: ['read_instructions'],
    tag: 'decisions',
    summary: 'Propose how an unknown row ended',
    description: 'Applies to what is known of the row now, and takes effect when a second person confirms it.',
    params: rowParams,
    body: manualOutcomeRequestSchema,
    answers: { 200: json('The row afterwards.', rowDetailSchema) },
    errors: [400, 404, 409, 415],
  },
  confirmManualOutcome: {
    method: 'POST',
    path: '/runs/:runId/rows/:rowRef/manual-outcome/confirm',
    access: 'decide_run',
    limitedBy: 'runId',
    reads: ['read_instructions'],
    tag: 'decisions',
    summary: 'Confirm how an unknown row ended',
    description:
      'The provider is asked once more first: when it says otherwise, its answer is recorded instead. Neither the ' +
      "proposer nor the run's maker may confirm.",
    params: rowParams,
    body: confirmationSchema,
    answers: { 200: json('The row afterwards.', rowDetailSchema) },
    errors: [400, 404, 409, 415],
  },
  rejectManualOutcome: {
    method: 'POST',
    path: '/runs/:runId/rows/:rowRef/manual-outcome/reject',
    access: 'propose_manual_outcome',
    limitedBy: 'runId',
    reads: ['read_instructions'],
    tag: 'decisions',
    summary: 'Reject a proposal, or take back one of your own',
    params: rowParams,
    body: outcomeRejectionSchema,
    answers: { 200: json('The row afterwards.', rowDetailSchema) },
    errors: [400, 404, 409, 415],
  },
});
