import { VIRTUAL_ACCOUNT_STATE_TABLE, VIRTUAL_ACCOUNT_STATES } from '../domain/accounts/virtual-account-state.ts';
import { CASE_STATE_MEANINGS } from '../domain/onboarding/case-state-meanings.ts';
import { CASE_STATE_TABLE, CASE_STATES, type CaseStage } from '../domain/onboarding/case-state.ts';
import { PAYMENT_STATE_MEANINGS } from '../domain/payments/payment-state-meanings.ts';
import { PAYMENT_STATE_TABLE, PAYMENT_STATES, type PaymentStage } from '../domain/payments/payment-state.ts';
import { RUN_STATE_MEANINGS } from '../domain/runs/run-state-meanings.ts';
import { RUN_STATE_TABLE, RUN_STATES, type RunStage } from '../domain/runs/run-state.ts';
import { CONVERSION_STATE_MEANINGS } from '../domain/treasury/conversion-state-meanings.ts';
import {
  CONVERSION_STATE_TABLE,
  CONVERSION_STATES,
  type ConversionStage,
} from '../domain/treasury/conversion-state.ts';
import { code, codeList, page, paragraph, table } from './markdown.ts';

export function statesPage(): string {
  return page(
    'States',
    paragraph(
      'Every run, every payment (a row of a run), every onboarding case, every order to convert and every virtual account is in one',
      'state. The database refuses every transition that is not listed here. The code of a payment that is not paid says more: see',
      '[Error codes](errors.md).',
    ),
    '## Payments',
    stateTable(PAYMENT_STATES, PAYMENT_STATE_MEANINGS, (state) => PAYMENT_STAGES[PAYMENT_STATE_TABLE[state].stage]),
    transitionTable(PAYMENT_STATES, PAYMENT_STATE_MEANINGS, (state) => PAYMENT_STATE_TABLE[state].next),
    paragraph(
      'A payment may skip states when one answer of the provider shows that it is further than payrun knows. `quoted` becomes',
      '`ready` again when its quote expires. A read that shows how an `unknown` payment ended moves it on.',
    ),
    '## Runs',
    stateTable(RUN_STATES, RUN_STATE_MEANINGS, (state) => RUN_STAGES[RUN_STATE_TABLE[state].stage]),
    transitionTable(RUN_STATES, RUN_STATE_MEANINGS, (state) => RUN_STATE_TABLE[state].next),
    'An ended run still changes its state when the outcome of an `unknown` payment becomes known.',
    ...cases(),
    ...orders(),
    ...virtualAccounts(),
  );
}

function cases(): string[] {
  const rows = CASE_STATES.map((state) => {
    const { meaning, action } = CASE_STATE_MEANINGS[state];
    return [code(state), CASE_STAGES[CASE_STATE_TABLE[state].stage], meaning, action ?? ''];
  });
  return [
    '## Onboarding cases',
    'The reason of a case says more: see [Onboarding](errors.md#onboarding).',
    table(['state', 'stage', 'meaning', 'what a person does'], rows),
    table(
      ['from', 'to'],
      CASE_STATES.map((state) => [code(state), codeList(CASE_STATE_TABLE[state].next)]),
    ),
    paragraph(
      'A case that waits for an onboarder, or is `ready`, goes on to `screening` when the provider shows by itself that it is past',
      'that. Personal data of an ended case can be erased after its retention time.',
    ),
  ];
}

function orders(): string[] {
  return [
    '## Orders to convert',
    'The reason of an order says more: see [Conversions](errors.md#conversions).',
    stateTable(
      CONVERSION_STATES,
      CONVERSION_STATE_MEANINGS,
      (state) => CONVERSION_STAGES[CONVERSION_STATE_TABLE[state].stage],
    ),
    transitionTable(CONVERSION_STATES, CONVERSION_STATE_MEANINGS, (state) => CONVERSION_STATE_TABLE[state].next),
    paragraph(
      'An order that has a conversion with the provider never returns to a state without one: no call cancels it. `committed` and',
      '`funding` are set together with the money, and what people decide by functions that require their proof: no process moves',
      'an order there by itself.',
    ),
  ];
}

const CONVERSION_STAGES: Readonly<Record<ConversionStage, string>> = {
  deciding: 'people decide',
  uncreated: 'not created',
  unfunded: 'created, not funded',
  in_flight: 'in flight',
  on_hold: 'on hold',
  ended: 'ended',
};

function virtualAccounts(): string[] {
  const rows = VIRTUAL_ACCOUNT_STATES.map((state) => {
    const { meaning, action, next } = VIRTUAL_ACCOUNT_STATE_TABLE[state];
    return [code(state), meaning, action ?? '', codeList(next)];
  });
  return [
    '## Virtual accounts',
    'A read of the provider moves them, where a path for that is configured; else two people do. A notification does not.',
    table(['state', 'meaning', 'what a person does', 'next'], rows),
  ];
}

const CASE_STAGES: Readonly<Record<CaseStage, string>> = {
  working: 'payrun is working',
  provider: 'waits for the provider',
  onboarder: 'waits for an onboarder',
  ended: 'ended',
};

const PAYMENT_STAGES: Readonly<Record<PaymentStage, string>> = {
  on_hold: 'on hold',
  uncreated: 'not created',
  unfunded: 'created, not funded',
  in_flight: 'in flight',
  ended: 'ended',
};

const RUN_STAGES: Readonly<Record<RunStage, string>> = {
  checking: 'checking',
  deciding: 'deciding',
  paying: 'paying',
  ended: 'ended',
};

interface StateMeaning {
  meaning: string;
  money: string;
  action: string | null;
  isReserved?: true;
}

type Meanings<State extends string> = Readonly<Record<State, StateMeaning>>;

function stateTable<State extends string>(
  states: readonly State[],
  meanings: Meanings<State>,
  stageOf: (state: State) => string,
): string {
  const rows = states.map((state) => {
    const { meaning, money, action, isReserved } = meanings[state];
    return isReserved === true
      ? [code(state), stageOf(state), `Reserved, not used yet. ${meaning}`, '', '']
      : [code(state), stageOf(state), meaning, money, action ?? ''];
  });
  return table(['state', 'stage', 'meaning', 'can money still leave?', 'what a person does'], rows);
}

/** The transitions between the states that are used. */
function transitionTable<State extends string>(
  states: readonly State[],
  meanings: Meanings<State>,
  nextOf: (state: State) => readonly State[],
): string {
  const isUsed = (state: State): boolean => meanings[state].isReserved !== true;
  const rows = states.filter(isUsed).map((state) => [code(state), codeList(nextOf(state).filter(isUsed))]);
  return table(['from', 'to'], rows);
}
