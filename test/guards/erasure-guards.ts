import type { Guard } from './guard.ts';

const ERASURE = 'test/store/run-erasure.services.ts';
const CASE_ERASURE = 'test/store/case-erasure.services.ts';
const TOKEN_HASHES = 'test/store/token-hashes.services.ts';
const BY_DEFAULT = 'test/store/second-factor-by-default.services.ts';

/** Checks of what erases the personal data of payees and applicants. */
export const ERASURE_GUARDS: readonly Guard[] = [
  {
    id: 'may-erase-run',
    against: 'what a run has of its payees is erased without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'erase_run requires' },
  },
  {
    id: 'factor-to-erase-run',
    against: 'a token that was found proposes to erase payees',
    without: 'v_refusal := null;',
    test: { file: BY_DEFAULT, name: 'an endpoint is added, changed and removed' },
  },
  {
    id: 'payees-kept-until-retention',
    against: 'payees are erased while the policy asks to keep them',
    without: 'if false then',
    test: { file: ERASURE, name: 'is kept as long as the policy says' },
  },
  {
    id: 'erased-without-open-rows',
    against: 'it is erased whom an unknown row pays, and nobody can resolve it',
    without: 'if false then',
    test: { file: ERASURE, name: 'is not erased while a row is unknown' },
  },
  {
    id: 'erased-without-open-outcomes',
    against: 'whoever confirms how a row ended sees no longer whom it pays',
    without: 'if false then',
    test: { file: ERASURE, name: 'is not erased while an outcome is proposed' },
  },
  {
    id: 'erased-without-open-requests',
    against: 'it is erased whom a payment pays that the provider may have',
    without: 'if false then',
    test: { file: ERASURE, name: 'is not erased while a request has no outcome' },
  },
  {
    id: 'erased-once-not-looked-for',
    against: 'it is erased whom a payment pays that the provider shows after two people said that it was never created',
    without: 'if false then',
    test: { file: ERASURE, name: 'is not erased while a payment is looked for' },
  },
  {
    id: 'erased-once-nothing-comes-back',
    against: 'money comes back, and nobody knows from whom',
    without: 'if false then',
    test: { file: ERASURE, name: 'is kept as long as the policy says' },
  },
  {
    id: 'erased-by-two-from-the-start',
    against: 'while payrun is being set up, one administrator erases payees or applicants',
    without: "if is_setting_up() and p_kind <> 'go_live' then perform make_effective(v_change, null); end if;",
    test: { file: ERASURE, name: 'is erased by two administrators while payrun is being set up, too' },
  },
  {
    id: 'run-key-erased',
    against: 'erased payees can be read again from a backup',
    without: 'perform 1;',
    test: { file: ERASURE, name: 'is erased by two administrators' },
  },
  {
    id: 'erased-with-its-key',
    against: 'whoever may change rows empties what was approved, and the row cannot be paid',
    without: 'old.encrypted,',
    test: { file: ERASURE, name: 'is emptied by nobody while its key is there' },
  },
  {
    id: 'erased-never-by-time',
    against: 'one administrator erases payees or applicants by waiting',
    without: "select removes_somebody(p_kind) or p_kind in ('go_live', 'add_factor', 'set_mail')",
    test: { file: ERASURE, name: 'is kept as long as the policy says' },
  },
  {
    id: 'erased-as-proposed',
    against: 'payees are erased although a row was opened again since it was proposed',
    without: '',
    test: { file: ERASURE, name: 'is not erased while a row is unknown' },
  },
  {
    id: 'erased-by-its-function',
    against: 'a change that only names a run or a case erases its payees or applicant before their time',
    without: '',
    test: { file: ERASURE, name: 'is not erased by a change that only names the run' },
  },
  {
    id: 'case-erased-as-proposed',
    against: 'the data of an applicant is erased although the case was opened again since it was proposed',
    without: '',
    test: { file: CASE_ERASURE, name: 'is kept while somebody tries its sign-up again' },
  },
];
