/** Not converted yet. */
export const gateEndpoints = {};
