import type { ApplicationDependencies } from '../application-dependencies.ts';
import { bindUseCases } from '../bind-use-cases.ts';
import { listBalances, listHistory, readLedger } from './balance-views.ts';
import { assignReceipt, listDeposits, listFundings, listReceipts, listRefunds } from './receipt-views.ts';
import {
  confirmVirtualAccount,
  rejectVirtualAccount,
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
    rejectVirtualAccount,
  });
}
