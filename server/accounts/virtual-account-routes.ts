import {
  actionableVirtualAccountSchema,
  virtualAccountConfirmationSchema,
  virtualAccountDenialSchema,
  virtualAccountListSchema,
  virtualAccountParams,
  virtualAccountProposalSchema,
  virtualAccountQuery,
  virtualAccountRequestSchema,
  virtualAccountSchema,
} from '../../api/accounts/virtual-account.ts';
import { errorsOf, json } from '../../api/answers.ts';
import type { AccountsApplication } from '../../application/accounts/accounts-api.ts';
import type { Application } from '../../application/application-api.ts';
import type { Api } from '../api.ts';
import { userOf } from '../users/access.ts';

const tags = ['accounts'];
const changed = { 200: json('The virtual account.', virtualAccountSchema), ...errorsOf(400, 404, 409, 415) };

/** Virtual accounts: asked for by a treasurer, approved by the provider. */
export function addVirtualAccountRoutes(
  app: Api,
  application: AccountsApplication & Pick<Application, 'allowedActions'>,
): void {
  app.get('/accounts/virtual', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listVirtualAccounts',
      tags,
      summary: 'Virtual accounts that were asked for, the newest first',
      querystring: virtualAccountQuery,
      response: { 200: json('Virtual accounts.', virtualAccountListSchema), ...errorsOf(400) },
    },
    handler: (request) => application.listVirtualAccounts(userOf(request), request.query),
  });

  app.post('/accounts/virtual', {
    config: { access: 'request_virtual_account' },
    schema: {
      operationId: 'requestVirtualAccount',
      tags,
      summary: 'Ask for a virtual account',
      body: virtualAccountRequestSchema,
      response: changed,
    },
    handler: (request) => application.requestVirtualAccount(userOf(request), request.body),
  });

  app.get('/accounts/virtual/:virtualAccountId', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'findVirtualAccount',
      tags,
      summary: 'One virtual account; its number once it is approved',
      params: virtualAccountParams,
      response: {
        200: json('The virtual account, and what you may do with it.', actionableVirtualAccountSchema),
        ...errorsOf(400, 404),
      },
    },
    handler: async (request) => {
      const user = userOf(request);
      const { virtualAccountId } = request.params;
      const account = await application.findVirtualAccount(user, virtualAccountId);
      const actions = await application.allowedActions(user, { kind: 'virtual_account', id: virtualAccountId });
      return { ...account, allowedActions: actions ?? [] };
    },
  });

  addResolutionRoutes(app, application);
}

function addResolutionRoutes(app: Api, application: AccountsApplication): void {
  app.post('/accounts/virtual/:virtualAccountId/resolution', {
    config: { access: 'request_virtual_account' },
    schema: {
      operationId: 'proposeVirtualAccountResolution',
      tags,
      summary: 'Propose what became of a request that the provider does not let payrun read, or did not answer',
      params: virtualAccountParams,
      body: virtualAccountProposalSchema,
      response: changed,
    },
    handler: (request) =>
      application.proposeVirtualAccount(userOf(request), request.params.virtualAccountId, request.body),
  });

  app.post('/accounts/virtual/:virtualAccountId/resolution/confirm', {
    config: { access: 'confirm_virtual_account' },
    schema: {
      operationId: 'confirmVirtualAccountResolution',
      tags,
      summary: 'Confirm what another person proposed',
      params: virtualAccountParams,
      body: virtualAccountConfirmationSchema,
      response: changed,
    },
    handler: (request) =>
      application.confirmVirtualAccount(userOf(request), request.params.virtualAccountId, request.body),
  });

  app.post('/accounts/virtual/:virtualAccountId/resolution/deny', {
    config: { access: 'confirm_virtual_account' },
    schema: {
      operationId: 'denyVirtualAccountResolution',
      tags,
      summary: 'Deny what was proposed, or withdraw it',
      params: virtualAccountParams,
      body: virtualAccountDenialSchema,
      response: changed,
    },
    handler: (request) =>
      application.denyVirtualAccount(userOf(request), request.params.virtualAccountId, request.body),
  });
}
