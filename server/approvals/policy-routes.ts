import type { Application } from '../../application/application-api.ts';
import { userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { json, errorsOf } from '../../api/answers.ts';
import { providerAccountListSchema } from '../../api/accounts/provider-account.ts';
import { changeStateSchema } from '../../api/approvals/change.ts';
import { policyCheckRequestSchema, policyCheckSchema } from '../../api/approvals/policy-check.ts';
import { policyExplanationSchema, policyQuestion } from '../../api/approvals/policy-explanation.ts';
import { approvalPolicySchema, providerAccountParams, providerRequestSchema } from '../../api/approvals/policy.ts';

type ProviderApplication = Pick<Application, 'listProviderAccounts' | 'changeProvider'>;

/** What approvals runs need, and which provider the record belongs to. */
export function addPolicyRoutes(
  app: Api,
  application: Pick<Application, 'readPolicy' | 'setPolicy' | 'explainPolicy' | 'checkPolicy'> & ProviderApplication,
): void {
  addProviderRoutes(app, application);
  app.get('/policy', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'getPolicy',
      tags: ['users'],
      summary: 'What approvals runs need',
      response: { 200: json('The policy.', approvalPolicySchema), ...errorsOf() },
    },
    handler: () => application.readPolicy(),
  });

  app.get('/policy/explanation', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'explainPolicy',
      tags: ['users'],
      summary: 'What a run would need: the rule that applies, why those before it do not, and who could approve',
      querystring: policyQuestion,
      response: { 200: json('What it would need.', policyExplanationSchema), ...errorsOf(400, 404) },
    },
    handler: (request) => application.explainPolicy(userOf(request), request.query),
  });

  app.post('/policy/check', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'checkPolicy',
      tags: ['users'],
      summary: 'What a policy would mean: what is easily overlooked in it, and what a run would need by it',
      description: 'Nothing is proposed.',
      body: policyCheckRequestSchema,
      response: { 200: json('What it would mean.', policyCheckSchema), ...errorsOf(400, 404, 415) },
    },
    handler: (request) => application.checkPolicy(userOf(request), request.body),
  });

  app.put('/policy', {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'setPolicy',
      tags: ['users'],
      summary: 'Propose another policy',
      description: 'It takes effect when a second administrator confirms it.',
      body: approvalPolicySchema,
      response: { 200: json('What became of the change.', changeStateSchema), ...errorsOf(400, 409, 415) },
    },
    handler: (request) => application.setPolicy(userOf(request), request.body),
  });
}

function addProviderRoutes(app: Api, application: ProviderApplication): void {
  app.get('/provider-accounts', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listProviderAccounts',
      tags: ['accounts'],
      summary: 'The accounts with a provider that you may use: its address, the hash of the access key, the limits',
      response: { 200: json('The accounts.', providerAccountListSchema), ...errorsOf() },
    },
    handler: async (request) => ({ accounts: await application.listProviderAccounts(userOf(request)) }),
  });

  app.put('/provider-accounts/:account', {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'changeProvider',
      tags: ['users'],
      summary: 'Propose that the record belongs to another address or access key of the provider',
      description: 'Workers of any other are refused. It takes effect when a second administrator confirms it.',
      params: providerAccountParams,
      body: providerRequestSchema,
      response: { 200: json('What became of the change.', changeStateSchema), ...errorsOf(400, 404, 409, 415) },
    },
    handler: (request) => application.changeProvider(userOf(request), { ...request.params, ...request.body }),
  });
}
