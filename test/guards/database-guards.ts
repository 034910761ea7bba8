import type { Guard } from './guard.ts';

const CONCLUDED_FROM_TIME = 'test/store/concluded-from-time.services.ts';
const FUNCTION_SEARCH_PATHS = 'test/store/function-search-paths.services.ts';
const WHAT_APPROVERS_SEE = 'test/store/what-approvers-see.services.ts';
const WHAT_PROCESSES_WRITE = 'test/store/what-processes-write.services.ts';
const AUDIT_CHAIN = 'test/store/audit-chain.services.ts';
const HELD_UP = 'test/store/audit-chain-held-up.services.ts';
const DATABASE_RIGHTS = 'test/store/database-rights.services.ts';

/** Checks of what a database login cannot write into the database. */
export const DATABASE_GUARDS: readonly Guard[] = [
  {
    id: 'temporary-tables-refused',
    against: 'a login creates temporary tables that replace those of the database',
    without: '',
    test: { file: FUNCTION_SEARCH_PATHS, name: 'cannot be created by the login behind' },
    behind: 'temporary-tables-passed',
  },
  {
    id: 'temporary-tables-passed',
    against: 'the server adds a row to a run by means of a temporary table',
    without: 'create or replace function only_with_their_run() returns trigger language plpgsql as $$',
    test: {
      file: FUNCTION_SEARCH_PATHS,
      name: 'does not hide the runs from the trigger against later rows, even if a login could create one',
    },
    behind: 'temporary-tables-refused, rows-as-submitted',
  },
  {
    id: 'added-in-its-transaction',
    against: 'the server adds a row to a run by a transaction that changes it in another way as well',
    without: 'where runs.xmin::text <> (pg_current_xact_id()::text::numeric % 4294967296)::text) then',
    test: {
      file: 'test/store/approved-requests.services.ts',
      name: 'a row is not added by a transaction that only changes its run',
    },
    behind: 'rows-as-submitted',
  },
  {
    id: 'rows-as-submitted',
    against: 'a run is approved with a row that was added after its submission',
    without: "if p_decision = 'approved' and false then",
    test: { file: FUNCTION_SEARCH_PATHS, name: 'a run that has other rows than were submitted is not approved' },
    behind: 'rows-with-their-run; an approval is for the content hash that was shown',
  },
  {
    id: 'sent-as-approved',
    against: 'an account counts as paid before because of a row that nobody approved',
    without: 'and false then',
    test: { file: WHAT_APPROVERS_SEE, name: 'does not become quoted, as if it had been sent' },
  },
  {
    id: 'runs-once-approved',
    against: 'a run appears as paid although nobody approved it',
    without: 'if false\n  and run_needs_approval(new.state) then',
    test: { file: WHAT_APPROVERS_SEE, name: 'does not become running' },
    behind: 'decided-by-people: none of its rows is paid',
  },
  {
    id: 'rejected-by-people',
    against: 'a run is rejected by a process',
    without: 'if false then',
    test: { file: WHAT_APPROVERS_SEE, name: 'does not become rejected' },
  },
  {
    id: 'expired-by-the-clock-of-the-database',
    against: 'whoever reaches Temporal ends a run that people may still decide on',
    without: 'if false then',
    test: { file: CONCLUDED_FROM_TIME, name: 'expires once the time to decide on it is over' },
  },
  {
    id: 'conversion-over-by-the-clock-of-the-database',
    against: 'a worker whose clock is ahead ends a conversion that may still be funded, and its money is bought again',
    without: 'if false then',
    test: { file: CONCLUDED_FROM_TIME, name: 'lapses only after its cut-off, and an order expires' },
  },
  {
    id: 'ended-once-over',
    against: 'recent payments are missing from the review that approvers see',
    without: '',
    test: {
      file: WHAT_APPROVERS_SEE,
      name: 'cannot be marked as ended, which would exclude later payments from its review',
    },
  },
  {
    id: 'nothing-known-of-what-is-not-shown',
    against: 'whoever has the database login of a worker makes a new beneficiary look like one that was paid before',
    without: 'constraint nothing_known_of_what_is_not_shown check (true)',
    test: { file: WHAT_APPROVERS_SEE, name: 'has nothing by which it looks known until the provider shows it' },
  },
  {
    id: 'beneficiary-as-shown',
    against: 'a beneficiary that a row gives by its id is shown as another one',
    without:
      'create or replace trigger beneficiaries_stay_as_shown before update on provider_beneficiaries\n  for each row when (false and (new.account, new.beneficiary_id, new.encrypted, new.countries, new.account_hash,',
    test: { file: WHAT_APPROVERS_SEE, name: 'stays as the provider first showed it' },
  },
  {
    id: 'entries-by-kind',
    against: 'a process records decisions, stops or changes of people',
    without:
      "when 'worker' then true or new.kind ~ '^(quote|create|fund)_(requested|took_effect|refused|not_sent|not_seen|outcome_unknown|resolved)$'",
    test: { file: WHAT_PROCESSES_WRITE, name: 'has no entry of a kind reserved for people' },
  },
  {
    id: 'entries-by-actor',
    against: 'a process writes an entry in the name of a user or of another process',
    without: 'if exists (select from pg_roles )',
    test: { file: WHAT_PROCESSES_WRITE, name: 'has no entry in the name of another process or the owner' },
    behind: 'entries-by-kind: no entries in the name of a user',
  },
  {
    id: 'links-by-function',
    against: 'the server breaks the chain of the audit trail by a link with a wrong hash',
    without:
      "audit_chain: 'select, insert',\nbeneficiaries: 'select (account, fingerprint, beneficiary_id, known_at)',",
    test: { file: DATABASE_RIGHTS, name: "payrun_server may do with 'audit_chain' what" },
  },
  {
    id: 'worker-makes-no-links',
    against: 'the worker breaks the chain of the audit trail by a link with a wrong hash',
    without: "audit_chain: 'select, insert',\nbeneficiaries: 'select, insert, update, delete',",
    test: { file: DATABASE_RIGHTS, name: "payrun_worker may do with 'audit_chain' what" },
  },
  {
    id: 'exported-when-taken',
    against: 'entries count as exported that the endpoint has not taken',
    without: '',
    test: { file: 'test/store/audit-exports.services.ts', name: 'an endpoint gets each piece with the token' },
  },
  {
    id: 'exported-from-where-it-was',
    against: 'whoever has the login of a worker sets the export ahead, and the entries between are never exported',
    without: 'where destination = p_destination and p_position > p_after',
    test: { file: 'test/store/audit-exports.services.ts', name: 'a worker sets no position ahead' },
  },
  {
    id: 'exported-as-chained',
    against: 'a worker says that entries were taken which it has not read, or which are not there',
    without: '',
    test: { file: 'test/store/audit-exports.services.ts', name: 'a worker sets no position ahead' },
  },
  {
    id: 'only-who-holds-up',
    against: 'whoever has the login of a process ends sessions of others, which chain entries or write them',
    without: '',
    test: { file: HELD_UP, name: 'is not ended before ten minutes have passed' },
  },
  {
    id: 'owner-is-not-ended',
    against: 'a migration of the owner is ended in the middle',
    without: '',
    test: { file: HELD_UP, name: 'is not ended where it is a session of the owner' },
  },
  {
    id: 'chain-asked-for-something',
    against: 'a login asks for the chaining of nothing, again and again',
    without: '',
    test: { file: AUDIT_CHAIN, name: 'uses up no numbers where nothing is chained' },
  },
  {
    id: 'epochs-used-by-entries',
    against:
      'a login uses up the numbers of epochs while nothing can be chained, and then nothing is ever written or chained',
    without: "v_open := nextval('public.audit_epochs');",
    test: { file: AUDIT_CHAIN, name: 'uses up no numbers where nothing is chained' },
  },
  {
    id: 'chained-as-committed',
    against: 'a link skips an entry, and the chain appears broken permanently',
    without: 'if false then',
    test: { file: WHAT_PROCESSES_WRITE, name: 'is not chained by predicting earlier entries' },
  },
];
