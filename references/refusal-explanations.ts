import type { ErrorCode } from '../api/error.ts';
import type { Explanation } from '../domain/explanation.ts';

interface RefusalExplanation extends Explanation {
  /** The HTTP statuses that the server answers with. */
  statuses: readonly number[];
}

/** Why the server refuses a request. */
export const REFUSAL_EXPLANATIONS: Readonly<Record<ErrorCode, RefusalExplanation>> = {
  invalid_input: {
    statuses: [400, 408],
    cause: 'A field of the request is missing or wrong, or the request did not arrive in time.',
    fix: 'Correct what the message names. Nothing was done.',
  },
  file_refused: {
    statuses: [422],
    cause:
      'The payment file has errors. `details.problems` lists the first 1,000, `details.problemCount` says how many there are.',
    fix: 'Correct them ([below](#problems-of-a-payment-file)) and submit the file again. Nothing was stored.',
  },
  applicants_refused: {
    statuses: [422],
    cause:
      "The applicants' file has errors, or a document of it. `details.problems` lists the first 1,000, `details.problemCount` " +
      'says how many there are.',
    fix: 'Correct them ([below](#problems-of-an-applicants-file)) and submit the file again. Nothing was stored.',
  },
  schedule_refused: {
    statuses: [422],
    cause: 'The schedule has errors. `details.problems` lists each with its field and its fix.',
    fix: 'Correct them and give the schedule again. Nothing was stored.',
  },
  unauthenticated: {
    statuses: [401],
    cause:
      'There is no token, or it is unknown, expired or revoked. For a webhook: a required header is missing or different.',
    fix: 'Sign in again with `payrun login`, or set `PAYRUN_TOKEN` to a valid token. Nothing was done.',
  },
  signed_out: {
    statuses: [401],
    cause: 'The session of the console has ended, or there is none.',
    fix: 'Sign in again. Nothing was done.',
  },
  signed_in_as_another: {
    statuses: [409],
    cause:
      'A page of the console is of another user than the session: somebody else has signed in with this browser since.',
    fix: 'The page shows by itself whose it is now. Nothing was done.',
  },
  not_allowed: {
    statuses: [403],
    cause: 'None of your roles allows it, you are the maker of the run, or you would count twice in an approval.',
    fix: 'Ask a person with the role. `payrun whoami` shows yours. Nothing was done.',
  },
  second_factor_needed: {
    statuses: [403],
    cause:
      'The policy, or a real provider, asks for a second factor at every approval or change, or you change how you sign in. `details.subject` says what it is ' +
      'shown for, `details.factors` which ones you have.',
    fix: 'Use a passkey, or a code of your authenticator app (`payrun approve RUN --code DIGITS`), and send it again. Nothing was done.',
  },
  not_found: {
    statuses: [404],
    cause: 'There is no such run, row, user or address, or you may not use the account that it belongs to.',
    fix: 'Check the id. `payrun runs` lists the runs that you may see.',
  },
  method_not_allowed: {
    statuses: [405],
    cause: 'The address exists, and does not answer this method.',
    fix: 'Use one of the methods that the header `Allow` names.',
  },
  conflict: {
    statuses: [409],
    cause:
      'The request does not fit the present state: the run is in another state, its content has changed since you saw it, or no ' +
      'rule of the policy applies. Of a manual outcome: the provider contradicts the proposal, and what it shows was recorded.',
    fix: 'Look at the run or row again (`payrun show RUN`), and decide on what it shows now.',
  },
  too_large: {
    statuses: [413, 414, 431],
    cause: 'The file, the address or the headers are larger than the server accepts.',
    fix: 'Split the payment file, or make the supporting files smaller.',
  },
  unsupported_media_type: {
    statuses: [406, 415],
    cause: 'The body is of another kind than the address accepts.',
    fix: 'Send JSON, and a payment file as `multipart/form-data`.',
  },
  too_many: {
    statuses: [429],
    cause: 'More webhooks arrived in a minute than a server accepts, or too many tries to sign in have failed.',
    fix: 'Send it again after the time in `Retry-After`.',
  },
  unavailable: {
    statuses: [503],
    cause:
      'Postgres or Temporal cannot be reached, the provider did not answer in time, or too many requests of this kind are in progress.',
    fix:
      'Try again after the time in `Retry-After`. After a decision or a confirmation, look at the run first: it may have been ' +
      'recorded. A submission with an `Idempotency-Key` may be sent again as it is.',
  },
  internal: {
    statuses: [500],
    cause: 'A bug in payrun.',
    fix: 'Look at the run before you repeat the request. Give `details.requestId` to whoever operates the server.',
  },
};

/** Codes of the command line (`--json`) and of the TypeScript client, beside those of the server. */
export const CLIENT_EXPLANATIONS: Readonly<Record<'unreachable' | 'unexpected_answer', Explanation>> = {
  unreachable: {
    cause: 'No answer came from the server.',
    fix:
      'Check `PAYRUN_URL`, and that the server runs. A request that changes something may have taken effect: look before you ' +
      'repeat it.',
  },
  unexpected_answer: {
    cause: 'The answer has another form than the client expects: client and server are of different versions.',
    fix: 'Use the same version of both. A request that changes something may have taken effect: look before you repeat it.',
  },
};
