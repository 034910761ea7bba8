import type { Guard } from './guard.ts';

const WHAT_IS_SENT = 'test/activities/what-is-sent.test.ts';
const ONLY_WHAT_WAS_APPROVED = 'test/activities/only-what-was-approved.services.ts';
const QUOTES_AS_APPROVED = 'test/activities/quotes-as-approved.services.ts';
const QUOTES_AS_SHOWN = 'test/activities/quotes-as-shown.services.ts';

/** Checks by the worker before each request: content, MACs and stops. */
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
    id: 'fingerprint-compared',
    against:
      'a row is stored with the fingerprint of another beneficiary, and is no duplicate of what was paid to its own',
    without: '',
    test: { file: WHAT_IS_SENT, name: 'is null if the beneficiaryFingerprint is not the one' },
  },
  {
    id: 'only-named-without-hash',
    against: 'a row describes an account, and is stored without its hash: it is no duplicate, and counts for no limit',
    without: "if (accountHash === null) return true; if (beneficiary.kind !== 'details') return false;",
    test: { file: WHAT_IS_SENT, name: 'is null without the hash of the account that it describes' },
  },
  {
    id: 'missing-key-is-not-erased',
    against: 'rows are given up for good, or said to be erased, as the keys of runs were not restored yet',
    without: 'if (runKey === null) return null;',
    test: { file: WHAT_IS_SENT, name: 'cannot be read without the key of its run, which is no erasure' },
  },
  {
    id: 'plain-compared',
    against:
      'a row is sent to a bank in a country that the policy did not see, as what is recorded beside it says another one',
    without: '',
    test: { file: WHAT_IS_SENT, name: 'is null with other countries beside what is encrypted' },
  },
  {
    id: 'unreadable-not-sent',
    against: 'a payment that no worker could read counts as one that the provider may have',
    without: '',
    test: {
      file: 'test/activities/only-what-was-approved.services.ts',
      name: 'a creation whose content is damaged is not sent',
    },
  },
  {
    id: 'create-beneficiary-as-approved',
    against: 'a beneficiary is sent for a row that was changed',
    without:
      "const instruction = (await import('../../store/runs/row-content.ts')).openContent(payees, payment)?.instruction ?? null;",
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'a beneficiary is not sent for a row whose content is not what was approved',
    },
  },
  {
    id: 'request-quote-as-approved',
    against: 'the request for a quote is sent for a row that was changed',
    without:
      "const instruction = (await import('../../store/runs/row-content.ts')).openContent(await payeesOf(dependencies), payment)?.instruction ?? null;",
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'the request for a quote is not sent for a row whose content is not what was approved',
    },
  },
  {
    id: 'create-payment-as-approved',
    against: 'a creation is sent for a row that was changed',
    without:
      "const instruction = (await import('../../store/runs/row-content.ts')).openContent(await (await import('./payee-data.ts')).payeesOf(dependencies), payment)?.instruction ?? null;",
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'a creation is not sent for a row whose content is not what was approved',
    },
  },
  {
    id: 'payment-file-as-approved',
    against: 'a file is sent for a row that was changed',
    without:
      "const instruction = (await import('../../store/runs/row-content.ts')).openContent(payees, payment)?.instruction ?? null;",
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'a file is not sent for a row whose content is not what was approved' },
  },
  {
    id: 'fund-payment-as-approved',
    against: 'a funding is sent for a row that was changed',
    without: 'if (payment.plain === null) {',
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
    id: 'created-as-approved',
    against: 'a payment is funded that differs from the approved one',
    without: 'if (differing.length > 9) {',
    test: { file: WHAT_IS_SENT, name: 'has no MAC, and is never funded, with another beneficiaryId' },
  },
  {
    id: 'beneficiary-mac',
    against: 'a quote is requested for a beneficiary that someone inserted into the database',
    without: 'return stored !== null ? stored.beneficiaryId : null;',
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'no quote is requested for a beneficiary' },
  },
  {
    id: 'known-beneficiary-mac',
    against: 'a beneficiary that someone inserted into the database counts as known',
    without: "if (claim.beneficiaryId !== null) return { kind: 'ready' };",
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'a beneficiary in the database is not used' },
    behind: 'beneficiary-mac',
  },
  {
    id: 'quote-mac',
    against: 'a payment is created from a quote that someone inserted into the database',
    without: 'if (quoteId === null || quoteIsExpired(payment, now())) {',
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'no payment is created from a quote' },
  },
  {
    id: 'payment-mac',
    against: 'another payment at the provider is funded',
    without: 'if (simplePaymentId === null) {',
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'a payment at the provider is not funded' },
  },
  {
    id: 'file-mac',
    against: 'a payment gets another uploaded file',
    without: 'return upload?.isUploaded === true ? upload.fileId : null;',
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'no payment is created with an uploaded file' },
  },
  {
    id: 'mac-of-beneficiary',
    against: 'the MAC of a beneficiary is used for another one',
    without: 'return known.mac !== null;',
    test: { file: WHAT_IS_SENT, name: 'of a beneficiary is invalid for other details' },
  },
  {
    id: 'shown-beneficiary-mac',
    against: 'approvers see another account than that of the beneficiary that a row gives by its id',
    without: 'if (isAsShown instanceof ProviderFailure) {',
    test: { file: QUOTES_AS_SHOWN, name: 'a beneficiary with forged details in the database is not quoted' },
  },
  {
    id: 'mac-of-shown-beneficiary',
    against: 'the MAC of the details shown for one beneficiary is used for another one',
    without: 'return values.length > 0 && shown.mac !== null;',
    test: { file: QUOTES_AS_SHOWN, name: 'the MAC of one beneficiary is invalid for another' },
  },
  {
    id: 'shown-countries',
    against:
      'a rule for a country does not cover a beneficiary whose bank is there, as others were written into the database',
    without: '',
    test: { file: QUOTES_AS_SHOWN, name: 'a beneficiary with other countries in the database is not quoted' },
  },
  {
    id: 'shown-still',
    against: 'beneficiary details that someone inserted into the database get a MAC without being compared',
    without: '',
    test: {
      file: QUOTES_AS_SHOWN,
      name: 'a beneficiary with forged details but correct hashes in the database is not quoted',
    },
  },
  {
    id: 'shown-hashes-still',
    against: 'a beneficiary counts as an account that was paid before',
    without: '',
    test: { file: QUOTES_AS_SHOWN, name: 'a beneficiary with a forged account hash in the database is not quoted' },
  },
  {
    id: 'mac-of-quote',
    against: 'the MAC of a quote is used for another row',
    without: 'return quoteMac !== null;',
    test: { file: WHAT_IS_SENT, name: 'of a quote is invalid for another' },
  },
  {
    id: 'mac-of-payment',
    against: 'the MAC of a payment is used for another one',
    without: 'return paymentMac !== null;',
    test: { file: WHAT_IS_SENT, name: 'of a payment is invalid for another' },
  },
  {
    id: 'mac-by-secret',
    against: 'someone creates MACs without the provider’s secret',
    without: "const key = Buffer.from(hkdfSync('sha256', 'no secret', account, 'payrun mac', KEY_BYTES));",
    test: { file: WHAT_IS_SENT, name: 'and with another secret' },
  },
  {
    id: 'create-beneficiary-unless-stopped',
    against: 'a beneficiary is sent although a stop came while it waited',
    without: '',
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'a beneficiary is not sent if a stop is made while it waits for its lease',
    },
  },
  {
    id: 'request-upload-url-unless-stopped',
    against: 'the request for an upload URL is sent although a stop came while it waited',
    without: '',
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'the request for an upload URL is not sent if a stop is made while it waits for its lease',
    },
  },
  {
    id: 'upload-file-unless-stopped',
    against: 'a file is sent although a stop came while it waited',
    without: '',
    test: { file: ONLY_WHAT_WAS_APPROVED, name: 'a file is not sent if a stop is made while it waits for its lease' },
  },
  {
    id: 'request-quote-unless-stopped',
    against: 'the request for a quote is sent although a stop came while it waited',
    without: '',
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'the request for a quote is not sent if a stop is made while it waits for its lease',
    },
  },
  {
    id: 'create-payment-unless-stopped',
    against: 'a creation is sent although a stop came while it waited',
    without: 'const answer = await callNonIdempotent(sendDeadline, () => Promise.resolve(), (options) =>',
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'a creation is not sent if a stop is made while it waits for its lease',
    },
  },
  {
    id: 'fund-payment-unless-stopped',
    against: 'a funding is sent although a stop came while it waited',
    without: 'const answer = await callNonIdempotent(sendDeadline, () => Promise.resolve(), (options) =>',
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'a funding is not sent if a stop is made while it waits for its lease',
    },
  },
  {
    id: 'asked-before-leaving',
    against: 'the provider client sends a request that its caller would have stopped',
    without: '',
    test: {
      file: ONLY_WHAT_WAS_APPROVED,
      name: 'a funding is not sent if a stop is made while it waits for its lease',
    },
  },
  {
    id: 'one-price-a-minute',
    against: 'every worker that proposes a run asks for the same price, and takes requests from payments',
    without: '',
    test: {
      file: 'test/store/one-price-a-minute.services.ts',
      name: 'one of two workers that want the same price at the same time asks for it',
    },
  },
];
