import { z } from 'zod';

/** The bounds that finds and histories take. Contract: payments 4.3. */
export const timeRangeFields = {
  startDate: z.string().nullish().describe('Inclusive lower bound, UTC'),
  endDate: z.string().nullish().describe('Exclusive upper bound, UTC'),
};
