import { balanceEndpoints } from '../../api/accounts/endpoints.ts';
import type { AccountsApplication } from '../../application/accounts/use-cases.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

export function addBalanceRoutes(app: Api, application: AccountsApplication): void {
  serve(app, balanceEndpoints, {
    listBalances: async ({ user, query }) => ({ accounts: await application.listBalances(user, query) }),
    listBalanceHistory: ({ user, query }) => application.listHistory(user, query),
    readLedger: ({ user, query }) => application.readLedger(user, query),
  });
}
