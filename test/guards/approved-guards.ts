import type { Guard } from './guard.ts';

/** Checks that a payment is the approved one and does not cost more. */

const QUOTE = 'activities/payments/quote-mismatch.ts';
const CREATED = 'activities/payments/created-payment.ts';

const quotes = (name: string) => ({ file: 'test/activities/quotes-as-approved.services.ts', name });
const facts = (name: string) => ({ file: 'test/activities/what-is-sent.test.ts', name });
const requests = (name: string) => ({ file: 'test/store/payment-requests.services.ts', name });
const sent = (name: string) => ({ file: 'test/activities/sent-once.services.ts', name });
const lookedUp = (name: string) => ({ file: 'test/activities/looked-up.services.ts', name });

export const APPROVED_GUARDS: readonly Guard[] = [
  ...(
    [
      ['amount', 'amount', 'new Big(fixed).eq(instruction.amount) &&', 'fixed.length > 0 &&'],
      ['sell-currency', 'currency', 'quote.sellCurrency === instruction.sellCurrency &&', ''],
      ['buy-currency', 'currency to receive', 'quote.buyCurrency === instruction.buyCurrency &&', ''],
      ['beneficiary', 'beneficiary', 'quote.beneficiaryId === beneficiaryId;', 'beneficiaryId.length > 0;'],
    ] as const
  ).map(
    ([id, what, text, without]): Guard => ({
      id: `quoted-${id}`,
      against: `a payment is created from a quote for another ${what}`,
      file: QUOTE,
      text,
      without,
      test: quotes(`a quote for another ${what} holds the row`),
    }),
  ),
  {
    id: 'documents-where-wanted',
    against: 'a payment is created that the provider holds because documents are missing',
    file: QUOTE,
    text: 'const documentsMissing = quote.supportingDocumentsRequired === true &&',
    without: 'const documentsMissing = quote.quoteId === null &&',
    test: quotes('a quote that wants documents holds a row without any'),
  },
  {
    id: 'quote-not-over',
    against: 'a payment is created from a quote that expires before the request arrives',
    file: 'activities/payments/create-payment.ts',
    text: 'if (quoteId === null || quoteIsExpired(payment, now()) ||',
    without: 'if (quoteId === null ||',
    test: sent('is not sent with a quote that is about to expire'),
    behind: 'the provider refuses it',
  },
  {
    id: 'late-quote-not-used',
    against: 'a late quote overwrites the one that another worker uses',
    file: 'store/payments/payment-requests.ts',
    text: 'and (answered.exclusive or not exists (',
    without: 'and (true or not exists (',
    test: requests('does not replace the quote that another worker uses with its own late quote'),
  },
  ...(
    [
      [
        'reference',
        'referenceId',
        'expected.referenceId !== null && shown.referenceId !== expected.referenceId',
        'referenceId',
      ],
      ['amount', 'sellAmount', 'amount !== null && !new Big(amount).eq(instruction.amount)', 'sellAmount'],
      [
        'sell-currency',
        'sellCurrency',
        'shown.sellCurrency !== null && shown.sellCurrency !== instruction.sellCurrency',
        'sellCurrency',
      ],
      [
        'buy-currency',
        'buyCurrency',
        'shown.buyCurrency !== null && shown.buyCurrency !== instruction.buyCurrency',
        'buyCurrency',
      ],
      [
        'beneficiary',
        'beneficiaryId',
        'isOther(shown.beneficiary?.beneficiaryId, expected.beneficiaryId)',
        'beneficiaryId',
      ],
      ['fees', 'totalAmount', 'costsTooMuch(shown, expected.maxFeePercent)', 'totalAmount'],
    ] as const
  ).map(
    ([id, field, text]): Guard => ({
      id: `created-${id}`,
      against: `a payment is funded although the provider shows another ${field} than was approved`,
      file: CREATED,
      text,
      without: 'false',
      test: facts(`is not sealed, and never funded, with another ${field}`),
    }),
  ),
  {
    id: 'found-as-approved',
    against: 'a payment from a look-up is used without being compared with the approved one',
    file: 'activities/payments/resolve-payment-creation.ts',
    text: "shown === 'created' && instruction !== null",
    without: 'instruction === null',
    test: lookedUp('that shows another amount than was approved makes the payment unknown'),
    behind: 'payment-sealed',
  },
  {
    id: 'found-by-its-reference',
    against: 'a payment of another reference is used for the row',
    file: 'activities/payments/resolve-payment-creation.ts',
    text: 'payments.filter((candidate) => candidate.referenceId === referenceId);',
    without: 'payments.slice(0, 1);',
    test: lookedUp('that shows our payment among others adopts ours'),
  },
  {
    id: 'one-of-several',
    against: 'a payment is funded although several share its reference',
    file: 'activities/payments/resolve-payment-creation.ts',
    text: 'const shown = count === 1 ?',
    without: 'const shown = count > 0 ?',
    test: lookedUp('that shows several payments leaves them to people'),
  },
];
