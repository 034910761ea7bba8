import type { Guard } from './guard.ts';

const TOKEN_HASHES = 'test/store/token-hashes.services.ts';
const BREAKS = 'test/store/breaks.services.ts';
const MISSING_THAT_CAME = 'test/store/missing-that-came.services.ts';
const DAYS_NOT_OVER = 'test/store/days-not-over.services.ts';
const RECONCILED_AGAIN = 'test/store/reconciled-again.services.ts';

/** Guards of the books: nobody closes a break or a day alone, and what is closed stays. */
export const RECONCILIATION_GUARDS: readonly Guard[] = [
  {
    id: 'late-debit-is-explained',
    against:
      'the late debit of a payment that was called unfunded is that of nobody, and people write it off or pay again',
    without: 'untilMs: payment.fundedUntilMs + delays.debitMs,',
    test: {
      file: 'test/reconciliation/reconcile.test.ts',
      name: 'a debit of a payment (known to be funded: false) comes 3',
    },
  },
  {
    id: 'may-sign-book-day',
    against: 'sign_book_day is called without the permission',
    without: '',
    test: { file: TOKEN_HASHES, name: 'sign_book_day requires' },
  },
  {
    id: 'may-sign-opening',
    against: 'sign_opening is called without the permission',
    without: '',
    test: { file: TOKEN_HASHES, name: 'sign_opening requires' },
  },
  {
    id: 'may-assign-break',
    against: 'assign_break is called without the permission',
    without: '',
    test: { file: TOKEN_HASHES, name: 'assign_break requires' },
  },
  {
    id: 'may-explain-break',
    against: 'explain_break is called without the permission',
    without: '',
    test: { file: TOKEN_HASHES, name: 'explain_break requires' },
  },
  {
    id: 'may-close-break',
    against: 'close_break is called without the permission',
    without: '',
    test: { file: TOKEN_HASHES, name: 'close_break requires' },
  },
  {
    id: 'may-reopen-break',
    against: 'reopen_break is called without the permission',
    without: '',
    test: { file: TOKEN_HASHES, name: 'reopen_break requires' },
  },
  {
    id: 'break-closed-by-another',
    against: 'who explains a break closes it as well',
    without: 'if false then',
    test: { file: BREAKS, name: 'is closed by two people: who explained it cannot' },
    behind: 'the table refuses it',
  },
  {
    id: 'explanation-as-seen',
    against: 'a break is closed with an explanation that its second person has not seen',
    without: 'if false then',
    test: { file: BREAKS, name: 'is closed only with the explanation that was seen' },
  },
  {
    id: 'break-of-own-account',
    against: 'a user works on a break of an account that they may not use',
    without: 'if not found then',
    test: { file: BREAKS, name: 'of an account that a user may not use does not exist for them' },
  },
  {
    id: 'books-as-seen',
    against: 'books are signed that the signer has not seen',
    without: 'if false then',
    test: { file: BREAKS, name: 'is signed in its order, once, and as it was seen' },
  },
  {
    id: 'books-in-order',
    against: 'a day is signed while the balance that it begins with is not',
    without: 'if false then',
    test: { file: BREAKS, name: 'is signed in its order, once, and as it was seen' },
  },
  {
    id: 'day-over-when-stored',
    against: 'the books of a day are made before it is over, by a worker whose clock is ahead',
    without: 'if false then',
    test: { file: DAYS_NOT_OVER, name: 'a day that is not over gets no books' },
  },
  {
    id: 'day-over-when-signed',
    against: 'a day is signed and closed whose books were made before it was over',
    without: 'if false then',
    test: { file: DAYS_NOT_OVER, name: 'books that were made before their day was over are not signed' },
  },
  {
    id: 'opening-proved',
    against: 'books begin with a balance that nothing proves',
    without: 'if false then',
    test: { file: BREAKS, name: 'a history that does not begin with zero needs a signed balance that equals it' },
  },
  {
    id: 'closed-without-breaks',
    against: 'a day closes although a break of it is open',
    without: "exit when v.state <> 'signed' or is_outdated(p_account, v.day);",
    test: { file: BREAKS, name: 'closes when it is signed, all days before it are, and its breaks are closed' },
  },
  {
    id: 'missing-is-contradicted',
    against: 'money that two people called missing leaves the balance later, and they never hear of it',
    without: '',
    test: { file: MISSING_THAT_CAME, name: 'opens its break and its day again when it comes later' },
  },
  {
    id: 'contradicted-within-60-days',
    against: 'an entry that has nothing but an amount in common with what was missing years ago opens that day again',
    without: ') as missing',
    test: {
      file: MISSING_THAT_CAME,
      name: 'does not open its day again when an equal amount comes after more than 60 days',
    },
  },
  {
    id: 'closed-once-stays-booked',
    against: 'the books of a closed day are replaced while it is open again',
    without: '',
    test: { file: MISSING_THAT_CAME, name: 'keeps the books of its day, and none of the later days open' },
    behind: 'closed-books-kept',
  },
  {
    id: 'day-opened-by-what-came-later',
    against: 'a closed day is opened again without what came later',
    without: "if new.state = 'signed' then\n      return new;",
    test: { file: MISSING_THAT_CAME, name: 'is no reason for anybody else to open a closed day' },
  },
  {
    id: 'closed-books-kept',
    against: 'the books of a closed day are changed or removed',
    without: 'if false then',
    test: { file: 'test/activities/books.services.ts', name: 'can be replayed from the history alone' },
  },
  {
    id: 'break-on-its-first-day',
    against: 'a difference that is found on an earlier day is taken off the later one, and of no day any more',
    without: "where known.state = 'gone'",
    test: { file: RECONCILED_AGAIN, name: 'stays a break, of the earlier day, which it keeps open' },
  },
  {
    id: 'outdated-days-first',
    against: 'entries of days that were left when earlier ones were done again are counted to a new day',
    without: 'const next = last === null ? first : addDays(last, 1);',
    test: {
      file: RECONCILED_AGAIN,
      name: 'are gone on with at the first that is left, before any new day, and there is no false break',
    },
  },
  {
    id: 'carried-from-the-day-before',
    against: 'a day is stored that begins with what the day before does not leave open',
    without: "where reconciled_at is null or now() > (p_book ->> 'carriedFrom')::timestamptz)) then",
    test: { file: RECONCILED_AGAIN, name: 'while this one is computed makes it wait' },
  },
  {
    id: 'day-before-up-to-date',
    against: 'a day takes the entries of the one before, which is to be done again',
    without: "if p_book ->> 'carriedFrom' is not null and (not exists (select from book_days",
    test: { file: RECONCILED_AGAIN, name: 'and the one between, while this one is computed, makes it wait as well' },
  },
];
