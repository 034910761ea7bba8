import type { Queryable } from './database.ts';
import { readSqlFunctions, signatureOf } from './sql-files.ts';
import { allowSettingRole, revokeTemporary } from './role-privileges.ts';
import { UPDATE_COLUMNS } from '../payments/payment-transition.ts';
import { type RuntimeRole, SERVER_ROLE, WORKER_ROLE } from './runtime-role.ts';

type Rights = Readonly<Record<string, string>>;

const PAYMENT_PROGRESS = [
  // guard: worker-changes-no-content
  ...UPDATE_COLUMNS,
  // Set by statements of their own.
  'state, funds_seen_at, workflow_begun_at, webhook_received_at, polled_at, asked_at, tried_at, notification_pending, changed_at',
].join(', ');

const CASE_PROGRESS =
  'state, state_reason, user_id, account_id, provider_status, encrypted_status, missing, waiting_since, notified_changes, looked_at, read_at, reads, ' +
  'reminders, reminded_at, ended_at, changed_at';

const CONVERSION_PROGRESS =
  'state, state_reason, quote_id, quote, quote_mac, quoted_at, quotes, reference, provider_message, findings, conversion_id, conversion_mac, ' +
  'shown, provider_status, status_read_at, created_at, funding_cutoff_at, absent_at, funded_at, completed_at, credit_entry_id, ended_at, ' +
  'changed_at, notified_changes, looked_at, woken_at, debit_evidence, debit_looked_for_at, unfunded_at';

