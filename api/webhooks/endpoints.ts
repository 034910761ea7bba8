import { json } from '../answers.ts';
import { endpoints } from '../endpoint.ts';
import { webhookDetailSchema, webhookListQuery, webhookPageSchema, webhookParams } from './received-webhook.ts';

/** What the provider has sent, and what came of it. */
export const webhookEndpoints = endpoints({
  listWebhooks: {
    method: 'GET',
    path: '/webhooks',
    access: 'read_runs',
    limitedBy: 'account',
    tag: 'operations',
    summary: 'Webhooks of the provider, the newest first, and what each led to',
    description:
      'They are kept for 90 days. With `result`, the newest 5,000 are looked at for a page: one may be short, or empty, and ' +
      'another one follow.',
    query: webhookListQuery,
    answers: { 200: json('A page of them.', webhookPageSchema) },
    errors: [400],
  },
  getWebhook: {
    method: 'GET',
    path: '/webhooks/:webhookId',
    access: 'read_runs',
    limitedBy: 'webhookId',
    reads: ['read_instructions', 'read_applicants'],
    tag: 'operations',
    summary: 'One webhook: as it came, what payrun takes from it, and what it led to',
    params: webhookParams,
    answers: { 200: json('The webhook.', webhookDetailSchema) },
    errors: [400, 404],
  },
});
