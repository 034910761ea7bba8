import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks of the accounts with the provider that a user is limited to. */

const ACCOUNTS = `${MIGRATIONS}/0027_user-accounts.sql`;
const LIMITING = `${MIGRATIONS}/0075_invitations-that-end.sql`;
const DECISIONS = `${MIGRATIONS}/0028_decisions-by-account.sql`;

const byAccount = (name: string) => ({ file: 'test/store/user-accounts.services.ts', name });
const limits = (name: string) => ({ file: 'test/store/account-limits.services.ts', name });
const server = (name: string) => ({ file: 'test/server/server-accounts.test.ts', name });
const refused = (what: string) => byAccount(`to ${what} is refused to a user who is limited to another account`);

const DECIDING: readonly Guard[] = [
  {
    id: 'run-of-other-account',
    against: 'a user decides on a run, or a row of a run, of an account that they may not use',
    file: ACCOUNTS,
    text: 'if exists (select from runs where run_id = p_run and not user_may_use(p_user, account)) then',
    without: 'if false then',
    test: refused('approve a run'),
  },
  {
    id: 'submitted-to-own-account',
    against: 'a user submits a run to an account that they may not use',
    file: DECISIONS,
    text: `v_refusal := account_objection_to(me.user_id, me.token_id, p_account, 'submit_run');`,
    without: '',
    test: refused('submit a run'),
    behind: 'submitted-to-own-account-first',
  },
  {
    id: 'submitted-to-own-account-first',
    against: 'a file for an account that its maker may not use is checked, or accepted as a repetition',
    file: 'application/runs/account-of-submission.ts',
    text: 'if (wanted !== undefined && !mayUse(user, wanted)) await',
    without: 'if (wanted === undefined) await',
    test: {
      file: 'test/application/account-of-submission.test.ts',
      name: 'is not another one than a user is limited to, which is recorded',
    },
    behind: 'submitted-to-own-account',
  },
  {
    id: 'stop-of-own-account',
    against: 'a user stops an account that they may not use, or everything',
    file: DECISIONS,
    text: `case when p_scope <> 'run' then account_objection_to(me.user_id, me.token_id, p_account, 'stop_' || p_scope) end`,
    without: 'null',
    test: refused('stop an account'),
  },
  {
    id: 'lifted-for-own-account',
    against: 'a user lifts the stop of an account that they may not use, or of everything',
    file: DECISIONS,
    text: `case when v.scope <> 'run' then account_objection_to(me.user_id, me.token_id, v.account, 'lift_stop') end`,
    without: 'null',
    test: refused('lift the stop of an account'),
  },
  {
    id: 'all-accounts-for-nobody-limited',
    against: 'a user who is limited to one account stops everything',
    file: ACCOUNTS,
    text: 'or exists (select from user_accounts where user_id = p_user and account = p_account)',
    without: 'or exists (select from user_accounts where user_id = p_user and account = coalesce(p_account, account))',
    test: byAccount('to stop everything is refused to a user who is limited to the account'),
  },
  {
    id: 'erased-in-own-account',
    against: 'an administrator erases the reason of a stop of an account that they may not use',
    file: DECISIONS,
    text: `select account_objection_to(me.user_id, me.token_id, account, 'erase_remark') into v_refusal`,
    without: 'select null into v_refusal',
    test: refused('erase a remark on the stop of an account'),
  },
  {
    id: 'erased-in-own-run',
    against: 'an administrator erases a remark on a run of an account that they may not use',
    file: DECISIONS,
    text: 'select run_id into v_run from remarks where remark_id = p_remark;',
    without: '',
    test: refused('erase a remark on a run'),
  },
  {
    id: 'approver-may-still-use',
    against: 'the approval of someone who may no longer use the account counts for a step',
    file: `${MIGRATIONS}/0044_console.sql`,
    text: `and user_may_use(user_id, runs.account)\n      and satisfies_step(user_id, p_steps -> (n - 1)))\n    order by n`,
    without: '\n      and satisfies_step(user_id, p_steps -> (n - 1)))\n    order by n',
    test: limits('does not count as an approval'),
  },
  {
    id: 'asker-may-still-use',
    against: 'one person lifts a stop with the request of another one who may no longer use the account',
    file: DECISIONS,
    text: '\n    or not user_may_use(v.lift_asked_by, coalesce(v.account, (select account from runs where run_id = v.run_id))) then',
    without: ' then',
    test: limits('does not count as a request to lift a stop'),
  },
];

