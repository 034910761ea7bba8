import { type Guard, MIGRATIONS } from './guard.ts';

const FILE = `${MIGRATIONS}/0041_accounts.sql`;
const PEOPLE = 'test/workflows/virtual-accounts.services.ts';

/** Guards of virtual accounts: a wrong number that is given out sends the money of others astray. */
export const VIRTUAL_ACCOUNT_GUARDS: readonly Guard[] = [
  {
    id: 'account-confirmed-by-another',
    against: 'one person gives a virtual account a number',
    file: `${MIGRATIONS}/0054_sign-in-under-attack.sql`,
    text: "  if v.proposed_by = me.user_id then\n    perform note(me.user_id::text, 'virtual_account_refused'",
    without: "  if false then\n    perform note(me.user_id::text, 'virtual_account_refused'",
    test: { file: PEOPLE, name: 'approved by two people and by no notification' },
    behind: 'the constraint confirmed_by_another',
  },
  {
    id: 'account-asked-for-once',
    against: 'a virtual account is asked for again although the first request may have reached the provider',
    file: FILE,
    text: "create unique index one_creation on virtual_account_requests (virtual_account_id) where outcome is distinct from 'had_no_effect';",
    without: '',
    test: { file: 'test/store/virtual-accounts.services.ts', name: 'no second request is begun' },
  },
  {
    id: 'number-of-the-approval',
    against: 'a number that the provider showed before it approved the account is shown as that of the approved one',
    file: 'store/accounts/virtual-accounts.ts',
    text: '       account_number = case when virtual_accounts.state in (${sqlList(OPEN_VIRTUAL_ACCOUNT_STATES)}) then $5\n         when',
    without: '       account_number = case when',
    test: { file: 'test/store/virtual-accounts.services.ts', name: 'is that of the approval' },
  },
  {
    id: 'number-of-a-late-answer',
    against: 'the number of an answer that comes late is shown as that of the approved account',
    file: 'store/accounts/virtual-accounts.ts',
    text: 'case when state in (${sqlList(UNANSWERED_VIRTUAL_ACCOUNT_STATES)}) then $9 else account_number end',
    without: 'coalesce(account_number, $9)',
    test: { file: 'test/store/virtual-accounts.services.ts', name: 'is not that of an answer that comes after a read' },
  },
  {
    id: 'number-when-approved',
    against: 'the number of a virtual account is shown that is not approved',
    file: 'store/accounts/virtual-account-views.ts',
    text: "       case when state = 'approved' then account_number end as number,",
    without: '       account_number as number,',
    test: { file: 'test/workflows/virtual-account-reads.services.ts', name: 'shows its number only then' },
  },
];
