import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks of what a database login cannot write into the record. */

const FROZEN = `${MIGRATIONS}/0013_frozen.sql`;
const WRITTEN = `${MIGRATIONS}/0016_what-no-login-writes.sql`;
const KINDS = `${MIGRATIONS}/0040_conversions.sql`;
const paths = (name: string) => ({ file: 'test/store/function-search-paths.services.ts', name });
const shown = (name: string) => ({ file: 'test/store/what-approvers-see.services.ts', name });
const written = (name: string) => ({ file: 'test/store/what-processes-write.services.ts', name });
const rights = (name: string) => ({ file: 'test/store/database-rights.services.ts', name });

export const RECORD_GUARDS: readonly Guard[] = [
  {
    id: 'temporary-tables-refused',
    against: 'a login creates temporary tables that replace those of the record',
    file: 'store/database/database-roles.ts',
    text: 'await revokeTemporary(transaction);',
    without: '',
    test: paths('cannot be created by the login behind'),
    behind: 'temporary-tables-passed',
  },
  {
    id: 'temporary-tables-passed',
    against: 'the server adds a row to a run by means of a temporary table',
    file: `${MIGRATIONS}/0011_decisions.sql`,
    text: 'create function only_with_their_run() returns trigger language plpgsql\nset search_path = public, pg_temp as $$',
    without: 'create function only_with_their_run() returns trigger language plpgsql as $$',
    test: paths('does not hide the runs from the trigger against later rows, even if a login could create one'),
    behind: 'temporary-tables-refused, rows-as-submitted',
  },
  {
    id: 'rows-as-submitted',
    against: 'a run is approved with a row that was added after its submission',
    file: `${MIGRATIONS}/0044_console.sql`,
    text: `(select count(*) from payments where run_id = p_run) <> v_run.row_count then`,
    without: 'false then',
    test: paths('a run that has other rows than were submitted is not approved'),
    behind: 'rows-with-their-run; an approval is for the content hash that was shown',
  },
  {
    id: 'sent-as-approved',
    against: 'an account counts as paid before because of a row that nobody approved',
    file: FROZEN,
    text: 'and not exists (select from approved_payments where payment_id = new.payment_id and attempt = new.attempt) then',
    without: 'and false then',
    test: shown('does not become quoted, as if it had been sent'),
  },
  {
    id: 'runs-once-approved',
    against: 'a run appears as paid although nobody approved it',
    file: FROZEN,
    text: `if new.started_at is null\n    and new.state in (`,
    without: `if false\n    and new.state in (`,
    test: shown('does not become running'),
    behind: 'decided-by-people: none of its rows is paid',
  },
  {
    id: 'rejected-by-people',
    against: 'a run is rejected by a process',
    file: FROZEN,
    text: `if new.decided_at is null and new.state = 'rejected' then`,
    without: 'if false then',
    test: shown('does not become rejected'),
  },
  {
    id: 'ended-once-over',
    against: 'recent payments are missing from the review that approvers see',
    file: FROZEN,
    text: `create trigger runs_end_once_over before update of state, finished_at on runs
  for each row when (new.finished_at is not null
    and new.state in ('draft', 'validating', 'proposed', 'in_approval'))
  execute function refuse_early_end();`,
    without: '',
    test: shown('cannot be marked as ended, which would exclude later payments from its review'),
  },
  {
    id: 'beneficiary-as-shown',
    against: 'a beneficiary that a row gives by its id is shown as another one',
    file: `${MIGRATIONS}/0015_reviews.sql`,
    text: `create trigger beneficiaries_stay_as_shown before update on provider_beneficiaries
  for each row when (old.details is not null and (`,
    without: `create trigger beneficiaries_stay_as_shown before update on provider_beneficiaries
  for each row when (false and (`,
    test: shown('stays as the provider first showed it'),
  },
  {
    id: 'entries-by-kind',
    against: 'a process records decisions, stops or changes of people',
    file: KINDS,
    text: "when 'worker' then new.kind ~ '^(quote",
    without: "when 'worker' then true or new.kind ~ '^(quote",
    test: written('has no entry of a kind reserved for people'),
  },
  {
    id: 'entries-by-actor',
    against: 'a process writes an entry in the name of a user or of another process',
    file: KINDS,
    text: `where rolname = 'payrun_' || new.actor and pg_has_role(current_user, oid, 'MEMBER'))`,
    without: ')',
    test: written('has no entry in the name of another process or the owner'),
    behind: 'entries-by-kind: no entries in the name of a user',
  },
  {
    id: 'seals-by-function',
    against: 'the server breaks the chain of the audit trail by a seal with a wrong hash',
    file: 'store/database/database-roles.ts',
    text: `audit_seals: 'select',\n    beneficiaries: 'select (`,
    without: `audit_seals: 'select, insert',\n    beneficiaries: 'select (`,
    test: rights("payrun_server may do with 'audit_seals' what"),
  },
  {
    id: 'worker-makes-no-seals',
    against: 'the worker breaks the chain of the audit trail by a seal with a wrong hash',
    file: 'store/database/database-roles.ts',
    text: `audit_seals: 'select',\n    beneficiaries: 'select, insert`,
    without: `audit_seals: 'select, insert',\n    beneficiaries: 'select, insert`,
    test: rights("payrun_worker may do with 'audit_seals' what"),
  },
  {
    id: 'sealed-as-committed',
    against: 'a seal skips an entry, and the chain appears broken permanently',
    file: WRITTEN,
    text: `if current_setting('transaction_isolation') <> 'read committed' then`,
    without: 'if false then',
    test: written('is not sealed by predicting earlier entries'),
  },
];
