import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type ApprovalPolicy, approvalPolicySchema, policyRemarks } from '../../../domain/approvals/approval-policy.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { renderPolicy, renderRunUnderPolicy } from './render-policy.ts';
import { renderChangeState } from '../users/render-users.ts';

interface Json {
  json?: boolean;
}

/** Which approvals a run needs. */
export function addPolicyCommands(program: Command, io: CommandIo): void {
  const policy = program.command('policy').description('which approvals a run needs');

  policy
    .command('show')
    .description('show the current policy; --json prints it in the form that `set` accepts')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: Json) => {
      const current = await (await connect(io)).getPolicy();
      await (json === true ? writeJson(io, current) : writeLine(io.stdout, renderPolicy(current)));
    });

  policy
    .command('check')
    .description('explain what a policy file means, without changing anything')
    .argument('<file>', 'a policy as JSON')
    .option('--run <run>', 'say what it would mean for this run, and why')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun policy check policy.json', 'payrun policy check policy.json --run RUN'))
    .action(async (file: string, { json, run }: Json & { run?: string }) => {
      const read = await readPolicyFile(io, file);
      const remarks = policyRemarks(read);
      const ofRun =
        run === undefined ? null : (await (await connect(io)).checkPolicy({ policy: read, runId: run })).ofRun;
      if (json === true) return writeJson(io, { policy: read, remarks, ...(ofRun === null ? {} : { ofRun }) });
      await writeLine(io.stdout, renderPolicy(read));
      for (const remark of remarks) await writeLine(io.stdout, `Note: ${printable(remark)}`);
      if (ofRun !== null) await writeLine(io.stdout, renderRunUnderPolicy(run ?? '', ofRun));
    });

  policy
    .command('set')
    .description('propose a new policy; a second administrator confirms it')
    .argument('<file>', 'a policy as JSON')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun policy show --json > policy.json', 'payrun policy set policy.json'))
    .action(async (file: string, { json }: Json) => {
      const read = await readPolicyFile(io, file);
      const state = await (await connectToChange(io)).setPolicy(read);
      for (const remark of policyRemarks(read)) await writeLine(io.stderr, `Note: ${printable(remark)}`);
      await (json === true ? writeJson(io, state) : writeLine(io.stdout, renderChangeState(state)));
    });
}

/** Throws WrongInput, with one line per mistake. */
async function readPolicyFile(io: CommandIo, file: string): Promise<ApprovalPolicy> {
  const text = await readFile(resolve(io.cwd, file), 'utf8').catch(() => {
    throw new WrongInput(`${file}: the file does not exist or cannot be read`);
  });
  const read = approvalPolicySchema.safeParse(jsonOf(file, text));
  if (read.success) return read.data;
  const wrong = read.error.issues.map(({ path, message }) => `${file}, ${path.join('.') || 'top level'}: ${message}`);
  throw new WrongInput(wrong.join('\n'));
}

function jsonOf(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongInput(`${file}: not JSON: 'payrun policy show --json' shows the form`);
  }
}
