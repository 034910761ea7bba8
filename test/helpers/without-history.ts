import { startRewritingProxy } from '../contract/rewriting-proxy.ts';

/**
 * For `startProxy`: a provider that shows no history of its balances. No ledger can be kept of it, so it alone decides what may
 * be funded.
 */
export async function withoutHistory(sandboxUrl: string): Promise<string> {
  return (await startRewritingProxy(sandboxUrl, { name: 'without history', answer: withoutEntries })).url;
}

function withoutEntries(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.filter((entry) => !isEntry(entry)).map(withoutEntries);
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) return answer;
  return { ...answer, data: withoutEntries(answer.data) };
}

function isEntry(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'amountBefore' in value;
}
