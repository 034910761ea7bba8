import { receiptEndpoints } from '../../api/accounts/endpoints.ts';
import type { AccountsApplication } from '../../application/accounts/use-cases.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

export function addReceiptRoutes(app: Api, application: AccountsApplication): void {
  serve(app, receiptEndpoints, {
    listRefunds: ({ user, query }) => application.listRefunds(user, query),
    listDeposits: ({ user, query }) => application.listDeposits(user, query),
    listFundings: ({ user, query }) => application.listFundings(user, query),
    listReceipts: ({ user, query }) => application.listReceipts(user, query),
    assignReceipt: ({ user, body }) => application.assignReceipt(user, body),
  });
}
