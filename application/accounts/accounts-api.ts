import type { AccountBalances, BalanceQuery, HistoryPage, HistoryQuery } from '../../api/accounts/balance.ts';
import type { LedgerPage, LedgerQuery } from '../../api/accounts/ledger.ts';
import type { RefundList, RefundQuery } from '../../api/accounts/refund.ts';
import type {
  DepositList,
  DepositQuery,
  FundingList,
  FundingQuery,
  ReceiptAssignment,
  ReceiptList,
  ReceiptQuery,
} from '../../api/accounts/receipt.ts';
import type {
  NewVirtualAccount,
  NewVirtualAccountProposal,
  VirtualAccount,
  VirtualAccountDenial,
  VirtualAccountList,
  VirtualAccountQuery,
} from '../../api/accounts/virtual-account.ts';
import type { SignedIn } from '../users/signed-in.ts';

/** Balances with the provider and their history, of the accounts that the user may use. */
export interface AccountsApplication {
  /** Has the history read again if it is old; what that shows is in later answers. */
  listBalances(user: SignedIn, query: BalanceQuery): Promise<AccountBalances[]>;
  /** The newest first. */
  listHistory(user: SignedIn, query: HistoryQuery): Promise<HistoryPage>;
  /** What the money is meant for, and every transfer of it, the newest first. */
  readLedger(user: SignedIn, query: LedgerQuery): Promise<LedgerPage>;
  /** Money that came back, or is expected to; the newest first. */
  listRefunds(user: SignedIn, query: RefundQuery): Promise<RefundList>;
  /** What notifications said of deposits, and whether the history has the money; the newest first. */
  listDeposits(user: SignedIn, query: DepositQuery): Promise<DepositList>;
  listFundings(user: SignedIn, query: FundingQuery): Promise<FundingList>;
  /** Money that came in; by default what nothing explains. */
  listReceipts(user: SignedIn, query: ReceiptQuery): Promise<ReceiptList>;
  /** Says what a receipt is. Throws `conflict` when something else explains it, or the refund has another amount. */
  assignReceipt(user: SignedIn, assignment: ReceiptAssignment): Promise<void>;
  /** Asks for a virtual account: on record first, then sent by a worker. */
  requestVirtualAccount(user: SignedIn, order: NewVirtualAccount): Promise<VirtualAccount>;
  listVirtualAccounts(user: SignedIn, query: VirtualAccountQuery): Promise<VirtualAccountList>;
  /** Throws `not_found`, also for one of an account that the user may not use. */
  findVirtualAccount(user: SignedIn, virtualAccountId: string): Promise<VirtualAccount>;
  /** Says what became of a pending or unknown one; another person confirms it. */
  proposeVirtualAccount(
    user: SignedIn,
    virtualAccountId: string,
    said: NewVirtualAccountProposal,
  ): Promise<VirtualAccount>;
  confirmVirtualAccount(
    user: SignedIn,
    virtualAccountId: string,
    seen: { resolutionId: string },
  ): Promise<VirtualAccount>;
  denyVirtualAccount(user: SignedIn, virtualAccountId: string, denial: VirtualAccountDenial): Promise<VirtualAccount>;
}
