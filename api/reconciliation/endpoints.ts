/** Not converted yet. */
export const reconciliationEndpoints = {};
