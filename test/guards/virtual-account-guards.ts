import type { Guard } from './guard.ts';

const VIRTUAL_ACCOUNTS = 'test/store/virtual-accounts.services.ts';

/** Guards of virtual accounts: a wrong number that is given out sends the money of others astray. */
export const VIRTUAL_ACCOUNT_GUARDS: readonly Guard[] = [
  {
    id: 'account-confirmed-by-another',
    against: 'one person gives a virtual account a number',
    without:
      "if false then\n  perform note(me.user_id::text, 'virtual_account_refused', null, null, jsonb_build_object('virtualAccount', v.virtual_account_id,",
    test: {
      file: 'test/workflows/virtual-accounts.services.ts',
      name: 'approved by two people and by no notification',
    },
    behind: 'the constraint confirmed_by_another',
  },
  {
    id: 'account-asked-for-once',
    against: 'a virtual account is asked for again although the first request may have reached the provider',
    without: '',
    test: { file: VIRTUAL_ACCOUNTS, name: 'no second request is begun' },
  },
  {
    id: 'number-of-the-approval',
    against: 'a number that the provider showed before it approved the account is shown as that of the approved one',
    without:
      'account_number = case when virtual_accounts.state = $3 then coalesce(account_number, $5) else account_number end,',
    test: { file: VIRTUAL_ACCOUNTS, name: 'is that of the approval' },
  },
  {
    id: 'number-of-a-late-answer',
    against: 'the number of an answer that comes late is shown as that of the approved account',
    without: 'account_number = coalesce(account_number, $9)',
    test: { file: VIRTUAL_ACCOUNTS, name: 'is not that of an answer that comes after a read' },
  },
  {
    id: 'number-when-approved',
    against: 'the number of a virtual account is shown that is not approved',
    without: 'account_number as number,',
    test: { file: 'test/workflows/virtual-account-reads.services.ts', name: 'shows its number only then' },
  },
];
