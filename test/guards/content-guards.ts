import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks of what an approval freezes, and of what cannot be changed before and after it. */

const APPROVALS = `${MIGRATIONS}/0010_approvals.sql`;
const DECISIONS = `${MIGRATIONS}/0011_decisions.sql`;
const FROZEN = `${MIGRATIONS}/0013_frozen.sql`;

const approvals = (name: string) => ({ file: 'test/store/approvals.services.ts', name });
const policies = (name: string) => ({ file: 'test/store/approval-policies.services.ts', name });
const tables = (name: string) => ({ file: 'test/store/record-guards.services.ts', name });

export const CONTENT_GUARDS: readonly Guard[] = [
  {
    id: 'frozen-by-the-last',
    against: 'rows are frozen before the last step of the policy',
    file: `${MIGRATIONS}/0044_console.sql`,
    text: 'if v_is_last then\n    insert into approved_payments',
    without: `if p_decision = 'approved' then\n    insert into approved_payments`,
    test: policies('needs a different person for each step, all approving the content that the first one saw'),
  },
  {
    id: 'ready-rows-alone',
    against: 'held rows and duplicate suspects are approved with the others',
    file: APPROVALS,
    text: `from payments where payments.run_id = p_run and state = 'ready'`,
    without: 'from payments where payments.run_id = p_run',
    test: approvals('freezes the rows once and lets the run be paid'),
  },
  ...['row_hash', 'beneficiary_hash', 'attempt'].map((column): Guard => {
    const whole = ['payment_id', 'attempt', 'row_hash', 'beneficiary_hash', 'files'];
    return {
      id: `hash-of-${column.replace('_', '-')}`,
      against: `the ${column} of a row is changed between review and approval`,
      file: APPROVALS,
      text: `concat_ws(' ', ${whole.join(', ')})`,
      without: `concat_ws(' ', ${whole.filter((name) => name !== column).join(', ')})`,
      test: approvals('is only for the content that was seen: the hash changes with any field of a row'),
    };
  }),
  {
    id: 'hash-of-files',
    against: 'a supporting file is exchanged between review and approval',
    file: APPROVALS,
    text: 'row_hash, beneficiary_hash, files), e',
    without: 'row_hash, beneficiary_hash), e',
    test: approvals('is only for the files that were seen: the hash changes with the content of each'),
  },
  {
    id: 'rows-with-their-run',
    against: 'a row is added to a run after its submission',
    file: DECISIONS,
    text: `create trigger payments_come_with_their_run after insert on payments
  referencing new table as added for each statement execute function only_with_their_run();`,
    without: '',
    test: approvals('is stored with its run, and no rows are added later'),
    behind: 'rows that no approval froze are never sent',
  },
  {
    id: 'files-with-their-run',
    against: 'a supporting file is added to a run after its submission',
    file: DECISIONS,
    text: `create trigger files_come_with_their_run after insert on supporting_files
  referencing new table as added for each statement execute function only_with_their_run();`,
    without: '',
    test: approvals('is stored with its run, and no rows are added later'),
    behind: 'the hashes of files are part of the content hash',
  },
  {
    id: 'warnings-with-their-run',
    against: 'what checkers are warned of by the check of a file is written after its submission',
    file: `${MIGRATIONS}/0072_warnings-of-the-file-check.sql`,
    text: `create trigger warnings_come_with_their_run after insert on run_warnings
  referencing new table as added for each statement execute function only_with_their_run();`,
    without: '',
    test: approvals('is stored with its run, and no rows are added later'),
  },
  {
    id: 'columns-as-instructed',
    against: 'the policy sees a smaller amount or another currency than the row pays',
    file: DECISIONS,
    text: 'or (amount, amount_side, sell_currency, buy_currency) is distinct from',
    without: 'or false and (amount, amount_side, sell_currency, buy_currency) is distinct from',
    test: approvals('matches its columns, which the policy checks'),
  },
  {
    id: 'account-of-the-run',
    against: 'a row is paid from another account at the provider than that of its run',
    file: DECISIONS,
    text: 'or added.account <> runs.account',
    without: '',
    test: approvals('not another account of the provider'),
  },
  {
    id: 'added-unpaid',
    against: 'invented payments make an account look as if it had been paid before',
    file: DECISIONS,
    text: `added.state not in ('ready', 'invalid')`,
    without: 'false',
    test: approvals('not a payment that nobody made'),
  },
  {
    id: 'approvals-kept',
    against: 'an approval is changed or deleted',
    file: APPROVALS,
    text: 'create trigger approvals_are_append_only before update or delete or truncate on approvals\n  for each statement execute function refuse_change_of_record();',
    without: '',
    test: approvals('is never changed or deleted, not even by the owner'),
    behind: 'no process has the right',
  },
  {
    id: 'frozen-rows-kept',
    against: 'a frozen row is changed or deleted',
    file: APPROVALS,
    text: 'create trigger approved_payments_are_append_only before update or delete or truncate on approved_payments\n  for each statement execute function refuse_change_of_record();',
    without: '',
    test: approvals('is never changed or deleted, not even by the owner'),
    behind: 'no process has the right',
  },
  {
    id: 'content-kept',
    against: 'the content of a row is changed after it was stored',
    file: FROZEN,
    text: `raise exception 'the content of a row cannot be changed: an edit is a new row with a new approval';`,
    without: 'null;',
    test: approvals('instruction cannot be changed, not even by the owner'),
    behind: 'each request is compared with the frozen row before it is sent',
  },
  ...(['beneficiary', 'account', 'name'] as const).map(
    (of): Guard => ({
      id: `${of}-hash-kept`,
      against: `the hash of a row’s ${of} is changed after it was stored`,
      file: FROZEN,
      text: `or (old.${of}_hash is not null and new.${of}_hash is distinct from old.${of}_hash)`,
      without: '',
      test: approvals(`${of}_hash cannot be changed, not even by the owner`),
    }),
  ),
  {
    id: 'rows-move-legally',
    against: 'a row makes a transition that is not allowed, such as from paid to ready',
    file: FROZEN,
    text: 'if not may_move_payment(old.state, new.state) then',
    without: 'if false then',
    test: tables('a row that is paid does not become ready'),
    behind: 'the worker’s own table of transitions',
  },
  {
    id: 'released-by-people',
    against: 'a process releases a held row or a duplicate suspect',
    file: FROZEN,
    text: `old.state in ('duplicate_suspect', 'held') and not`,
    without: `old.state in ('duplicate_suspect', 'held') and false and not`,
    test: approvals('that was held is not released by a process'),
    behind: 'an approval does not freeze held rows and duplicate suspects',
  },
  {
    id: 'released-by-no-login',
    against: 'a process releases a held row or a duplicate suspect on a connection that keeps the name of its login',
    file: FROZEN,
    text: `not pg_has_role(current_user,
      (select relowner from pg_catalog.pg_class where oid = tg_relid), 'usage') then`,
    without: `current_user in ('payrun_server', 'payrun_worker') then`,
    test: approvals('that was held is not released by a login with the rights of a process'),
    behind: 'an approval does not freeze held rows and duplicate suspects',
  },
  {
    id: 'runs-move-legally',
    against: 'a run makes a transition that is not allowed, such as from rejected to running',
    file: FROZEN,
    text: 'if not may_move_run(old.state, new.state) then',
    without: 'if false then',
    test: tables('a run that is rejected does not become running'),
    behind: 'the worker’s own table of transitions; decided-by-people',
  },
  {
    id: 'outcome-written-once',
    against: 'the outcome of a request is overwritten, so that it is sent again',
    file: FROZEN,
    text: `raise exception 'the outcome of a request is written once';`,
    without: 'return new;',
    test: tables('the outcome of a request is recorded once'),
  },
];
