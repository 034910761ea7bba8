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
  description: `${description}: ${choices.join(', ')}`,
  choices: new Map(choices.map((choice) => [choice, choice])),
});

const onOrOff = (name: string, option: 'strictPurpose' | 'ultimatePartner', description: string): Switch => ({
  name,
  option,
  default: defaultOptions[option] ? 'on' : 'off',
  description: `${description}: on, off`,
  choices: new Map([
    ['on', true],
    ['off', false],
  ]),
});

export const switches: readonly Switch[] = [
  words(
    'user-date-format',
    'userDateFormat',
    ['B', 'A', 'either'],
    "format of users' dates, B DD-MM-YYYY and A YYYY-MM-DD",
  ),
  words('documents-variant', 'documentsVariant', ['later', 'earlier'], 'document types and fields'),
  words('payment-variant', 'paymentVariant', ['later', 'earlier'], 'when payments need documents'),
  words('user-detail-status', 'userDetailStatus', ['drawn', 'object', 'string'], "the status of a user's details"),
  words('document-upload-method', 'documentUploadMethod', ['PUT', 'POST'], 'how documents are uploaded'),
  words(
    'requirement-form',
    'requirementForm',
    ['literal', 'pattern'],
    'requirements, literal: entityType itself and anchored patterns, pattern: a pattern and none anchored',
  ),
  words('signup-company-name', 'signupCompanyName', ['on', 'off'], 'whether sign-ups know companyName'),
  words('signup-user-id', 'signupUserId', ['drawn', 'returned', 'omitted'], 'whether sign-ups answer userId'),
  words(
    'second-sign-up',
    'secondSignUp',
    ['refuse', 'accept'],
    'a second sign-up with the same e-mail, accept: makes a second user',
  ),
  words('document-url-spelling', 'documentUrlSpelling', ['drawn', 'Url', 'URL'], 'end of uploadUrl and downloadUrl'),
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
    ['drawn', 'string', 'number'],
    'how postal codes of companies are written',
  ),
  words(
    'duplicate-reference',
    'duplicateReference',
    ['refuse', 'return', 'create'],
    'creating with an existing reference, create: creates another payment',
  ),
  words(
    'second-funding',
    'secondFunding',
    ['refuse', 'same', 'charge'],
    'funding again, same: returns the payment or conversion, charge: debits the money again',
  ),
  words('initial-user-status', 'initialUserStatus', ['drawn', ...userStatuses], 'initial status of a sign-up'),
  words(
    'screening-outcome',
    'screeningOutcome',
    ['operator', 'approved', 'rejected', 'documents_need_resubmission'],
    'outcome of screenings, operator: set with the control API',
  ),
  words(
    'screening-incomplete',
    'screeningIncomplete',
    ['drawn', 'refuse', 'unchanged'],
    'a screening while details are missing',
  ),
  words(
    'screening-answer',
    'screeningAnswer',
    ['drawn', 'new', 'old'],
    'the status in the answer to a screening request, old: the one before',
  ),
  words(
    'screening-steps',
    'screeningSteps',
    ['drawn', 'direct', 'verification'],
    'steps of a screening, verification: through pending_verification',
  ),
  words(
    'rejection-remarks',
    'rejectionRemarks',
    ['drawn', 'present', 'absent'],
    "whether a rejected user has the operator's remarks",
  ),
  words(
    'user-events',
    'userEvents',
    ['drawn', 'every', 'changes', 'decisions'],
    'which statuses of users are notified, changes: not that of the sign-up',
  ),
  words('refund-events', 'refundEvents', ['on', 'off'], 'whether refunds of failed payments are notified'),
  words('failure-reason', 'failureReason', ['both', 'failed'], 'whether rejected payments have a failure reason too'),
  onOrOff('strict-purpose', 'strictPurpose', 'whether deprecated purposes are refused'),
  onOrOff('ultimate-partner', 'ultimatePartner', 'whether quotes may have a partner fee and markup'),
  words(
    'partner-by-others',
    'partnerByOthers',
    ['ignore', 'refuse'],
    'partner of callers that are not ultimate partners',
  ),
  {
    name: 'limit-status',
    option: 'limitStatus',
    default: String(defaultOptions.limitStatus),
    description: 'the status for too many requests: 429, 403, 503',
    choices: new Map([429, 403, 503].map((status) => [String(status), status])),
  },
];

/** @throws Error that lists the allowed words */
export function switchValue({ choices }: Switch, word: string): string | boolean | number {
  const value = choices.get(word);
  if (value === undefined) throw new Error(`takes one of ${[...choices.keys()].join(', ')}, not "${word}"`);
  return value;
}
