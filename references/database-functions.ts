import { readdirSync, readFileSync } from 'node:fs';

const MIGRATIONS = new URL('../store/database/migrations/', import.meta.url);

/** The migration that replaces these names in the texts of all functions from before it, by a regular expression. */
const RENAMING_MIGRATION = '0026_names.sql';
const FORMER_NAMES = /\b(settled_at|payee_fingerprint|untold|held_balances)\b/;

/** Its comment, its name, what is between the name and the body, and the body. */
const FUNCTION =
  /((?:^-- .*\n)*)^create (?:or replace )?function (\w+)([\s\S]*?)(?:\$\$([\s\S]*?)\$\$|^return\s([\s\S]*?);$)/gm;

/** A function of the database as the latest migration with its text leaves it. */
export interface DatabaseFunction {
  name: string;
  /** The comment above that text; empty if it has none. */
  comment: string;
  body: string;
  isTrigger: boolean;
  /** File name of the migration. */
  migration: string;
  /** File name of the later migration that replaced names in the text. */
  renamedBy: string | null;
}

/** In the order of the names. */
export function latestFunctions(): DatabaseFunction[] {
  const latest = new Map<string, DatabaseFunction>();
  for (const migration of readdirSync(MIGRATIONS).sort()) {
    for (const [from, to] of renamesOf(migration)) {
      const renamed = latest.get(from);
      if (renamed !== undefined) latest.set(to, { ...renamed, name: to });
      latest.delete(from);
    }
    for (const each of functionsOf(migration)) latest.set(each.name, each);
  }
  return [...latest.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A function that another one of its name takes the place of, which calls it. Its text stays where it is. */
const RENAME = /^alter function (\w+)\([^)]*\) rename to (\w+);/gm;

function renamesOf(migration: string): [from: string, to: string][] {
  const text = readFileSync(new URL(migration, MIGRATIONS), 'utf8');
  return [...text.matchAll(RENAME)].map(([, from = '', to = '']) => [from, to]);
}

function functionsOf(migration: string): DatabaseFunction[] {
  const text = readFileSync(new URL(migration, MIGRATIONS), 'utf8');
  return [...text.matchAll(FUNCTION)].map(([, comment = '', name = '', head = '', plain, bound = '']) => {
    const body = plain ?? bound;
    return {
      name,
      comment: comment.replaceAll(/^-- /gm, '').trim().replaceAll('\n', ' '),
      body,
      isTrigger: /\breturns trigger\b/.test(head),
      migration,
      renamedBy: migration < RENAMING_MIGRATION && FORMER_NAMES.test(body) ? RENAMING_MIGRATION : null,
    };
  });
}
