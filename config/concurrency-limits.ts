/**
 * The concurrency limit of each account: how many payments of its runs are begun and not yet funded. Throws for an account
 * that is not configured. Accounts may be added to the list later.
 */
export function concurrencyLimitsOf(
  accounts: readonly { name: string; requestsPerSecond: number }[],
): (account: string) => number {
  return (name) => {
    const account = accounts.find((candidate) => candidate.name === name);
    if (account === undefined) throw new Error(`no provider account named ${name} is configured`);
    return concurrencyLimitFor(account.requestsPerSecond);
  };
}

/** About ten seconds of sending, so that no quote expires in the queue. */
function concurrencyLimitFor(requestsPerSecond: number): number {
  return requestsPerSecond === 0 ? 200 : Math.max(50, 10 * requestsPerSecond);
}
