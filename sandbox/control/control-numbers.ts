import { z } from 'zod';
import { exactNumber } from '../core/json.ts';

export const dayMs = 86_400_000;

/** A whole number of a control call, both bounds inclusive. */
export const wholeNumber = (min: number, max: number): z.ZodType<number> =>
  exactNumber.transform((number) => number.toNumber()).pipe(z.number().int().min(min).max(max));

/** From 0 to 1, both inclusive. */
export const fraction = exactNumber.transform((number) => number.toNumber()).pipe(z.number().min(0).max(1));
