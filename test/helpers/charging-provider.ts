import type { PayrunOptions } from './payrun-under-test.ts';

/** A provider that would carry each request out again, and takes long to complete what was funded. */
export const CHARGING_PROVIDER: PayrunOptions['sandbox'] = {
  ...{ secondFunding: 'charge', duplicateReference: 'create' },
  ...{ completionMinMs: 8_000, completionMaxMs: 9_000 },
};
