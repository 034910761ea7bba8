import type { ApprovalPolicy } from './approval-policy.ts';

/** What a policy says of rows to accounts that nobody confirmed in the book of beneficiaries. */
export const HELD_ACCOUNTS: Readonly<Record<NonNullable<ApprovalPolicy['unconfirmedAccounts']>, string>> = {
  hold: 'are held until a second person confirms the account in the book of beneficiaries',
  hold_changed:
    'are held where the book of beneficiaries has the name or the account; new beneficiaries are shown as such',
  warn: 'are not held: new and changed accounts are shown to who approves',
};
