import type { HelpConfiguration } from 'commander';
import { Help } from 'commander';
import { EXIT, EXIT_MEANINGS } from './exit-code.ts';

/** The groups of commands in `payrun --help`, in this order. */
export const GROUP = {
  runs: 'Payment runs:',
  approvals: 'Approvals:',
  accounts: 'Money:',
  onboarding: 'Onboarding:',
  users: 'Users:',
  notifications: 'Notifications:',
  audit: 'Audit:',
  operations: 'Operations:',
} as const;

/** Marks the options that a command cannot do without. */
export const HELP: HelpConfiguration = {
  optionDescription: (option) => {
    const description = new Help().optionDescription(option);
    return option.mandatory ? `${description} (required)` : description;
  },
};

/** For `addHelpText('after', …)`: command lines that can be copied. RUN, REF and the like stand for values. */
export function examples(...lines: readonly string[]): string {
  const title = lines.length === 1 ? 'Example:' : 'Examples:';
  return `\n${[title, ...lines.map((line) => `  $ ${line}`)].join('\n')}`;
}

const EXIT_MEANING_WIDTH = 88;

/** The exit codes and their meanings, for the help of the program. */
export function exitCodes(): string {
  const lines = Object.entries(EXIT).map(([name, code]) => {
    const meaning = new Help().boxWrap(EXIT_MEANINGS[name as keyof typeof EXIT], EXIT_MEANING_WIDTH);
    return `  ${String(code).padStart(3)}  ${meaning.replaceAll('\n', `\n${' '.repeat(7)}`)}`;
  });
  return `\n${['Exit codes:', ...lines].join('\n')}`;
}
