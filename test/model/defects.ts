import type { World } from './world.ts';

/** Defects that payrun once had, or that one of its guards prevents: put back alone, the model notices each of them. */
export interface Defect {
  name: string;
  /** A text of a function in the database, and what stood there. */
  inFunction?: { name: string; text: string; without: string };
  /** The activities get another dependency. */
  inject?: (world: World) => void;
}

export const DEFECTS: readonly Defect[] = [
  {
    name: 'a request that was not seen at the provider counts as one without effect',
    inFunction: {
      name: 'outcome_may_be_effect',
      text: "'took_effect'::text, 'not_seen'::text",
      without: "'took_effect'::text",
    },
  },
  {
    name: 'a row whose creation was not seen is cancelled with its run',
    inFunction: {
      name: 'refuse_illegal_move',
      text: 'and may_have_been_created(new.payment_id, new.attempt) then',
      without: 'and false then',
    },
  },
  {
    name: 'people resolve a row as unpaid that the provider shows unfunded',
    inject: (world) => {
      const { settings } = world.dependencies;
      const stateOf: typeof settings.stateOf = (status) =>
        status === 'awaiting_funds' ? null : settings.stateOf(status);
      world.resolvingWith = { ...world.dependencies, settings: { ...settings, stateOf } };
    },
  },
  {
    name: 'a payment that was created at another price than quoted is funded',
    inject: (world) => {
      world.provider.hidesAmounts = true;
    },
  },
  {
    name: 'the debit of a paid payment is that of an equal one whose funding was not seen',
    inFunction: { name: 'commitment_of_debit', text: 'if debit_is_certain(v_match) then', without: 'if true then' },
  },
  {
    name: 'money that may have left is spent again',
    inFunction: {
      name: 'release_payment',
      text: 'if may_have_been_funded(p_payment, p_attempt) then return; end if;',
      without: '',
    },
  },
];
