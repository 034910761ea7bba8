import { counted } from '../../../domain/counted.ts';
import { commentOf } from '../../../domain/runs/approval-comment.ts';
import { findingsToAnswer, FINDING_WORDS, subjectOf, usualAnswersTo } from '../../../domain/runs/finding-words.ts';
import type { RunFinding, RunReview } from '../../../domain/runs/run-finding.ts';
import type { CommandIo } from '../command-io.ts';
import { writeLine } from '../command-io.ts';
import { ask, canAsk } from '../confirm.ts';
import { WrongInput } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { readPairs } from '../runs/input-files.ts';

interface Asked {
  key: string;
  /** Its name in a file of answers. */
  id: string;
  finding: RunFinding;
}

/**
 * The comment of an approval: how each alarming finding was checked, and `comment`. The answers are those of the file, else those
 * given at the terminal. Throws WrongInput unless each finding has one.
 */
export async function answeredComment(
  io: CommandIo,
  { findings }: Pick<RunReview, 'findings'>,
  given: { answersFile: string | null; comment: string },
): Promise<string | null> {
  const asked = findingsToAnswer(findings).map(({ key, finding }) => ({ key, id: idOf(finding), finding }));
  // guard: alarms-answered (2 lines)
  const answers =
    given.answersFile === null ? await askEach(io, asked) : await readAnswers(io, asked, given.answersFile);
  const { text, excess } = commentOf(findings, answers, given.comment);
  if (excess > 0) throw new WrongInput(`not approved: shorten comment and answers by ${counted(excess, 'character')}`);
  return text;
}

function idOf(finding: RunFinding): string {
  return 'id' in finding ? finding.id : finding.kind;
}

/** Names a finding, or its kind for all of that kind. */
async function readAnswers(io: CommandIo, asked: readonly Asked[], file: string): Promise<Map<string, string>> {
  const pairs = new Map(Object.entries(await readPairs(io.cwd, file, ['finding', 'answer'])));
  const names = new Set(asked.flatMap(({ id, finding }) => [id, finding.kind as string]));
  const others = [...pairs.keys()].filter((name) => !names.has(name));
  if (others.length > 0) {
    throw new WrongInput(`${file} answers what is not asked: ${others.map(printable).join(', ')}`);
  }
  const answers = new Map<string, string>();
  for (const { key, id, finding } of asked) {
    const answer = (pairs.get(id) ?? pairs.get(finding.kind) ?? '').trim();
    if (answer !== '') answers.set(key, answer);
  }
  const open = asked.filter(({ key }) => !answers.has(key));
  if (open.length > 0) throw unanswered(open);
  return answers;
}

async function askEach(io: CommandIo, asked: readonly Asked[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  if (asked.length === 0) return answers;
  if (!canAsk(io)) throw unanswered(asked);
  for (const [index, { key, finding }] of asked.entries()) {
    const { title, fix } = FINDING_WORDS[finding.kind];
    const head = `${index + 1} of ${asked.length}: ${title}, ${subjectOf(finding)}`;
    await writeLine(io.stderr, printable(`${head}. ${fix} For example: ${usualAnswersTo(finding.kind).join('; ')}.`));
    const answer = await ask(io, 'How was it checked?');
    if (answer === '') throw new WrongInput('not approved: each of these takes an answer');
    answers.set(key, answer);
  }
  return answers;
}

function unanswered(open: readonly Asked[]): WrongInput {
  const lines = open.map(({ id, finding }) =>
    printable(`  ${id}  ${FINDING_WORDS[finding.kind].title}, ${subjectOf(finding)}`),
  );
  return new WrongInput(
    `not approved: ${counted(open.length, 'finding')} ${open.length === 1 ? 'takes' : 'take'} an answer, how it was checked. Run it in a ` +
      'terminal, which asks, or give --answers FILE: a JSON object, or a CSV of finding,answer, of\n' +
      lines.join('\n'),
  );
}
