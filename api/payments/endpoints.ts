/** Not converted yet. */
export const paymentEndpoints = {};
