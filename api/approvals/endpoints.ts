import { providerAccountListSchema } from '../accounts/provider-account.ts';
import { json } from '../answers.ts';
import { endpoints } from '../endpoint.ts';
import { runParams, runSummarySchema } from '../runs/run.ts';
import { actionsAnswerSchema, actionsQuery } from './allowed-actions.ts';
import { changeListQuery, changeListSchema, changeParams, changeStateSchema } from './change.ts';
import { decisionFactsSchema } from './decision-facts.ts';
import { approvalSchema, decidedRunSchema, rejectionSchema, sendingSchema } from './decision.ts';
import { policyCheckRequestSchema, policyCheckSchema } from './policy-check.ts';
import { policyExplanationSchema, policyQuestion } from './policy-explanation.ts';
import { goingLiveEndpoints } from './going-live.ts';
import { approvalPolicySchema, providerAccountParams, providerRequestSchema } from './policy.ts';
import {
  cancelledRunSchema,
  createdStopSchema,
  liftedStopSchema,
  reasonSchema,
  stopLiftSchema,
  stopListSchema,
  stopParams,
  stopRequestSchema,
} from './stop.ts';

/** Sending, approving, rejecting and withdrawing runs. The database decides who may do so with which run. */
export const decisionEndpoints = endpoints({
  approveRun: {
    method: 'POST',
    path: '/runs/:runId/approve',
    // guard: approve-route
    access: 'decide_run',
    limitedBy: 'runId',
    tag: 'decisions',
    summary: 'Approve a run',
    description: 'Applies only to the content that was seen. Makers never approve their own runs.',
    params: runParams,
    body: approvalSchema,
    answers: { 200: json('The run after the decision.', decidedRunSchema) },
    errors: [400, 404, 409, 415],
  },
  rejectRun: {
    method: 'POST',
    path: '/runs/:runId/reject',
    access: 'decide_run',
    limitedBy: 'runId',
    tag: 'decisions',
    summary: 'Reject a run',
    description: 'Ends the run without paying any of it. The comment says why.',
    params: runParams,
    body: rejectionSchema,
    answers: { 200: json('The run after the decision.', decidedRunSchema) },
    errors: [400, 404, 409, 415],
  },
  sendRun: {
    method: 'POST',
    path: '/runs/:runId/send',
    access: 'submit_run',
    limitedBy: 'runId',
    tag: 'decisions',
    summary: 'Send a run of your own for approval that was checked only',
    description: 'Applies only to the content that was seen. From then on others can decide on it.',
    params: runParams,
    body: sendingSchema,
    answers: { 200: json('The run afterwards.', runSummarySchema) },
    errors: [400, 404, 409, 415],
  },
  withdrawRun: {
    method: 'POST',
    path: '/runs/:runId/withdraw',
    access: 'submit_run',
    limitedBy: 'runId',
    tag: 'decisions',
    summary: 'Withdraw a run of your own that nobody has decided on',
    description: 'Nothing of it is ever paid, and its references are free again.',
    params: runParams,
    body: reasonSchema,
    answers: { 200: json('The run afterwards.', runSummarySchema) },
    errors: [400, 404, 409, 415],
  },
});

export const decisionFactsEndpoints = endpoints({
  getDecisionFacts: {
    method: 'GET',
    path: '/runs/:runId/decision',
    access: 'read_runs',
    limitedBy: 'runId',
    reads: ['read_instructions'],
    tag: 'decisions',
    summary: 'What a decision on a run is made on',
    description:
      "Totals beside the maker's last comparable run, the largest rows and their share, the rules and steps of the policy, and " +
      'who can still take each of them.',
    params: runParams,
    answers: { 200: json('The facts.', decisionFactsSchema) },
    errors: [400, 404],
    // Of a run with very many rows.
    timeoutMs: 300_000,
  },
});

/** Stopping runs, accounts or everything; lifting stops; ending stopped runs. */
export const stopEndpoints = endpoints({
  listStops: {
    method: 'GET',
    path: '/stops',
    access: 'read_runs',
    limitedBy: 'user',
    tag: 'stops',
    summary: 'Active stops: of everything, and of the accounts that you may use',
    answers: { 200: json('The stops.', stopListSchema) },
  },
  stopPayments: {
    method: 'POST',
    path: '/stops',
    access: 'stop_payments',
    limitedBy: 'account',
    tag: 'stops',
    summary: 'Stop everything, or one account with the provider',
    description: 'From then on nothing new is sent. What was sent is still confirmed.',
    body: stopRequestSchema,
    answers: { 200: json('The stop.', createdStopSchema) },
    errors: [400, 404, 415],
  },
  stopRun: {
    method: 'POST',
    path: '/runs/:runId/stop',
    access: 'stop_payments',
    limitedBy: 'runId',
    tag: 'stops',
    summary: 'Stop a run',
    description: 'From then on nothing new of it is sent. What was sent is still confirmed.',
    params: runParams,
    body: reasonSchema,
    answers: { 200: json('The stop.', createdStopSchema) },
    errors: [400, 404, 409, 415],
  },
  cancelRun: {
    method: 'POST',
    path: '/runs/:runId/cancel',
    access: 'lift_stop',
    limitedBy: 'runId',
    tag: 'stops',
    summary: 'End a stopped run for good',
    description: 'What was not sent never is, and its references are free again.',
    params: runParams,
    body: reasonSchema,
    answers: { 200: json('What was ended.', cancelledRunSchema) },
    errors: [400, 404, 409, 415],
  },
  liftStop: {
    method: 'POST',
    path: '/stops/:stopId/lift',
    access: 'lift_stop',
    limitedBy: 'stopId',
    tag: 'stops',
    summary: 'Ask to lift a stop, or lift one that somebody else has asked to',
    description: 'Two people lift a stop: one asks, then a checker other than they lifts it.',
    params: stopParams,
    body: stopLiftSchema,
    answers: { 200: json('The stop afterwards.', liftedStopSchema) },
    errors: [400, 404, 409, 415],
  },
});

