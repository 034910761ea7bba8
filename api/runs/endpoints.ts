/** Not converted yet. */
export const runEndpoints = {};
