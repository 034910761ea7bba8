import type { DepositList, FundingList, ReceiptAssignment, ReceiptList } from '../../api/accounts/receipt.ts';
import type { RefundList } from '../../api/accounts/refund.ts';
import type {
  ActionableVirtualAccount,
  VirtualAccount,
  VirtualAccountList,
  VirtualAccountProposal,
  VirtualAccountRequest,
} from '../../api/accounts/virtual-account.ts';
import { call, type ConsoleCall } from './call.ts';

type Query = NonNullable<ConsoleCall['query']>;

export function listReceipts(query: Query, signal: AbortSignal): Promise<ReceiptList> {
  return call<ReceiptList>({ path: '/accounts/receipts', query, signal });
}

export function assignReceipt(body: ReceiptAssignment): Promise<null> {
  return call<null>({ method: 'POST', path: '/accounts/receipts/assign', body });
}

export function listDeposits(query: Query, signal: AbortSignal): Promise<DepositList> {
  return call<DepositList>({ path: '/accounts/deposits', query, signal });
}

export function listFundings(query: Query, signal: AbortSignal): Promise<FundingList> {
  return call<FundingList>({ path: '/accounts/fundings', query, signal });
}

export function listRefunds(query: Query, signal: AbortSignal): Promise<RefundList> {
  return call<RefundList>({ path: '/accounts/refunds', query, signal });
}

export function listVirtualAccounts(query: Query, signal: AbortSignal): Promise<VirtualAccountList> {
  return call<VirtualAccountList>({ path: '/accounts/virtual', query, signal });
}

export function readVirtualAccount(virtualAccountId: string, signal: AbortSignal): Promise<ActionableVirtualAccount> {
  return call<ActionableVirtualAccount>({ path: `/accounts/virtual/${virtualAccountId}`, signal });
}

export function requestVirtualAccount(body: VirtualAccountRequest): Promise<VirtualAccount> {
  return call<VirtualAccount>({ method: 'POST', path: '/accounts/virtual', body });
}

/** What became of a request: one person proposes, another one confirms or denies. */
export function proposeOutcome(virtualAccountId: string, body: VirtualAccountProposal): Promise<VirtualAccount> {
  return call<VirtualAccount>({ method: 'POST', path: `/accounts/virtual/${virtualAccountId}/resolution`, body });
}

export function closeOutcome(
  virtualAccountId: string,
  verb: 'confirm' | 'deny',
  body: { resolutionId: string; reason?: string | null },
): Promise<VirtualAccount> {
  return call<VirtualAccount>({
    method: 'POST',
    path: `/accounts/virtual/${virtualAccountId}/resolution/${verb}`,
    body,
  });
}
