/** What the sandbox's control API reports about payments and requests. */
export interface ProviderLedger {
  readonly createdMoreThanOnce: readonly string[];
  readonly fundedMoreThanOnce: readonly string[];
  readonly invariantHolds: boolean;
  readonly requests: { readonly total: number; readonly byOperation: Readonly<Record<string, number>> };
  readonly rejectedByLimit: number;
  readonly mostInAnySecond: number;
}

/** One request that the limit admitted. `at` is its arrival, ISO 8601 in UTC. */
export interface ProviderRequest {
  readonly at: string;
  readonly operation: string;
  readonly status: number;
}

/** One payment as the sandbox holds it. */
export interface ProviderPayment {
  readonly id: string;
  readonly referenceId: string | null;
  readonly status: string;
  readonly sellAmount: string;
  readonly timesFunded: number;
}

/** The length of the sandbox's request log. */
export const REQUESTS_KEPT = 1000;

/** The sandbox's control API for the account of this API key (absent: the first), whose calls do not count against the limit. @throws Error when a call is refused */
export function viewSandbox(url: string, apiKey?: string) {
  const query = apiKey === undefined ? '' : `?key=${encodeURIComponent(apiKey)}`;
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${url}/__sandbox/${path}${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the sandbox refused ${path} (HTTP ${answer.status})`);
  };
  const get = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`${url}/__sandbox/${path}${query}`);
    if (!answer.ok) throw new Error(`the sandbox refused to show its ${path} (HTTP ${answer.status})`);
    return (await answer.json()) as T;
  };
  return {
    ledger: () => get<ProviderLedger>('ledger'),
    /** The latest, oldest first. */
    requests: () => get<ProviderRequest[]>('requests'),
    payments: () => get<ProviderPayment[]>('payments'),
    sendWebhooksTo: (address: { url: string; headers: Record<string, string> } | { url: null }) =>
      post('webhooks', address),
    /** Deposits money into a balance. `amount`: a decimal string. */
    deposit: (currency: string, amount: string) => post('fundings', { currency, amount }),
  };
}

export type SandboxView = ReturnType<typeof viewSandbox>;

/** How much each count grew between two readings; counts that did not grow are left out. */
export function increaseOf(
  after: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
): Record<string, number> {
  const changed = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(changed.filter(([, count]) => count > 0));
}
