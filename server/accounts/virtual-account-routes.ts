import { virtualAccountEndpoints } from '../../api/accounts/endpoints.ts';
import type { AccountsApplication } from '../../application/accounts/use-cases.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

export function addVirtualAccountRoutes(
  app: Api,
  application: AccountsApplication & Pick<Application, 'allowedActions'>,
): void {
  serve(app, virtualAccountEndpoints, {
    listVirtualAccounts: ({ user, query }) => application.listVirtualAccounts(user, query),
    requestVirtualAccount: ({ user, body }) => application.requestVirtualAccount(user, body),
    findVirtualAccount: async ({ user, params: { virtualAccountId } }) => {
      const account = await application.findVirtualAccount(user, virtualAccountId);
      const actions = await application.allowedActions(user, { kind: 'virtual_account', id: virtualAccountId });
      return { ...account, allowedActions: actions ?? [] };
    },
    proposeVirtualAccountResolution: ({ user, params: { virtualAccountId }, body }) =>
      application.proposeVirtualAccount(user, virtualAccountId, body),
    confirmVirtualAccountResolution: ({ user, params: { virtualAccountId }, body }) =>
      application.confirmVirtualAccount(user, virtualAccountId, body),
    denyVirtualAccountResolution: ({ user, params: { virtualAccountId }, body }) =>
      application.denyVirtualAccount(user, virtualAccountId, body),
  });
}
