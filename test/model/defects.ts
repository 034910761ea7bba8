import type { World } from './world.ts';

/** Defects that payrun once had, or that one of its guards prevents: put back alone, the model notices each of them. */
export interface Defect {
  name: string;
  /** A text of a function in the database, and what stood there. */
  inFunction?: { name: string; text: string; without: string };
  /** The same of a statement. */
  inStatement?: { text: string; without: string };
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
  {
    name: 'what an order has bought does not count while it is not known what became of it',
    inFunction: {
      name: 'order_may_bring_money',
      text: 'conversion_may_bring_money(p_order.state, p_order.conversion_id is not null)',
      without:
        '(conversion_may_bring_money(p_order.state, p_order.conversion_id is not null) and not conversion_is_on_hold(p_order.state))',
    },
  },
  {
    name: 'what an order that has lapsed has bought does not count',
    inFunction: { name: 'order_may_bring_money', text: 'or lapsed_order_may_be_debited(p_order)', without: '' },
  },
  {
    name: 'an order that has lapsed is never looked at again',
    inFunction: {
      name: 'conversion_may_run_late',
      text: "'lapsed'",
      without: "'none'",
    },
  },
  {
    name: 'the money of an order that has lapsed is free at once',
    inFunction: {
      name: 'release_unused_conversion',
      text: 'if lapsed_order_may_be_debited(new) then return null; end if;',
      without: '',
    },
  },
  {
    name: 'the money of an order whose creation was not seen is free at once',
    inFunction: {
      name: 'release_unused_conversion',
      text: 'if not conversion_has_ended(new.state) and conversion_may_have_been_created(new) then return null; end if;',
      without: '',
    },
  },
  {
    name: 'a conversion is funded again before the first request can no longer take effect',
    inject: (world) => {
      const { settings } = world.dependencies;
      settings.treasury.mayTakeEffectMs = 0;
    },
  },
  {
    name: 'what is reserved for rows that are due later is no money of those that are due now',
    inFunction: {
      name: 'reserve_for_run',
      text: 'perform free_later_reserves(p_run, p_account, p_currency);',
      without: '',
    },
  },
  {
    name: 'a worker whose clock is ahead pays a row before its day',
    inStatement: { text: "to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD'))", without: "'9999')" },
  },
  {
    name: 'a row that was returned by an equal amount alone is no duplicate',
    inFunction: {
      name: 'is_returned_for_certain',
      text: 'select bool_and(follows_debit)',
      without: 'select true or bool_and(follows_debit)',
    },
  },
];
