/** Not converted yet. */
export const auditEndpoints = {};
