/** For finding runs and payments in the Temporal UI. They are registered with the server before anything starts. */

export const RUN_ID = { name: 'PayrunRunId', type: 'KEYWORD' } as const;
export const ACCOUNT = { name: 'PayrunAccount', type: 'KEYWORD' } as const;
export const STATE = { name: 'PayrunState', type: 'KEYWORD' } as const;
export const ROW = { name: 'PayrunRow', type: 'INT' } as const;
export const CURRENCY = { name: 'PayrunCurrency', type: 'KEYWORD' } as const;

/** None of them contains a beneficiary or an amount. */
export const SEARCH_ATTRIBUTES = [RUN_ID, ACCOUNT, STATE, ROW, CURRENCY] as const;
