import type { Guard } from './guard.ts';

const FOLDERS = {
  'create-beneficiary': 'beneficiaries',
  'request-quote': 'payments',
  'create-payment': 'payments',
  'fund-payment': 'payments',
  'payment-file': 'payment-file',
  'request-upload-url': 'payment-file',
  'upload-file': 'payment-file',
} as const;

/** What a worker compares before anything leaves: the content, the seals, the stops. */

const SEALED = 'activities/payments/sealed-facts.ts';

const steps = (name: string) => ({ file: 'test/activities/only-what-was-approved.services.ts', name });
const facts = (name: string) => ({ file: 'test/activities/what-is-sent.test.ts', name });
const asShown = (name: string) => ({ file: 'test/activities/quotes-as-shown.services.ts', name });
const quotes = (name: string) => ({ file: 'test/activities/quotes-as-approved.services.ts', name });

const CONTENT: readonly Guard[] = [
  {
    id: 'row-compared',
    against: 'a row is sent that says something else than was approved',
    file: 'activities/approvals/approved-row.ts',
    text: 'const rowFits = rowHashOf(instruction) === approved.rowHash;',
    without: 'const rowFits = true;',
    test: facts('is no row with another amount'),
  },
  {
    id: 'beneficiary-compared',
    against: 'a row is sent for another beneficiary than was approved',
    file: 'activities/approvals/approved-row.ts',
    text: 'beneficiaryHashOf(instruction) === approved.beneficiaryHash;',
    without: 'true;',
    test: facts('is no row for another beneficiary'),
    behind: 'the hash of the row covers the beneficiary',
  },
  {
    id: 'account-compared',
    against: 'a row is sent to an account that the policy took for another one',
    file: 'activities/approvals/approved-row.ts',
    text: 'beneficiaryFits && isAsJudged(instruction, payment) ?',
    without: 'beneficiaryFits ?',
    test: facts('is no row whose account is not the one that the policy judged'),
  },
  ...(
    [
      ['create-beneficiary', 'a beneficiary', 'const instruction = approvedInstruction(payment, approved);'],
      ['request-quote', 'the request for a quote', 'const instruction = approvedInstruction(payment, begun.approved);'],
      ['create-payment', 'a creation', 'const instruction = approvedInstruction(payment, begun.approved);'],
      ['payment-file', 'a file', 'const instruction = approvedInstruction(payment, approved);'],
    ] as const
  ).map(
    ([activity, what, text]): Guard => ({
      id: `${activity}-as-approved`,
      against: `${what} leaves for a row that was changed`,
      file: `activities/${FOLDERS[activity]}/${activity}.ts`,
      text,
      without: 'const instruction = payment.instruction;',
      test: steps(`${what} is not sent for a row that says something else`),
    }),
  ),
  {
    id: 'fund-payment-as-approved',
    against: 'a funding leaves for a row that was changed',
    file: 'activities/payments/fund-payment.ts',
    text: 'if (approvedInstruction(payment, begun.approved) === null) {',
    without: 'if (payment.instruction === null) {',
    test: steps('a funding is not sent for a row that says something else'),
  },
  {
    id: 'bytes-as-approved',
    against: 'other bytes are uploaded than were approved',
    file: 'activities/payment-file/upload-file.ts',
    text: 'if (contentSha256(bytes) !== sha256) {',
    without: 'if (bytes.length === 0) {',
    test: steps('a file leaves with the bytes that were approved'),
  },
  {
    id: 'quote-as-approved',
    against: 'a quote is used that is for something else than was asked for',
    file: 'activities/payments/request-quote.ts',
    text: '  if (!isAsked)\n',
    without: '  if (quote === null)\n',
    test: quotes('a quote for another beneficiary holds the row'),
  },
  {
    id: 'fees-limited',
    against: 'a quote is used whose fees are beyond the limit',
    file: 'activities/payments/request-quote.ts',
    text: 'if (feesAreBeyond(maxFeePercent, quote)) {',
    without: 'if (feesAreBeyond(1e9, quote)) {',
    test: quotes('a quote with fees beyond the limit holds the row'),
  },
  {
    id: 'created-as-approved',
    against: 'a payment is funded that is another one than was approved',
    file: SEALED,
    text: 'if (differing.length > 0) {',
    without: 'if (differing.length > 9) {',
    test: facts('is not sealed, and never funded, with another beneficiaryId'),
  },
];

