import type { Caller } from './a-sandbox.ts';
import type { Known } from './state-steps.ts';

/** The request counts of the ledger are not stored. */
const forgotten = new Set(['requests', 'rejectedByLimit', 'mostInAnySecond', 'credentialLeaks']);

/** Everything that can be read from a sandbox, as a list of lines, which is equal for equal states. */
export async function wholeReport(caller: Caller, known: Known): Promise<string[]> {
  const lines: string[] = [];
  const read = async (method: string, path: string, body?: unknown): Promise<string> => {
    const { status, text } = await caller.send(method, path, body);
    const bare = text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');
    lines.push(`${method} ${path} ${status} ${bare}`);
    return bare;
  };
  await tokensThatCount(caller, known, lines);
  await caller.signIn();
  for (const key of [caller.apiKey, 'second']) {
    const ledger = (await caller.get(`/__sandbox/ledger?key=${key}`)).body;
    lines.push(JSON.stringify(Object.entries(ledger).filter(([name]) => !forgotten.has(name))));
    await read('GET', `/__sandbox/payments?key=${key}`);
  }
  for (const path of ['/simple-payments/v1/find', '/conversions/v1/find', '/beneficiaries/v1/find']) {
    await read('POST', path, {});
  }
  await read('POST', '/balances/v1/history', {});
  for (const path of ['/balances/v1/find', '/v2/fundings', '/v2/refunds', '/__sandbox/health']) await read('GET', path);
  for (const id of known.all('requestId')) await read('GET', `/virtual-accounts/v1/requests/item/${id}`);
  for (const id of known.all('userId')) {
    for (const path of ['', '/detail']) await read('GET', `/v2/users/${id}${path}`);
    const listed = await read('GET', `/v2/users/${id}/documents`);
    for (const [, path = ''] of listed.matchAll(/"downloadUrl":"([^"]+)"/g)) await read('GET', path);
  }
  return lines;
}

async function tokensThatCount(caller: Caller, known: Known, lines: string[]): Promise<void> {
  for (const authorization of known.all('token')) {
    const { status } = await caller.send('GET', '/balances/v1/find', undefined, { authorization });
    lines.push(`token ${authorization.slice(0, 8)} ${status}`);
  }
}
