import type { Guard } from './guard.ts';

const QUOTES_AS_APPROVED = 'test/activities/quotes-as-approved.services.ts';
const WHAT_IS_SENT = 'test/activities/what-is-sent.test.ts';
const PAYMENT_LOOKUPS = 'test/activities/payment-lookups.services.ts';

/** Checks that a payment is the approved one and does not cost more. */
export const APPROVED_GUARDS: readonly Guard[] = [
  {
    id: 'quoted-amount',
    against: 'a payment is created from a quote for another amount',
    without: 'fixed.length > 0 &&',
    test: { file: QUOTES_AS_APPROVED, name: 'a quote for another amount holds the row' },
  },
  {
    id: 'quoted-sell-currency',
    against: 'a payment is created from a quote for another currency',
    without: '',
    test: { file: QUOTES_AS_APPROVED, name: 'a quote for another currency holds the row' },
  },
  {
    id: 'quoted-buy-currency',
    against: 'a payment is created from a quote for another currency to receive',
    without: '',
    test: { file: QUOTES_AS_APPROVED, name: 'a quote for another currency to receive holds the row' },
  },
  {
    id: 'quoted-beneficiary',
    against: 'a payment is created from a quote for another beneficiary',
    without: 'beneficiaryId.length > 0;',
    test: { file: QUOTES_AS_APPROVED, name: 'a quote for another beneficiary holds the row' },
  },
  {
    id: 'documents-where-wanted',
    against: 'a payment is created that the provider holds because documents are missing',
    without: 'const documentsMissing = quote.quoteId === null && instruction.supportingFiles.length === 0;',
    test: { file: QUOTES_AS_APPROVED, name: 'a quote that wants documents holds a row without any' },
  },
  {
    id: 'quote-not-over',
    against: 'a payment is created from a quote that expires before the request arrives',
    without: 'if (quoteId === null || !hasValidQuoteMac(mac, payment, approved)) {',
    test: { file: 'test/activities/sent-once.services.ts', name: 'is not sent with a quote that is about to expire' },
    behind: 'the provider refuses it',
  },
  {
    id: 'late-quote-not-used',
    against: 'a late quote overwrites the one that another worker uses',
    without: 'and (true or not exists (',
    test: {
      file: 'test/store/payment-requests.services.ts',
      name: 'does not replace the quote that another worker uses with its own late quote',
    },
  },
  {
    id: 'created-reference',
    against: 'a payment is funded although the provider shows another referenceId than was approved',
    without: "['referenceId', false],",
    test: { file: WHAT_IS_SENT, name: 'has no MAC, and is never funded, with another referenceId' },
  },
  {
    id: 'created-amount',
    against: 'a payment is funded although the provider shows another sellAmount than was approved',
    without: "[isSold ? 'sellAmount' : 'buyAmount', false],",
    test: { file: WHAT_IS_SENT, name: 'is never funded with another amount than was approved, whatever was quoted' },
  },
  {
    id: 'created-sell-currency',
    against: 'a payment is funded although the provider shows another sellCurrency than was approved',
    without: "['sellCurrency', false],",
    test: { file: WHAT_IS_SENT, name: 'has no MAC, and is never funded, with another sellCurrency' },
  },
  {
    id: 'created-buy-currency',
    against: 'a payment is funded although the provider shows another buyCurrency than was approved',
    without: "['buyCurrency', false],",
    test: { file: WHAT_IS_SENT, name: 'has no MAC, and is never funded, with another buyCurrency' },
  },
  {
    id: 'created-beneficiary',
    against: 'a payment is funded although the provider shows another beneficiaryId than was approved',
    without: "['beneficiaryId', false],",
    test: { file: WHAT_IS_SENT, name: 'has no MAC, and is never funded, with another beneficiaryId' },
  },
  {
    id: 'created-as-quoted',
    against: 'a payment is funded at another price than that of the quote that was used',
    without: 'return false;',
    test: { file: WHAT_IS_SENT, name: 'is never funded at another price than was quoted' },
  },
  {
    id: 'created-as-one-quote',
    against: 'a payment is funded at a price that no quote gave, as its amounts are of different quotes',
    without: 'return AMOUNTS.filter((field) => differing.every((fields) => fields.includes(field)));',
    test: {
      file: WHAT_IS_SENT,
      name: 'is compared with the quotes that it may have been created with, each as a whole',
    },
  },
  {
    id: 'created-by-its-status',
    against: 'a payment is funded although its creation was answered as processing, completed, rejected or failed',
    without: 'instruction !== null',
    test: {
      file: 'test/activities/sent-once.services.ts',
      name: 'that is answered with completed makes the payment paid',
    },
  },
  {
    id: 'found-as-approved',
    against: 'a payment from a lookup is used without being compared with the approved one',
    without: 'instruction === null',
    test: { file: PAYMENT_LOOKUPS, name: 'that shows another amount than was approved makes the payment unknown' },
    behind: 'payment-mac',
  },
  {
    id: 'found-by-its-reference',
    against: 'a payment of another reference is used for the row',
    without: 'const ours = payments.slice(0, 1);',
    test: { file: PAYMENT_LOOKUPS, name: 'that shows our payment among others adopts ours' },
  },
  {
    id: 'one-of-several',
    against: 'a payment is funded although several share its reference',
    without: "const shown = count > 0 ? knownState(found.status, settings.stateOf) : 'unknown';",
    test: { file: PAYMENT_LOOKUPS, name: 'that shows several payments leaves them to people' },
  },
];
