/** Not converted yet. */
export const userEndpoints = {};
