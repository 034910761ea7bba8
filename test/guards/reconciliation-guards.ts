import { type Guard, MIGRATIONS } from './guard.ts';

const FILE = `${MIGRATIONS}/0039_reconciliation.sql`;
const SIGN_FILE = `${MIGRATIONS}/0064_opening-before-the-day.sql`;
const PROOFS = 'test/store/proofs.services.ts';
const BREAKS = 'test/store/breaks.services.ts';
const BOOKS = 'test/activities/books.services.ts';
const AGAIN = 'test/store/reconciled-again.services.ts';
const NOT_OVER = 'test/store/days-not-over.services.ts';
/** The latest text of `store_book_day`. */
const DAYS_FILE = `${MIGRATIONS}/0063_money-counted-once.sql`;

const permission = (name: string, text: string, file = FILE): Guard => ({
  id: `may-${name.replaceAll('_', '-')}`,
  against: `${name} is called without the permission`,
  file,
  text,
  without: '',
  test: { file: PROOFS, name: `${name} requires` },
});

const onBooks = (name: string, file: string): Guard =>
  permission(name, `v_refusal := objection_to(me.user_id, me.token_id, 'decide_run', null, '${name}');`, file);

const onBreaks = (name: string, needed: 'propose_resolution' | 'decide_run'): Guard =>
  permission(name, `v_refusal := break_objection_to(me.user_id, me.token_id, '${needed}', p_break, '${name}');`);

/** Guards of the books: nobody closes a break or a day alone, and what is closed stays. */
export const RECONCILIATION_GUARDS: readonly Guard[] = [
  onBooks('sign_book_day', SIGN_FILE),
  onBooks('sign_opening', FILE),
  onBreaks('assign_break', 'propose_resolution'),
  onBreaks('explain_break', 'propose_resolution'),
  onBreaks('close_break', 'decide_run'),
  onBreaks('reopen_break', 'propose_resolution'),
  {
    id: 'break-closed-by-another',
    against: 'who explains a break closes it as well',
    file: FILE,
    text: '  if v.explained_by = me.user_id then',
    without: '  if false then',
    test: { file: BREAKS, name: 'is closed by two people: who explained it cannot' },
    behind: 'the table refuses it',
  },
  {
    id: 'explanation-as-seen',
    against: 'a break is closed with an explanation that its second person has not seen',
    file: FILE,
    text: '  if v.remark_id is distinct from p_remark then',
    without: '  if false then',
    test: { file: BREAKS, name: 'is closed only with the explanation that was seen' },
  },
  {
    id: 'break-of-own-account',
    against: 'a user works on a break of an account that they may not use',
    file: FILE,
    text: '  if not found or account_objection_to(p_user, p_token, v_account, p_what) is not null then',
    without: '  if not found then',
    test: { file: BREAKS, name: 'of an account that a user may not use does not exist for them' },
  },
  {
    id: 'books-as-seen',
    against: 'books are signed that the signer has not seen',
    file: SIGN_FILE,
    text: '  if v.content_hash is distinct from p_content_hash then',
    without: '  if false then',
    test: { file: BREAKS, name: 'is signed in its order, once, and as it was seen' },
  },
  {
    id: 'books-in-order',
    against: 'a day is signed while the balance that it begins with is not',
    file: SIGN_FILE,
    text: "  if exists (select from book_days where account = p_account and day < p_day and state = 'matched') then",
    without: '  if false then',
    test: { file: BREAKS, name: 'is signed in its order, once, and as it was seen' },
  },
  {
    id: 'day-over-when-stored',
    against: 'the books of a day are made before it is over, by a worker whose clock is ahead',
    file: DAYS_FILE,
    text: '  if book_day_seen_at(p_day) > clock_timestamp() then',
    without: '  if false then',
    test: { file: NOT_OVER, name: 'a day that is not over gets no books' },
  },
  {
    id: 'day-over-when-signed',
    against: 'a day is signed and closed whose books were made before it was over',
    file: SIGN_FILE,
    text: '  if least(clock_timestamp(), v.reconciled_at) < book_day_seen_at(p_day) then',
    without: '  if false then',
    test: { file: NOT_OVER, name: 'books that were made before their day was over are not signed' },
  },
  {
    id: 'opening-proved',
    against: 'books begin with a balance that nothing proves',
    file: SIGN_FILE,
    text: '  if v_unproved is not null then',
    without: '  if false then',
    test: { file: BREAKS, name: 'a history that does not begin with zero needs a figure that equals it' },
  },
  {
    id: 'closed-without-breaks',
    against: 'a day closes although a break of it is open',
    file: FILE,
    text: "      where account = p_account and day = v.day and state in ('open', 'explained'));",
    without: '      where false);',
    test: { file: BREAKS, name: 'closes when it is signed, all days before it are, and its breaks are closed' },
  },
  {
    id: 'closed-books-kept',
    against: 'the books of a closed day are changed or removed',
    file: FILE,
    text: "  if exists (select from book_days where state = 'closed' and (account, day) = (old.account, old.day)) then",
    without: '  if false then',
    test: { file: BOOKS, name: 'can be replayed from the history alone' },
  },
  {
    id: 'break-on-its-first-day',
    against: 'a difference that is found on an earlier day is taken off the later one, and of no day any more',
    file: DAYS_FILE,
    text: "or (known.state in ('open', 'explained') and excluded.day < known.day)",
    without: '',
    test: { file: AGAIN, name: 'stays a break, of the earlier day, which it keeps open' },
  },
  {
    id: 'outdated-days-first',
    against: 'entries of days that were left when earlier ones were done again are counted to a new day',
    file: 'domain/reconciliation/days-to-reconcile.ts',
    text: 'const next = outdated ?? (last === null ? first : addDays(last, 1));',
    without: 'const next = last === null ? first : addDays(last, 1);',
    test: {
      file: AGAIN,
      name: 'are gone on with at the first that is left, before any new day, and there is no false break',
    },
  },
  {
    id: 'carried-from-the-day-before',
    against: 'a day is stored that begins with what the day before does not leave open',
    file: DAYS_FILE,
    text: 'where account = p_account and day = p_day - 1 and reconciled_at =',
    without: 'where reconciled_at is null or now() >',
    test: { file: AGAIN, name: 'while this one is computed makes it wait' },
  },
  {
    id: 'day-before-up-to-date',
    against: 'a day takes the entries of the one before, which is to be done again',
    file: DAYS_FILE,
    text: '(is_outdated(p_account, p_day - 1) or not exists',
    without: '(not exists',
    test: { file: AGAIN, name: 'and the one between, while this one is computed, makes it wait as well' },
  },
];
