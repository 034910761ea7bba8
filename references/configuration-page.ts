import { ACCOUNT_DESCRIPTIONS, ACCOUNTS_FILE_EXAMPLE } from '../config/account-descriptions.ts';
import { ACCOUNT_VARIABLES, PROVIDER_VARIABLES } from '../config/account-settings.ts';
import { SECRET_VARIABLES } from '../config/known-variables.ts';
import { INSTALLATION_VARIABLES } from '../config/service-source.ts';
import { VARIABLE_GROUPS } from '../config/variable-description.ts';
import { VARIABLE_DESCRIPTIONS } from '../config/variable-descriptions.ts';
import { PROCESS_VARIABLES } from '../config/variables-set.ts';
import { code, codeList, block, page, paragraph, table } from './markdown.ts';

export function configurationPage(): string {
  return page(
    'Configuration',
    paragraph(
      'payrun is configured by environment variables. A file, [`payrun.yaml`](#payrunyaml), is needed only for several',
      'accounts with the provider. `payrun up` and `npm run demo` need no configuration at all.',
    ),
    paragraph(
      'Every wrong variable is named at once when a process starts, and never its value. An unknown name that begins with',
      '`PAYRUN_` is refused, with the name that was probably meant. An empty variable counts as not set.',
      '`payrun doctor` shows what is set, and whether the services can be reached with it.',
    ),
    INSTALLATION,
    '## Which process needs what',
    processTable(),
    paragraph(
      'A server refuses to start with the credentials of the provider in its environment: it does not need them, and',
      'whoever takes over a server must not be able to pay. With an accounts file, the variables of the provider are in the',
      'file instead. `payrun administrator` and `payrun migrate` use `PAYRUN_OWNER_DATABASE_URL`; workers and servers do',
      'not need it.',
    ),
    paragraph(
      'Give every worker and server the same limits: they share them through Postgres. A variable marked "or `…_FILE`" may',
      'be given as the path of a file that contains it, by the same name with `_FILE` after it.',
    ),
    ...VARIABLE_GROUPS.flatMap((group) => [`## ${group}`, variableTable(group)]),
    ...accountsFile(),
  );
}

const INSTALLATION = paragraph(
  '**All of it comes from one installation.** As soon as one of these variables is set, also as a file, a process takes',
  'nothing from a payrun that `payrun up` runs in the same folder, and names what is missing:',
  `${codeList(INSTALLATION_VARIABLES)}. With none of them set, \`payrun worker\`, \`server\`, \`doctor\` and \`versions\` take`,
  'everything from that one. `payrun up` itself starts what the environment does not name: give it all of',
  `${codeList(PROVIDER_VARIABLES)}, or none of them to run with the sandbox.`,
);

function processTable(): string {
  const { worker, server } = PROCESS_VARIABLES;
  const useOf = (process: { needs: readonly string[]; refuses: readonly string[] }, name: string): string => {
    if (process.needs.includes(name)) return 'needed';
    return process.refuses.includes(name) ? 'refused' : 'not used';
  };
  return table(
    ['variable', '`payrun worker`', '`payrun server`'],
    worker.needs.map((name) => [code(name), useOf(worker, name), useOf(server, name)]),
  );
}

function variableTable(group: string): string {
  const secrets: readonly string[] = SECRET_VARIABLES;
  const rows = Object.entries(VARIABLE_DESCRIPTIONS)
    .filter(([, variable]) => variable.group === group)
    .map(([name, { default: usual, sets }]) => [
      secrets.includes(name) ? `${code(name)} or \`…_FILE\`` : code(name),
      usual ?? '',
      sets,
    ]);
  return table(['variable', 'default', 'what it sets'], rows);
}

function accountsFile(): string[] {
  return [
    '## payrun.yaml',
    paragraph(
      'One installation can pay from several accounts with the provider. `payrun.yaml` in the working directory, or the',
      'file that `PAYRUN_CONFIG` names, gives each of them a name, an address, credentials and limits. A name has small',
      'letters, digits and hyphens, at most 31. Give servers and workers the same file.',
    ),
    paragraph(
      'Secrets are never in the file: a key that ends in `_file` is the path of a file that contains the secret (relative',
      'to `payrun.yaml`), one that ends in `_env` the name of an environment variable. Give one of the two. Each of the three',
      'credentials is required. A server reads none of them, and refuses to start where such a variable is set.',
    ),
    table(
      ['key of an account', 'default', 'what it sets'],
      Object.entries(ACCOUNT_DESCRIPTIONS).map(([name, { default: usual, sets }]) => [code(name), usual ?? '', sets]),
    ),
    'Two accounts:',
    block(ACCOUNTS_FILE_EXAMPLE),
    paragraph(
      'Wrong keys and values are named at once, each with its line. With an accounts file, these variables are refused,',
      `since they describe a single account: ${codeList(ACCOUNT_VARIABLES)}. \`PAYRUN_CONFIG=none\` has payrun ignore a`,
      '`payrun.yaml` in the working directory. Without such a file, the environment describes the only account, `default`.',
    ),
  ];
}
