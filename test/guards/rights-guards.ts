import type { Guard } from './guard.ts';

const DATABASE_RIGHTS = 'test/store/database-rights.services.ts';
const DATABASE_GUARDS = 'test/store/database-guards.services.ts';

/** Checks of the processes' rights in the database, and of the audit trail. */
export const RIGHTS_GUARDS: readonly Guard[] = [
  {
    id: 'compared-while-checked',
    against: 'whoever has the login of a worker says that accounts were compared which became known later',
    without: 'update runs set duplicates_checked_at = now() where run_id = p_run;',
    test: {
      file: 'test/store/duplicates.services.ts',
      name: 'with the accounts that were known when duplicates were looked for',
    },
  },
  {
    id: 'functions-closed',
    against: 'a process calls functions of the owner, such as adding users',
    without: '',
    test: { file: DATABASE_RIGHTS, name: 'may call the functions that the document lists, and no other' },
  },
  {
    id: 'server-moves-no-payment',
    against: 'the server, or a webhook through it, changes the state of payments',
    without: "payments: 'select, insert, update',",
    test: { file: DATABASE_RIGHTS, name: "payrun_server may do with 'payments' what" },
  },
  {
    id: 'server-decides-by-functions',
    against: 'the server writes approvals without the hash of a token',
    without:
      "api_tokens: 'select (token_id, user_id, stored_hash, label, created_at, expires_at, revoked_at, last_used_at, scopes)',\napprovals: 'select, insert',",
    test: { file: DATABASE_RIGHTS, name: "payrun_server may do with 'approvals' what" },
  },
  {
    id: 'server-freezes-nothing',
    against: 'the server records rows as approved',
    without:
      "approved_payments: 'select, insert',\napplied_sql_files: 'select',\naudit_entries: 'select, insert (actor, kind, run_id, payment_id, detail)',\naudit_chain: 'select',\nbeneficiaries: 'select (account, fingerprint, beneficiary_id, known_at)',",
    test: { file: DATABASE_RIGHTS, name: "payrun_server may do with 'approved_payments' what" },
  },
  {
    id: 'server-makes-no-tokens',
    against: 'the server makes tokens for anyone',
    without:
      "api_tokens: 'select (token_id, user_id, stored_hash, label, created_at, expires_at, revoked_at, last_used_at, scopes), insert',",
    test: { file: DATABASE_RIGHTS, name: "payrun_server may do with 'api_tokens' what" },
  },
  {
    id: 'server-changes-no-run',
    against: 'the server records a run as approved',
    without: "runs: 'select, update',\nschema_migrations: 'select',",
    test: { file: DATABASE_RIGHTS, name: "payrun_server may do with 'runs' what" },
  },
  {
    id: 'server-lifts-no-stop',
    against: 'the server lifts stops without the hash of a token',
    without: "stops: 'select, update',\nsupporting_files: 'select, insert',",
    test: { file: DATABASE_RIGHTS, name: "payrun_server may do with 'stops' what" },
  },
  {
    id: 'worker-approves-nothing',
    against: 'the worker writes approvals',
    without: "payrun_worker: {\n  approvals: 'select, insert',",
    test: { file: DATABASE_RIGHTS, name: "payrun_worker may do with 'approvals' what" },
  },
  {
    id: 'worker-freezes-nothing',
    against: 'the worker records rows as approved',
    without: "payrun_worker: {\n  approvals: 'select',\n  approved_payments: 'select, insert',",
    test: { file: DATABASE_RIGHTS, name: "payrun_worker may do with 'approved_payments' what" },
  },
  {
    id: 'worker-decides-no-run',
    against: 'the worker records decisions of people on a run',
    without: "runs: 'select, update (state, state_reason, proposal, started_at, finished_at, notified_at)',",
    test: { file: DATABASE_RIGHTS, name: "payrun_worker may do with 'runs' what" },
  },
  {
    id: 'worker-changes-no-content',
    against: 'the worker changes the content of rows',
    without: "...UPDATE_COLUMNS, 'instruction',",
    test: { file: DATABASE_RIGHTS, name: "payrun_worker may do with 'payments' what" },
    behind: 'content-kept',
  },
  {
    id: 'worker-lifts-no-stop',
    against: 'the worker lifts stops',
    without: "stops: 'select, update',\nsupporting_files: 'select',",
    test: { file: DATABASE_RIGHTS, name: "payrun_worker may do with 'stops' what" },
  },
  {
    id: 'worker-confirms-nothing',
    against: 'the worker confirms the manual outcome of a row',
    without:
      "payment_manual_outcome_confirmations: 'select, insert',\npayment_manual_outcomes: 'select, update (state, closed_by, closed_at, closing_reason)',",
    test: { file: DATABASE_RIGHTS, name: "payrun_worker may do with 'payment_manual_outcome_confirmations' what" },
  },
  {
    id: 'rights-given-up',
    against: 'a process that got the owner’s login uses its rights',
    without: "select '${role}' from pg_roles",
    test: { file: 'test/store/audit-rights.services.ts', name: 'gives up its rights on every connection' },
  },
  {
    id: 'audit-kept',
    against: 'an entry of the audit trail is changed or deleted',
    without: '',
    test: { file: DATABASE_GUARDS, name: 'nothing of audit_entries is changed or taken away' },
    behind: 'no process has the right; the hash chain shows it',
  },
  {
    id: 'links-kept',
    against: 'the chain of the audit trail is changed or deleted',
    without: '',
    test: { file: DATABASE_GUARDS, name: 'nothing of audit_chain is changed or taken away' },
    behind: 'no process has the right to change or delete',
  },
];
