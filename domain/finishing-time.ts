/** Requests that one payment needs at least: quote, create, fund. */
const REQUESTS_PER_PAYMENT = 3;

/** Requests per payment set aside for confirming: one sweep serves every payment in flight. */
const CONFIRMING_SHARE = 0.1;

/** Each supporting file needs an upload address; the upload itself does not count against the limit. */
export function requestsNeeded(work: { payments: number; newBeneficiaries: number; files: number }): number {
  return Math.ceil(work.payments * (REQUESTS_PER_PAYMENT + CONFIRMING_SHARE) + work.newBeneficiaries + work.files);
}

/** Seconds that sending takes at the limit; 0 requests a second means that the limit is lifted. */
export function secondsToSend(requests: number, requestsAhead: number, limitPerSecond: number): number {
  if (limitPerSecond === 0) return 0;
  return Math.ceil((requests + requestsAhead) / limitPerSecond);
}
