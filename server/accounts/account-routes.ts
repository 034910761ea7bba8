import { balanceEndpoints, receiptEndpoints, virtualAccountEndpoints } from '../../api/accounts/endpoints.ts';
import type { AccountsApplication } from '../../application/accounts/use-cases.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

export function addAccountRoutes(
  app: Api,
  application: AccountsApplication & Pick<Application, 'allowedActions'>,
): void {
  serve(app, balanceEndpoints, {
    listBalances: async ({ user, query }) => ({ accounts: await application.listBalances(user, query) }),
    listBalanceHistory: ({ user, query }) => application.listHistory(user, query),
    readLedger: ({ user, query }) => application.readLedger(user, query),
  });
  serve(app, receiptEndpoints, {
    listRefunds: ({ user, query }) => application.listRefunds(user, query),
    listDeposits: ({ user, query }) => application.listDeposits(user, query),
    listFundings: ({ user, query }) => application.listFundings(user, query),
    listReceipts: ({ user, query }) => application.listReceipts(user, query),
    assignReceipt: ({ user, body }) => application.assignReceipt(user, body),
  });
  serve(app, virtualAccountEndpoints, {
    listVirtualAccounts: ({ user, query }) => application.listVirtualAccounts(user, query),
    requestVirtualAccount: ({ user, body }) => application.requestVirtualAccount(user, body),
    findVirtualAccount: async ({ user, params: { virtualAccountId } }) => {
      const account = await application.findVirtualAccount(user, virtualAccountId);
      const actions = await application.allowedActions(user, { kind: 'virtual_account', id: virtualAccountId });
      return { ...account, allowedActions: actions ?? [] };
    },
    proposeVirtualAccountManualOutcome: ({ user, params: { virtualAccountId }, body }) =>
      application.proposeVirtualAccount(user, virtualAccountId, body),
    confirmVirtualAccountManualOutcome: ({ user, params: { virtualAccountId }, body }) =>
      application.confirmVirtualAccount(user, virtualAccountId, body),
    rejectVirtualAccountManualOutcome: ({ user, params: { virtualAccountId }, body }) =>
      application.rejectVirtualAccount(user, virtualAccountId, body),
  });
}
