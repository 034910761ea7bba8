import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks of sessions, links, second factors and the sign-in of a company. */

const SESSIONS = `${MIGRATIONS}/0043_sessions.sql`;

const signIn = (name: string) => ({ file: 'test/server/sign-in.services.ts', name });
const passwords = (name: string) => ({ file: 'test/server/passwords.services.ts', name });
const stepUp = (name: string) => ({ file: 'test/server/step-up.services.ts', name });
const company = (name: string) => ({ file: 'test/server/company-sign-in.services.ts', name });
const recent = (name: string) => ({ file: 'test/server/recent-company-sign-in.services.ts', name });

const IN_ORDER = `${MIGRATIONS}/0048_sign-in-in-order.sql`;
const order = (name: string) => ({ file: 'test/store/sign-in-order.services.ts', name });
const AS_SHOWN = `${MIGRATIONS}/0076_sign-in-shown.sql`;
const UNDER_ATTACK = `${MIGRATIONS}/0054_sign-in-under-attack.sql`;
const proposals = (name: string) => ({ file: 'test/store/second-factors-of-proposals.services.ts', name });
const others = (name: string) => ({ file: 'test/store/second-factors.services.ts', name });

export const SESSION_GUARDS: readonly Guard[] = [
  {
    id: 'factor-of-a-live-session',
    against: 'a factor is added while the session is ended',
    file: IN_ORDER,
    text: '  perform from users where users.user_id = session_alone.user_id for no key update;\n',
    without: '',
    test: order('is not added for a user who is disabled at this moment'),
  },
  {
    id: 'use-by-proof',
    against: 'whoever has the login of the server keeps a session from ending without use',
    file: IN_ORDER,
    text: 'where token_id = (select holder.token_id from session_of(p_proof) as holder)',
    without: 'where token_id in (select session_id from sessions)',
    test: order('is moved by its proof alone, and not after it has ended'),
  },
  {
    id: 'token-ends',
    against: 'a token is issued that never ends',
    file: UNDER_ATTACK,
    text: `  if p_expires_at is null or p_expires_at > clock_timestamp() + interval '731 days' then
    return refused('invalid_input', 'a token ends within two years');
  end if;
  insert into`,
    without: '  insert into',
    test: order('has an end in the database, within two years'),
  },
  {
    id: 'token-ends-with-its-maker',
    against: 'whoever finds a token for a few minutes makes one for two years',
    file: UNDER_ATTACK,
    text: 'v_end := least(p_expires_at, (select expires_at from api_tokens where token_id = me.token_id));',
    without: 'null;',
    test: order('that is made with a token ends with it'),
  },
  {
    id: 'token-revoked-with-its-maker',
    against: 'what was made with a token that was found goes on when that one is revoked',
    file: UNDER_ATTACK,
    text: 'where token_id in (select token_id from chain) and token_id <> p_token and revoked_at is null',
    without: 'where false',
    test: order('that is revoked takes all with it that were made with it, and no others'),
  },
  {
    id: 'token-revoked-while-it-makes-one',
    against: 'a token that is being revoked leaves one behind that is made with it',
    file: UNDER_ATTACK,
    text: '  perform from users where user_id = v_owner for no key update;\n',
    without: '',
    test: order('is not made with one that is revoked at this moment'),
  },
  {
    id: 'second-factor-for-release',
    against: 'a suspected duplicate is released without the second factor that the policy asks for',
    file: IN_ORDER,
    text: "v_run.run_id, 'row', p_payment, v_payment.row_hash, 'released');\n  if v_refusal is not null then return v_refusal; end if;",
    without: "v_run.run_id, 'row', p_payment, v_payment.row_hash, 'released');",
    test: others('a release'),
  },
  {
    id: 'second-factor-for-resolution',
    against: 'a resolution is confirmed without the second factor that the policy asks for',
    file: IN_ORDER,
    text: "    resolution_hash(p_resolution), 'confirmed');\n  if v_refusal is not null then return v_refusal; end if;",
    without: "    resolution_hash(p_resolution), 'confirmed');",
    test: others('the confirmation of a resolution'),
  },
  {
    id: 'second-factor-for-schedule',
    against: 'a schedule is confirmed without the second factor that the policy asks for',
    file: IN_ORDER,
    text: "'schedule', p_schedule, p_hash, p_decision);\n    if v_refusal is not null then return v_refusal; end if;",
    without: "'schedule', p_schedule, p_hash, p_decision);",
    test: others('the confirmation of a schedule'),
  },
  {
    id: 'second-factor-for-order',
    against: 'what became of an order is confirmed without the second factor that the policy asks for',
    file: `${MIGRATIONS}/0063_money-counted-once.sql`,
    text: "array[v.outcome]), 'confirmed');\n  if v_refusal is not null then return v_refusal; end if;",
    without: "array[v.outcome]), 'confirmed');",
    test: proposals('an order is funded again'),
  },
  {
    id: 'second-factor-for-case',
    against: 'what became of a sign-up is confirmed without the second factor that the policy asks for',
    file: UNDER_ATTACK,
    text: "array[v.outcome, v.user_id]), 'confirmed');\n  if v_refusal is not null then return v_refusal; end if;",
    without: "array[v.outcome, v.user_id]), 'confirmed');",
    test: proposals('a sign-up never took effect'),
  },
  {
    id: 'second-factor-for-virtual-account',
    against: 'the number of a virtual account is confirmed without the second factor that the policy asks for',
    file: UNDER_ATTACK,
    text: "v.account_number]), 'confirmed');\n  if v_refusal is not null then return v_refusal; end if;",
    without: "v.account_number]), 'confirmed');",
    test: proposals('a virtual account has a number'),
  },
  {
    id: 'session-idle',
    against: 'a session that nobody has used for long still decides',
    file: SESSIONS,
    text: `    and (session_id is null
      or coalesce(last_used_at, tokens.created_at) + idle_seconds * interval '1 second' > clock_timestamp())
`,
    without: '',
    test: signIn('that ended without use cannot decide either, whatever the server says'),
  },
  {
    id: 'link-once',
    against: 'a one-time link signs in twice',
    file: SESSIONS,
    text: 'where code_hash = sha256(p_code) and redeemed_at is null and',
    without: 'where code_hash = sha256(p_code) and',
    test: signIn('that two browsers use at the same moment signs one of them in'),
  },
  {
    id: 'password-verified',
    against: 'a wrong password signs in',
    file: AS_SHOWN,
    text: 'and users.disabled_at is null and verifier = sha256(p_key);',
    without: 'and users.disabled_at is null;',
    test: passwords('signs in, whatever the case of the login'),
  },
  {
    id: 'tries-slowed',
    against: 'passwords are tried without end',
    file: AS_SHOWN,
    text: `  v_wait := take_try(v_bucket);
  if v_wait > 0 then return refused_until(v_wait); end if;
`,
    without: '',
    test: passwords(
      'is tried more slowly after failed tries, by all servers together, and an unknown login like a known one',
    ),
  },
  {
    id: 'tries-of-each-user',
    against:
      'whoever signs in as themselves between their tries guesses the password of another user of the same browser without end',
    file: AS_SHOWN,
    text: "select 'browser ' || known_id into v_bucket",
    without: "select 'browser ' || encode(browser_hash, 'hex') into v_bucket",
    test: passwords('is tried more slowly after failed tries, however often the other one signs in between them'),
  },
  {
    id: 'browser-secret-renewed',
    against: 'a secret of a browser that somebody has copied, or planted there, is of use for good',
    file: AS_SHOWN,
    text: 'update known_browsers set browser_hash = sha256(p_browser) where',
    without: 'update known_browsers set browser_hash = browser_hash where',
    test: passwords('is tried as by a stranger with what the browser kept before one of them signed in'),
  },
  {
    id: 'asked-lately-by-company',
    against: 'whoever finds an open browser makes a token for years, as the sign-in of the company asks nothing',
    file: AS_SHOWN,
    text: 'least(to_timestamp(v_auth_time::double precision), clock_timestamp())',
    without: 'clock_timestamp()',
    test: recent('is refused where the company has asked nothing, because the user had signed in there before'),
  },
  {
    id: 'asked-at-a-known-time',
    against: 'a sign-in of the company that does not say when it has asked counts as one of now',
    file: AS_SHOWN,
    text: "case when p_method <> 'oidc' then clock_timestamp() end",
    without: 'clock_timestamp()',
    test: recent('refused if the company does not say when that was'),
  },
  {
    id: 'second-factor-demanded',
    against: 'a run is approved without the second factor that the policy asks for',
    file: UNDER_ATTACK,
    text: `p_run, 'run', p_run, p_content_hash, p_decision);
    if v_refusal is not null then raise exception 'no second factor' using errcode = 'PR001'; end if;`,
    without: "p_run, 'run', p_run, p_content_hash, p_decision);",
    test: stepUp('is refused without one, and says which ones the user has'),
  },
  {
    id: 'first-factor-by-link',
    against: 'whoever finds out the password of a user without a second factor adds one of their own, and approves',
    file: AS_SHOWN,
    text: "if p_what in ('begin_totp', 'begin_passkey') and approvals_need_second_factor() then",
    without: 'if false then',
    test: stepUp('that is the first takes a one-time link, where the policy asks for one'),
  },
  {
    id: 'step-up-for-content',
    against: 'a second factor that was shown for one content approves another',
    file: SESSIONS,
    text: 'subject_id = p_subject and content_hash = p_hash',
    without: 'subject_id = p_subject',
    test: stepUp('needs a signature for this run, this content and this decision'),
  },
  {
    id: 'step-up-expires',
    against: 'a second factor that was shown long ago approves',
    file: SESSIONS,
    text: 'and decision = p_decision and used_at is null and expires_at > clock_timestamp()',
    without: 'and decision = p_decision and used_at is null',
    test: stepUp('needs a step-up that is not older than five minutes'),
  },
  {
    id: 'code-of-app-once',
    against: 'a code of an authenticator app counts twice',
    file: SESSIONS,
    text: 'where totp_id = p_totp and last_step < p_step and',
    without: 'where totp_id = p_totp and',
    test: stepUp('is recorded with a code of an app, once'),
  },
  {
    id: 'factor-by-factor',
    against: 'whoever knows a password adds a second factor of their own',
    file: AS_SHOWN,
    text: 'if has_second_factor(p_user) then',
    without: 'if false then',
    test: stepUp('takes the present one first, unless the user came by a one-time link'),
  },
  {
    id: 'token-of-session',
    against: 'whoever takes a session over makes a token that outlives it',
    file: UNDER_ATTACK,
    text: `v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'issue_token');`,
    without: 'v_refusal := null;',
    test: stepUp('is taken before a session makes a token, which outlives it, and only soon after a sign-in'),
  },
  {
    id: 'id-token-signed',
    against: 'a server that was taken over signs in whomever it likes by the sign-in of the company',
    file: SESSIONS,
    text: `  return v_power = number_of_bytes(`,
    without: `  return true or v_power = number_of_bytes(`,
    test: company('that a server has made itself signs nobody in'),
  },
  {
    id: 'cookie-of-this-host',
    against:
      'another server below the same name signs a user in as somebody else, or plants what their browser is known by',
    file: 'server/users/session-cookie.ts',
    text: 'name: secure ? `${SECURE_PREFIX}${name}` : name,',
    without: 'name,',
    test: {
      file: 'test/server/server-sessions.test.ts',
      name: 'is not finished by a cookie that another server below the same name may have planted',
    },
  },
  {
    id: 'console-header',
    against: 'another site changes something with the cookie of a session',
    file: 'server/users/request-origin.ts',
    text: '    request.headers[CONSOLE_HEADER] !== undefined &&\n',
    without: '',
    test: { file: 'test/server/server-sessions.test.ts', name: 'without the header of the console' },
    behind: 'the cookie is SameSite=Strict; Origin and Sec-Fetch-Site',
  },
];
