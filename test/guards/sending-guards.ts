import type { Guard } from './guard.ts';

const WHAT_IS_SENT = 'test/activities/what-is-sent.test.ts';
const ONLY_WHAT_WAS_APPROVED = 'test/activities/only-what-was-approved.services.ts';
const QUOTES_AS_APPROVED = 'test/activities/quotes-as-approved.services.ts';
const QUOTES_AS_SHOWN = 'test/activities/quotes-as-shown.services.ts';

/** Checks by the worker before each request: content, seals and stops. */
export const SENDING_GUARDS: readonly Guard[] = [
  {
    id: 'row-compared',
    against: 'a row is sent with other content than was approved',
    without: 'const isRowApproved = true;',
    test: { file: WHAT_IS_SENT, name: 'is null if the row has another amount' },
  },
  {
    id: 'beneficiary-compared',
    against: 'a row is sent for another beneficiary than was approved',
    without: 'const isBeneficiaryApproved = true;',
    test: { file: WHAT_IS_SENT, name: 'is null if the approval is for another beneficiary' },
    behind: 'the hash of the row covers the beneficiary',
  },
  {
    id: 'account-compared',
    against: 'a row is sent to an account that the policy did not check',
    without: 'return isRowApproved && isBeneficiaryApproved ? instruction : null;',
    test: { file: WHAT_IS_SENT, name: 'is null if the account hash is not the one that the policy judged' },
  },
  {
    id: 'create-beneficiary-as-approved',
    against: 'a beneficiary is sent for a row that was changed',
    without: 'const instruction = payment.instruction;',
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'a beneficiary is not sent for a row whose content is not what was approved',
    },
  },
  {
    id: 'request-quote-as-approved',
    against: 'the request for a quote is sent for a row that was changed',
    without: 'const instruction = payment.instruction;',
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'the request for a quote is not sent for a row whose content is not what was approved',
    },
  },
  {
    id: 'create-payment-as-approved',
    against: 'a creation is sent for a row that was changed',
    without: 'const instruction = payment.instruction;',
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'a creation is not sent for a row whose content is not what was approved',
    },
  },
  {
    id: 'payment-file-as-approved',
    against: 'a file is sent for a row that was changed',
    without: 'const instruction = payment.instruction;',
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'a file is not sent for a row whose content is not what was approved' },
  },
  {
    id: 'fund-payment-as-approved',
    against: 'a funding is sent for a row that was changed',
    without: 'if (payment.instruction === null) {',
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'a funding is not sent for a row whose content is not what was approved',
    },
  },
  {
    id: 'bytes-as-approved',
    against: 'a file is uploaded with other bytes than were approved',
    without: 'if (bytes.length === 0) {',
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'a file is not uploaded with other bytes than were approved' },
  },
  {
    id: 'quote-as-approved',
    against: 'a quote is used that differs from the request',
    without: 'if (quote === null)',
    test: { file: QUOTES_AS_APPROVED, name: 'a quote for another beneficiary holds the row' },
  },
  {
    id: 'fees-limited',
    against: 'a quote is used whose fees exceed the limit',
    without: 'if (feesExceed(1e9, quote)) {',
    test: { file: QUOTES_AS_APPROVED, name: 'a quote with fees beyond the limit holds the row' },
  },
  {
    id: 'created-as-approved',
    against: 'a payment is funded that differs from the approved one',
    without: 'if (differing.length > 9) {',
    test: { file: WHAT_IS_SENT, name: 'is not sealed, and never funded, with another beneficiaryId' },
  },
  {
    id: 'beneficiary-sealed',
    against: 'a quote is requested for a beneficiary that someone inserted into the record',
    without: 'return onRecord !== null ? onRecord.beneficiaryId : null;',
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'no quote is requested for a beneficiary' },
  },
  {
    id: 'known-beneficiary-sealed',
    against: 'a beneficiary that someone inserted into the record counts as known',
    without: "if (claim.beneficiaryId !== null) return { kind: 'ready' };",
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'a beneficiary on record is not used' },
    behind: 'beneficiary-sealed',
  },
  {
    id: 'quote-sealed',
    against: 'a payment is created from a quote that someone inserted into the record',
    without: 'if (quoteId === null || quoteIsExpired(payment, now())) {',
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'no payment is created from a quote' },
  },
  {
    id: 'payment-sealed',
    against: 'another payment at the provider is funded',
    without: 'if (simplePaymentId === null) {',
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'a payment at the provider is not funded' },
  },
  {
    id: 'file-sealed',
    against: 'a payment gets another uploaded file',
    without: 'return upload?.isUploaded === true ? upload.fileId : null;',
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'no payment is created with an uploaded file' },
  },
  {
    id: 'seal-of-beneficiary',
    against: 'the seal of a beneficiary is used for another one',
    without: 'return known.seal !== null;',
    test: { file: WHAT_IS_SENT, name: 'of a beneficiary is invalid for other details' },
  },
  {
    id: 'shown-beneficiary-sealed',
    against: 'approvers see another account than that of the beneficiary that a row gives by its id',
    without: 'if (isAsShown instanceof ProviderFailure) {',
    test: { file: QUOTES_AS_SHOWN, name: 'a beneficiary with forged details on record is not quoted' },
  },
  {
    id: 'seal-of-shown-beneficiary',
    against: 'the seal of the details shown for one beneficiary is used for another one',
    without: 'return sealed.length > 0 && shown.seal !== null;',
    test: { file: QUOTES_AS_SHOWN, name: 'the seal of one beneficiary is invalid for another' },
  },
  {
    id: 'shown-still',
    against: 'beneficiary details that someone inserted into the record are sealed without being compared',
    without: '',
    test: {
      file: QUOTES_AS_SHOWN,
      name: 'a beneficiary with forged details but correct hashes on record is not quoted',
    },
  },
  {
    id: 'shown-hashes-still',
    against: 'a beneficiary counts as an account that was paid before',
    without: '',
    test: { file: QUOTES_AS_SHOWN, name: 'a beneficiary with a forged account hash on record is not quoted' },
  },
  {
    id: 'seal-of-quote',
    against: 'the seal of a quote is used for another row',
    without: 'return quoteSeal !== null;',
    test: { file: WHAT_IS_SENT, name: 'of a quote is invalid for another' },
  },
  {
    id: 'seal-of-payment',
    against: 'the seal of a payment is used for another one',
    without: 'return paymentSeal !== null;',
    test: { file: WHAT_IS_SENT, name: 'of a payment is invalid for another' },
  },
  {
    id: 'seal-by-secret',
    against: 'someone creates seals without the provider’s secret',
    without: "const key = Buffer.from(hkdfSync('sha256', 'no secret', account, 'payrun record seal', KEY_BYTES));",
    test: { file: WHAT_IS_SENT, name: 'and with another secret' },
  },
  {
    id: 'create-beneficiary-unless-stopped',
    against: 'a beneficiary is sent although a stop came while it waited',
    without: '',
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'a beneficiary is not sent if a stop is made while it waits for its slot',
    },
  },
  {
    id: 'request-upload-url-unless-stopped',
    against: 'the request for an upload URL is sent although a stop came while it waited',
    without: '',
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'the request for an upload URL is not sent if a stop is made while it waits for its slot',
    },
  },
  {
    id: 'upload-file-unless-stopped',
    against: 'a file is sent although a stop came while it waited',
    without: '',
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'a file is not sent if a stop is made while it waits for its slot' },
  },
  {
    id: 'request-quote-unless-stopped',
    against: 'the request for a quote is sent although a stop came while it waited',
    without: '',
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'the request for a quote is not sent if a stop is made while it waits for its slot',
    },
  },
  {
    id: 'create-payment-unless-stopped',
    against: 'a creation is sent although a stop came while it waited',
    without: 'const answer = await callNonIdempotent(sendWindow, () => Promise.resolve(), (options) =>',
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'a creation is not sent if a stop is made while it waits for its slot',
    },
  },
  {
    id: 'fund-payment-unless-stopped',
    against: 'a funding is sent although a stop came while it waited',
    without: 'const answer = await callNonIdempotent(sendWindow, () => Promise.resolve(), (options) =>',
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'a funding is not sent if a stop is made while it waits for its slot' },
  },
  {
    id: 'asked-before-leaving',
    against: 'the provider client sends a request that its caller would have stopped',
    without: '',
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'a funding is not sent if a stop is made while it waits for its slot' },
  },
];
