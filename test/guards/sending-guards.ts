import type { Guard } from './guard.ts';

const FILES = {
  'create-beneficiary': 'beneficiaries/create-beneficiary',
  'request-quote': 'payments/request-quote',
  'create-payment': 'payments/create-payment',
  'fund-payment': 'payments/fund-payment',
  'payment-file': 'payment-file/approved-file',
  'request-upload-url': 'payment-file/request-upload-url',
  'upload-file': 'payment-file/upload-file',
} as const;

/** Checks by the worker before each request: content, seals and stops. */

const SEALS_FILE = 'activities/payments/payment-seals.ts';
const CREATED = 'activities/payments/created-payment.ts';
const QUOTE = 'activities/payments/quote-mismatch.ts';

const steps = (name: string) => ({ file: 'test/activities/only-what-was-approved.services.ts', name });
const facts = (name: string) => ({ file: 'test/activities/what-is-sent.test.ts', name });
const asShown = (name: string) => ({ file: 'test/activities/quotes-as-shown.services.ts', name });
const quotes = (name: string) => ({ file: 'test/activities/quotes-as-approved.services.ts', name });

const CONTENT: readonly Guard[] = [
  {
    id: 'row-compared',
    against: 'a row is sent with other content than was approved',
    file: 'activities/approvals/approved-row.ts',
    text: 'const isRowApproved = rowHashOf(instruction) === approved.rowHash;',
    without: 'const isRowApproved = true;',
    test: facts('is null if the row has another amount'),
  },
  {
    id: 'beneficiary-compared',
    against: 'a row is sent for another beneficiary than was approved',
    file: 'activities/approvals/approved-row.ts',
    text: 'const isBeneficiaryApproved = beneficiaryHashOf(instruction) === approved.beneficiaryHash;',
    without: 'const isBeneficiaryApproved = true;',
    test: facts('is null if the approval is for another beneficiary'),
    behind: 'the hash of the row covers the beneficiary',
  },
  {
    id: 'account-compared',
    against: 'a row is sent to an account that the policy did not check',
    file: 'activities/approvals/approved-row.ts',
    text: 'isBeneficiaryApproved && hasJudgedIdentity(instruction, payment) ?',
    without: 'isBeneficiaryApproved ?',
    test: facts('is null if the account hash is not the one that the policy judged'),
  },
  ...(
    [
      ['create-beneficiary', 'a beneficiary', 'const instruction = approvedInstruction(payment, approved);'],
      [
        'request-quote',
        'the request for a quote',
        'const instruction = approvedInstruction(payment, intent.approved);',
      ],
      ['create-payment', 'a creation', 'const instruction = approvedInstruction(payment, approved);'],
      ['payment-file', 'a file', 'const instruction = approvedInstruction(payment, approved);'],
    ] as const
  ).map(
    ([activity, what, text]): Guard => ({
      id: `${activity}-as-approved`,
      against: `${what} is sent for a row that was changed`,
      file: `activities/${FILES[activity]}.ts`,
      text,
      without: 'const instruction = payment.instruction;',
      test: steps(`${what} is not sent for a row whose content is not what was approved`),
    }),
  ),
  {
    id: 'fund-payment-as-approved',
    against: 'a funding is sent for a row that was changed',
    file: 'activities/payments/fund-payment.ts',
    text: 'if (approvedInstruction(payment, intent.approved) === null) {',
    without: 'if (payment.instruction === null) {',
    test: steps('a funding is not sent for a row whose content is not what was approved'),
  },
  {
    id: 'bytes-as-approved',
    against: 'a file is uploaded with other bytes than were approved',
    file: 'activities/payment-file/upload-file.ts',
    text: 'if (contentSha256(bytes) !== sha256) {',
    without: 'if (bytes.length === 0) {',
    test: steps('a file is not uploaded with other bytes than were approved'),
  },
  {
    id: 'quote-as-approved',
    against: 'a quote is used that differs from the request',
    file: QUOTE,
    text: '  if (!isAsApproved)\n',
    without: '  if (quote === null)\n',
    test: quotes('a quote for another beneficiary holds the row'),
  },
  {
    id: 'fees-limited',
    against: 'a quote is used whose fees exceed the limit',
    file: QUOTE,
    text: 'if (feesExceed(maxFeePercent, quote)) {',
    without: 'if (feesExceed(1e9, quote)) {',
    test: quotes('a quote with fees beyond the limit holds the row'),
  },
  {
    id: 'created-as-approved',
    against: 'a payment is funded that differs from the approved one',
    file: CREATED,
    text: 'if (differing.length > 0) {',
    without: 'if (differing.length > 9) {',
    test: facts('is not sealed, and never funded, with another beneficiaryId'),
  },
];

