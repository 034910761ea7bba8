/** The states of an order to convert, and the transitions that the database allows as well. */

export const CONVERSION_STATES = [
  'proposed',
  'in_approval',
  'approved',
  'quoted',
  'committed',
  'created',
  'funding',
  'funded',
  'completed',
  'settled',
  'declined',
  'expired',
  'skipped',
  'missed',
  'held',
  'lapsed',
  'unknown',
] as const;

export type ConversionState = (typeof CONVERSION_STATES)[number];

/**
 * People are `deciding`; not yet created with the provider; created there and `unfunded`; funded and `in_flight` until the
 * bought money is seen; `on_hold` until people act; or `ended`.
 */
export type ConversionStage = 'deciding' | 'uncreated' | 'unfunded' | 'in_flight' | 'on_hold' | 'ended';

/**
 * Whether the provider has a conversion of the order. There is no call that cancels one, so an order that has one never
 * returns to a state without.
 */
export type WithProvider = 'never' | 'perhaps' | 'always';

interface ConversionStateRow {
  stage: ConversionStage;
  withProvider: WithProvider;
  next: readonly ConversionState[];
}

/**
 * `quoted → approved`: the quote was not used in time. `quoted → in_approval`: it shows that the order needs an approval.
 * `committed → approved`: the provider provably has no conversion. `held → approved`: a person releases an order of which the
 * provider has no conversion; `held → funding`: two people accept the conversion as the provider created it; `held → funded`,
 * `created → funded`: the debit of an earlier request came late. `unknown → held`: the one conversion
 * that a look-up finds has other amounts. An order may skip
 * states when one read shows that the provider is further than the record.
 */
export const CONVERSION_STATE_TABLE: Readonly<Record<ConversionState, ConversionStateRow>> = {
  proposed: {
    stage: 'deciding',
    withProvider: 'never',
    next: ['in_approval', 'approved', 'declined', 'expired', 'skipped', 'missed', 'held'],
  },
  in_approval: {
    stage: 'deciding',
    withProvider: 'never',
    next: ['approved', 'declined', 'expired'],
  },
  approved: {
    stage: 'uncreated',
    withProvider: 'never',
    next: ['quoted', 'declined', 'expired', 'skipped', 'held'],
  },
  quoted: {
    stage: 'uncreated',
    withProvider: 'never',
    next: ['approved', 'in_approval', 'committed', 'declined', 'expired', 'skipped', 'held'],
  },
  committed: {
    stage: 'uncreated',
    withProvider: 'perhaps',
    next: ['approved', 'created', 'completed', 'settled', 'skipped', 'held', 'unknown'],
  },
  created: {
    stage: 'unfunded',
    withProvider: 'always',
    next: ['funding', 'funded', 'completed', 'settled', 'held', 'lapsed', 'unknown'],
  },
  funding: {
    stage: 'unfunded',
    withProvider: 'always',
    next: ['funded', 'completed', 'settled', 'held', 'lapsed', 'unknown'],
  },
  funded: { stage: 'in_flight', withProvider: 'always', next: ['completed', 'settled', 'unknown'] },
  completed: { stage: 'in_flight', withProvider: 'always', next: ['settled', 'unknown'] },
  settled: { stage: 'ended', withProvider: 'always', next: [] },
  declined: { stage: 'ended', withProvider: 'never', next: [] },
  expired: { stage: 'ended', withProvider: 'never', next: [] },
  skipped: { stage: 'ended', withProvider: 'never', next: [] },
  missed: { stage: 'ended', withProvider: 'never', next: [] },
  held: {
    stage: 'on_hold',
    withProvider: 'perhaps',
    next: ['approved', 'declined', 'expired', 'funding', 'funded', 'completed', 'settled', 'lapsed', 'unknown'],
  },
  lapsed: { stage: 'ended', withProvider: 'always', next: ['completed', 'settled'] },
  unknown: {
    stage: 'on_hold',
    withProvider: 'perhaps',
    next: ['declined', 'created', 'held', 'funded', 'completed', 'settled', 'lapsed'],
  },
};

export function stageOfConversion(state: ConversionState): ConversionStage {
  return CONVERSION_STATE_TABLE[state].stage;
}

/** `hasConversion`: the provider has a conversion of the order, or has one with this transition. */
export function mayTransitionConversion(from: ConversionState, to: ConversionState, hasConversion: boolean): boolean {
  const excluded: WithProvider = hasConversion ? 'never' : 'always';
  // guard: conversion-created-once
  return CONVERSION_STATE_TABLE[from].next.includes(to) && CONVERSION_STATE_TABLE[to].withProvider !== excluded;
}

/** The order has not ended, or may still move money: an account has one of these for a pair, in either direction. */
export const OPEN_CONVERSION_STATES = CONVERSION_STATES.filter((state) => stageOfConversion(state) !== 'ended');

/** The provider may still show a change. */
export const OBSERVED_CONVERSION_STATES: readonly ConversionState[] = CONVERSION_STATES.filter(
  (state) => CONVERSION_STATE_TABLE[state].withProvider !== 'never' && state !== 'settled',
);

/** The total is taken out of the free money: committed, or debited and not yet seen in the history. */
export const COMMITTING_CONVERSION_STATES: readonly ConversionState[] = ['committed', 'created', 'funding'];
