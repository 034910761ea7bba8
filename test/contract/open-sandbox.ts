import { defaultAccount, type SandboxAccount } from '../../sandbox/config/defaults.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.ts';
import { ContractContext } from './contract-context.ts';
import { type EventReceiver, startEventReceiver } from './event-receiver.ts';
import { startRewritingProxy } from './rewriting-proxy.ts';
import { sandboxOptionsOf, type Words } from './settings.ts';
import { asTheSandboxWrites, type WireForm } from './wire-forms.ts';

const otherAccount: SandboxAccount = {
  apiKey: 'another-api-key',
  accessKeyId: 'another-access-key-id',
  secretAccessKey: 'another-secret-access-key',
};

/** It may ask once a day: the second request is over its limit, however long the first one took. */
export const limitedAccount: SandboxAccount = {
  apiKey: 'limited-api-key',
  accessKeyId: 'limited-access-key-id',
  secretAccessKey: 'limited-secret-access-key',
  limitPerDay: 1,
};

const accounts = [defaultAccount, otherAccount, limitedAccount];

/** A sandbox for one combination of settings, with a receiver of its notifications. Its clock stands. */
export interface OpenSandbox {
  readonly words: Words;
  readonly form: WireForm;
  readonly sandbox: RunningSandbox;
  readonly receiver: EventReceiver;
  /** Where clients find it: itself, or what rewrites its answers. */
  readonly clientUrl: string;
  readonly otherApiKey: string;
  credentialsOf(apiKey: string): SandboxAccount;
  /** Puts it back to how it began, for the next case. */
  freshContext(): Promise<ContractContext>;
  close(): Promise<void>;
}

/** `seed`: what the sandbox draws from. */
export async function openSandbox(
  words: Words,
  { form = asTheSandboxWrites, seed = 1 }: { form?: WireForm | undefined; seed?: number | undefined } = {},
): Promise<OpenSandbox> {
  const receiver = await startEventReceiver();
  const clock = { nowMs: Date.UTC(2026, 2, 2, 9) };
  const sandbox = await startSandbox({
    ...sandboxOptionsOf(words),
    seed,
    accounts,
    limitPerSecond: 0,
    standingAtMs: clock.nowMs,
    webhookUrl: receiver.url,
  });
  const rewrites = form.answer !== undefined || form.error !== undefined;
  const proxy = rewrites ? await startRewritingProxy(sandbox.url, form) : null;
  const open: OpenSandbox = {
    words,
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
