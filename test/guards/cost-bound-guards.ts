import type { Guard } from './guard.ts';

const COST_BOUND = 'test/store/cost-bound.services.ts';

/** Checks that nothing costs more than what was approved. */
export const COST_BOUND_GUARDS: readonly Guard[] = [
  {
    id: 'fees-limited',
    against: 'a quote is used whose fees exceed what was approved',
    without: 'if false then',
    test: {
      file: 'test/activities/quotes-as-approved.services.ts',
      name: 'a quote with fees beyond the limit holds the row',
    },
  },
  {
    id: 'rate-limited',
    against: 'a payment is made at a worse rate than was approved',
    without: 'elsif false then',
    test: { file: COST_BOUND, name: 'holds a row whose quote has a worse rate than was approved' },
  },
  {
    id: 'beyond-bound-where-it-may-exist',
    against: 'a row that the provider may have is held, and may be submitted again',
    without: "new.state := 'held';",
    test: { file: COST_BOUND, name: 'makes a payment unknown that is created at a worse rate' },
  },
  {
    id: 'rates-kept-until-approved',
    against: 'the rates that were approved are replaced afterwards',
    without: 'where run_id = p_run',
    test: { file: COST_BOUND, name: 'stays as it was approved' },
  },
  {
    id: 'another-bound-proposes-again',
    against: 'runs wait for a decision with a bound that no approval fits any more',
    without: 'if false then',
    test: {
      file: 'test/store/policy-changes.services.ts',
      name: 'has runs proposed again that wait for a decision when another one changes what a payment may cost',
    },
  },
  {
    id: 'bound-needs-rates',
    against: 'a run is approved without a bound although the policy asks for one',
    without: 'if false then',
    test: { file: COST_BOUND, name: 'is needed for each pair where the policy sets it' },
  },
];
