import type { Writable } from 'node:stream';
import { printable } from '../../client/cli/printable.ts';
import type { Stack } from '../stack/start-stack.ts';

/** What the demo shows, step by step. */
export interface DemoScreen {
  say(line: string): void;
  title(text: string): void;
  /** As it is: whoever composed it has made it safe for terminals. */
  show(text: string): void;
  ending(ending: DemoEnding): void;
}

interface DemoEnding {
  /** Tables, and paths of files that were written. */
  sections: readonly string[];
  /** What differs from the script. */
  deviations: readonly string[];
  /** The stack that keeps running; null: it stops. */
  kept: Stack | null;
  nextSteps: readonly string[];
}

export function openDemoScreen(out: Writable): DemoScreen {
  const print = (text: string): void => {
    out.write(`${text}\n`);
  };
  return {
    say: (line) => print(`  ${printable(line)}`),
    title: (text) => print(`\n== ${text}`),
    show: print,
    ending: (ending) => print(endingText(ending)),
  };
}

function endingText({ sections, deviations, kept, nextSteps }: DemoEnding): string {
  const all = [
    ...sections,
    deviations.length === 0
      ? 'Everything went as expected.'
      : `Not everything went as expected:\n${deviations.map((line) => `  - ${printable(line)}`).join('\n')}`,
    ...(kept === null ? [] : [addresses(kept)]),
    `What to try next:\n${nextSteps.map((step) => `  ${step}`).join('\n')}`,
  ];
  return `\n${all.join('\n\n')}`;
}

function addresses({ addresses: { serverUrl, temporalUiUrl, sandboxUrl } }: Stack): string {
  const lines = [`API description   ${serverUrl}/api/v1/openapi.json`];
  if (temporalUiUrl !== undefined) lines.push(`Temporal's UI     ${temporalUiUrl}`);
  if (sandboxUrl !== undefined) lines.push(`Sandbox's ledger  ${sandboxUrl}/__sandbox/ledger`);
  return lines.join('\n');
}
