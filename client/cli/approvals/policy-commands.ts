import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type ApprovalPolicy, approvalPolicySchema, policyRemarks } from '../../../domain/approvals/approval-policy.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { renderPolicy } from './render-policy.ts';
import { renderChangeState } from '../users/render-users.ts';

interface Json {
  json?: boolean;
}

/** What approvals runs need, and which provider the record belongs to. */
export function addPolicyCommands(program: Command, io: CommandIo): void {
  const policy = program.command('policy').description('which approvals a run needs');

  policy
    .command('show')
    .description('show the policy in force; --json gives it as `set` takes it')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: Json) => {
      const current = await (await connect(io)).policy.get();
      await (json === true ? writeJson(io, current) : writeLine(io.stdout, renderPolicy(current)));
    });

  policy
    .command('check')
    .description('say what a policy file means, and change nothing')
    .argument('<file>', 'a policy as JSON')
    .option('--json', 'one JSON document on stdout')
    .action(async (file: string, { json }: Json) => {
      const read = await readPolicyFile(io, file);
      const remarks = policyRemarks(read);
      if (json === true) return writeJson(io, { policy: read, remarks });
      await writeLine(io.stdout, renderPolicy(read));
      for (const remark of remarks) await writeLine(io.stdout, `Note: ${printable(remark)}`);
    });

  policy
    .command('set')
    .description('propose another policy: a second administrator confirms it')
    .argument('<file>', 'a policy as JSON')
    .option('--json', 'one JSON document on stdout')
    .action(async (file: string, { json }: Json) => {
      const read = await readPolicyFile(io, file);
      const state = await (await connectToChange(io)).policy.set(read);
      for (const remark of policyRemarks(read)) await writeLine(io.stderr, `Note: ${printable(remark)}`);
      await (json === true ? writeJson(io, state) : writeLine(io.stdout, renderChangeState(state)));
    });

  addProviderCommand(program, io);
}

interface ProviderOptions extends Json {
  account: string;
  url: string;
  accessKeyId: string;
}

function addProviderCommand(program: Command, io: CommandIo): void {
  program
    .command('provider')
    .description('which provider the record belongs to')
    .command('change')
    .description('say that its address or access key has changed: workers of any other are refused')
    .option('--account <name>', 'the account', 'default')
    .requiredOption('--url <address>', "the provider's address, as PAYRUN_API_URL")
    .requiredOption('--access-key-id <id>', 'as PAYRUN_ACCESS_KEY_ID; only a hash of it is kept')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ account, url: apiUrl, accessKeyId, json }: ProviderOptions) => {
      const client = await connectToChange(io);
      const state = await client.changeProvider({ account, apiUrl, accessKeyId });
      await (json === true ? writeJson(io, state) : writeLine(io.stdout, renderChangeState(state)));
    });
}

/** Throws WrongInput, with a line for each thing that is wrong. */
async function readPolicyFile(io: CommandIo, file: string): Promise<ApprovalPolicy> {
  const text = await readFile(resolve(io.cwd, file), 'utf8').catch(() => {
    throw new WrongInput(`${file}: there is no such file, or it cannot be read`);
  });
  const read = approvalPolicySchema.safeParse(jsonOf(file, text));
  if (read.success) return read.data;
  const wrong = read.error.issues.map(({ path, message }) => `${file}, ${path.join('.') || 'the whole'}: ${message}`);
  throw new WrongInput(wrong.join('\n'));
}

function jsonOf(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongInput(`${file}: is not JSON: see 'payrun policy show --json' for the form`);
  }
}
