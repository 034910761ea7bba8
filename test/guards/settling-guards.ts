import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks of resolutions by people. */

const RESOLUTIONS = `${MIGRATIONS}/0014_resolutions-in-the-record.sql`;

const resolutions = (name: string) => ({ file: 'test/store/resolutions.services.ts', name });

/** What is confirmed or denied at an address is the proposal of what the address names. */
function ofAddress(id: string, what: string, file: string): Guard {
  return {
    id: `${id}-of-address`,
    against: `a proposal of another one is confirmed or denied at the address of ${what}, and the answer shows this one`,
    file,
    text: `orNotFound(resolutions.find((one) => one.resolutionId === resolutionId) ?? null, '`,
    without: `orNotFound('any', '`,
    test: {
      file: 'test/server/proposals-by-address.services.ts',
      name: `a proposal of another one is not decided on at the address of ${what}`,
    },
  };
}

export const SETTLING_GUARDS: readonly Guard[] = [
  ofAddress('order', 'an order', 'application/treasury/decide-orders.ts'),
  ofAddress('case', 'a case', 'application/onboarding/decide-cases.ts'),
  ofAddress('virtual-account', 'a virtual account', 'application/accounts/virtual-accounts.ts'),
  {
    id: 'settled-by-another',
    against: 'one person alone resolves a row',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: `case when v.proposed_by = me.user_id then 'proposer_confirms' when`,
    without: 'case when',
    test: resolutions('the proposer of a resolution does not confirm it'),
    behind: 'settled-by-another-still; the table: settled-by-two',
  },
  {
    id: 'not-settled-by-maker',
    against: 'the maker of a run confirms the resolution of one of its rows',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: `when v.submitted_by = me.user_id then 'maker_confirms' end;`,
    without: 'end;',
    test: resolutions('the maker of the run does not confirm a resolution'),
    behind: 'not-settled-by-maker-still',
  },
  {
    id: 'not-settled-by-placer',
    against: 'who placed an order confirms what became of it',
    file: `${MIGRATIONS}/0063_money-counted-once.sql`,
    text: '  if exists (select from conversion_orders where order_id = v.order_id and placed_by = me.user_id) then',
    without: '  if false then',
    test: {
      file: 'test/store/conversion-resolutions.services.ts',
      name: 'who placed an order does not confirm what became of it',
    },
  },
  {
    id: 'settled-while-open',
    against: 'a proposal that was denied is confirmed',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: `if v.state <> 'proposed' then return refused('conflict', 'the proposal is ' || v.state || ' already'); end if;`,
    without: '',
    test: resolutions('a closed proposal is not confirmed'),
    behind: 'the worker checks again',
  },
  {
    id: 'denied-by-checker',
    against: 'any maker denies other users’ proposals',
    file: RESOLUTIONS,
    text: `if v.proposed_by <> me.user_id and not user_may(me.user_id, 'decide_run') then`,
    without: 'if false then',
    test: resolutions('only a checker or its proposer denies a proposal'),
  },
  {
    id: 'unknown-rows-alone',
    against: 'people resolve a row whose outcome the provider shows',
    file: RESOLUTIONS,
    text: `if v_payment.state is distinct from 'unknown' then`,
    without: 'if false then',
    test: resolutions('only an unknown row is resolved by people'),
  },
  {
    id: 'confirmations-kept',
    against: 'a confirmation is changed or deleted',
    file: RESOLUTIONS,
    text: 'create trigger confirmations_are_append_only before update or delete or truncate on resolution_confirmations\n  for each statement execute function refuse_change_of_record();',
    without: '',
    test: resolutions('a confirmation is never changed or deleted, and the table refuses confirming one’s own'),
    behind: 'no process has the right',
  },
  {
    id: 'settled-by-two',
    against: 'a proposal is recorded as confirmed by its proposer',
    file: `${MIGRATIONS}/0003_resolutions.sql`,
    text: `check (state <> 'confirmed' or (closed_by is not null and closed_by <> proposed_by))`,
    without: 'check (true)',
    test: resolutions('a confirmation is never changed or deleted, and the table refuses confirming one’s own'),
    behind: 'settled-by-another',
  },
  {
    id: 'confirmed-in-the-record',
    against: 'someone with access to Temporal makes a proposal take effect',
    file: 'activities/payments/conclude-manual-outcome.ts',
    text: `if (confirmedBy === null) return { kind: 'refused', refusal: NOT_CONFIRMED };`,
    without: `if (confirmedBy === null) return { kind: 'confirmed' };`,
    test: resolutions(
      'a row is resolved when one person has proposed and another confirmed it, whoever starts the workflow',
    ),
  },
  {
    id: 'settled-as-known',
    against: 'a row is resolved on outdated evidence',
    file: 'domain/payments/resolution.ts',
    text: 'return proposal.evidenceHash === now.evidenceHash\n',
    without: 'return proposal.evidenceHash !== null\n',
    test: resolutions('a confirmation is valid only for the evidence at the time of the proposal'),
  },
  {
    id: 'settled-by-another-still',
    against: 'the worker applies a proposal that its proposer confirmed',
    file: 'domain/payments/resolution.ts',
    text: 'if (proposal.proposedBy === now.confirmedBy) {',
    without: 'if (now.confirmedBy === null) {',
    test: { file: 'test/domain/resolution.test.ts', name: 'counts from a second person who is not the maker' },
    behind: 'settled-by-another',
  },
  {
    id: 'not-settled-by-maker-still',
    against: 'the worker applies a proposal that the maker of the run confirmed',
    file: 'domain/payments/resolution.ts',
    text: 'if (now.maker === now.confirmedBy) {',
    without: 'if (now.confirmedBy === null) {',
    test: { file: 'test/domain/resolution.test.ts', name: 'counts from a second person who is not the maker' },
    behind: 'not-settled-by-maker',
  },
];