const LIMITS: readonly Guard[] = [
  {
    id: 'more-accounts-wait',
    against: 'one administrator alone gives more accounts to a user who decides',
    file: LIMITING,
    text: 'if v_gives and (decides(p_user) or',
    without: 'if false and (false or',
    test: limits('for a user who decides take a second administrator'),
  },
  {
    id: 'more-accounts-wait-for-roles',
    against: 'one administrator alone gives more accounts to a user whom another one then makes a checker',
    file: LIMITING,
    text: 'decides(p_user) or exists (',
    without: 'decides(p_user) or false and exists (',
    test: limits('wait for a user who is about to decide'),
  },
  {
    id: 'accounts-by-their-function',
    against: 'accounts that nobody knows, or none, are proposed as a limit',
    file: LIMITING,
    text: `if p_kind = 'set_accounts' then return refused('invalid_input', 'accounts are changed by limit_user'); end if;`,
    without: '',
    test: limits('are given in no other way'),
  },
  {
    id: 'fewer-accounts-end-more',
    against: 'a change that was pending gives back the accounts that were taken away since',
    file: LIMITING,
    text: `perform reject_change(v_change, me.user_id, 'replaced');`,
    without: 'null;',
    test: limits('reject a pending change that would give more'),
  },
  {
    id: 'limited-to-something',
    against: 'a user who is limited to no account may use all of them',
    file: ACCOUNTS,
    text: `if not found then raise exception 'a user is limited to at least one account'; end if;`,
    without: '',
    test: limits('is never to no account, which would give all'),
    behind: 'limit_user and the API refuse an empty list',
  },
  {
    id: 'limited-administrators',
    against: 'an administrator who is limited adds a user who is not, or frees others',
    file: ACCOUNTS,
    text: `\n    and (p_permission not in ('manage_users', 'confirm_change') or user_may_use(p_user, null))`,
    without: '',
    test: limits('manages no users and confirms no changes, since these concern all accounts'),
  },
];

const READING: readonly Guard[] = [
  {
    id: 'run-of-other-account-hidden',
    against: 'a user reads runs, rows, files or events of an account that they may not use',
    file: 'server/users/access.ts',
    text: 'if (account !== null && mayUse(user, account)) return;',
    without: 'if (account !== null) return;',
    test: server('a run of another account does not exist for a user who is limited'),
    behind: 'for changes, the functions of the database',
  },
  {
    id: 'runs-of-own-accounts',
    against: 'the list of runs has runs of accounts that the user may not use',
    file: 'store/runs/runs.ts',
    text: '($3::text[] is null or account = any($3))',
    without: '($3::text[] is null or true)',
    test: byAccount('lists have the runs and stops of the accounts that the user may use'),
  },
  {
    id: 'stops-of-own-accounts',
    against: 'the list of stops has those of accounts that the user may not use',
    file: 'store/approvals/stops.ts',
    text: `($2::text[] is null or stops.scope = 'all'`,
    without: '($2::text[] is null or true',
    test: byAccount('lists have the runs and stops of the accounts that the user may use'),
  },
  {
    id: 'limited-administrators-read',
    against: 'an administrator who is limited reads the tokens and sessions of all users',
    file: 'application/users/signed-in.ts',
    text: `return mayAny(roles, 'manage_users') && accounts === null;`,
    without: `return mayAny(roles, 'manage_users') && accounts !== undefined;`,
    test: {
      file: 'test/server/access-of-sessions.services.ts',
      name: 'of others are not listed to an administrator who is limited',
    },
  },
  {
    id: 'watching-ends-with-account',
    against: 'a user goes on watching a run of an account that was taken away',
    file: 'application/users/sign-in.ts',
    text: '&& mayUse(holder, account)',
    without: '&& account.length > 0',
    test: {
      file: 'test/application/is-signed-in.test.ts',
      name: 'is over when the user may no longer use the account',
    },
  },
  {
    id: 'watching-ends-with-role',
    against: 'a user goes on watching a run who may no longer read runs',
    file: 'application/users/sign-in.ts',
    text: `return mayAny(holder.roles, 'read_runs') &&`,
    without: 'return',
    test: {
      file: 'test/application/is-signed-in.test.ts',
      name: 'is over when the user may no longer read runs',
    },
  },
];

export const ACCOUNT_GUARDS: readonly Guard[] = [...DECIDING, ...LIMITS, ...READING];
