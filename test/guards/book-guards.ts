import type { Guard } from './guard.ts';

const BOOK = 'test/store/beneficiary-accounts.services.ts';
const HOLDS = 'test/store/account-holds.services.ts';
const FILLED = 'test/domain/fill-from-book.test.ts';
const TOKEN_HASHES = 'test/store/token-hashes.services.ts';

/** Checks of the book of beneficiaries, and of the rows that it holds and fills. */
export const BOOK_GUARDS: readonly Guard[] = [
  {
    id: 'row-as-the-book-has-it',
    against: 'a row names a known beneficiary and pays another account, which nobody compares',
    without: 'const fitting = inCurrency;',
    test: { file: FILLED, name: 'gives details only as the book has them' },
  },
  {
    id: 'confirmed-account-first',
    against: 'an account that nobody confirmed is paid in place of the one that was',
    without: 'const [chosen, ...others] = fitting;',
    test: { file: FILLED, name: 'is paid to the confirmed account while another one waits' },
  },
  {
    id: 'book-hashes-of-its-details',
    against: 'whoever writes to the database has one account shown and confirmed, and another one released',
    without: 'const isWhole = hashes.hash !== "";',
    test: { file: BOOK, name: 'shows nothing of a line whose hashes are not those' },
  },
  {
    id: 'server-confirms-no-account',
    against: 'a compromised server confirms accounts of the book',
    without: "beneficiary_accounts: 'select, update',",
    test: { file: BOOK, name: 'is not written by the processes themselves' },
  },
  {
    id: 'line-as-added',
    against: 'a confirmed account of the book is changed afterwards',
    without:
      'create or replace trigger lines_stay_as_added before update on beneficiary_accounts for each row when (false) execute function refuse_other_line();',
    test: { file: BOOK, name: 'does not change what a line says' },
  },
  {
    id: 'may-add-to-book',
    against: 'accounts are added to the book without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'add_beneficiary_accounts requires' },
  },
  {
    id: 'may-confirm-account',
    against: 'accounts of the book are confirmed without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'confirm_beneficiary_accounts requires' },
  },
  {
    id: 'may-end-account',
    against: 'accounts of the book are ended without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'end_beneficiary_accounts requires' },
  },
  {
    id: 'book-account-by-two',
    against: 'the table has an account as confirmed by who added it',
    without: 'constraint account_confirmed_by_another check (true),',
    test: { file: BOOK, name: 'is of a checker who did not add the account' },
  },
  {
    id: 'book-account-by-another',
    against: 'one person adds an account of their own and confirms it',
    without: "when false then refused('not_allowed', '')",
    test: { file: BOOK, name: 'is of a checker who did not add the account' },
    behind: 'the constraint account_confirmed_by_another',
  },
  {
    id: 'account-as-seen',
    against: 'another account is confirmed than the one that was seen',
    without: 'when false then',
    test: { file: BOOK, name: 'is of what was seen, once, and of the book of its account' },
  },
  {
    id: 'account-confirmed-once',
    against: 'an account that was rejected is confirmed all the same',
    without: "when false then refused('conflict', '')",
    test: { file: BOOK, name: 'is of what was seen, once, and of the book of its account' },
  },
  {
    id: 'account-of-its-book',
    against: 'who may use one account with the provider confirms in the book of another',
    without: 'left join beneficiary_accounts book on book.beneficiary_account_id = given.id',
    test: { file: BOOK, name: 'is of what was seen, once, and of the book of its account' },
  },
  {
    id: 'account-not-confirmed-by-maker',
    against: 'the maker of a run has confirmed the account that it pays, which an accomplice has added',
    without: ')',
    test: { file: HOLDS, name: 'is held in a run of who confirmed it' },
  },
  {
    id: 'changed-account-is-called',
    against: 'a changed account is confirmed, and nobody called the beneficiary',
    without: 'when false then',
    test: { file: BOOK, name: 'takes a call' },
  },
  {
    id: 'rival-account-is-called',
    against: 'two accounts of one new beneficiary, one of them false, are confirmed in one act, and nobody called',
    without: 'and other.confirmed_by is not null',
    test: { file: BOOK, name: 'takes a call where another one waits beside it, also if both are confirmed together' },
  },
  {
    id: 'factor-to-confirm-account',
    against: 'a token that was found confirms accounts',
    without: 'v_refusal := null;',
    test: {
      file: 'test/store/second-factor-by-default.services.ts',
      name: 'an account of the book is confirmed with one',
    },
  },
  {
    id: 'proposed-account-rejected-by-checker',
    against: 'a maker takes away what another one has proposed, and it is never confirmed',
    without: 'if false and exists (select from beneficiary_accounts',
    test: { file: BOOK, name: 'a proposed account is rejected by a checker or by who added it' },
  },
  {
    id: 'relaxed-policy-releases',
    against: 'rows stay held by a policy that is in force no longer, until somebody submits them again',
    without: '',
    test: { file: HOLDS, name: 'is released once a policy that does not hold it takes effect' },
  },
  {
    id: 'account-of-its-route',
    against: 'a confirmed account number is paid to another holder or by another bank',
    without: "and book.state = 'confirmed'",
    test: { file: HOLDS, name: 'is held if it goes there by another route' },
  },
  {
    id: 'account-once-confirmed',
    against: 'one person adds an account, and it is paid',
    without: 'and book.routing_hash = paid.routing_hash',
    test: { file: HOLDS, name: 'is held by its account too' },
  },
  {
    id: 'accounts-held-while-undecided',
    against: 'whoever reaches Temporal takes rows out of a run that was approved',
    without: 'perform from runs where run_id = p_run for update;',
    test: { file: HOLDS, name: 'of a run that was approved stays as it was approved' },
  },
  {
    id: 'released-once-confirmed',
    against: 'the confirmation of one account releases the rows to another',
    without: 'and true',
    test: { file: HOLDS, name: 'is not released by the confirmation of another account' },
  },
  {
    id: 'released-rows-proposed-again',
    against: 'a proposal stays that lacks the rows that were released',
    without: 'if false then null; end if;',
    test: { file: HOLDS, name: 'is held where the book has the beneficiary, and released in one act' },
  },
  {
    id: 'accounts-confirmed-at-approval',
    against: 'a run pays an account that ended since it was proposed',
    without: 'if false then',
    test: { file: HOLDS, name: 'is held at the approval as well' },
  },
  {
    id: 'released-row-held-again',
    against: 'a released duplicate is paid to an account that nobody confirmed',
    without: 'perform 1;',
    test: { file: HOLDS, name: 'that was a suspected duplicate is held once it is released' },
    behind: 'it is looked at again at the approval',
  },
  {
    id: 'book-kept-until-retention',
    against: 'the book is erased while the policy asks to keep it',
    without: 'where true',
    test: { file: BOOK, name: 'erase lines that ended or were not paid for as long as payees are kept' },
  },
  {
    id: 'used-lines-kept',
    against: 'a confirmed account is erased that is paid regularly, and its rows are held',
    without: '',
    test: { file: BOOK, name: 'erase lines that ended or were not paid for as long as payees are kept' },
  },
  {
    id: 'unknown-accounts-held',
    against:
      "a row is paid to an account that nobody knows, where others wait for a confirmation: it names the provider's id",
    without: "and (v_hold = 'hold'",
    test: { file: 'test/store/accounts-known-later.services.ts', name: 'is held where the account has a book' },
  },
  {
    id: 'held-by-a-confirmed-name',
    against: 'one person alone holds the rows of anybody, by proposing an account under their name',
    without:
      'or exists (select from beneficiary_accounts book where book.account = payments.account and book.name_hash = paid.name_hash)',
    test: { file: HOLDS, name: 'is held by its name only once an account was confirmed under it' },
  },
  {
    id: 'proposed-account-fills-held-rows',
    against: 'one person alone says whom the rows pay that name a beneficiary of the book, where the policy holds none',
    without: 'const fills = true || holds;',
    test: { file: BOOK, name: 'fills rows before it is confirmed, since they are held' },
  },
];
