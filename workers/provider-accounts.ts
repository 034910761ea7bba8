import type { ProviderAccount } from '../config/account-settings.ts';
import { createProviderClient, type ProviderClient } from '../provider/client.ts';
import { createRecordSeal, type RecordSeal } from '../provider/record-seal.ts';
import { createRequestGate } from '../provider/gate/shared-gate.ts';
import type { Database } from '../store/database/database.ts';
import { createProviderTokens } from '../store/gate/provider-tokens.ts';
import { createRequestSlots, type DayShift, type RequestSlots } from '../store/gate/request-slots.ts';
import { type RunningHolder, startSlotHolder } from '../store/gate/slot-holder.ts';
import { createSlotTable } from '../store/gate/slot-table.ts';

/** The clients of all configured accounts, each with its request gate. */
export interface ProviderAccounts {
  of(account: string): ProviderClient;
  /** The seal for records of the account's provider. */
  sealOf(account: string): RecordSeal;
  /** Opens another account. */
  add(account: ProviderAccount): void;
  /** Returns this process's slots. To be called after the last request. */
  close(): Promise<void>;
}

export async function openProviderAccounts(options: {
  database: Database;
  accounts: readonly ProviderAccount[];
  requestTimeoutMs: number;
  now: () => number;
  warn: (message: string) => void;
  /** For tests: shifts the day that requests are counted in. */
  dayShift?: () => DayShift;
}): Promise<ProviderAccounts> {
  const { database, accounts, now, warn } = options;
  const configured = [...accounts];
  const table = createSlotTable(database);
  const freeing: { slots: RequestSlots | null } = { slots: null };
  const running = await startSlotHolder(table, async () => freeing.slots?.freeAbandoned());
  const slots = createRequestSlots({
    table,
    holder: running.holder,
    limitsOf: (name) => {
      const { requestsPerSecond, requestsPerDay, requestsReservedPerDay } = accountNamed(configured, name);
      return { perSecond: requestsPerSecond, perDay: requestsPerDay, reservedPerDay: requestsReservedPerDay };
    },
    ...(options.dayShift === undefined ? {} : { dayShift: options.dayShift }),
  });
  freeing.slots = slots;
  const tokens = createProviderTokens(database, now);
  const open = (account: ProviderAccount) => {
    const gate = createRequestGate({
      account: account.name,
      store: slots,
      limitPerSecond: account.requestsPerSecond,
      onStoreError: () => warn(`account ${account.name}: a request slot could not be returned; it is tried again`),
    });
    const client = createProviderClient({
      account: account.name,
      baseUrl: account.apiUrl,
      credentials: account.credentials,
      gate,
      tokens,
      now,
      limits: { timeoutMs: options.requestTimeoutMs },
      onWarning: warn,
      ...account.variant,
      ...account.connection,
    });
    const seal = createRecordSeal(account.name, account.credentials.secretAccessKey);
    return { name: account.name, gate, client, seal };
  };
  const opened = accounts.map(open);
  return {
    of: (name) => accountNamed(opened, name).client,
    sealOf: (name) => accountNamed(opened, name).seal,
    add: (account) => {
      if (opened.some(({ name }) => name === account.name)) return;
      configured.push(account);
      opened.push(open(account));
    },
    close: () => close(opened, running),
  };
}

async function close(
  opened: readonly { gate: { drained(): Promise<void> }; client: ProviderClient }[],
  holder: RunningHolder,
): Promise<void> {
  for (const { gate, client } of opened) {
    await gate.drained();
    client.close();
  }
  await holder.stop();
}

function accountNamed<T extends { name: string }>(accounts: readonly T[], name: string): T {
  const account = accounts.find((candidate) => candidate.name === name);
  if (account === undefined) throw new Error(`no provider account named ${name} is configured`);
  return account;
}
