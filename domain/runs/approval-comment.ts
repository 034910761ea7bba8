import { counted } from '../counted.ts';
import { findingsToAnswer, FINDING_WORDS, subjectOf } from './finding-words.ts';
import type { RunFinding } from './run-finding.ts';

/** What the server keeps with an approval, in characters. */
const MOST_CHARACTERS = 2_000;

/** What is kept with an approval. `excess`: how many characters it has too many; above 0 it cannot be kept, and nothing of it is cut off. */
interface ApprovalComment {
  text: string | null;
  excess: number;
}

/** All that was given with the same answer to warnings of one kind. */
interface SameAnswer {
  title: string;
  answer: string;
  findings: RunFinding[];
}

/** References of rows that are named where not all fit: as many as fit of these. */
const NAMED_ROWS = [100, 50, 20, 10, 5, 2, 1, 0] as const;

/**
 * What was answered to the alarming findings, and the comment. If it is too long with a line for each finding, equal answers are put
 * together, with the references of their rows: with as many as fit. What was written is kept as a whole, or there is an excess.
 */
export function commentOf(
  findings: readonly RunFinding[],
  answers: ReadonlyMap<string, string>,
  comment: string,
): ApprovalComment {
  const written = comment.trim() === '' ? [] : [comment.trim()];
  const lines = findingsToAnswer(findings).map(
    ({ key, finding }) => `${FINDING_WORDS[finding.kind].title}, ${subjectOf(finding)}: ${answers.get(key) ?? ''}`,
  );
  const groups = sameAnswers(findings, answers);
  const texts = [[...written, ...lines], ...NAMED_ROWS.map((named) => [...written, ...groups.map(groupLine(named))])];
  let shortest = '';
  for (const text of texts.map((each) => each.join('\n'))) {
    if (text.length <= MOST_CHARACTERS) return { text: text === '' ? null : text, excess: 0 };
    shortest = text;
  }
  return { text: null, excess: shortest.length - MOST_CHARACTERS };
}

/** A line for each kind of warning and answer, with how many there are. */
export function answersByKind(findings: readonly RunFinding[], answers: ReadonlyMap<string, string>): string[] {
  return sameAnswers(findings, answers).map(
    ({ title, answer, findings: answered }) => `${title}: ${answer} (${answered.length})`,
  );
}

function sameAnswers(findings: readonly RunFinding[], answers: ReadonlyMap<string, string>): SameAnswer[] {
  const groups = new Map<string, SameAnswer>();
  for (const { key, finding } of findingsToAnswer(findings)) {
    const { title } = FINDING_WORDS[finding.kind];
    const answer = answers.get(key) ?? '';
    const group = groups.get(`${title}: ${answer}`);
    if (group === undefined) groups.set(`${title}: ${answer}`, { title, answer, findings: [finding] });
    else group.findings.push(finding);
  }
  return [...groups.values()];
}

const groupLine =
  (named: number) =>
  ({ title, answer, findings }: SameAnswer): string => {
    const rows = findings.flatMap((finding) => ('rows' in finding ? finding.rows : []));
    const rowCount = findings.reduce((sum, finding) => sum + ('rowCount' in finding ? finding.rowCount : 0), 0);
    if (rowCount === 0) return `${title}: ${answer}`;
    const shown = rows.slice(0, named);
    const more = rowCount - shown.length;
    const rest =
      more === 0
        ? []
        : [`${shown.length === 0 ? '' : 'and '}${counted(more, shown.length === 0 ? 'row' : 'more row')}`];
    return `${title} (${[shown.join(', '), ...rest].filter((part) => part !== '').join(' ')}): ${answer}`;
  };
