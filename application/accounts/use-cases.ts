import type { ApplicationDependencies } from '../application-dependencies.ts';
import { bindUseCases } from '../bind-use-cases.ts';
import { listBalances, listHistory } from './balance-views.ts';
import { readLedger } from './ledger-views.ts';
import { assignReceipt, listDeposits, listFundings, listReceipts } from './receipt-views.ts';
import { listRefunds } from './refund-views.ts';
import {
  confirmVirtualAccount,
  denyVirtualAccount,
  findVirtualAccount,
  listVirtualAccounts,
  proposeVirtualAccount,
  requestVirtualAccount,
} from './virtual-accounts.ts';

export type AccountsApplication = ReturnType<typeof accountUseCases>;

export function accountUseCases(dependencies: ApplicationDependencies) {
  return bindUseCases(dependencies, {
    listBalances,
    listHistory,
    readLedger,
    listRefunds,
    listDeposits,
    listFundings,
    listReceipts,
    assignReceipt,
    requestVirtualAccount,
    listVirtualAccounts,
    findVirtualAccount,
    proposeVirtualAccount,
    confirmVirtualAccount,
    denyVirtualAccount,
  });
}
