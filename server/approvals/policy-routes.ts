import { policyEndpoints } from '../../api/approvals/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

type PolicyApplication = Pick<
  Application,
  'readPolicy' | 'setPolicy' | 'explainPolicy' | 'checkPolicy' | 'listProviderAccounts' | 'changeProvider'
>;

export function addPolicyRoutes(app: Api, application: PolicyApplication): void {
  serve(app, policyEndpoints, {
    listProviderAccounts: async ({ user }) => ({ accounts: await application.listProviderAccounts(user) }),
    changeProvider: ({ user, params, body }) => application.changeProvider(user, { ...params, ...body }),
    getPolicy: () => application.readPolicy(),
    explainPolicy: ({ user, query }) => application.explainPolicy(user, query),
    checkPolicy: ({ user, body }) => application.checkPolicy(user, body),
    setPolicy: ({ user, body }) => application.setPolicy(user, body),
  });
}
