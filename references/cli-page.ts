import { PassThrough, Readable, Writable } from 'node:stream';
import type { Argument, Command, Option } from 'commander';
import { EXIT, EXIT_MEANINGS } from '../client/cli/exit-code.ts';
import { GROUP } from '../client/cli/help.ts';
import { buildProgram } from '../client/cli/program.ts';
import { addServiceCommands } from '../operations/service-commands.ts';
import { block, code, page, paragraph, table } from './markdown.ts';
import { capitalized } from '../domain/capitalized.ts';

export function cliPage(): string {
  const written: string[] = [];
  const program = programWritingTo(written);
  const examplesOf = (command: Command): string => {
    written.length = 0;
    command.outputHelp();
    // What follows the help that commander composes: the examples.
    return written.join('').split(command.helpInformation()).at(1)?.trim() ?? '';
  };
  return page(
    'The command line',
    `${program.description()} \`payrun COMMAND --help\` shows what is below.`,
    paragraph(
      'The command line finds the server by `PAYRUN_URL`, else the payrun that runs from this folder. The owner of',
      '`PAYRUN_TOKEN` acts, else the user who is signed in there; where several are, `--as LOGIN` or `PAYRUN_AS` says who.',
      'With `--json`, stdout has one JSON document and nothing else; an error is `{"error": {"code", "message"}}`.',
    ),
    ...Object.values(GROUP).flatMap((group) => [
      `## ${group.replace(/:$/, '')}`,
      ...program.commands
        .filter((command) => command.helpGroup() === group)
        .flatMap((command) => commandSections(command, examplesOf)),
    ]),
    '## Exit codes',
    table(
      ['code', 'meaning'],
      Object.entries(EXIT).map(([name, exitCode]) => [String(exitCode), EXIT_MEANINGS[name as keyof typeof EXIT]]),
    ),
  );
}

function programWritingTo(written: string[]): Command {
  const stdout = new Writable({
    write(text: Buffer, _encoding, done) {
      written.push(text.toString());
      done();
    },
  });
  const io = { stdin: Readable.from([]), stdout, stderr: new PassThrough(), env: {}, cwd: '/', isTty: false };
  const program = buildProgram(io);
  addServiceCommands(program, io);
  return program;
}

/** The sections of a command and of its subcommands. One that only groups others has none. */
function commandSections(command: Command, examplesOf: (command: Command) => string): string[] {
  const subcommands = command.commands.flatMap((each) => commandSections(each, examplesOf));
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
  if (isGroup) return subcommands;
  const usage = command.usage().replace(' [command]', '');
  const terms = [
    ...command.registeredArguments.map((argument) => [code(usageTerm(argument)), argument.description]),
    ...shownOptions(command).map((option) => [code(option.flags), descriptionOf(command, option)]),
  ];
  const examples = examplesOf(command);
  return [
    `### ${nameOf(command)}`,
    `${capitalized(command.description())}.`,
    block(`${nameOf(command)} ${usage}`.trimEnd()),
    ...(terms.length === 0 ? [] : [table(['argument or option', 'meaning'], terms)]),
    ...(examples === '' ? [] : [exampleBlock(examples)]),
    ...subcommands,
  ];
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function usageTerm(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

/** Those that are not the same for every command. */
function shownOptions(command: Command): readonly Option[] {
  return command.options.filter(({ long }) => long !== '--as');
}

function descriptionOf(command: Command, option: Option): string {
  return command.createHelp().optionDescription(option);
}

function exampleBlock(examples: string): string {
  const [title = '', ...lines] = examples.split('\n');
  return `${title}\n\n${block(lines.map((line) => line.trim().replace(/^\$ /, '')).join('\n'))}`;
}
