import type { Guard } from './guard.ts';

/** What keeps a payment from being made, or charged, a second time, and from being called what it is not. */

const secondTries = (name: string) => ({ file: 'test/workflows/second-tries.services.ts', name });
const funds = (name: string) => ({ file: 'test/workflows/insufficient-funds.services.ts', name });
const anyWords = (name: string) => ({ file: 'test/workflows/refusals-in-any-words.services.ts', name });
const requests = (name: string) => ({ file: 'test/store/payment-requests.services.ts', name });
const duplicates = (name: string) => ({ file: 'test/store/duplicates.services.ts', name });

export const MONEY_GUARDS: readonly Guard[] = [
  {
    id: 'looks-after-settling',
    against: 'what shows late is taken for absent, and made again',
    file: 'activities/settle-time.ts',
    text: 'if (remainingMs > 0) throw',
    without: 'if (remainingMs > 1e15) throw',
    test: secondTries('a creation that shows late is not made again'),
  },
  {
    id: 'reads-after-settling',
    against: 'a funding that shows late is sent again',
    file: 'activities/read-payment.ts',
    text: 'if (open !== null) waitUntilSettled(open, settings);',
    without: '',
    test: secondTries('a funding that shows late is not charged again'),
  },
  {
    id: 'absent-among-others',
    against: 'absence is believed from an answer that holds the payments of others alone',
    file: 'activities/find-payment.ts',
    text: 'if (lookUp.onlyOthers) {',
    without: 'if (lookUp.onlyOthers && lookUp.payments.length > 1e6) {',
    test: secondTries('a creation is not made again while finds show the payments of others alone'),
  },
  {
    id: 'one-request-at-a-time',
    against: 'two creations or fundings of a payment are under way at once',
    file: 'store/migrations/0013_frozen.sql',
    text: `where exclusive and (outcome is null or outcome = 'took_effect');`,
    without: 'where false;',
    test: requests('begins for one of all that want to send it at the same time'),
    behind: 'an index of requests without an outcome',
  },
  {
    id: 'funded-once-a-read',
    against: 'a payment that waits for money is sent whenever a workflow is told to',
    file: 'store/payment-requests.ts',
    text: "and (state <> 'awaiting_funds' or funds_seen_at >",
    without: 'and (true or funds_seen_at >',
    test: funds('is believed alone: no word from elsewhere has a payment funded'),
  },
  {
    id: 'unfunded-is-not-failed',
    against: 'a payment that could still be funded is called failed, and is submitted again',
    file: 'activities/read-payment.ts',
    text: "const end = isGivenUp ? 'unknown' : null;",
    without: "const end = isGivenUp ? 'failed' : null;",
    test: anyWords('a funding that is refused although there is money is for people to settle'),
  },
  {
    id: 'paid-to-the-account-before',
    against: 'the same amount goes to the same account again under another name',
    file: 'store/duplicates.ts',
    text: 'where other.account_hash = paid.account_hash and',
    without: 'where false and',
    test: duplicates('however the holder is spelt, in another run and in the file itself'),
  },
];