/** What each role may do with each table; nothing else is allowed. `docs/security.md` has the same as a table. */
export const TABLE_RIGHTS: Readonly<Record<RuntimeRole, Rights>> = {
  payrun_server: {
    // guard: server-makes-no-tokens (2 lines)
    // guard: server-decides-by-functions (3 lines)
    api_tokens:
      'select (token_id, user_id, stored_hash, label, created_at, expires_at, revoked_at, last_used_at, scopes)',
    approvals: 'select',
    // guard: server-freezes-nothing (5 lines)
    approved_payments: 'select',
    applied_sql_files: 'select',
    audit_entries: 'select, insert (actor, kind, run_id, payment_id, detail)',
    // guard: links-by-function (2 lines)
    audit_chain: 'select',
    // guard: server-confirms-no-account
    beneficiary_accounts: 'select',
    beneficiaries: 'select (account, fingerprint, beneficiary_id, known_at)',
    case_documents: 'select',
    case_keys: 'select',
    case_remarks: 'select',
    case_requests: 'select',
    case_manual_outcomes: 'select',
    case_revisions: 'select',
    cases: 'select, update (webhook_received_at)',
    changes: 'select',
    conversion_decisions: 'select',
    conversion_orders: 'select',
    conversion_requests: 'select',
    conversion_manual_outcomes: 'select',
    conversion_dry_runs: 'select, insert (dry_run_id, account, terms, asked_by), delete',
    data_secrets: 'select, insert',
    draft_files: 'select, insert, delete',
    drafts:
      'select, insert (draft_id, made_by, account, file_name, columns, terms, rows, row_count, removed_rows), ' +
      'update (columns, terms, rows, row_count, removed_rows, revision, changed_at), delete',
    balance_chains: 'select',
    balance_entries: 'select',
    book_balances: 'select',
    book_days: 'select',
    booked_entries: 'select',
    deliveries: 'select',
    deposits:
      'select, insert (account, transaction_id, amount, status, virtual_account_id, account_number), update (status, last_reported_at)',
    // guard: secrets-not-read-back
    endpoint_secrets: 'select (wrapped_by)',
    endpoints: 'select',
    balance_snapshots: 'select',
    history_ranges: 'select',
    ledger_balances: 'select',
    ledger_transfers: 'select',
    fundings: 'select',
    listings: 'select',
    unreadable_records: 'select',
    money_alarms: 'select',
    receipt_assignments: 'select',
    receipts: 'select',
    refunds: 'select',
    keyed_submissions: 'select, insert',
    look_alike_keys: 'select',
    passkey_challenges: 'select (challenge, session_id, kind, subject_id, decision, content_hash, expires_at)',
    passkeys: 'select',
    passwords: 'select (user_id, since, set_at)',
    sessions: 'select',
    totp_factors: 'select (user_id, wrapped_by, created_at, confirmed_at, last_used_at, counts_at)',
    user_identities: 'select',
    payment_lookups: 'select',
    outbox: 'select',
    // guard: server-moves-no-payment
    payments: 'select, insert, update (webhook_received_at)',
    policies: 'select',
    provider_accounts: 'select',
    provider_beneficiaries: 'select',
    provider_requests: 'select',
    reconciliation_breaks: 'select',
    reference_data: 'select',
    reference_rates: 'select',
    remarks: 'select',
    request_days: 'select',
    payment_manual_outcome_confirmations: 'select',
    payment_manual_outcomes: 'select',
    rate_limiters: 'select',
    request_leases: 'select',
    row_releases: 'select',
    run_counts: 'select',
    run_keys: 'select',
    run_profiles: 'select, insert',
    run_warnings: 'select, insert',
    // guard: server-changes-no-run (2 lines)
    runs: 'select',
    schema_migrations: 'select',
    schedule_decisions: 'select',
    schedule_occurrences: 'select',
    schedule_versions: 'select',
    scheduled_orders: 'select',
    schedules: 'select, update (notified_changes, compared_at)',
    sign_up_pauses: 'select',
    lease_holders: 'select',
    // guard: server-lifts-no-stop (2 lines)
    stops: 'select',
    supporting_files: 'select, insert',
    treasury_days: 'select',
    user_accounts: 'select',
    user_roles: 'select',
    users: 'select',
    virtual_account_manual_outcomes: 'select',
    virtual_accounts: 'select',
    webhook_days: 'select, insert, update, delete',
    webhook_inbox: 'select, insert, update, delete',
  },
  // guard: worker-approves-nothing (2 lines)
  // guard: worker-freezes-nothing (3 lines)
  payrun_worker: {
    approvals: 'select',
    approved_payments: 'select',
    applied_sql_files: 'select',
    audit_entries: 'select, insert (actor, kind, run_id, payment_id, detail)',
    // guard: worker-makes-no-links (2 lines)
    audit_chain: 'select',
    audit_exports: 'select',
    beneficiaries: 'select, insert, update, delete',
    case_candidates: 'select, insert, update',
    case_documents:
      'select, update (document_id, upload_url, upload_url_at, download_url, download_url_at, uploads, uploaded_at, verified_at)',
    case_keys: 'select',
    case_remarks: 'select, insert',
    case_requests:
      'select, insert (case_id, operation, revision, slot), update (answered_at, outcome, http_status, answer, answer_digest)',
    case_manual_outcomes: 'select, update (state, closed_at, closing_reason)',
    case_revisions: 'select',
    cash_shortages: 'select',
    cases: `select, update (${CASE_PROGRESS})`,
    conversion_decisions: 'select',
    conversion_orders: `select, update (${CONVERSION_PROGRESS})`,
    conversion_requests: 'select, update (answered_at, outcome, answer, http_status)',
    conversion_manual_outcomes: 'select',
    conversion_dry_runs: 'select, update (reference, result)',
    data_secrets: 'select, insert',
    deliveries:
      'select, insert (notification_id, endpoint_id, state), update (state, attempts, failures, due_at, begun_at, ' +
      'first_failed_at, ended_at, http_status, error)',
    endpoint_secrets: 'select',
    endpoints: 'select, update (failing_since, woken_at)',
    file_uploads: 'select, insert, update, delete',
    forbidden_answers: 'select, insert',
    balance_chains: 'select',
    balance_entries: 'select',
    balance_snapshots: 'select, insert, update',
    book_days: 'select',
    booked_entries: 'select',
    booked_facts: 'select',
    identity_keys: 'select, insert, update (modulus, exponent, read_at), delete',
    history_ranges:
      'select, insert (account, from_at, to_at, is_gap, read_at, entries, new_entries, unreadable, conflicting)',
    late_refunds: 'select',
    ledger_balances: 'select',
    ledger_transfers: 'select',
    deposits: 'select',
    fundings:
      'select, insert (account, funding_id, balance_id, currency, amount, reference, status, status_read_at, was_completed, ' +
      'completed_at, asked_at, times_asked, listed_at), update (balance_id, currency, amount, reference, status, status_read_at, ' +
      'was_completed, completed_at, asked_at, times_asked, listed_at)',
    listings: 'select, insert, update',
    unreadable_records: 'select, insert, update, delete',
    money_alarms: 'select',
    listed_facts: 'select, insert, update',
    receipts: 'select',
    refusal_streaks: 'select, insert, update',
    refunds:
      'select, insert (account, refund_id, resource, resource_id, currency, amount, remarks, asked_at, times_asked, read_at), ' +
      'update (resource, resource_id, currency, amount, remarks, asked_at, times_asked, read_at)',
    payment_lookups: 'select, insert, update',
    outbox: 'select, update (planned_at, body)',
    payments: `select, update (${PAYMENT_PROGRESS})`,
    provider_accounts: 'select, insert',
    look_alike_keys: 'select, insert',
    provider_beneficiaries:
      'select, insert, update (encrypted, countries, account_hash, routing_hash, name_hash, mac, read_at)',
    provider_requests:
      'select, insert (account, payment_id, attempt, operation, non_idempotent, quoted_sell_amount, quoted_buy_amount, ' +
      'quoted_total_amount), update (answered_at, outcome, http_status, answer)',
    reconciliation_breaks: 'select',
    provider_token_turns: 'select, insert, update, delete',
    provider_tokens: 'select, insert, update, delete',
    reference_data: 'select, insert, update',
    indicative_prices: 'select, insert, update',
    reference_rates: 'select',
    request_days: 'select, insert, update',
    rate_limiters: 'select, insert, update',
    request_leases: 'select, insert, update',
    // guard: worker-confirms-nothing (2 lines)
    payment_manual_outcome_confirmations: 'select',
    payment_manual_outcomes: 'select, update (state, closed_by, closed_at, closing_reason)',
    run_counts: 'select',
    run_keys: 'select',
    // guard: worker-decides-no-run
    runs: 'select, update (state, state_reason, proposal, proposal_is_stale, finished_at, notified_at)',
    schedule_decisions: 'select',
    schedule_occurrences: 'select',
    schedule_versions: 'select',
    scheduled_orders: 'select',
    schedules: 'select',
    schema_migrations: 'select',
    sign_up_pauses:
      'select, insert (account, http_status, answer_digest, first_refused_at, refusals), update (reminders, reminded_at)',
    lease_holders: 'select, insert, update, delete',
    // guard: worker-lifts-no-stop (2 lines)
    stops: 'select',
    supporting_files: 'select',
    totp_factors: 'select (wrapped_by)',
    treasury_days: 'select',
    virtual_account_candidates: 'select, insert (account, provider_request_id)',
    virtual_account_requests: 'select, insert (virtual_account_id), update (answered_at, outcome, answer, http_status)',
    virtual_accounts:
      'select, update (state, state_reason, provider_request_id, provider_account_id, account_number, asked_at, read_at, changed_at)',
    webhook_inbox: 'select (account, kind, resource_id, last_received_at)',
  },
};

