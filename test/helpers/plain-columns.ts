import type { Database } from '../../store/database/database.ts';

/** Every table as text, a line for each row; bytes as hex. */
export async function plainColumns(database: Database): Promise<string> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await database.query<{ text: string }>(`select to_jsonb(t)::text as text from ${name} t`);
    texts.push(...rows.map(({ text }) => `${name} ${text}`));
  }
  return texts.join('\n');
}

/** The lines that have a text, in whatever case, or its bytes. */
export function linesWith(lines: string, text: string): string[] {
  const wanted = [text.toLowerCase(), Buffer.from(text).toString('hex')];
  return lines.split('\n').filter((line) => wanted.some((each) => line.toLowerCase().includes(each)));
}
