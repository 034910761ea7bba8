import type { Guard } from './guard.ts';

/** What keeps a payment from being made, or charged, a second time, and from being called what it is not. */

const secondTries = (name: string) => ({ file: 'test/workflows/second-tries.services.ts', name });
const funds = (name: string) => ({ file: 'test/workflows/insufficient-funds.services.ts', name });
const anyWords = (name: string) => ({ file: 'test/workflows/refusals-in-any-words.services.ts', name });
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
