import type { Guard } from './guard.ts';

const PROPOSALS_BY_ADDRESS = 'test/server/proposals-by-address.services.ts';
const RESOLUTIONS = 'test/store/resolutions.services.ts';
const RESOLUTION = 'test/domain/resolution.test.ts';

/** Checks of resolutions by people. */
export const SETTLING_GUARDS: readonly Guard[] = [
  {
    id: 'order-of-address',
    against:
      'a proposal of another one is confirmed or denied at the address of an order, and the answer shows this one',
    without: "orNotFound('any', 'this order has no such proposal');",
    test: {
      file: PROPOSALS_BY_ADDRESS,
      name: 'a proposal of another one is not decided on at the address of an order',
    },
  },
  {
    id: 'case-of-address',
    against: 'a proposal of another one is confirmed or denied at the address of a case, and the answer shows this one',
    without: "orNotFound('any', 'this case has no such proposal');",
    test: { file: PROPOSALS_BY_ADDRESS, name: 'a proposal of another one is not decided on at the address of a case' },
  },
  {
    id: 'virtual-account-of-address',
    against:
      'a proposal of another one is confirmed or denied at the address of a virtual account, and the answer shows this one',
    without: "orNotFound('any', 'there is no such proposal of it');",
    test: {
      file: PROPOSALS_BY_ADDRESS,
      name: 'a proposal of another one is not decided on at the address of a virtual account',
    },
  },
  {
    id: 'settled-by-another',
    against: 'one person alone resolves a row',
    without: "v_why := case when v.submitted_by = me.user_id then 'maker_confirms' end;",
    test: { file: RESOLUTIONS, name: 'the proposer of a resolution does not confirm it' },
    behind: 'settled-by-another-still; the table: settled-by-two',
  },
  {
    id: 'not-settled-by-maker',
    against: 'the maker of a run confirms the resolution of one of its rows',
    without: "v_why := case when v.proposed_by = me.user_id then 'proposer_confirms' end;",
    test: { file: RESOLUTIONS, name: 'the maker of the run does not confirm a resolution' },
    behind: 'not-settled-by-maker-still',
  },
  {
    id: 'not-settled-by-placer',
    against: 'who placed an order confirms what became of it',
    without: 'if false then',
    test: {
      file: 'test/store/conversion-resolutions.services.ts',
      name: 'who placed an order does not confirm what became of it',
    },
  },
  {
    id: 'settled-while-open',
    against: 'a proposal that was denied is confirmed',
    without: '',
    test: { file: RESOLUTIONS, name: 'a closed proposal is not confirmed' },
    behind: 'the worker checks again',
  },
  {
    id: 'denied-by-checker',
    against: 'any maker denies other users’ proposals',
    without: 'if false then',
    test: { file: RESOLUTIONS, name: 'only a checker or its proposer denies a proposal' },
  },
  {
    id: 'unknown-rows-alone',
    against: 'people resolve a row whose outcome the provider shows',
    without: 'if false then',
    test: { file: RESOLUTIONS, name: 'only an unknown row is resolved by people' },
  },
  {
    id: 'confirmations-kept',
    against: 'a confirmation is changed or deleted',
    without: '',
    test: {
      file: RESOLUTIONS,
      name: 'a confirmation is never changed or deleted, and the table refuses confirming one’s own',
    },
    behind: 'no process has the right',
  },
  {
    id: 'settled-by-two',
    against: 'a proposal is recorded as confirmed by its proposer',
    without: 'constraint confirmed_by_another check (true)',
    test: {
      file: RESOLUTIONS,
      name: 'a confirmation is never changed or deleted, and the table refuses confirming one’s own',
    },
    behind: 'settled-by-another',
  },
  {
    id: 'confirmed-in-the-record',
    against: 'someone with access to Temporal makes a proposal take effect',
    without: "if (confirmedBy === null) return { kind: 'confirmed' };",
    test: {
      file: RESOLUTIONS,
      name: 'a row is resolved when one person has proposed and another confirmed it, whoever starts the workflow',
    },
  },
  {
    id: 'settled-as-known',
    against: 'a row is resolved on outdated evidence',
    without: 'return proposal.evidenceHash !== null',
    test: { file: RESOLUTIONS, name: 'a confirmation is valid only for the evidence at the time of the proposal' },
  },
  {
    id: 'settled-by-another-still',
    against: 'the worker applies a proposal that its proposer confirmed',
    without: 'if (now.confirmedBy === null) {',
    test: { file: RESOLUTION, name: 'counts from a second person who is not the maker' },
    behind: 'settled-by-another',
  },
  {
    id: 'not-settled-by-maker-still',
    against: 'the worker applies a proposal that the maker of the run confirmed',
    without: 'if (now.confirmedBy === null) {',
    test: { file: RESOLUTION, name: 'counts from a second person who is not the maker' },
    behind: 'not-settled-by-maker',
  },
];
