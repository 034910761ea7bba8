import type { ApprovalPolicy } from '../../api/approvals/policy.ts';
import { PayrunApiError } from '../../client/sdk/errors.ts';

/** The text of a policy that somebody writes, and what is wrong with it. What may be in a policy, the server says. */

export type PolicyText = { policy: ApprovalPolicy } | { mistake: string };

/** What was written, not yet checked; or where it is not JSON. */
export function policyTextOf(text: string): PolicyText {
  try {
    return { policy: JSON.parse(text) as ApprovalPolicy };
  } catch {
    const before = text.slice(0, firstMistake(text)).split('\n');
    const [line, column] = [before.length, (before.at(-1)?.length ?? 0) + 1];
    return {
      mistake: `This is not JSON from line ${line}, column ${column} on: look for a missing or extra comma or quote.`,
    };
  }
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;

/** The place from which on a text is no longer JSON. Browsers do not name it in every case. */
function firstMistake(text: string): number {
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const takeSign = (sign: string): boolean => {
    take(SPACE);
    const found = text[at] === sign;
    if (found) at += 1;
    take(SPACE);
    return found;
  };
  const takeMany = (end: string, takeOne: () => boolean): boolean => {
    if (takeSign(end)) return true;
    do if (!takeOne()) return false;
    while (takeSign(','));
    return takeSign(end);
  };
  const takeValue = (): boolean => {
    if (takeSign('{')) return takeMany('}', () => take(STRING) && takeSign(':') && takeValue());
    if (takeSign('[')) return takeMany(']', takeValue);
    return take(STRING) || take(SCALAR);
  };
  takeValue();
  take(SPACE);
  return at;
}

export interface PolicyMistake {
  /** `rule 2 “large”, when.totalAtLeast`. */
  place: string;
  problem: string;
}

/** What the server found wrong, with its places; null: it refused for another reason. */
export function policyMistakes(error: unknown, policy: ApprovalPolicy | null): PolicyMistake[] | null {
  if (!(error instanceof PayrunApiError) || error.code !== 'invalid_input') return null;
  const fields = error.details?.['fields'];
  if (!Array.isArray(fields) || fields.length === 0) return null;
  return (fields as { field: string; problem: string }[]).map(({ field, problem }) => ({
    place: placeInWords(field.replace(/^body\.?(policy\.?)?/, ''), policy),
    problem,
  }));
}

function placeInWords(path: string, policy: ApprovalPolicy | null): string {
  const [, number, rest = ''] = /^rules\.(\d+)(?:\.(.*))?$/.exec(path) ?? [];
  if (number === undefined) return path === '' ? 'the whole policy' : path;
  const name: unknown = policy?.rules[Number(number)]?.name;
  const rule = `rule ${Number(number) + 1}${typeof name === 'string' ? ` “${name}”` : ''}`;
  return rest === '' ? rule : `${rule}, ${rest}`;
}
