import { defaultAccount, type SandboxAccount } from '../../sandbox/config/accounts.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.ts';
import { ContractContext } from './contract-context.ts';
import { type EventReceiver, startEventReceiver } from './event-receiver.ts';
import { startRewritingProxy } from './rewriting-proxy.ts';
import { sandboxOptionsOf, resolvedValues, type SettingValues } from './settings.ts';
import { sandboxFormat, type AnswerFormat } from './answer-formats.ts';

const otherAccount: SandboxAccount = {
  apiKey: 'another-api-key',
  accessKeyId: 'another-access-key-id',
  secretAccessKey: 'another-secret-access-key',
};

/** It may send one request a day, so the second request always exceeds its limit. */
export const limitedAccount: SandboxAccount = {
  apiKey: 'limited-api-key',
  accessKeyId: 'limited-access-key-id',
  secretAccessKey: 'limited-secret-access-key',
  limitPerDay: 1,
};

const accounts = [defaultAccount, otherAccount, limitedAccount];

/** A sandbox for one combination of settings, with a receiver of its notifications. Its clock is stopped. */
export interface SandboxUnderTest {
  readonly settings: SettingValues;
  readonly form: AnswerFormat;
  readonly sandbox: RunningSandbox;
  readonly receiver: EventReceiver;
  /** The sandbox itself, or the proxy that rewrites its answers. */
  readonly clientUrl: string;
  readonly otherApiKey: string;
  credentialsOf(apiKey: string): SandboxAccount;
  /** Resets the sandbox for the next case. */
  freshContext(): Promise<ContractContext>;
  close(): Promise<void>;
}

/** `seed`: of the sandbox's random numbers. */
export async function openSandbox(
  settings: SettingValues,
  { form = sandboxFormat, seed = 1 }: { form?: AnswerFormat | undefined; seed?: number | undefined } = {},
): Promise<SandboxUnderTest> {
  const receiver = await startEventReceiver();
  const clock = { nowMs: Date.UTC(2026, 2, 2, 9) };
  const sandbox = await startSandbox({
    ...sandboxOptionsOf(settings),
    seed,
    accounts,
    limitPerSecond: 0,
    frozenAtMs: clock.nowMs,
    webhookUrl: receiver.url,
  });
  const rewrites = form.answer !== undefined || form.error !== undefined;
  const proxy = rewrites ? await startRewritingProxy(sandbox.url, form) : null;
  const open: SandboxUnderTest = {
    settings: resolvedValues(settings, seed),
    form,
    sandbox,
    receiver,
    clientUrl: proxy?.url ?? sandbox.url,
    otherApiKey: otherAccount.apiKey,
    credentialsOf: (apiKey) => accounts.find((account) => account.apiKey === apiKey) ?? defaultAccount,
    freshContext: async () => {
      await fetch(`${sandbox.url}/__sandbox/reset`, { method: 'POST' });
      return new ContractContext(open, clock);
    },
    close: async () => {
      await proxy?.close();
      await sandbox.close();
      await receiver.close();
    },
  };
  return open;
}
