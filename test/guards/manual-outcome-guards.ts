import type { Guard } from './guard.ts';

const PROPOSALS_BY_ADDRESS = 'test/server/proposals-by-address.services.ts';
const MANUAL_OUTCOMES = 'test/store/manual-outcomes.services.ts';
const MANUAL_OUTCOME = 'test/domain/manual-outcome.test.ts';

/** Checks of manual outcomes. */
export const MANUAL_OUTCOME_GUARDS: readonly Guard[] = [
  {
    id: 'order-of-address',
    against:
      'a proposal of another one is confirmed or rejected at the address of an order, and the answer shows this one',
    without: "orNotFound('any', 'this order has no such proposal');",
    test: {
      file: PROPOSALS_BY_ADDRESS,
      name: 'a proposal of another one is not decided on at the address of an order',
    },
  },
  {
    id: 'case-of-address',
    against:
      'a proposal of another one is confirmed or rejected at the address of a case, and the answer shows this one',
    without: "orNotFound('any', 'this case has no such proposal');",
    test: { file: PROPOSALS_BY_ADDRESS, name: 'a proposal of another one is not decided on at the address of a case' },
  },
  {
    id: 'virtual-account-of-address',
    against:
      'a proposal of another one is confirmed or rejected at the address of a virtual account, and the answer shows this one',
    without: "orNotFound('any', 'there is no such proposal of it');",
    test: {
      file: PROPOSALS_BY_ADDRESS,
      name: 'a proposal of another one is not decided on at the address of a virtual account',
    },
  },
  {
    id: 'resolved-by-another',
    against: 'one person alone resolves a row',
    without: "v_why := case when v.submitted_by = me.user_id then 'maker_confirms' end;",
    test: { file: MANUAL_OUTCOMES, name: 'the proposer of a manual outcome does not confirm it' },
    behind: 'resolved-by-another-still; the table: resolved-by-two',
  },
  {
    id: 'not-resolved-by-maker',
    against: 'the maker of a run confirms the manual outcome of one of its rows',
    without: "v_why := case when v.proposed_by = me.user_id then 'proposer_confirms' end;",
    test: { file: MANUAL_OUTCOMES, name: 'the maker of the run does not confirm a manual outcome' },
    behind: 'not-resolved-by-maker-still',
  },
  {
    id: 'not-resolved-by-placer',
    against: 'who placed an order confirms what became of it',
    without: 'if false then',
    test: {
      file: 'test/store/conversion-manual-outcomes.services.ts',
      name: 'who placed an order does not confirm what became of it',
    },
  },
  {
    id: 'resolved-while-open',
    against: 'a proposal that was rejected is confirmed',
    without: '',
    test: { file: MANUAL_OUTCOMES, name: 'a closed proposal is not confirmed' },
    behind: 'the worker checks again',
  },
  {
    id: 'rejected-by-checker',
    against: 'any maker rejects other users’ proposals',
    without: 'if false then',
    test: { file: MANUAL_OUTCOMES, name: 'only a checker or its proposer rejects a proposal' },
  },
  {
    id: 'unknown-rows-alone',
    against: 'people resolve a row whose outcome the provider shows',
    without: 'if false then',
    test: { file: MANUAL_OUTCOMES, name: 'only an unknown row is resolved by people' },
  },
  {
    id: 'confirmations-kept',
    against: 'a confirmation is changed or deleted',
    without: '',
    test: {
      file: MANUAL_OUTCOMES,
      name: 'a confirmation is never changed or deleted, and the table refuses confirming one’s own',
    },
    behind: 'no process has the right',
  },
  {
    id: 'resolved-by-two',
    against: 'a proposal is recorded as confirmed by its proposer',
    without: 'constraint confirmed_by_another check (true)',
    test: {
      file: MANUAL_OUTCOMES,
      name: 'a confirmation is never changed or deleted, and the table refuses confirming one’s own',
    },
    behind: 'resolved-by-another',
  },
  {
    id: 'confirmed-in-the-record',
    against: 'someone with access to Temporal makes a proposal take effect',
    without: "if (confirmedBy === null) return { kind: 'confirmed' };",
    test: {
      file: MANUAL_OUTCOMES,
      name: 'a row is resolved when one person has proposed and another confirmed it, whoever starts the workflow',
    },
  },
  {
    id: 'resolved-as-known',
    against: 'a row is resolved on outdated evidence',
    without: 'return proposal.evidenceHash !== null',
    test: { file: MANUAL_OUTCOMES, name: 'a confirmation is valid only for the evidence at the time of the proposal' },
  },
  {
    id: 'resolved-by-another-still',
    against: 'the worker applies a proposal that its proposer confirmed',
    without: 'if (now.confirmedBy === null) {',
    test: { file: MANUAL_OUTCOME, name: 'counts from a second person who is not the maker' },
    behind: 'resolved-by-another',
  },
  {
    id: 'not-resolved-by-maker-still',
    against: 'the worker applies a proposal that the maker of the run confirmed',
    without: 'if (now.confirmedBy === null) {',
    test: { file: MANUAL_OUTCOME, name: 'counts from a second person who is not the maker' },
    behind: 'not-resolved-by-maker',
  },
];
