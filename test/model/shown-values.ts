import type { Timestamp } from '../../provider/calls/answer-fields.ts';

/** Values as the provider shows them. Amounts are kept in minor units. */

export function decimal(minorUnits: number): string {
  return (minorUnits / 100).toFixed(2);
}

export function minor(amount: string): number {
  return Math.round(Number(amount) * 100);
}

export function timestamp(ms: number): Timestamp {
  return { raw: new Date(ms).toISOString(), epochMs: ms };
}
