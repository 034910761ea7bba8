import { startSandbox, type RunningSandbox } from '../../../sandbox/server.ts';
import { setBalance } from '../../helpers/sandbox-control.ts';
import { NO_APPROVALS } from '../../helpers/conversions-under-test.ts';
import { type FaultStack, REQUESTS_PER_SECOND } from '../fault-stack.ts';
import { untilWithin } from '../until-within.ts';

/** Of every scenario's beginning. NZD is swept down to its floor, USD pays and converts. */
const BALANCES = { USD: '100000.00', NZD: '51000.00' };
export const SWEEP_FLOOR = '50000.00';
/** Orders of more than this need an approval. */
const LARGE = '2000.00';
const FOLLOWED_WITHIN_MS = 120_000;

const sandboxes = new WeakMap<FaultStack, RunningSandbox>();

/**
 * The sandbox of a stack: one for all of its scenarios, since payrun follows the history of a balance from its first entry on.
 * It is the hardest provider: it takes a reference twice, and debits every request to fund.
 */
export async function sandboxOf(stack: FaultStack, seed: number): Promise<RunningSandbox> {
  const known = sandboxes.get(stack);
  if (known !== undefined) return known;
  const sandbox = await startSandbox({
    ...{ seed, answers: 'seeded', limitPerSecond: REQUESTS_PER_SECOND, completionMinMs: 100, completionMaxMs: 800 },
    ...{ duplicateReference: 'create', secondFunding: 'charge' },
    publicUrl: stack.providerProxy.urlOf(0),
    webhookUrl: stack.webhookUrl,
  });
  stack.atStop(() => sandbox.close());
  sandboxes.set(stack, sandbox);
  stack.providerProxy.setTarget(sandbox.url);
  await stack.database.query('insert into policies (policy) values ($1)', [
    JSON.stringify({
      rules: [{ name: 'one checker', when: {}, steps: [{ role: 'checker' }] }],
      changes: { delayHours: null },
      conversions: { limits: { ...NO_APPROVALS.limits, USD: { approvalAbove: LARGE } } },
    }),
  ]);
  for (const currency of Object.keys(BALANCES)) await setBalance(sandbox, currency, '1.00');
  return sandbox;
}

/** Sets what is there at the beginning of a scenario, and has the ledger follow it. */
export async function setMoney(stack: FaultStack, sandbox: RunningSandbox, usd: string | null): Promise<void> {
  const balances = { ...BALANCES, USD: usd ?? BALANCES.USD };
  for (const [currency, amount] of Object.entries(balances)) await setBalance(sandbox, currency, amount);
  await untilFollowed(stack, sandbox, Object.keys(balances));
}

/**
 * Waits until the history that payrun keeps of these currencies ends with the balances at the sandbox. Null: of all that it
 * follows, which are those in which something has happened.
 */
export async function untilFollowed(
  { maker, database }: FaultStack,
  sandbox: RunningSandbox,
  currencies: readonly string[] | null,
): Promise<void> {
  await untilWithin(FOLLOWED_WITHIN_MS, 'the history shows the balances', async () => {
    // Somebody looks at the balances, so that the history is read.
    await maker.listBalances().catch(() => null);
    const { rows } = await database.query<{ currency: string; amount: string }>(
      'select currency, last_amount::text as amount from balance_chains',
    );
    const known = new Map(rows.map(({ currency, amount }) => [currency, Number(amount)]));
    return (currencies ?? [...known.keys()]).every(
      (currency) => known.get(currency) === Number(sandbox.ledger().balances[currency]),
    );
  });
}
