import type { Guard } from './guard.ts';

const AUTHENTICATION = 'test/store/authentication.services.ts';
const SECOND_FACTORS = 'test/store/second-factors.services.ts';
const SECOND_FACTORS_OF_PROPOSALS = 'test/store/second-factors-of-proposals.services.ts';
const SIGN_IN = 'test/server/sign-in.services.ts';
const PASSWORDS = 'test/server/passwords.services.ts';
const RECENT_COMPANY_SIGN_IN = 'test/server/recent-company-sign-in.services.ts';
const COMPANY_ONLY = 'test/store/company-only.services.ts';
const ENROLMENT = 'test/store/enrolment.services.ts';
const GIVEN_MORE = 'test/store/given-more.services.ts';
const STEP_UP = 'test/server/step-up.services.ts';
const SERVER_SESSIONS = 'test/server/server-sessions.test.ts';

/** Checks of sessions, links, second factors and the sign-in of a company. */
export const SESSION_GUARDS: readonly Guard[] = [
  {
    id: 'counted-by-network',
    against: 'whoever has one IPv6 address tries secrets from a new one of its network each time',
    without: 'if (isIP(plain) < 9) return address;',
    test: { file: 'test/server/server-sign-in.test.ts', name: 'waits for all addresses of its network' },
  },
  {
    id: 'mapped-is-ipv4',
    against: 'all IPv4 addresses count as one where the server listens on IPv6',
    without: 'if (groups.length < 5) {',
    test: { file: 'test/application/address-network.test.ts', name: '::ffff:192.0.2.7 is counted as 192.0.2.7' },
  },
  {
    id: 'factor-of-a-live-session',
    against: 'a factor is added while the session is ended',
    without: '',
    test: { file: AUTHENTICATION, name: 'is not added by a session that is ended at this moment' },
  },
  {
    id: 'use-by-token-hash',
    against: 'whoever has the login of the server keeps a session from ending without use',
    without: 'where token_id in (select session_id from sessions);',
    test: { file: AUTHENTICATION, name: 'is moved by its token hash alone, and not after it has ended' },
  },
  {
    id: 'token-ends',
    against: 'a token is issued that never ends',
    without: 'null;',
    test: { file: AUTHENTICATION, name: 'has an end in the database, within two years' },
  },
  {
    id: 'token-ends-with-its-maker',
    against: 'whoever finds a token for a few minutes makes one for two years',
    without: 'null;',
    test: { file: AUTHENTICATION, name: 'that is made with a token ends with it' },
  },
  {
    id: 'token-revoked-with-its-maker',
    against: 'what was made with a token that was found goes on when that one is revoked',
    without: 'where false returning token_id',
    test: { file: AUTHENTICATION, name: 'that is revoked takes all with it that were made with it, and no others' },
  },
  {
    id: 'token-revoked-while-it-makes-one',
    against: 'a token that is being revoked leaves one behind that is made with it',
    without: '',
    test: { file: AUTHENTICATION, name: 'is not made with one that is revoked at this moment' },
  },
  {
    id: 'second-factor-for-release',
    against: 'a suspected duplicate is released without the second factor that the policy asks for',
    without:
      "v_refusal := authorize_by_second_factor(me.user_id, me.token_id, v_run.run_id, 'row', p_payment, v_payment.row_hash, 'released');",
    test: { file: SECOND_FACTORS, name: 'a release' },
  },
  {
    id: 'second-factor-for-manual-outcome',
    against: 'a manual outcome is confirmed without the second factor that the policy asks for',
    without: "manual_outcome_hash(p_manual_outcome), 'confirmed');",
    test: { file: SECOND_FACTORS, name: 'the confirmation of a manual outcome' },
  },
  {
    id: 'second-factor-for-schedule',
    against: 'a schedule is confirmed without the second factor that the policy asks for',
    without:
      "v_refusal := authorize_by_second_factor(me.user_id, me.token_id, null, 'schedule', p_schedule, p_hash, p_decision);",
    test: { file: SECOND_FACTORS, name: 'the confirmation of a schedule' },
  },
  {
    id: 'second-factor-for-order',
    against: 'what became of an order is confirmed without the second factor that the policy asks for',
    without:
      "v_refusal := authorize_by_second_factor(me.user_id, me.token_id, null, 'manual_outcome', p_manual_outcome, proposal_hash('order', v.order_id, p_manual_outcome, array[v.outcome]), 'confirmed');",
    test: { file: SECOND_FACTORS_OF_PROPOSALS, name: 'an order is funded again' },
  },
  {
    id: 'second-factor-for-case',
    against: 'what became of a sign-up is confirmed without the second factor that the policy asks for',
    without:
      "v_refusal := authorize_by_second_factor(me.user_id, me.token_id, null, 'manual_outcome', p_manual_outcome, proposal_hash('case', v.case_id, p_manual_outcome, array[v.outcome, v.user_id]), 'confirmed');",
    test: { file: SECOND_FACTORS_OF_PROPOSALS, name: 'a sign-up never took effect' },
  },
  {
    id: 'second-factor-for-virtual-account',
    against: 'the number of a virtual account is confirmed without the second factor that the policy asks for',
    without: "array[v.outcome, v.provider_request_id, v.account_number]), 'confirmed');",
    test: { file: SECOND_FACTORS_OF_PROPOSALS, name: 'a virtual account has a number' },
  },
  {
    id: 'session-idle',
    against: 'a session that nobody has used for long still decides',
    without: '',
    test: { file: SIGN_IN, name: 'that ended without use cannot decide either, whatever the server says' },
  },
  {
    id: 'link-once',
    against: 'a one-time link signs in twice',
    without: 'where code_hash = sha256(p_code) and expires_at > clock_timestamp() and disabled_at is null',
    test: { file: SIGN_IN, name: 'that two browsers use at the same moment signs one of them in' },
  },
  {
    id: 'password-verified',
    against: 'a wrong password signs in',
    without: 'where login = v_try.login and users.disabled_at is null;',
    test: { file: PASSWORDS, name: 'signs in, whatever the case of the login' },
  },
  {
    id: 'tries-slowed',
    against: 'passwords are tried without end',
    without: '',
    test: {
      file: PASSWORDS,
      name: 'is tried more slowly after failed tries, by all servers together, and an unknown login like a known one',
    },
  },
  {
    id: 'tries-of-each-user',
    against:
      'whoever signs in as themselves between their tries guesses the password of another user of the same browser without end',
    without:
      "select 'browser ' || encode(browser_hash, 'hex') into v_bucket from known_browsers join users using (user_id)",
    test: {
      file: PASSWORDS,
      name: 'is tried more slowly after failed tries, however often the other one signs in between them',
    },
  },
  {
    id: 'browser-secret-renewed',
    against: 'a secret of a browser that somebody has copied, or planted there, is of use for good',
    without: 'update known_browsers set browser_hash = browser_hash where (user_id, browser_hash) in (',
    test: {
      file: PASSWORDS,
      name: 'is tried as by a stranger with what the browser kept before one of them signed in',
    },
  },
  {
    id: 'asked-lately-by-company',
    against: 'whoever finds an open browser makes a token for years, as the sign-in of the company asks nothing',
    without: 'update sessions set authenticated_at = clock_timestamp()',
    test: {
      file: RECENT_COMPANY_SIGN_IN,
      name: 'is refused where the company has asked nothing, because the user had signed in there before',
    },
  },
  {
    id: 'asked-at-a-known-time',
    against: 'a sign-in of the company that does not say when it has asked counts as one of now',
    without:
      'values (v_token, p_method, 1800, left(p_browser, 200), left(p_address, 100), sign_in_takes_factor(p_user, p_method), clock_timestamp());',
    test: { file: RECENT_COMPANY_SIGN_IN, name: 'refused if the company does not say when that was' },
  },
  {
    id: 'second-factor-demanded',
    against: 'a run is approved without the second factor that the policy asks for',
    without:
      "v_refusal := authorize_by_second_factor(me.user_id, me.token_id, p_run, 'run', p_run, p_content_hash, p_decision);",
    test: { file: STEP_UP, name: 'is refused without one, and says which ones the user has' },
  },
  {
    id: 'first-factor-by-link',
    against: 'whoever finds out the password of a user without a second factor adds one of their own, and approves',
    without: 'if false then',
    test: { file: STEP_UP, name: 'that is the first takes a one-time link, where the policy asks for one' },
  },
  {
    id: 'company-sign-in-alone',
    against: 'a password signs in where the company has asked for its own sign-in alone',
    without: 'where false',
    test: { file: COMPANY_ONLY, name: 'a password opens no session' },
  },
  {
    id: 'no-session-by-password',
    against: 'a try with a password that was begun before still signs in',
    without: '',
    test: { file: COMPANY_ONLY, name: 'a password opens no session' },
  },
  {
    id: 'no-password-set',
    against: 'whoever has a link sets a password, which is there once the policy takes passwords again',
    without: 'v_refusal := null;',
    test: { file: COMPANY_ONLY, name: 'a link of the owner of the database still opens one' },
  },
  {
    id: 'app-added-by-policy-of-now',
    against: 'an app that somebody with the password began before the policy asked for factors counts once it does',
    without: 'v_refusal := null;',
    test: { file: ENROLMENT, name: 'an app or a passkey that was begun before' },
  },
  {
    id: 'passkey-added-by-policy-of-now',
    against: 'a passkey that somebody with the password began before the policy asked for factors counts once it does',
    without: 'v_refusal := null;',
    test: { file: ENROLMENT, name: 'an app or a passkey that was begun before' },
  },
  {
    id: 'reach-ends-with-role',
    against: 'whoever has a session or a token of a user decides with it once that user gets a role that decides',
    without: 'if false then null;',
    test: { file: GIVEN_MORE, name: 'end with a role that decides' },
  },
  {
    id: 'reach-ends-with-accounts',
    against: 'whoever has a session or a token of a user acts on an account that the user is given later',
    without: '',
    test: { file: GIVEN_MORE, name: 'and go on with fewer' },
  },
  {
    id: 'step-up-for-content',
    against: 'a second factor that was shown for one content approves another',
    without: 'where session_id = p_session and kind = p_kind and subject_id = p_subject',
    test: { file: STEP_UP, name: 'needs a signature for this run, this content and this decision' },
  },
  {
    id: 'step-up-expires',
    against: 'a second factor that was shown long ago approves',
    without: 'and decision = p_decision and used_at is null',
    test: { file: STEP_UP, name: 'needs a step-up that is not older than five minutes' },
  },
  {
    id: 'code-of-app-once',
    against: 'a code of an authenticator app counts twice',
    without: 'where totp_id = p_totp and abs(p_step - floor(extract(epoch from clock_timestamp()) / 30)) <= 1',
    test: { file: STEP_UP, name: 'is recorded with a code of an app, once' },
  },
  {
    id: 'factor-by-factor',
    against: 'whoever knows a password adds a second factor of their own',
    without: 'if false then',
    test: { file: STEP_UP, name: 'takes the present one first, unless the user came by a one-time link' },
  },
  {
    id: 'token-of-session',
    against: 'whoever takes a session over makes a token that outlives it',
    without: 'v_refusal := null;',
    test: {
      file: STEP_UP,
      name: 'is taken before a session makes a token, which outlives it, and only soon after a sign-in',
    },
  },
  {
    id: 'id-token-signed',
    against: 'a server that was taken over signs in whomever it likes by the sign-in of the company',
    without: "return true or v_power = number_of_bytes(decode('0001' || repeat('ff', v_length - 54) || '00'",
    test: { file: 'test/server/company-sign-in.services.ts', name: 'that a server has made itself signs nobody in' },
  },
  {
    id: 'cookie-of-this-host',
    against:
      'another server below the same name signs a user in as somebody else, or plants what their browser is known by',
    without: 'name,',
    test: {
      file: SERVER_SESSIONS,
      name: 'is not finished by a cookie that another server below the same name may have planted',
    },
  },
  {
    id: 'console-header',
    against: 'another site changes something with the cookie of a session',
    without: '',
    test: { file: SERVER_SESSIONS, name: 'without the header of the console' },
    behind: 'the cookie is SameSite=Strict; Origin and Sec-Fetch-Site',
  },
];