/** Creates the roles if this connection may. Several databases of a server may do so at the same time. */
export async function ensureRuntimeRoles(database: Queryable): Promise<void> {
  for (const role of [SERVER_ROLE, WORKER_ROLE]) {
    await database.query(`do $$ begin
      if not exists (select from pg_roles where rolname = '${role}') then
        create role ${role} nologin;
      end if;
    exception when duplicate_object or unique_violation or insufficient_privilege then
      null;
    end $$`);
  }
}

/** Grants the roles their rights in this database and revokes all others. Needs a transaction. */
export async function grantRights(transaction: Queryable): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock(hashtextextended('runtime-rights', 0))`);
  // By default everyone may execute functions.
  // guard: functions-closed
  await transaction.query('revoke execute on all functions in schema public from public');
  for (const [role, caller] of [
    [SERVER_ROLE, 'server'],
    [WORKER_ROLE, 'worker'],
  ] as const) {
    if (!(await roleExists(transaction, role))) continue;
    await transaction.query(`
      grant usage on schema public to ${role};
      revoke all on all tables in schema public from ${role};
      revoke all on all sequences in schema public from ${role};
      revoke all on all functions in schema public from ${role};
      grant usage, select on all sequences in schema public to ${role};
      -- If its values were used up, no more entries could be chained.
      revoke usage on sequence audit_epochs from ${role}`);
    for (const [table, rights] of Object.entries(TABLE_RIGHTS[role])) {
      await transaction.query(`grant ${rights} on ${table} to ${role}`);
    }
    const functions = readSqlFunctions().filter(({ callers }) => callers.includes(caller));
    await transaction.query(`grant execute on function ${functions.map(signatureOf).join(', ')} to ${role}`);
    await allowSettingRole(transaction, role);
  }
  // guard: temporary-tables-refused
  await revokeTemporary(transaction);
}

async function roleExists(database: Queryable, role: string): Promise<boolean> {
  const { rows } = await database.query('select from pg_roles where rolname = $1', [role]);
  return rows.length > 0;
}
