import { userStatuses } from '../account/user.ts';
import { defaultOptions, type SandboxOptions } from './options.ts';

/** A flag with a fixed set of values: how the sandbox reads the contract where it is open or has variants. */
export interface Switch {
  readonly name: string;
  readonly option: keyof SandboxOptions;
  readonly default: string;
  readonly description: string;
  /** The value of the option for each word. */
  readonly choices: ReadonlyMap<string, string | boolean | number>;
}

type WordOption = {
  [Key in keyof SandboxOptions]: string extends SandboxOptions[Key]
    ? never
    : SandboxOptions[Key] extends string
      ? Key
      : never;
}[keyof SandboxOptions];

const words = <Option extends WordOption>(
  name: string,
  option: Option,
  choices: readonly SandboxOptions[Option][],
  description: string,
): Switch => ({
  name,
  option,
  default: defaultOptions[option],
  description: `${description} (values: ${choices.join(', ')})`,
  choices: new Map(choices.map((choice) => [choice, choice])),
});

const onOrOff = (name: string, option: 'strictPurpose' | 'ultimatePartner', description: string): Switch => ({
  name,
  option,
  default: defaultOptions[option] ? 'on' : 'off',
  description: `${description} (values: on, off)`,
  choices: new Map([
    ['on', true],
    ['off', false],
  ]),
});

export const switches: readonly Switch[] = [
  words('user-date-format', 'userDateFormat', ['DD-MM-YYYY', 'YYYY-MM-DD', 'either'], "format of users' dates"),
  words('documents-variant', 'documentsVariant', ['later', 'earlier'], 'document types and fields'),
  words('payment-variant', 'paymentVariant', ['later', 'earlier'], 'when payments need documents'),
  words('user-detail-status', 'userDetailStatus', ['seeded', 'object', 'string'], "the status of a user's details"),
  words('document-upload-method', 'documentUploadMethod', ['PUT', 'POST'], 'how documents are uploaded'),
  words(
    'requirement-form',
    'requirementForm',
    ['literal', 'pattern'],
    'how requirements are written; literal: exact entityType, anchored regexes; pattern: regex entityType, the other regexes unanchored',
  ),
  words('signup-company-name', 'signupCompanyName', ['on', 'off'], 'whether sign-ups accept companyName'),
  words(
    'signup-user-id',
    'signupUserId',
    ['seeded', 'returned', 'omitted'],
    'whether the sign-up response includes userId',
  ),
  words(
    'second-sign-up',
    'secondSignUp',
    ['refuse', 'accept'],
    'a second sign-up with the same e-mail; accept: creates a second user',
  ),
  words('document-url-spelling', 'documentUrlSpelling', ['seeded', 'Url', 'URL'], 'end of uploadUrl and downloadUrl'),
  words(
    'funding-account-spelling',
    'fundingAccountSpelling',
    ['accountId', 'accountID'],
    'how the list of fundings names the account',
  ),
  words('funding-filter', 'fundingFilter', ['refuse', 'ignore'], 'an unknown status filter of fundings'),
  words('refund-amount', 'refundAmount', ['string', 'number'], 'how amounts of refunds are written'),
  words(
    'company-postal-code',
    'companyPostalCode',
    ['seeded', 'string', 'number'],
    'how postal codes of companies are written',
  ),
  words(
    'duplicate-reference',
    'duplicateReference',
    ['refuse', 'return', 'create'],
    'creating with an existing reference; create: creates another payment',
  ),
  words(
    'second-funding',
    'secondFunding',
    ['refuse', 'same', 'charge'],
    'funding again; same: returns the payment or conversion; charge: debits the money again',
  ),
  words('initial-user-status', 'initialUserStatus', ['seeded', ...userStatuses], 'initial status of a sign-up'),
  words(
    'screening-outcome',
    'screeningOutcome',
    ['operator', 'approved', 'rejected', 'documents_need_resubmission'],
    'outcome of screenings; operator: set with the control API',
  ),
  words(
    'screening-incomplete',
    'screeningIncomplete',
    ['seeded', 'refuse', 'unchanged'],
    'a screening while details are missing',
  ),
  words(
    'screening-answer',
    'screeningAnswer',
    ['seeded', 'new', 'old'],
    'the status in the answer to a screening request: the new or the previous one',
  ),
  words(
    'screening-steps',
    'screeningSteps',
    ['seeded', 'direct', 'verification'],
    'steps of a screening; verification: through pending_verification',
  ),
  words(
    'rejection-remarks',
    'rejectionRemarks',
    ['seeded', 'present', 'absent'],
    "whether a rejected user has the operator's remarks",
  ),
  words(
    'user-events',
    'userEvents',
    ['seeded', 'every', 'changes', 'decisions'],
    'which statuses of users are notified; changes: all but the initial one',
  ),
  words('refund-events', 'refundEvents', ['on', 'off'], 'whether refunds of failed payments are notified'),
  words('failure-reason', 'failureReason', ['both', 'failed'], 'whether rejected payments have a failure reason too'),
  onOrOff('strict-purpose', 'strictPurpose', 'whether deprecated purposes are refused'),
  onOrOff('ultimate-partner', 'ultimatePartner', 'whether quotes may have a partner fee and markup'),
  words(
    'partner-from-other-callers',
    'partnerFromOtherCallers',
    ['ignore', 'refuse'],
    'what happens to the field partner when a caller other than the partner sends it in a quote',
  ),
  {
    name: 'limit-status',
    option: 'limitStatus',
    default: String(defaultOptions.limitStatus),
    description: 'the status for too many requests (values: 429, 403, 503)',
    choices: new Map([429, 403, 503].map((status) => [String(status), status])),
  },
];

/** @throws Error that lists the allowed words */
export function switchValue({ choices }: Switch, word: string): string | boolean | number {
  const value = choices.get(word);
  if (value === undefined) throw new Error(`takes one of ${[...choices.keys()].join(', ')}, not "${word}"`);
  return value;
}