/** Changes of users, policy and provider that take two administrators. */
export const changeEndpoints = endpoints({
  listChanges: {
    method: 'GET',
    path: '/changes',
    access: 'read_runs',
    limitedBy: 'user',
    tag: 'users',
    summary: 'Changes of users, policy and provider that take two administrators, the newest first',
    query: changeListQuery,
    answers: { 200: json('The changes.', changeListSchema) },
    errors: [400],
  },
  confirmChange: {
    method: 'POST',
    path: '/changes/:changeId/confirm',
    access: 'confirm_change',
    limitedBy: 'all_accounts',
    tag: 'users',
    summary: 'Confirm a change that another administrator has proposed',
    params: changeParams,
    answers: { 200: json('The change afterwards.', changeStateSchema) },
    errors: [400, 404, 409],
  },
  rejectChange: {
    method: 'POST',
    path: '/changes/:changeId/reject',
    access: 'object_to_change',
    limitedBy: 'nothing',
    tag: 'users',
    summary: 'Reject a change',
    params: changeParams,
    answers: { 200: json('The change afterwards.', changeStateSchema) },
    errors: [400, 404, 409],
  },
});

/** What approvals runs need, and which provider the data belongs to. */
export const policyEndpoints = endpoints({
  listProviderAccounts: {
    method: 'GET',
    path: '/provider-accounts',
    access: 'read_runs',
    limitedBy: 'user',
    tag: 'accounts',
    summary: 'The accounts with a provider that you may use: its address, the hash of the access key, the limits',
    answers: { 200: json('The accounts.', providerAccountListSchema) },
  },
  changeProvider: {
    method: 'PUT',
    path: '/provider-accounts/:account',
    access: 'manage_users',
    limitedBy: 'all_accounts',
    tag: 'users',
    summary: 'Propose that the data belongs to another address or access key of the provider',
    description: 'Workers of any other are refused. It takes effect when a second administrator confirms it.',
    params: providerAccountParams,
    body: providerRequestSchema,
    answers: { 200: json('What became of the change.', changeStateSchema) },
    errors: [400, 404, 409, 415],
  },
  getPolicy: {
    method: 'GET',
    path: '/policy',
    access: 'read_runs',
    limitedBy: 'nothing',
    tag: 'users',
    summary: 'What approvals runs need',
    answers: { 200: json('The policy.', approvalPolicySchema) },
  },
  explainPolicy: {
    method: 'GET',
    path: '/policy/explanation',
    access: 'read_runs',
    limitedBy: 'account',
    tag: 'users',
    summary: 'What a run would need: the rule that applies, why those before it do not, and who could approve',
    query: policyQuestion,
    answers: { 200: json('What it would need.', policyExplanationSchema) },
    errors: [400, 404],
  },
  checkPolicy: {
    method: 'POST',
    path: '/policy/check',
    access: 'read_runs',
    limitedBy: 'user',
    tag: 'users',
    summary: 'What a policy would mean: what is easily overlooked in it, and what a run would need by it',
    description: 'Nothing is proposed.',
    body: policyCheckRequestSchema,
    answers: { 200: json('What it would mean.', policyCheckSchema) },
    errors: [400, 404, 415],
  },
  setPolicy: {
    method: 'PUT',
    path: '/policy',
    access: 'manage_users',
    limitedBy: 'all_accounts',
    tag: 'users',
    summary: 'Propose another policy',
    description: 'It takes effect when a second administrator confirms it.',
    body: approvalPolicySchema,
    answers: { 200: json('What became of the change.', changeStateSchema) },
    errors: [400, 409, 415],
  },
});

export const actionEndpoints = endpoints({
  listActions: {
    method: 'GET',
    path: '/actions',
    access: 'signed_in',
    limitedBy: 'user',
    tag: 'inbox',
    summary: 'What you may do now with these resources',
    description:
      'The rules that decide when something is done answer, and nothing is done. What is refused comes with its reason. ' +
      'A resource that does not exist, or is of another account, is left out.',
    query: actionsQuery,
    answers: { 200: json('By resource.', actionsAnswerSchema) },
    errors: [400],
  },
});

export const approvalEndpoints = {
  ...decisionEndpoints,
  ...decisionFactsEndpoints,
  ...stopEndpoints,
  ...changeEndpoints,
  ...policyEndpoints,
  ...goingLiveEndpoints,
  ...actionEndpoints,
};
