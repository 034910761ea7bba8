import { statesWhere } from '../state-table.ts';
import {
  CONVERSION_STATE_TABLE,
  type ConversionStage,
  type ConversionState,
  type ConversionStateRow,
  type WithProvider,
} from './conversion-state-table.ts';

/** What the code asks of the states of an order to convert. Each answer is in the table. */

export {
  CONVERSION_STATE_TABLE,
  CONVERSION_STATES,
  type ConversionStage,
  type ConversionState,
} from './conversion-state-table.ts';

export function conversionStatesWhere(isSo: (row: ConversionStateRow) => boolean): readonly ConversionState[] {
  return statesWhere(CONVERSION_STATE_TABLE, isSo);
}

export function stageOfConversion(state: ConversionState): ConversionStage {
  return CONVERSION_STATE_TABLE[state].stage;
}

/** `hasConversion`: the provider has a conversion of the order, or has one with this transition. */
export function mayTransitionConversion(from: ConversionState, to: ConversionState, hasConversion: boolean): boolean {
  const excluded: WithProvider = hasConversion ? 'never' : 'always';
  // guard: conversion-created-once
  return CONVERSION_STATE_TABLE[from].next.includes(to) && CONVERSION_STATE_TABLE[to].withProvider !== excluded;
}

/** It is not funded, as far as is known: past the cut-off it lapses. */
export function mayLapse(state: ConversionState): boolean {
  return CONVERSION_STATE_TABLE[state].next.includes('lapsed');
}

/** It has ended by what was not seen, and is looked at for a while: the history may show otherwise. */
export function mayRunLate(state: ConversionState): boolean {
  return CONVERSION_STATE_TABLE[state].order.mayRunLate;
}

/** The order has not ended, or may still move money: an account has one of these for a pair, in either direction. */
export const OPEN_CONVERSION_STATES = conversionStatesWhere(({ stage }) => stage !== 'ended');

/** The provider has a conversion, and no money is known to have been taken for it. */
export const UNFUNDED_CONVERSION_STATES = conversionStatesWhere(({ stage }) => stage === 'unfunded');

/** People decide what becomes of it. */
export const HELD_CONVERSION_STATES = conversionStatesWhere(({ stage }) => stage === 'on_hold');

/** May still be carried out, and no money is committed to it. */
export const PLACED_CONVERSION_STATES = conversionStatesWhere(({ order }) => order.isPlaced);

/** The provider has shown the conversion as completed. */
export const COMPLETED_CONVERSION_STATES = conversionStatesWhere(({ order }) => order.isCompleted);

/** The total has left the balance. */
export const MONEY_LEFT_CONVERSION_STATES = conversionStatesWhere(({ amounts }) => amounts.haveLeft);

/** The bought money is expected on its usual day. */
export const EXPECTED_CONVERSION_STATES = conversionStatesWhere(({ amounts }) => amounts.areExpected);
