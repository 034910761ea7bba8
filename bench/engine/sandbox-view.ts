/** What the sandbox's control door says of payments and requests. */
export interface ProviderLedger {
  readonly createdMoreThanOnce: readonly string[];
  readonly fundedMoreThanOnce: readonly string[];
  readonly invariantHolds: boolean;
  readonly requests: { readonly total: number; readonly byOperation: Readonly<Record<string, number>> };
  readonly rejectedByLimit: number;
  readonly mostInAnySecond: number;
}

/** One request that was let in. `at` is ISO 8601 in UTC, when it arrived. */
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

/** The sandbox keeps so many lines of its request log. */
export const REQUESTS_KEPT = 1000;

/** Looks at the sandbox by its control door, which costs no request of the limit. @throws Error when it is refused */
export function viewSandbox(url: string) {
  const order = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${url}/__sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the sandbox does not take ${path} (HTTP ${answer.status})`);
  };
  const get = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`${url}/__sandbox/${path}`);
    if (!answer.ok) throw new Error(`the sandbox does not show its ${path} (HTTP ${answer.status})`);
    return (await answer.json()) as T;
  };
  return {
    ledger: () => get<ProviderLedger>('ledger'),
    /** The latest, oldest first. */
    requests: () => get<ProviderRequest[]>('requests'),
    payments: () => get<ProviderPayment[]>('payments'),
    sendWebhooksTo: (address: { url: string; headers: Record<string, string> } | { url: null }) =>
      order('webhooks', address),
    /** Money that comes in to a balance. `amount`: a decimal string. */
    bringMoney: (currency: string, amount: string) => order('fundings', { currency, amount }),
  };
}

export type SandboxView = ReturnType<typeof viewSandbox>;
