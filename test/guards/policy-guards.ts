import type { Guard } from './guard.ts';

const APPROVAL_POLICIES = 'test/store/approval-policies.services.ts';
const APPROVAL_CONDITIONS = 'test/store/approval-conditions.services.ts';

/** Checks of which rule of the policy covers a run. */
export const POLICY_GUARDS: readonly Guard[] = [
  {
    id: 'zones-the-database-knows',
    against:
      'a policy names a time zone that Postgres does not know: no day of its account can be told, and nothing of it is paid',
    without: 'if false then',
    test: {
      file: 'test/store/time-zones.services.ts',
      name: 'a zone that only the program knows is refused, at the proposal and when a policy gets in force',
    },
  },
  {
    id: 'no-rule-no-approval',
    against: 'a run is approved although no rule of the policy covers it',
    without: 'continue when v_fitting is null;',
    test: {
      file: APPROVAL_POLICIES,
      name: 'applies to every currency of a run; a currency without a rule is not approved',
    },
  },
  {
    id: 'steps-of-all-currencies',
    against: 'a small row in another currency exempts a run from the steps for a large one',
    without:
      "v_rules := jsonb_build_array(jsonb_build_object('currency', v_facts -> 'currency', 'name', v_fitting -> 'name',",
    test: { file: APPROVAL_POLICIES, name: 'cannot be avoided with a small row in another currency' },
  },
  {
    id: 'step-as-often',
    against: 'one person is enough where a rule requires two',
    without: 'select step, list, position, count, 1 as nth',
    test: { file: APPROVAL_POLICIES, name: 'requires a step as often as the strictest currency of the run' },
  },
  {
    id: 'sum-judged',
    against: 'a large run needs only the approvals of a small one',
    without: "and 0 >= coalesce((asked ->> 'totalAtLeast')::numeric, 0)",
    test: { file: APPROVAL_POLICIES, name: 'requires more steps for the sum of a currency reached' },
  },
  {
    id: 'largest-judged',
    against: 'a large row needs only the approvals of a small one',
    without: "and 0 >= coalesce((asked ->> 'largestAtLeast')::numeric, 0)",
    test: { file: APPROVAL_POLICIES, name: 'requires more steps for its largest row' },
  },
  {
    id: 'new-beneficiary-judged',
    against: 'an account that was never paid counts as known',
    without: "and (not coalesce((asked ->> 'newBeneficiary')::boolean, false))",
    test: { file: APPROVAL_POLICIES, name: 'requires more steps for an account that was never paid' },
  },
  {
    id: 'another-route-is-new',
    against:
      'the holder or the bank of a known account is replaced, and the run needs only the approvals of a known beneficiary',
    without: ')',
    test: { file: APPROVAL_POLICIES, name: 'does not know an account that was paid by another holder' },
  },
  {
    id: 'countries-of-codes',
    against: 'the maker chooses the rule by the country that they write beside an IBAN',
    without: "const { country = '', iban, bicSwift } = { ...bankAccount, iban: undefined, bicSwift: undefined };",
    test: { file: APPROVAL_CONDITIONS, name: 'when an IBAN is of there' },
  },
  {
    id: 'any-country-judged',
    against: 'a run that pays into a country needs only the approvals of another run',
    without: "and asked -> 'anyCountryOf' is null",
    test: { file: APPROVAL_CONDITIONS, name: 'when one row pays a bank there' },
  },
  {
    id: 'only-countries-judged',
    against: 'a rule for some countries covers a run that pays into others',
    without: '',
    test: { file: APPROVAL_CONDITIONS, name: 'when one row pays a bank elsewhere' },
  },
  {
    id: 'weekday-judged',
    against: 'a rule for a weekday covers what is approved on another',
    without: '',
    test: { file: APPROVAL_CONDITIONS, name: 'is that of the decision' },
  },
  {
    id: 'hour-judged',
    against: 'a rule for hours of the day covers what is approved outside them',
    without: '',
    test: { file: APPROVAL_CONDITIONS, name: 'outside them' },
  },
];
