import { type Guard, MIGRATIONS } from './guard.ts';

const FILE = `${MIGRATIONS}/0041_accounts.sql`;
const PEOPLE = 'test/workflows/virtual-accounts.services.ts';

/** Guards of virtual accounts: a wrong number that is given out sends the money of others astray. */
export const VIRTUAL_ACCOUNT_GUARDS: readonly Guard[] = [
  {
    id: 'account-confirmed-by-another',
    against: 'one person gives a virtual account a number',
    file: FILE,
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
    id: 'number-when-approved',
    against: 'the number of a virtual account is shown that is not approved',
    file: 'store/accounts/virtual-account-views.ts',
    text: "       case when state = 'approved' then account_number end as number,",
    without: '       account_number as number,',
    test: { file: 'test/workflows/virtual-account-reads.services.ts', name: 'shows its number only then' },
  },
];
