import { VIRTUAL_ACCOUNT_STATE_TABLE, VIRTUAL_ACCOUNT_STATES } from '../domain/accounts/virtual-account-state.ts';
import { CASE_STATE_TABLE, CASE_STATES, type CaseStage } from '../domain/onboarding/case-state-table.ts';
import { PAYMENT_STATES, type PaymentStage } from '../domain/payments/payment-state-row.ts';
import { PAYMENT_STATE_TABLE } from '../domain/payments/payment-state-table.ts';
import { RUN_STATE_TABLE, RUN_STATES, type RunStage } from '../domain/runs/run-state-table.ts';
import type { StateTexts } from '../domain/state-table.ts';
import {
  CONVERSION_STATE_TABLE,
  CONVERSION_STATES,
  type ConversionStage,
} from '../domain/treasury/conversion-state-table.ts';
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
    stateTable(PAYMENT_STATES, (state) => {
      const row = PAYMENT_STATE_TABLE[state];
      return { ...row, stage: PAYMENT_STAGES[row.stage], isUsed: row.row.isUsed };
    }),
    transitionTable(PAYMENT_STATES.filter(isUsedForPayments), (state) =>
      PAYMENT_STATE_TABLE[state].next.filter(isUsedForPayments),
    ),
    paragraph(
      'A payment may skip states when one answer of the provider shows that it is further than payrun knows. `quoted` becomes',
      '`ready` again when its quote expires. A read that shows how an `unknown` payment ended moves it on.',
    ),
    '## Runs',
    stateTable(RUN_STATES, (state) => {
      const row = RUN_STATE_TABLE[state];
      return { ...row, stage: RUN_STAGES[row.stage], isUsed: row.run.isUsed };
    }),
    transitionTable(RUN_STATES.filter(isUsedForRuns), (state) => RUN_STATE_TABLE[state].next.filter(isUsedForRuns)),
    'An ended run still changes its state when the outcome of an `unknown` payment becomes known.',
    ...cases(),
    ...orders(),
    ...virtualAccounts(),
  );
}

const isUsedForPayments = (state: (typeof PAYMENT_STATES)[number]): boolean => PAYMENT_STATE_TABLE[state].row.isUsed;
const isUsedForRuns = (state: (typeof RUN_STATES)[number]): boolean => RUN_STATE_TABLE[state].run.isUsed;

function cases(): string[] {
  const rows = CASE_STATES.map((state) => {
    const { word, stage, meaning, action } = CASE_STATE_TABLE[state];
    return [code(state), word, CASE_STAGES[stage], meaning, action ?? ''];
  });
  return [
    '## Onboarding cases',
    'The reason of a case says more: see [Onboarding](errors.md#onboarding).',
    table(['state', 'in the console', 'stage', 'meaning', 'what a person does'], rows),
    transitionTable(CASE_STATES, (state) => CASE_STATE_TABLE[state].next),
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
    stateTable(CONVERSION_STATES, (state) => {
      const row = CONVERSION_STATE_TABLE[state];
      return { ...row, stage: CONVERSION_STAGES[row.stage], isUsed: true };
    }),
    transitionTable(CONVERSION_STATES, (state) => CONVERSION_STATE_TABLE[state].next),
    paragraph(
      'An order that has a conversion with the provider never returns to a state without one: no call cancels it. `committed` and',
      '`funding` are set together with the money, and what people decide by functions that require their token hash: no process moves',
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
    const { word, meaning, action, next } = VIRTUAL_ACCOUNT_STATE_TABLE[state];
    return [code(state), word, meaning, action ?? '', codeList(next)];
  });
  return [
    '## Virtual accounts',
    'A read of the provider moves them, where a path for that is configured; else two people do. A notification does not.',
    table(['state', 'in the console', 'meaning', 'what a person does', 'next'], rows),
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

interface ShownState extends StateTexts {
  money: string;
  stage: string;
  isUsed: boolean;
}

function stateTable<State extends string>(states: readonly State[], shown: (state: State) => ShownState): string {
  const rows = states.map((state) => {
    const { word, stage, meaning, money, action, isUsed } = shown(state);
    return isUsed
      ? [code(state), word, stage, meaning, money, action ?? '']
      : [code(state), word, stage, `Reserved, not used yet. ${meaning}`, '', ''];
  });
  return table(['state', 'in the console', 'stage', 'meaning', 'can money still leave?', 'what a person does'], rows);
}

function transitionTable<State extends string>(
  states: readonly State[],
  nextOf: (state: State) => readonly State[],
): string {
  return table(
    ['from', 'to'],
    states.map((state) => [code(state), codeList(nextOf(state))]),
  );
}
