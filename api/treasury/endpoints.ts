/** Not converted yet. */
export const treasuryEndpoints = {};
