import { balanceListSchema, balanceQuery, historyPageSchema, historyQuery } from '../../api/accounts/balance.ts';
import { errorsOf, json } from '../../api/answers.ts';
import { ledgerPageSchema, ledgerQuery } from '../../api/accounts/ledger.ts';
import type { AccountsApplication } from '../../application/accounts/accounts-api.ts';
import type { Api } from '../api.ts';
import { userOf } from '../users/access.ts';

/** Balances with the provider and their history. */
export function addBalanceRoutes(app: Api, application: AccountsApplication): void {
  app.get('/accounts/balances', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listBalances',
      tags: ['accounts'],
      summary: 'Balances with the provider, of the accounts that you may use',
      description: 'Has the history read again if that was over a minute ago: later answers show the result.',
      querystring: balanceQuery,
      response: { 200: json('The balances by account and currency.', balanceListSchema), ...errorsOf(400) },
    },
    handler: async (request) => ({ accounts: await application.listBalances(userOf(request), request.query) }),
  });

  app.get('/accounts/history', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listBalanceHistory',
      tags: ['accounts'],
      summary: "The provider's history of the balances, the newest entry first",
      querystring: historyQuery,
      response: { 200: json('A page of entries.', historyPageSchema), ...errorsOf(400) },
    },
    handler: (request) => application.listHistory(userOf(request), request.query),
  });

  app.get('/accounts/ledger', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'readLedger',
      tags: ['accounts'],
      summary: 'What the money with the provider is meant for, and every transfer of it, the newest first',
      querystring: ledgerQuery,
      response: { 200: json('Balances and a page of transfers.', ledgerPageSchema), ...errorsOf(400) },
    },
    handler: (request) => application.readLedger(userOf(request), request.query),
  });
}
