/**
 * Finds statements of a migration that would break the version before. Both versions run at the same time during an
 * upgrade, so a migration may only add. What is no longer used is removed one version later, with a comment
 * `-- contracts: unused since 0.2.0` above the statement. A statement that only looks breaking says why it is not:
 * `-- expands: every entry has an id of its own`.
 */
export interface Objection {
  statement: string;
  reason: string;
}

/** Patterns, each with what would break in the version before. */
const BREAKING: readonly [RegExp, string][] = [
  [/\bdrop\s+(?!(not\s+null|default|trigger|policy|index)\b)/i, 'drops what the version before may use'],
  [/\brename\b/i, 'renames what the version before knows by the old name'],
  [/\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i, 'changes the type of what the version before writes'],
  [/\bset\s+not\s+null\b/i, 'demands a value that the version before may leave out'],
  [/\btruncate\b|\bdelete\s+from\b/i, 'deletes what the version before may read'],
  [/\brevoke\b/i, 'takes a right away that the version before may use'],
];

const TABLE_CHANGED =
  /^(?:alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?|create\s+unique\s+index\s[^(]*?\bon\s+(?:only\s+)?)([^\s(]+)/i;

const ALLOWED = /^--\s*(contracts: unused since \d+\.\d+\.\d+|expands: \S.*)$/m;

/** The objections to a migration's SQL, statement by statement; none to tables that it creates. */
export function objectionsTo(sql: string): Objection[] {
  const own = new Set<string>();
  return statementsOf(sql).flatMap(({ statement, comments }) => {
    const made = /^create\s+table\s+(?:if\s+not\s+exists\s+)?(\S+)/i.exec(statement)?.[1];
    if (made !== undefined) {
      own.add(made.toLowerCase());
      return [];
    }
    const table = TABLE_CHANGED.exec(statement)?.[1]?.toLowerCase();
    if (ALLOWED.test(comments) || (table !== undefined && own.has(table))) return [];
    return reasonsAgainst(statement).map((reason) => ({ statement, reason }));
  });
}

function reasonsAgainst(statement: string): string[] {
  if (/^create\s+unique\s+index\b/i.test(statement))
    return ['demands of rows what the version before need not keep to'];
  // New objects do not affect the version before.
  if (/^create\b/i.test(statement)) return [];
  const reasons = BREAKING.filter(([pattern]) => pattern.test(statement)).map(([, reason]) => reason);
  for (const column of statement.split(/\badd\s+(?:column\s+)?/i).slice(1)) {
    // The rest belongs to the next action of the same statement.
    const [definition = ''] = column.split(/,\s*(?=(?:add|alter|drop)\b)/i);
    if (/^(constraint|check|unique|primary|foreign|exclude)\b/i.test(definition)) {
      if (!/\bnot\s+valid\b/i.test(definition))
        reasons.push('demands of rows what the version before need not keep to');
    } else if (/\bnot\s+null\b/i.test(definition) && !/\bdefault\b|\bgenerated\b/i.test(definition)) {
      reasons.push('adds a column that the version before leaves out, with neither null nor default');
    }
  }
  return reasons;
}

/** Statements with the comments above each; dollar-quoted text belongs to its statement. */
function statementsOf(sql: string): { statement: string; comments: string }[] {
  const pieces: { statement: string; comments: string }[] = [];
  const token = /--[^\n]*|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|;|[^;$'-]+|[\s\S]/g;
  let statement = '';
  let comments = '';
  for (const [text] of sql.matchAll(token)) {
    if (text.startsWith('--')) comments += `${text}\n`;
    else if (text === ';') {
      pieces.push({ statement: statement.trim(), comments });
      statement = '';
      comments = '';
    } else {
      // Quoted text is a value or a function's body, and does not change the schema.
      statement += /^['$]/.test(text) ? "''" : text;
    }
  }
  if (statement.trim() !== '') pieces.push({ statement: statement.trim(), comments });
  return pieces;
}
