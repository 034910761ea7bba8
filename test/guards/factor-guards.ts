import type { Guard } from './guard.ts';

const AT_SIGN_IN = 'test/server/factor-at-sign-in.services.ts';
const ENROLMENT = 'test/store/enrolment.services.ts';
const FACTORS_ASKED = 'test/store/second-factors-asked.services.ts';
const TRIES_OF_CODES = 'test/store/tries-of-codes.services.ts';
const BY_DEFAULT = 'test/store/second-factor-by-default.services.ts';

/** Checks of the second factor that every sign-in, approval and change takes with a real provider. */
export const FACTOR_GUARDS: readonly Guard[] = [
  {
    id: 'second-factor-by-default',
    against: 'with a real provider nobody is asked for a second factor, unless the policy says so',
    without: "select coalesce((p_policy #>> array['secondFactor', p_for])::boolean, false)",
    test: { file: BY_DEFAULT, name: 'an approval takes one, and none where the policy says so' },
  },
  {
    id: 'tries-of-a-known-browser',
    against: 'whoever knows a password keeps its user from signing in at their own browser',
    without: '',
    test: {
      file: 'test/store/tries-of-codes.services.ts',
      name: 'a browser at which a factor was shown has tries of its own, in a new session as well',
    },
  },
  {
    id: 'other-sign-in-has-tries-again',
    against: 'a user whose password is known waits for the tries of a stranger, with another password as well',
    without: '',
    test: {
      file: 'test/store/tries-of-codes.services.ts',
      name: 'another password gives tries again, as strangers do not know it',
    },
  },
  {
    id: 'many-codes-are-told',
    against: 'nobody learns that somebody who knows a password guesses codes',
    without: 'if false then',
    test: { file: 'test/store/tries-of-codes.services.ts', name: 'ten wrong codes are told once' },
  },
  {
    id: 'ended-by-another-is-told',
    against: 'nobody learns that an administrator has ended a session of somebody else',
    without: ');',
    test: {
      file: 'test/store/tries-of-codes.services.ts',
      name: 'an administrator who ends a session of somebody else is told of, and who ends their own is not',
    },
  },
  {
    id: 'tries-of-ones-own',
    against: 'whoever knows a password keeps its user from showing codes, also where they are signed in',
    without: 'when false then p_token::text',
    test: { file: TRIES_OF_CODES, name: 'what has shown a factor before has tries of its own' },
  },
  {
    id: 'other-tries-stay-counted',
    against: 'whoever guesses codes has more tries each time that the user shows one',
    without: 'perform forget_tries(totp_tries(v_user, p_token));',
    test: { file: TRIES_OF_CODES, name: 'a right code gives nobody else tries again' },
  },
  {
    id: 'codes-by-what-may-act',
    against: 'whoever finds a token that only reads uses up the tries of its user',
    without: 'if false then',
    test: { file: TRIES_OF_CODES, name: 'a token that only reads has none' },
  },
  {
    id: 'factor-to-add-user',
    against: 'a token that was found adds users',
    without: 'v_refusal := null;',
    test: { file: BY_DEFAULT, name: 'a user is added, limited' },
  },
  {
    id: 'factor-to-resume-schedule',
    against: 'a token that was found resumes a schedule that was paused',
    without: 'v_refusal := null;',
    test: { file: FACTORS_ASKED, name: 'is asked for by resume_schedule' },
  },
  {
    id: 'factor-to-start-occurrence',
    against: 'a token that was found starts a schedule now',
    without: 'v_refusal := null;',
    test: { file: FACTORS_ASKED, name: 'is asked for by start_occurrence' },
  },
  {
    id: 'factor-to-place-conversion',
    against: 'a token that was found converts money up to the amount that needs no approval',
    without: 'v_refusal := null;',
    test: { file: FACTORS_ASKED, name: 'is asked for by place_conversion' },
  },
  {
    id: 'factor-to-erase-case',
    against: 'a token that was found erases the data of applicants',
    without: 'v_refusal := null;',
    test: { file: FACTORS_ASKED, name: 'is asked for by erase_case' },
  },
  {
    id: 'factor-to-cancel-run',
    against: 'a token that was found ends a run for good',
    without: 'v_refusal := null;',
    test: { file: FACTORS_ASKED, name: 'is asked for by cancel_run' },
  },
  {
    id: 'factor-to-disable-user',
    against: 'a token that was found disables users',
    without: 'v_refusal := null;',
    test: { file: BY_DEFAULT, name: 'a user is added, limited' },
  },
  {
    id: 'factor-to-remove-role',
    against: 'a token that was found takes roles away',
    without: 'v_refusal := null;',
    test: { file: BY_DEFAULT, name: 'a user is added, limited' },
  },
  {
    id: 'factor-to-limit-user',
    against: 'a token that was found gives users accounts',
    without: 'v_refusal := null;',
    test: { file: BY_DEFAULT, name: 'a user is added, limited' },
  },
  {
    id: 'factor-to-invite-user',
    against: 'a token that was found makes codes of users',
    without: 'v_refusal := null;',
    test: { file: BY_DEFAULT, name: 'a user is added, limited' },
  },
  {
    id: 'factor-to-propose-change',
    against: 'a token that was found proposes a policy, a provider, roles, or to go live',
    without: 'v_refusal := null;',
    test: { file: BY_DEFAULT, name: 'a change is proposed and confirmed with one each' },
  },
  {
    id: 'factor-to-confirm-change',
    against: 'a token that was found is the second administrator',
    without: 'v_refusal := null;',
    test: { file: BY_DEFAULT, name: 'a change is proposed and confirmed with one each' },
  },
  {
    id: 'factor-to-lift-stop',
    against: 'a token that was found lets payments go on',
    without: 'v_refusal := null;',
    test: { file: BY_DEFAULT, name: 'a stop is lifted with one' },
  },
  {
    id: 'factor-to-add-endpoint',
    against: 'a token that was found has notifications sent elsewhere',
    without: 'v_refusal := null;',
    test: { file: BY_DEFAULT, name: 'an endpoint is added, changed and removed' },
  },
  {
    id: 'factor-to-change-endpoint',
    against: 'a token that was found ends where people are told, or gets the secret',
    without: 'return null;',
    test: { file: BY_DEFAULT, name: 'an endpoint is added, changed and removed' },
  },
  {
    id: 'factor-to-erase-remark',
    against: 'a token that was found erases comments',
    without: 'v_refusal := null;',
    test: { file: BY_DEFAULT, name: 'an endpoint is added, changed and removed' },
  },
  {
    id: 'code-used-just-now',
    against: 'whoever finds a token adds a second factor of their own',
    without: 'select) then',
    test: { file: BY_DEFAULT, name: 'whoever has used a code at the command line' },
  },
  {
    id: 'factor-at-sign-in',
    against: 'a password that was found out signs somebody in who approves, with a real provider as well',
    without: 'and false',
    test: { file: AT_SIGN_IN, name: 'of somebody who may more than read does nothing' },
  },
  {
    id: 'nothing-before-the-factor',
    against: 'a server that was taken over acts in a session whose second factor was not shown',
    without: 'where true',
    test: { file: AT_SIGN_IN, name: 'that awaits one decides nothing in the database' },
  },
  {
    id: 'nothing-read-before-the-factor',
    against: 'a session whose second factor was not shown reads everything',
    without: 'if (false) {',
    test: { file: AT_SIGN_IN, name: 'of somebody who may more than read does nothing' },
  },
  {
    id: 'factor-of-sign-in-first',
    against: 'a session whose second factor was not shown shows one for something else',
    without: "when false then refused('not_allowed', '')",
    test: { file: AT_SIGN_IN, name: 'of somebody who may more than read does nothing' },
  },
  {
    id: 'factor-confirmed',
    against: 'whoever made the code of a checker adds a second factor of their own, and decides with it',
    without: 'if true then',
    test: { file: ENROLMENT, name: 'whoever made the code cannot have their own second factor count' },
  },
  {
    id: 'factor-not-confirmed-by-issuer',
    against: 'whoever made the code of a checker confirms the second factor that they added as the checker',
    without: 'if false then',
    test: { file: ENROLMENT, name: 'whoever made the code cannot have their own second factor count' },
  },
  {
    id: 'factor-counts-once-confirmed',
    against: 'a second factor that nobody has confirmed counts for decisions',
    without: 'select true',
    test: { file: ENROLMENT, name: 'whoever made the code cannot have their own second factor count' },
  },
  {
    id: 'unconfirmed-beside-none',
    against: 'a second factor that nobody has confirmed makes another one count',
    without: '',
    test: { file: ENROLMENT, name: 'one that nobody has confirmed is not shown for a change of the sign-in' },
  },
  {
    id: 'replaced-factor-is-dropped',
    against: 'a second factor that nobody has confirmed stays when its confirmation is no longer asked for',
    without: '',
    test: { file: ENROLMENT, name: 'a passkey waits as well, and the proposal of an earlier factor is replaced' },
  },
];