const SEALS: readonly Guard[] = [
  {
    id: 'beneficiary-sealed',
    against: 'a quote is asked for to a beneficiary that somebody put into the record',
    file: 'activities/payments/request-quote.ts',
    text: 'return known !== null && isSealed(known) ? known.beneficiaryId : null;',
    without: 'return known !== null ? known.beneficiaryId : null;',
    test: steps('a beneficiary is not quoted for'),
  },
  {
    id: 'known-beneficiary-sealed',
    against: 'a beneficiary that somebody put into the record is taken for known',
    file: 'activities/beneficiaries/create-beneficiary.ts',
    text: 'if (isSealedBeneficiary(seal(account), instruction, claim)) return { ended: null };',
    without: 'if (claim.beneficiaryId !== null) return { ended: null };',
    test: steps('a beneficiary is not taken for known'),
    behind: 'beneficiary-sealed',
  },
  {
    id: 'quote-sealed',
    against: 'a payment is created from a quote that somebody put into the record',
    file: 'activities/payments/create-payment.ts',
    text: ' || !isSealedQuote(records, payment, begun.approved)) {',
    without: ') {',
    test: steps('a quote is not created from'),
  },
  {
    id: 'payment-sealed',
    against: 'another payment at the provider is funded',
    file: 'activities/payments/fund-payment.ts',
    text: ' || !isSealedPayment(seal(payment.account), payment)) {',
    without: ') {',
    test: steps('a payment at the provider is not funded'),
  },
  {
    id: 'file-sealed',
    against: 'another uploaded file goes with a payment',
    file: 'activities/payments/create-request.ts',
    text: 'upload?.isUploaded === true && isSealedUpload(seal, paymentId, upload, approved) ? upload.fileId : null;',
    without: 'upload?.isUploaded === true ? upload.fileId : null;',
    test: steps('an uploaded file does not go with a payment'),
  },
  {
    id: 'seal-of-beneficiary',
    against: 'the seal of a beneficiary is used for another one',
    file: 'activities/beneficiaries/sealed-beneficiary.ts',
    text: `return seal.holds(known.seal, 'beneficiary', beneficiaryHashOf(instruction), known.beneficiaryId);`,
    without: 'return known.seal !== null;',
    test: facts('of a beneficiary is of no other details'),
  },
  {
    id: 'shown-beneficiary-sealed',
    against: 'those who decide are shown another account than that of the beneficiary that a row names by its id',
    file: 'activities/payments/request-quote.ts',
    text: 'if (isAsShown !== true) {',
    without: 'if (isAsShown instanceof ProviderFailure) {',
    test: asShown('a beneficiary that the record shows as another one is not quoted for'),
  },
  {
    id: 'seal-of-shown-beneficiary',
    against: 'the seal of what was shown of one beneficiary is used for another one',
    file: 'activities/beneficiaries/sealed-beneficiary.ts',
    text: `return seal.holds(shown.seal, 'shown_beneficiary', ...facts);`,
    without: 'return facts.length > 0 && shown.seal !== null;',
    test: asShown('the seal of one beneficiary does not serve for another'),
  },
  {
    id: 'shown-still',
    against: 'what somebody put into the record of a beneficiary is sealed without being compared',
    file: 'activities/beneficiaries/shown-beneficiary.ts',
    text: 'if (!isSameIdentity(knownIdentityHashesOf(shown.known), there)) return false;',
    without: '',
    test: asShown('a beneficiary whose details alone the record shows otherwise is not quoted for'),
  },
  {
    id: 'shown-hashes-still',
    against: 'a beneficiary is taken for an account that was paid before',
    file: 'activities/beneficiaries/shown-beneficiary.ts',
    text: 'if (!isSameIdentity(shown, there)) return false;',
    without: '',
    test: asShown('a beneficiary that the record takes for another account is not quoted for'),
  },
  {
    id: 'seal-of-quote',
    against: 'the seal of a quote is used for another row',
    file: SEALED,
    text: `return seal.holds(quoteSeal, 'quote', paymentId, attempt, approved.rowHash, quoteId, beneficiaryId);`,
    without: 'return quoteSeal !== null;',
    test: facts('of a quote is of no other'),
  },
  {
    id: 'seal-of-payment',
    against: 'the seal of a payment is used for another one',
    file: SEALED,
    text: `return seal.holds(paymentSeal, 'payment', paymentId, attempt, providerPaymentId);`,
    without: 'return paymentSeal !== null;',
    test: facts('of a payment is of no other'),
  },
  {
    id: 'seal-by-secret',
    against: 'somebody makes seals without the provider’s secret',
    file: 'provider/record-seal.ts',
    text: `hkdfSync('sha256', secretAccessKey, account,`,
    without: `hkdfSync('sha256', 'no secret', account,`,
    test: facts('by no other secret'),
  },
];

const LEAVING: readonly Guard[] = [
  ...(
    [
      ['create-beneficiary', 'a beneficiary', '      unlessStopped(database, payment),\n'],
      ['request-upload-url', 'the request for an upload’s address', '      unlessStopped(database, payment),\n'],
      ['upload-file', 'a file', '      unlessStopped(database, payment),\n'],
      ['request-quote', 'the request for a quote', '      unlessStopped(database, payment),\n'],
    ] as const
  ).map(
    ([activity, what, text]): Guard => ({
      id: `${activity}-unless-stopped`,
      against: `${what} leaves though a stop came while it waited`,
      file: `activities/${FOLDERS[activity]}/${activity}.ts`,
      text,
      without: '',
      test: steps(`${what} is not sent when a stop comes while it waits to leave`),
    }),
  ),
  ...(
    [
      ['create-payment', 'a creation'],
      ['fund-payment', 'a funding'],
    ] as const
  ).map(
    ([activity, what]): Guard => ({
      id: `${activity}-unless-stopped`,
      against: `${what} leaves though a stop came while it waited`,
      file: `activities/${FOLDERS[activity]}/${activity}.ts`,
      text: 'callNonIdempotent(begunAtMs, unlessStopped(database, payment), (',
      without: 'callNonIdempotent(begunAtMs, () => Promise.resolve(), (',
      test: steps(`${what} is not sent when a stop comes while it waits to leave`),
    }),
  ),
  {
    id: 'asked-before-leaving',
    against: 'the provider’s client sends what its caller would have kept back',
    file: 'provider/calls/api-caller.ts',
    text: 'await callOptions.beforeSend();',
    without: '',
    test: steps('a funding is not sent when a stop comes while it waits to leave'),
  },
];

export const SENDING_GUARDS: readonly Guard[] = [...CONTENT, ...SEALS, ...LEAVING];
