import type { Guard } from './guard.ts';

/** What keeps a payment from being another one than was approved, or from costing more. */

const QUOTE = 'activities/payments/request-quote.ts';
const SEALED = 'activities/payments/sealed-facts.ts';

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
    against: 'a payment is created that the provider stops for want of documents',
    file: QUOTE,
    text: 'const documentsMissing = quote.supportingDocumentsRequired === true &&',
    without: 'const documentsMissing = quote.quoteId === null &&',
    test: quotes('a quote that wants documents holds a row without any'),
  },
  {
    id: 'quote-not-over',
    against: 'a payment is created upon a quote that is over when the request arrives',
    file: 'activities/payments/create-payment.ts',
    text: 'if (quoteId === null || quoteIsOver(payment, now()) ||',
    without: 'if (quoteId === null ||',
    test: sent('is not sent upon a quote that is nearly over'),
    behind: 'the provider refuses it',
  },
  {
    id: 'late-quote-not-used',
    against: 'a late quote is put in the place of the one that another worker goes on with',
    file: 'store/payments/payment-requests.ts',
    text: 'and (answered.exclusive or not exists (',
    without: 'and (true or not exists (',
    test: requests('does not put its late quote in the place of the one that another goes on with'),
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
      against: `a payment is funded that the provider shows with another ${field} than was approved`,
      file: SEALED,
      text,
      without: 'false',
      test: facts(`is not sealed, and never funded, with another ${field}`),
    }),
  ),
  {
    id: 'found-as-approved',
    against: 'a payment that was found is taken for the approved one without being compared',
    file: 'activities/payments/find-payment.ts',
    text: "known === 'created' && instruction !== null",
    without: 'instruction === null',
    test: lookedUp('that shows another amount than was approved has it never funded'),
    behind: 'payment-sealed',
  },
  {
    id: 'found-by-its-reference',
    against: 'the payment of somebody else is taken for the row’s',
    file: 'activities/payments/find-payment.ts',
    text: 'payments.filter((candidate) => candidate.referenceId === referenceId);',
    without: 'payments.slice(0, 1);',
    test: lookedUp('that shows it has it adopted, and none of the others that it shows'),
  },
  {
    id: 'one-of-several',
    against: 'one of several payments under a reference is funded',
    file: 'activities/payments/find-payment.ts',
    text: 'const known = ours.length === 1 ?',
    without: 'const known = ours.length > 0 ?',
    test: lookedUp('that shows several leaves them to people'),
  },
];