const SEALS: readonly Guard[] = [
  {
    id: 'beneficiary-sealed',
    against: 'a quote is requested for a beneficiary that someone inserted into the record',
    file: 'activities/payments/request-quote.ts',
    text: 'return onRecord !== null && isSealed(onRecord) ? onRecord.beneficiaryId : null;',
    without: 'return onRecord !== null ? onRecord.beneficiaryId : null;',
    test: steps('no quote is requested for a beneficiary'),
  },
  {
    id: 'known-beneficiary-sealed',
    against: 'a beneficiary that someone inserted into the record counts as known',
    file: 'activities/beneficiaries/create-beneficiary.ts',
    text: "if (isSealedBeneficiary(seal(account), instruction, claim)) return { kind: 'ready' };",
    without: "if (claim.beneficiaryId !== null) return { kind: 'ready' };",
    test: steps('a beneficiary on record is not used'),
    behind: 'beneficiary-sealed',
  },
  {
    id: 'quote-sealed',
    against: 'a payment is created from a quote that someone inserted into the record',
    file: 'activities/payments/create-payment.ts',
    text: ' || !isSealedQuote(sealer, payment, approved)) {',
    without: ') {',
    test: steps('no payment is created from a quote'),
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
    against: 'a payment gets another uploaded file',
    file: 'activities/payments/create-request.ts',
    text: 'upload?.isUploaded === true && isSealedUpload(seal, paymentId, upload, approved) ? upload.fileId : null;',
    without: 'upload?.isUploaded === true ? upload.fileId : null;',
    test: steps('no payment is created with an uploaded file'),
  },
  {
    id: 'seal-of-beneficiary',
    against: 'the seal of a beneficiary is used for another one',
    file: 'activities/beneficiaries/sealed-beneficiary.ts',
    text: `return seal.matches(known.seal, 'beneficiary', beneficiaryHashOf(instruction), known.beneficiaryId);`,
    without: 'return known.seal !== null;',
    test: facts('of a beneficiary is invalid for other details'),
  },
  {
    id: 'shown-beneficiary-sealed',
    against: 'approvers see another account than that of the beneficiary that a row gives by its id',
    file: 'activities/payments/request-quote.ts',
    text: 'if (isAsShown !== true) {',
    without: 'if (isAsShown instanceof ProviderFailure) {',
    test: asShown('a beneficiary with forged details on record is not quoted'),
  },
  {
    id: 'seal-of-shown-beneficiary',
    against: 'the seal of the details shown for one beneficiary is used for another one',
    file: 'activities/beneficiaries/sealed-beneficiary.ts',
    text: `return seal.matches(shown.seal, 'shown_beneficiary', ...sealed);`,
    without: 'return sealed.length > 0 && shown.seal !== null;',
    test: asShown('the seal of one beneficiary is invalid for another'),
  },
  {
    id: 'shown-still',
    against: 'beneficiary details that someone inserted into the record are sealed without being compared',
    file: 'activities/beneficiaries/shown-beneficiary.ts',
    text: 'if (!isSameIdentity(knownIdentityHashesOf(shown.known), identity)) return false;',
    without: '',
    test: asShown('a beneficiary with forged details but correct hashes on record is not quoted'),
  },
  {
    id: 'shown-hashes-still',
    against: 'a beneficiary counts as an account that was paid before',
    file: 'activities/beneficiaries/shown-beneficiary.ts',
    text: 'if (!isSameIdentity(shown, identity)) return false;',
    without: '',
    test: asShown('a beneficiary with a forged account hash on record is not quoted'),
  },
  {
    id: 'seal-of-quote',
    against: 'the seal of a quote is used for another row',
    file: SEALS_FILE,
    text: `return seal.matches(quoteSeal, 'quote', paymentId, attempt, approved.rowHash, quoteId, beneficiaryId);`,
    without: 'return quoteSeal !== null;',
    test: facts('of a quote is invalid for another'),
  },
  {
    id: 'seal-of-payment',
    against: 'the seal of a payment is used for another one',
    file: SEALS_FILE,
    text: `return seal.matches(paymentSeal, 'payment', paymentId, attempt, providerPaymentId);`,
    without: 'return paymentSeal !== null;',
    test: facts('of a payment is invalid for another'),
  },
  {
    id: 'seal-by-secret',
    against: 'someone creates seals without the provider’s secret',
    file: 'provider/record-seal.ts',
    text: `hkdfSync('sha256', secretAccessKey, account,`,
    without: `hkdfSync('sha256', 'no secret', account,`,
    test: facts('and with another secret'),
  },
];

const LEAVING: readonly Guard[] = [
  ...(
    [
      ['create-beneficiary', 'a beneficiary', '      unlessStopped(database, payment),\n'],
      ['request-upload-url', 'the request for an upload URL', '      unlessStopped(database, payment),\n'],
      ['upload-file', 'a file', '      unlessStopped(database, payment),\n'],
      ['request-quote', 'the request for a quote', '      unlessStopped(database, payment),\n'],
    ] as const
  ).map(
    ([activity, what, text]): Guard => ({
      id: `${activity}-unless-stopped`,
      against: `${what} is sent although a stop came while it waited`,
      file: `activities/${FILES[activity]}.ts`,
      text,
      without: '',
      test: steps(`${what} is not sent if a stop is made while it waits for its slot`),
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
      against: `${what} is sent although a stop came while it waited`,
      file: `activities/${FILES[activity]}.ts`,
      text: 'callNonIdempotent(sendWindow, unlessStopped(database, payment), (',
      without: 'callNonIdempotent(sendWindow, () => Promise.resolve(), (',
      test: steps(`${what} is not sent if a stop is made while it waits for its slot`),
    }),
  ),
  {
    id: 'asked-before-leaving',
    against: 'the provider client sends a request that its caller would have stopped',
    file: 'provider/calls/api-caller.ts',
    text: 'await callOptions.beforeSend();',
    without: '',
    test: steps('a funding is not sent if a stop is made while it waits for its slot'),
  },
];

export const SENDING_GUARDS: readonly Guard[] = [...CONTENT, ...SEALS, ...LEAVING];
