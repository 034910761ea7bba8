import type { Guard } from './guard.ts';

const APPROVALS = 'test/store/approvals.services.ts';
const DATABASE_GUARDS = 'test/store/database-guards.services.ts';

/** Checks of what an approval freezes, and of what cannot be changed before and after it. */
export const CONTENT_GUARDS: readonly Guard[] = [
  {
    id: 'frozen-by-the-last',
    against: 'rows are frozen before the last step of the policy',
    without:
      "if p_decision = 'approved' then\n  insert into approved_payments (payment_id, attempt, run_id, row_hash, beneficiary_hash, files, fee_percent, least_rate)",
    test: {
      file: 'test/store/approval-policies.services.ts',
      name: 'needs a different person for each step, all approving the content that the first one saw',
    },
  },
  {
    id: 'ready-rows-alone',
    against: 'held rows and duplicate suspects are approved with the others',
    without: 'where payments.run_id = p_run',
    test: { file: APPROVALS, name: 'freezes the rows once and lets the run be paid' },
  },
  {
    id: 'hash-of-row-hash',
    against: 'the row_hash of a row is changed between review and approval',
    without:
      "concat_ws(' ', payment_id, attempt, beneficiary_hash, files, fee_percent, coalesce(least_rate::text, 'any')), e'\\n' order by row_number), ''), 'UTF8')), 'hex')",
    test: { file: APPROVALS, name: 'is only for the content that was seen: the hash changes with any field of a row' },
  },
  {
    id: 'hash-of-beneficiary-hash',
    against: 'the beneficiary_hash of a row is changed between review and approval',
    without:
      "concat_ws(' ', payment_id, attempt, row_hash, files, fee_percent, coalesce(least_rate::text, 'any')), e'\\n' order by row_number), ''), 'UTF8')), 'hex')",
    test: { file: APPROVALS, name: 'is only for the content that was seen: the hash changes with any field of a row' },
  },
  {
    id: 'hash-of-attempt',
    against: 'the attempt of a row is changed between review and approval',
    without:
      "concat_ws(' ', payment_id, row_hash, beneficiary_hash, files, fee_percent, coalesce(least_rate::text, 'any')), e'\\n' order by row_number), ''), 'UTF8')), 'hex')",
    test: { file: APPROVALS, name: 'is only for the content that was seen: the hash changes with any field of a row' },
  },
  {
    id: 'hash-of-cost-bound',
    against: 'an approval covers another bound of what is paid than was seen',
    without:
      "concat_ws(' ', payment_id, attempt, row_hash, beneficiary_hash, files), e'\\n' order by row_number), ''), 'UTF8')), 'hex')",
    test: { file: 'test/store/cost-bound.services.ts', name: 'is part of what is approved' },
  },
  {
    id: 'hash-of-files',
    against: 'a supporting file is exchanged between review and approval',
    without:
      "concat_ws(' ', payment_id, attempt, row_hash, beneficiary_hash, fee_percent, coalesce(least_rate::text, 'any')), e'\\n' order by row_number), ''), 'UTF8')), 'hex')",
    test: { file: APPROVALS, name: 'is only for the files that were seen: the hash changes with the content of each' },
  },
  {
    id: 'rows-with-their-run',
    against: 'a row is added to a run after its submission',
    without: '',
    test: { file: APPROVALS, name: 'is stored with its run, and no rows are added later' },
    behind: 'rows that no approval froze are never sent',
  },
  {
    id: 'files-with-their-run',
    against: 'a supporting file is added to a run after its submission',
    without: '',
    test: { file: APPROVALS, name: 'is stored with its run, and no rows are added later' },
    behind: 'the hashes of files are part of the content hash',
  },
  {
    id: 'warnings-with-their-run',
    against: 'what checkers are warned of by the check of a file is written after its submission',
    without: '',
    test: { file: APPROVALS, name: 'is stored with its run, and no rows are added later' },
  },
  {
    id: 'profiles-with-their-run',
    against: 'how a run was read is written after its submission: another profile is known once the run is approved',
    without: '',
    test: { file: APPROVALS, name: 'is stored with its run, and no rows are added later' },
  },
  {
    id: 'columns-as-instructed',
    against: 'the policy sees a smaller amount or another currency than the row pays',
    without: 'or false and (amount, amount_side, sell_currency, buy_currency) is distinct from',
    test: { file: APPROVALS, name: 'matches its columns, which the policy checks' },
  },
  {
    id: 'account-of-the-run',
    against: 'a row is paid from another account at the provider than that of its run',
    without: '',
    test: { file: APPROVALS, name: 'not another account of the provider' },
  },
  {
    id: 'added-unpaid',
    against: 'invented payments make an account look as if it had been paid before',
    without: 'where false',
    test: { file: APPROVALS, name: 'not a payment that nobody made' },
  },
  {
    id: 'approvals-kept',
    against: 'an approval is changed or deleted',
    without: '',
    test: { file: APPROVALS, name: 'is never changed or deleted, not even by the owner' },
    behind: 'no process has the right',
  },
  {
    id: 'frozen-rows-kept',
    against: 'a frozen row is changed or deleted',
    without: '',
    test: { file: APPROVALS, name: 'is never changed or deleted, not even by the owner' },
    behind: 'no process has the right',
  },
  {
    id: 'content-kept',
    against: 'the content of a row is changed after it was stored',
    without: 'null;',
    test: { file: APPROVALS, name: 'instruction cannot be changed, not even by the owner' },
    behind: 'each request is compared with the frozen row before it is sent',
  },
  {
    id: 'beneficiary-hash-kept',
    against: 'the hash of a row’s beneficiary is changed after it was stored',
    without:
      'new.row_hash, new.sell_currency, new.buy_currency, new.amount, new.amount_side, new.beneficiary_fingerprint, old.beneficiary_hash,',
    test: { file: APPROVALS, name: 'beneficiary_hash cannot be changed, not even by the owner' },
  },
  {
    id: 'account-hash-kept',
    against: 'the hash of a row’s account is changed after it was stored',
    without: 'old.account_hash, new.routing_hash,',
    test: { file: APPROVALS, name: 'account_hash cannot be changed, not even by the owner' },
  },
  {
    id: 'name-hash-kept',
    against: 'the hash of a row’s name is changed after it was stored',
    without: 'old.name_hash)',
    test: { file: APPROVALS, name: 'name_hash cannot be changed, not even by the owner' },
  },
  {
    id: 'rows-move-legally',
    against: 'a row makes a transition that is not allowed, such as from paid to ready',
    without: 'if false',
    test: { file: DATABASE_GUARDS, name: 'a row that is paid does not become ready' },
    behind: 'the worker’s own table of transitions',
  },
  {
    id: 'approved-counts-as-known',
    against: 'the account of a supplier is changed unseen while an approved payment to the old one waits for its day',
    without:
      'export const KNOWN_UNDER_NAME = (name: string): string => `(select run_id, payment_id, account_hash, paid_at, true as is_paid from paid_under_name($3, ${name})) paid`; export const NOT_USED = (name: string): string => `(',
    test: { file: 'test/store/review-facts.services.ts', name: 'approved payment that waits' },
  },
  {
    id: 'released-by-people',
    against: 'a process releases a held row or a duplicate suspect',
    without: "if new.state = 'ready' and payment_is_on_hold(old.state) and false and not pg_has_role(current_user,",
    test: { file: APPROVALS, name: 'that was held is not released by a process' },
    behind: 'an approval does not freeze held rows and duplicate suspects',
  },
  {
    id: 'released-by-no-login',
    against: 'a process releases a held row or a duplicate suspect on a connection that keeps the name of its login',
    without:
      "if new.state = 'ready' and payment_is_on_hold(old.state) and current_user in ('payrun_server', 'payrun_worker') then",
    test: { file: APPROVALS, name: 'that was held is not released by a login with the rights of a process' },
    behind: 'an approval does not freeze held rows and duplicate suspects',
  },
  {
    id: 'runs-move-legally',
    against: 'a run makes a transition that is not allowed, such as from rejected to running',
    without: 'if false then',
    test: { file: DATABASE_GUARDS, name: 'a run that is rejected does not become running' },
    behind: 'the worker’s own table of transitions; decided-by-people',
  },
  {
    id: 'outcome-written-once',
    against: 'the outcome of a request is overwritten, so that it is sent again',
    without: 'return new;',
    test: { file: DATABASE_GUARDS, name: 'the outcome of a request is recorded once' },
  },
];
