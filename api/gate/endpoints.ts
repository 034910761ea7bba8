import { json } from '../answers.ts';
import { endpoints } from '../endpoint.ts';
import { gatesSchema, workersSchema } from './gate.ts';

/** How requests are let through to the provider, and who sends them. */
export const gateEndpoints = endpoints({
  listGates: {
    method: 'GET',
    path: '/gates',
    access: 'read_runs',
    tag: 'operations',
    summary: 'The request gate of each account: limits, slots, pauses, and what waits',
    answers: { 200: json('The gates.', gatesSchema) },
  },
  listWorkers: {
    method: 'GET',
    path: '/workers',
    access: 'read_runs',
    tag: 'operations',
    summary: 'Workers that poll, their versions, and queues that nobody polls',
    answers: { 200: json('The workers.', workersSchema) },
    errors: [503],
  },
});
