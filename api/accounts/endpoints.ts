import { json, nothing } from '../answers.ts';
import { endpoints } from '../endpoint.ts';
import { balanceListSchema, balanceQuery, historyPageSchema, historyQuery } from './balance.ts';
import { ledgerPageSchema, ledgerQuery } from './ledger.ts';
import {
  depositListSchema,
  depositQuery,
  fundingListSchema,
  fundingQuery,
  receiptAssignmentSchema,
  receiptListSchema,
  receiptQuery,
} from './receipt.ts';
import { refundListSchema, refundQuery } from './refund.ts';
import {
  actionableVirtualAccountSchema,
  virtualAccountConfirmationSchema,
  virtualAccountOutcomeRejectionSchema,
  virtualAccountListSchema,
  virtualAccountParams,
  virtualAccountProposalSchema,
  virtualAccountQuery,
  virtualAccountRequestSchema,
  virtualAccountSchema,
} from './virtual-account.ts';

/** Balances with the provider and their history, and what the money is meant for. */
export const balanceEndpoints = endpoints({
  listBalances: {
    method: 'GET',
    path: '/accounts/balances',
    access: 'read_runs',
    tag: 'accounts',
    summary: 'Balances with the provider, of the accounts that you may use',
    description: 'Has the history read again if that was over a minute ago: later answers show the result.',
    query: balanceQuery,
    answers: { 200: json('The balances by account and currency.', balanceListSchema) },
    errors: [400],
  },
  listBalanceHistory: {
    method: 'GET',
    path: '/accounts/history',
    access: 'read_runs',
    tag: 'accounts',
    summary: "The provider's history of the balances, the newest entry first",
    query: historyQuery,
    answers: { 200: json('A page of entries.', historyPageSchema) },
    errors: [400],
  },
  readLedger: {
    method: 'GET',
    path: '/accounts/ledger',
    access: 'read_runs',
    tag: 'accounts',
    summary: 'What the money with the provider is meant for, and every transfer of it, the newest first',
    query: ledgerQuery,
    answers: { 200: json('Balances and a page of transfers.', ledgerPageSchema) },
    errors: [400],
  },
});

/** Money that came in, and what explains it. */
export const receiptEndpoints = endpoints({
  listRefunds: {
    method: 'GET',
    path: '/accounts/refunds',
    access: 'read_runs',
    tag: 'accounts',
    summary: 'Refunds: money that came back, or is expected to, the newest first',
    query: refundQuery,
    answers: { 200: json('Refunds.', refundListSchema) },
    errors: [400],
  },
  listDeposits: {
    method: 'GET',
    path: '/accounts/deposits',
    access: 'read_runs',
    tag: 'accounts',
    summary: 'Deposits on virtual accounts, as notifications reported them, the newest first',
    query: depositQuery,
    answers: { 200: json('Deposits.', depositListSchema) },
    errors: [400],
  },
  listFundings: {
    method: 'GET',
    path: '/accounts/fundings',
    access: 'read_runs',
    tag: 'accounts',
    summary: 'Fundings, as the provider shows them, the newest first',
    query: fundingQuery,
    answers: { 200: json('Fundings.', fundingListSchema) },
    errors: [400],
  },
  listReceipts: {
    method: 'GET',
    path: '/accounts/receipts',
    access: 'read_runs',
    tag: 'accounts',
    summary: 'Money that came in and that nothing explains, the newest first',
    query: receiptQuery,
    answers: { 200: json('Receipts.', receiptListSchema) },
    errors: [400],
  },
  assignReceipt: {
    method: 'POST',
    path: '/accounts/receipts/assign',
    access: 'assign_receipt',
    tag: 'accounts',
    summary: 'Assign a receipt that nothing explains',
    description: 'With a refund: the payment is returned by it, if all of it came back.',
    body: receiptAssignmentSchema,
    answers: { 204: nothing('Assigned.') },
    errors: [400, 404, 409, 415],
  },
});

/** Virtual accounts: asked for by a treasurer, approved by the provider. */
export const virtualAccountEndpoints = endpoints({
  listVirtualAccounts: {
    method: 'GET',
    path: '/accounts/virtual',
    access: 'read_runs',
    tag: 'accounts',
    summary: 'Virtual accounts that were asked for, the newest first',
    query: virtualAccountQuery,
    answers: { 200: json('Virtual accounts.', virtualAccountListSchema) },
    errors: [400],
  },
  requestVirtualAccount: {
    method: 'POST',
    path: '/accounts/virtual',
    access: 'request_virtual_account',
    tag: 'accounts',
    summary: 'Ask for a virtual account',
    body: virtualAccountRequestSchema,
    answers: { 200: json('The virtual account.', virtualAccountSchema) },
    errors: [400, 404, 409, 415],
  },
  findVirtualAccount: {
    method: 'GET',
    path: '/accounts/virtual/:virtualAccountId',
    access: 'read_runs',
    tag: 'accounts',
    summary: 'One virtual account; its number once it is approved',
    params: virtualAccountParams,
    answers: { 200: json('The virtual account, and what you may do with it.', actionableVirtualAccountSchema) },
    errors: [400, 404],
  },
  proposeVirtualAccountManualOutcome: {
    method: 'POST',
    path: '/accounts/virtual/:virtualAccountId/manual-outcome',
    access: 'request_virtual_account',
    tag: 'accounts',
    summary: 'Propose what became of a request that the provider does not let payrun read, or did not answer',
    params: virtualAccountParams,
    body: virtualAccountProposalSchema,
    answers: { 200: json('The virtual account.', virtualAccountSchema) },
    errors: [400, 404, 409, 415],
  },
  confirmVirtualAccountManualOutcome: {
    method: 'POST',
    path: '/accounts/virtual/:virtualAccountId/manual-outcome/confirm',
    access: 'confirm_virtual_account',
    tag: 'accounts',
    summary: 'Confirm what another person proposed',
    params: virtualAccountParams,
    body: virtualAccountConfirmationSchema,
    answers: { 200: json('The virtual account.', virtualAccountSchema) },
    errors: [400, 404, 409, 415],
  },
  rejectVirtualAccountManualOutcome: {
    method: 'POST',
    path: '/accounts/virtual/:virtualAccountId/manual-outcome/reject',
    access: 'confirm_virtual_account',
    tag: 'accounts',
    summary: 'Reject what was proposed, or withdraw it',
    params: virtualAccountParams,
    body: virtualAccountOutcomeRejectionSchema,
    answers: { 200: json('The virtual account.', virtualAccountSchema) },
    errors: [400, 404, 409, 415],
  },
});

export const accountEndpoints = { ...balanceEndpoints, ...receiptEndpoints, ...virtualAccountEndpoints };
