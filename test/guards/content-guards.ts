import { type Guard, MIGRATIONS } from './guard.ts';

/** What an approval freezes, and what cannot be changed before and afterwards. */

const APPROVALS = `${MIGRATIONS}/0010_approvals.sql`;
const DECISIONS = `${MIGRATIONS}/0011_decisions.sql`;
const FROZEN = `${MIGRATIONS}/0013_frozen.sql`;

const approvals = (name: string) => ({ file: 'test/store/approvals.services.ts', name });
const policies = (name: string) => ({ file: 'test/store/approval-policies.services.ts', name });
const tables = (name: string) => ({ file: 'test/store/record-guards.services.ts', name });

export const CONTENT_GUARDS: readonly Guard[] = [
  {
    id: 'frozen-by-the-last',
    against: 'rows are frozen as approved before the last step',
    file: DECISIONS,
    text: 'if v_is_last then\n    insert into approved_payments',
    without: `if p_decision = 'approved' then\n    insert into approved_payments`,
    test: policies('takes as many people, each another one'),
  },
  {
    id: 'ready-rows-alone',
    against: 'rows that were set aside are approved with the others',
    file: APPROVALS,
    text: `from payments where payments.run_id = p_run and state = 'ready'`,
    without: 'from payments where payments.run_id = p_run',
    test: approvals('freezes the rows as they are, once'),
  },
  ...['row_hash', 'beneficiary_hash', 'attempt'].map((column): Guard => {
    const whole = ['payment_id', 'attempt', 'row_hash', 'beneficiary_hash', 'files'];
    return {
      id: `hash-of-${column.replace('_', '-')}`,
      against: `the ${column} of a row is changed between looking and approving`,
      file: APPROVALS,
      text: `concat_ws(' ', ${whole.join(', ')})`,
      without: `concat_ws(' ', ${whole.filter((name) => name !== column).join(', ')})`,
      test: approvals('is for the content that was seen alone'),
    };
  }),
  {
    id: 'hash-of-files',
    against: 'a file is exchanged between looking and approving',
    file: APPROVALS,
    text: 'row_hash, beneficiary_hash, files), e',
    without: 'row_hash, beneficiary_hash), e',
    test: approvals('is for the files that were seen alone'),
  },
  {
    id: 'rows-with-their-run',
    against: 'a row is added to a run later',
    file: DECISIONS,
    text: `create trigger payments_come_with_their_run after insert on payments
  referencing new table as added for each statement execute function only_with_their_run();`,
    without: '',
    test: approvals('comes with its run, and is never added to it later'),
    behind: 'rows that were not frozen are never sent',
  },
  {
    id: 'files-with-their-run',
    against: 'a file is added to a run later',
    file: DECISIONS,
    text: `create trigger files_come_with_their_run after insert on supporting_files
  referencing new table as added for each statement execute function only_with_their_run();`,
    without: '',
    test: approvals('comes with its run, and is never added to it later'),
    behind: 'the hashes of files are part of the content',
  },
  {
    id: 'columns-as-instructed',
    against: 'a row looks smaller, or of another currency, to the policy than what is paid',
    file: DECISIONS,
    text: 'or (amount, amount_side, sell_currency, buy_currency) is distinct from',
    without: 'or false and (amount, amount_side, sell_currency, buy_currency) is distinct from',
    test: approvals('by which the policy judges it'),
  },
  {
    id: 'account-of-the-run',
    against: 'a row is paid from another account at the provider than its run says',
    file: DECISIONS,
    text: 'or added.account <> runs.account',
    without: '',
    test: approvals('not another account of the provider'),
  },
  {
    id: 'added-unpaid',
    against: 'payments that nobody made are added, so that an account looks known',
    file: DECISIONS,
    text: `added.state not in ('ready', 'invalid')`,
    without: 'false',
    test: approvals('not a payment that nobody made'),
  },
  {
    id: 'approvals-kept',
    against: 'an approval is changed or taken away',
    file: APPROVALS,
    text: 'create trigger approvals_are_append_only before update or delete or truncate on approvals\n  for each statement execute function refuse_change_of_record();',
    without: '',
    test: approvals('once given is added to, and never changed'),
    behind: 'no process has the right',
  },
  {
    id: 'frozen-rows-kept',
    against: 'a frozen row is changed or taken away',
    file: APPROVALS,
    text: 'create trigger approved_payments_are_append_only before update or delete or truncate on approved_payments\n  for each statement execute function refuse_change_of_record();',
    without: '',
    test: approvals('once given is added to, and never changed'),
    behind: 'no process has the right',
  },
  {
    id: 'content-kept',
    against: 'what a row says is changed after it was added',
    file: FROZEN,
    text: `raise exception 'the content of a row cannot be changed: an edit is a new row with a new approval';`,
    without: 'null;',
    test: approvals('instruction cannot be changed, by the owner either'),
    behind: 'what is about to be sent is compared with what was frozen',
  },
  ...(['beneficiary', 'account', 'name'] as const).map(
    (of): Guard => ({
      id: `${of}-hash-kept`,
      against: `the hash of a row’s ${of} is changed after it was added`,
      file: FROZEN,
      text: `or (old.${of}_hash is not null and new.${of}_hash is distinct from old.${of}_hash)`,
      without: '',
      test: approvals(`${of}_hash cannot be changed, by the owner either`),
    }),
  ),
  {
    id: 'rows-move-legally',
    against: 'a row goes where rows of its state never go, as from paid to ready',
    file: FROZEN,
    text: 'if not may_move_payment(old.state, new.state) then',
    without: 'if false then',
    test: tables('a row that is paid does not become ready'),
    behind: 'the worker’s own table of moves',
  },
  {
    id: 'released-by-people',
    against: 'a process releases what was set aside',
    file: FROZEN,
    text: `old.state in ('duplicate_suspect', 'held') and not`,
    without: `old.state in ('duplicate_suspect', 'held') and false and not`,
    test: approvals('that was set aside is released by no process'),
    behind: 'a row that was set aside when its run was approved is not frozen',
  },
  {
    id: 'released-by-no-login',
    against: 'a process releases what was set aside on a connection that keeps the name of its login',
    file: FROZEN,
    text: `not pg_has_role(current_user,
      (select relowner from pg_catalog.pg_class where oid = tg_relid), 'usage') then`,
    without: `current_user in ('payrun_server', 'payrun_worker') then`,
    test: approvals('that was set aside is released by no login'),
    behind: 'a row that was set aside when its run was approved is not frozen',
  },
  {
    id: 'runs-move-legally',
    against: 'a run goes where runs of its state never go, as from rejected to running',
    file: FROZEN,
    text: 'if not may_move_run(old.state, new.state) then',
    without: 'if false then',
    test: tables('a run that is rejected does not become running'),
    behind: 'the worker’s own table of moves; decided-by-people',
  },
  {
    id: 'outcome-written-once',
    against: 'what became of a request is written over, so that it is sent again',
    file: FROZEN,
    text: `raise exception 'the outcome of a request is written once';`,
    without: 'return new;',
    test: tables('the outcome of a request is written once'),
  },
];
