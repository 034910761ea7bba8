import type { Guard } from './guard.ts';

const USER_ACCOUNTS = 'test/store/user-accounts.services.ts';
const ACCOUNT_LIMITS = 'test/store/account-limits.services.ts';
const ACCESS_OF_ACCOUNTS = 'test/server/access-of-accounts.services.ts';
const IS_SIGNED_IN = 'test/application/is-signed-in.test.ts';

/** Checks of the accounts with the provider that a user is limited to. */
export const ACCOUNT_GUARDS: readonly Guard[] = [
  {
    id: 'run-of-other-account',
    against: 'a user decides on a run, or a row of a run, of an account that they may not use',
    without: 'if false then',
    test: { file: USER_ACCOUNTS, name: 'to approve a run is refused to a user who is limited to another account' },
  },
  {
    id: 'submitted-to-own-account',
    against: 'a user submits a run to an account that they may not use',
    without: '',
    test: { file: USER_ACCOUNTS, name: 'to submit a run is refused to a user who is limited to another account' },
    behind: 'submitted-to-own-account-first',
  },
  {
    id: 'submitted-to-own-account-first',
    against: 'a file for an account that its maker may not use is checked, or accepted as a repetition',
    without: 'if (wanted === undefined) await refuseAccount(dependencies, user, wanted);',
    test: {
      file: 'test/application/account-of-submission.test.ts',
      name: 'is not another one than a user is limited to, which is recorded',
    },
    behind: 'submitted-to-own-account',
  },
  {
    id: 'stop-of-own-account',
    against: 'a user stops an account that they may not use, or everything',
    without: 'v_refusal := null;',
    test: { file: USER_ACCOUNTS, name: 'to stop an account is refused to a user who is limited to another account' },
  },
  {
    id: 'lifted-for-own-account',
    against: 'a user lifts the stop of an account that they may not use, or of everything',
    without: 'v_refusal := null;',
    test: {
      file: USER_ACCOUNTS,
      name: 'to lift the stop of an account is refused to a user who is limited to another account',
    },
  },
  {
    id: 'all-accounts-for-nobody-limited',
    against: 'a user who is limited to one account stops everything',
    without: 'or exists (select from user_accounts where user_id = p_user and account = coalesce(p_account, account))',
    test: { file: USER_ACCOUNTS, name: 'to stop everything is refused to a user who is limited to the account' },
  },
  {
    id: 'erased-in-own-account',
    against: 'an administrator erases the reason of a stop of an account that they may not use',
    without: 'select null into v_refusal',
    test: {
      file: USER_ACCOUNTS,
      name: 'to erase a remark on the stop of an account is refused to a user who is limited to another account',
    },
  },
  {
    id: 'erased-of-own-account',
    against:
      'an administrator erases what was written to a case, order, schedule, break or virtual account that is not of their accounts',
    without: 'if false and not exists (select from stops where remark_id = p_remark) and not exists (',
    test: { file: ACCESS_OF_ACCOUNTS, name: 'eraseRemark' },
  },
  {
    id: 'changes-of-own-accounts',
    against: 'a user reads the address of the provider, as it changes, of an account that they may not use',
    without: 'and $3::text[] is not distinct from $3',
    test: { file: ACCESS_OF_ACCOUNTS, name: 'listChanges' },
  },
  {
    id: 'all-accounts-for-unlimited',
    against: 'a user who is limited to accounts reads the audit trail of others',
    without: 'if (request === null) {',
    test: { file: ACCESS_OF_ACCOUNTS, name: 'listGlobalAudit' },
    behind: 'for changes, the functions of the database',
  },
  {
    id: 'account-given-is-own',
    against: 'a handler that forgets the accounts of its user answers for the account that a query or body names',
    without: 'if (account !== undefined) continue;',
    test: { file: ACCESS_OF_ACCOUNTS, name: 'listRuns' },
    behind: 'the use cases, and for changes the functions of the database',
  },
  {
    id: 'erased-in-own-run',
    against: 'an administrator erases a remark on a run of an account that they may not use',
    without: '',
    test: {
      file: USER_ACCOUNTS,
      name: 'to erase a remark on a run is refused to a user who is limited to another account',
    },
  },
  {
    id: 'approver-may-still-use',
    against: 'the approval of someone who may no longer use the account counts for a step',
    without: '',
    test: { file: ACCOUNT_LIMITS, name: 'does not count as an approval' },
  },
  {
    id: 'asker-may-still-use',
    against: 'one person lifts a stop with the request of another one who may no longer use the account',
    without: 'then',
    test: { file: ACCOUNT_LIMITS, name: 'does not count as a request to lift a stop' },
  },
  {
    id: 'more-accounts-wait',
    against: 'one administrator alone gives more accounts to a user who decides',
    without: 'if v_waits or false and (false or exists (',
    test: { file: ACCOUNT_LIMITS, name: 'for a user who decides take a second administrator' },
  },
  {
    id: 'more-accounts-wait-for-roles',
    against: 'one administrator alone gives more accounts to a user whom another one then makes a checker',
    without: 'if v_waits or v_gives and (has_role_of_two(p_user) or false and exists (',
    test: { file: ACCOUNT_LIMITS, name: 'wait for a user who is about to decide' },
  },
  {
    id: 'deciders-limited-by-two',
    against: 'one administrator alone keeps a checker from the runs on which they would decide otherwise',
    without: 'v_waits := false;',
    test: { file: ACCOUNT_LIMITS, name: 'of a user who decides take a second administrator' },
  },
  {
    id: 'accounts-never-by-time',
    against: 'a checker is kept from an account by waiting, or ends such a change alone',
    without: "select p_kind in ('remove_role', 'disable_user', 'disable_endpoint', 'remove_endpoint')",
    test: { file: ACCOUNT_LIMITS, name: 'of a user who decides take a second administrator' },
  },
  {
    id: 'limited-by-change-loses-proposals',
    against: 'what an administrator proposed takes effect although they may not manage users any more',
    without: '',
    test: { file: ACCOUNT_LIMITS, name: 'loses their proposals' },
  },
  {
    id: 'accounts-by-their-function',
    against: 'accounts that nobody knows, or none, are proposed as a limit',
    without: '',
    test: { file: ACCOUNT_LIMITS, name: 'are given in no other way' },
  },
  {
    id: 'earlier-within-accounts',
    against: 'who is limited to an account reads what was paid from another one',
    without: "const isShown = (): boolean => mayUse({ accounts: null }, '');",
    test: {
      file: 'test/application/review-within-accounts.test.ts',
      name: 'a payment from an account that somebody may not use is counted for them, and not shown',
    },
  },
  {
    id: 'similar-within-accounts',
    against: 'who is limited to an account reads what a suspected duplicate repeats of another one',
    without: 'const payments = found.filter(() => may.accounts === null || may.accounts.length > 0);',
    test: {
      file: 'test/store/row-releases.services.ts',
      name: 'of accounts that somebody may not use are counted for them, and not shown',
    },
  },
  {
    id: 'repeated-within-accounts',
    against: 'who is limited to an account reads which runs of another one a release may repeat',
    without: '.filter(() => user.accounts === null || user.accounts.length > 0)',
    test: {
      file: 'test/store/bulk-releases.services.ts',
      name: 'names no runs of accounts that its user may not use',
    },
  },
  {
    id: 'other-account-unnamed',
    against: 'the message of a suspected duplicate names a file of an account that its reader may not use',
    without: "when false then 'in a run of another provider account'",
    test: {
      file: 'test/store/duplicates.services.ts',
      name: 'from any account of the installation, whose runs are not named',
    },
  },
  {
    id: 'fewer-accounts-end-more',
    against: 'a change that was pending gives back the accounts that were taken away since',
    without: 'null;',
    test: { file: ACCOUNT_LIMITS, name: 'replace a pending change that would give more' },
  },
  {
    id: 'limited-to-something',
    against: 'a user who is limited to no account may use all of them',
    without: '',
    test: { file: ACCOUNT_LIMITS, name: 'is never to no account, which would give all' },
    behind: 'limit_user and the API refuse an empty list',
  },
  {
    id: 'limited-administrators',
    against: 'an administrator who is limited adds a user who is not, or frees others',
    without: '',
    test: { file: ACCOUNT_LIMITS, name: 'manages no users and confirms no changes, since these concern all accounts' },
  },
  {
    id: 'run-of-other-account-hidden',
    against: 'a user reads runs, rows, files or events of an account that they may not use',
    without: 'if (found !== null) continue;',
    test: {
      file: 'test/server/server-accounts.test.ts',
      name: 'a run of another account does not exist for a user who is limited',
    },
    behind: 'for changes, the functions of the database',
  },
  {
    id: 'runs-of-own-accounts',
    against: 'the list of runs has runs of accounts that the user may not use',
    without: 'and ($3::text[] is null or true)',
    test: { file: USER_ACCOUNTS, name: 'lists have the runs and stops of the accounts that the user may use' },
  },
  {
    id: 'stops-of-own-accounts',
    against: 'the list of stops has those of accounts that the user may not use',
    without: 'and ($2::text[] is null or true',
    test: { file: USER_ACCOUNTS, name: 'lists have the runs and stops of the accounts that the user may use' },
  },
  {
    id: 'limited-administrators-read',
    against: 'an administrator who is limited reads the tokens and sessions of all users',
    without: "return mayAny(roles, 'manage_users') && accounts !== undefined;",
    test: {
      file: 'test/server/access-of-sessions.services.ts',
      name: 'of others are not listed to an administrator who is limited',
    },
  },
  {
    id: 'watching-ends-with-account',
    against: 'a user goes on watching a run of an account that was taken away',
    without: "return mayAny(holder.roles, 'read_runs') && account.length > 0;",
    test: { file: IS_SIGNED_IN, name: 'is over when the user may no longer use the account' },
  },
  {
    id: 'watching-ends-with-role',
    against: 'a user goes on watching a run who may no longer read runs',
    without: 'return mayUse(holder, account);',
    test: { file: IS_SIGNED_IN, name: 'is over when the user may no longer read runs' },
  },
];
