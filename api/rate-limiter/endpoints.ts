import { json } from '../answers.ts';
import { endpoints } from '../endpoint.ts';
import { rateLimitersSchema, workersSchema } from './rate-limiter.ts';

/** The rate limiters of the accounts with the provider, and the workers that send requests. */
export const rateLimiterEndpoints = endpoints({
  listRateLimiters: {
    method: 'GET',
    path: '/rate-limiters',
    access: 'read_runs',
    limitedBy: 'user',
    tag: 'operations',
    summary: 'The rate limiter of each account: limits, leases, pauses, and what waits',
    answers: { 200: json('The rate limiters.', rateLimitersSchema) },
  },
  listWorkers: {
    method: 'GET',
    path: '/workers',
    access: 'read_runs',
    limitedBy: 'nothing',
    tag: 'operations',
    summary: 'Workers that poll, their versions, and queues that nobody polls',
    answers: { 200: json('The workers.', workersSchema) },
    errors: [503],
  },
});
