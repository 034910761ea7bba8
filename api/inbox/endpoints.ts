/** Not converted yet. */
export const inboxEndpoints = {};
