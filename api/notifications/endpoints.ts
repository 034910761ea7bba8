/** Not converted yet. */
export const notificationEndpoints = {};
