import type { Explanation } from '../explanation.ts';
import { type CaseState, OBSERVED_CASE_STATES } from './case-state.ts';

/** Why a case is in its state, or stays in it. `states`: those in which a case has the code. */
interface CaseReasonExplanation extends Explanation {
  states: readonly CaseState[];
}

const READ_AND_SUPPLY =
  'Read what the provider wrote in `payrun onboard show CASE`, and give what it asks for with `payrun onboard supply`.';

const SUPPLY_A_FILE = 'give another file with `payrun onboard supply CASE FILE --files FOLDER`';

/** An erased case has the state in which it ended in place of a reason. */
export const CASE_REASONS = {
  details_missing: {
    states: ['incomplete'],
    cause: 'The provider needs details of the applicant that it does not have.',
    fix: 'Give what `payrun onboard show CASE` names, with `payrun onboard supply`. The file has only what is new.',
  },
  details_refused: {
    states: ['incomplete'],
    cause: 'The provider refused the details of the applicant.',
    fix: READ_AND_SUPPLY,
  },
  details_differ: {
    states: ['needs_provider'],
    cause:
      'The provider shows other values than those that were sent, in the fields that are named. No screening was requested ' +
      'with them.',
    fix:
      'Compare the fields with your documents. If you gave something wrong, supply it again; otherwise ask the provider what it ' +
      'has, and how it reads days.',
  },
  company_refused: {
    states: ['incomplete'],
    cause: 'The provider refused the data of the company.',
    fix: READ_AND_SUPPLY,
  },
  company_frozen: {
    states: ['needs_provider'],
    cause:
      'The provider has other data of the company than you gave, and takes no change of them since the screening has begun.',
    fix: 'Write to the provider: name the user id, and what is to be changed. Supply the case again when they have changed it.',
  },
  documents_missing: {
    states: ['incomplete'],
    cause: 'Documents are missing that the requirements name for this account type and country.',
    fix: 'Give them with `payrun onboard supply CASE FILE --files FOLDER`.',
  },
  document_refused: {
    states: ['incomplete'],
    cause: 'The provider refused the document that is named.',
    fix: `Read what the provider wrote in \`payrun onboard show CASE\`, and ${SUPPLY_A_FILE}.`,
  },
  document_unverified: {
    states: ['needs_provider'],
    cause:
      'The document that is named was uploaded several times, and the provider still shows another file, or none. No screening ' +
      'was requested with it.',
    fix: `Ask the provider what it has, or ${SUPPLY_A_FILE}.`,
  },
  screening_refused: {
    states: ['incomplete'],
    cause: 'The provider refused to screen the applicant.',
    fix: READ_AND_SUPPLY,
  },
  screening_not_shown: {
    states: ['needs_provider'],
    cause: 'A screening was requested twice, and the provider does not show one.',
    fix:
      'Ask the provider whether the applicant is being screened. The case goes on by itself once the provider shows it; ' +
      'supplying it again requests another screening.',
  },
  undecided: {
    states: ['needs_provider'],
    cause: 'The provider has shown no decision for a month, and asked for nothing.',
    fix:
      'Ask the provider what it waits for. The case goes on by itself once the provider decides, or asks for something; ' +
      'supplying it again requests another screening.',
  },
  sign_up_refused: {
    states: ['refused'],
    cause: 'The provider refused to sign the applicant up.',
    fix:
      'Read what the provider wrote in `payrun onboard show CASE`. If it is about the applicant, submit them corrected, under ' +
      'another `applicant_ref`. Otherwise have the sign-up tried again, once the reason is gone: `payrun onboard retry CASE`.',
  },
  sign_up_unknown: {
    states: ['unknown'],
    cause:
      'The sign-up was sent, and it is not known whether it took effect: the provider may have a user, and may have sent them a ' +
      'mail. payrun never repeats it.',
    fix:
      'An onboarder asks the provider whether it has a user with the mail address of the applicant, and says what it answered: ' +
      '`payrun onboard resolve CASE --outcome signed_up --user-id ID`, or `--outcome never_created`. A second person has the ' +
      'answer of the provider shown to them, and confirms.',
  },
  phone_verification: {
    states: ['ready'],
    cause: 'The provider waits until the applicant has verified their phone number. Only they can do it.',
    fix: 'Ask the applicant to do what the provider sent them. The case goes on by itself.',
  },
  no_such_user: {
    states: ['refused'],
    cause: 'The provider shows no user under the id that was to be taken over. Nothing was sent.',
    fix: 'Check `provider_user_id`, and submit the applicant under another `applicant_ref`.',
  },
  other_mail_address: {
    states: ['refused'],
    cause: 'The user who was to be taken over has another mail address than the applicant. Nothing was sent.',
    fix: 'Check `provider_user_id` and `email`, and submit the applicant under another `applicant_ref`.',
  },
  other_names: {
    states: ['refused'],
    cause: 'The user who was to be taken over has other names than the applicant. Nothing was sent.',
    fix:
      'Check `provider_user_id`, `first_name` and `last_name`, and submit the applicant under another `applicant_ref`, with the ' +
      'names that the provider has.',
  },
  other_person: {
    states: ['needs_provider'],
    cause: "The provider shows another mail address for the case's user than the applicant's. No more was sent.",
    fix:
      'Ask the provider whose user it is, and which mail address it has. Supply the case again when they have corrected it; ' +
      'otherwise withdraw it.',
  },
  user_not_readable: {
    states: ['preparing', ...OBSERVED_CASE_STATES],
    cause: 'The provider does not let payrun read the user.',
    fix: 'Ask the provider to let the account read its users. payrun tries again by itself.',
  },
  status_unlisted: {
    states: ['preparing', ...OBSERVED_CASE_STATES],
    cause:
      'The provider shows a status of the user that payrun does not know. Users who may read personal data see its text.',
    fix: 'Ask the provider what the status means. The case goes on by itself once the provider shows one that payrun knows.',
  },
  step_failed: {
    states: ['needs_provider'],
    cause: 'A step failed for days, or by a bug of payrun.',
    fix: 'Have whoever operates payrun find the reason. Supplying the case then begins the preparation again.',
  },
  provider_moved_on: {
    states: ['screening'],
    cause: 'The provider has gone on by itself, while the case waited for something else.',
    fix: 'Nothing: the case follows the provider.',
  },
} as const satisfies Readonly<Record<string, CaseReasonExplanation>>;

export type CaseReason = keyof typeof CASE_REASONS;

/** Null: a reason that this version does not know, or the state in which an erased case ended. */
export function explanationOfReason(reason: string): Explanation | null {
  return Object.hasOwn(CASE_REASONS, reason) ? CASE_REASONS[reason as CaseReason] : null;
}
