/** Not converted yet. */
export const webhookEndpoints = {};
