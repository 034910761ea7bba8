import type { DatabaseUrls } from './places.ts';
import { openPlace } from './places.ts';
import { DEFECTS, type Defect } from './defects.ts';
import { historyOf, play } from './play.ts';
import type { People, Place } from './world.ts';
import { onServer, openAsOwner } from '../helpers/test-database.ts';

export interface Noticed {
  defect: string;
  /** The first history that broke a rule; null: none did. */
  after: number | null;
  rule: string | null;
}

/** Puts each defect in, alone, and plays until a rule is broken. `report` is called after each: all of them take long. */
export async function noticeDefects(
  urls: DatabaseUrls,
  people: People,
  options: { seed: number; most: number; report: (noticed: Noticed) => void },
): Promise<Noticed[]> {
  const noticed: Noticed[] = [];
  for (const defect of DEFECTS) {
    const one = await noticeDefect(urls, people, defect, options);
    options.report(one);
    noticed.push(one);
  }
  return noticed;
}

async function noticeDefect(
  urls: DatabaseUrls,
  people: People,
  defect: Defect,
  { seed, most }: { seed: number; most: number },
): Promise<Noticed> {
  const definition = defect.inFunction === undefined ? null : await replaceIn(urls, defect.inFunction);
  const places = [1, 2, 3, 4].map(() => openPlace(urls, people));
  for (const { time } of places) time.defect = defect.inStatement ?? null;
  try {
    return { defect: defect.name, ...(await firstBroken(places, defect, { seed, most })) };
  } finally {
    await Promise.all(places.map((place) => place.close()));
    if (definition !== null) await onServer(urls.url, definition);
  }
}

async function firstBroken(
  places: readonly Place[],
  { inject }: Defect,
  { seed, most }: { seed: number; most: number },
): Promise<Omit<Noticed, 'defect'>> {
  const playing = Date.now().toString(36);
  const found: Omit<Noticed, 'defect'>[] = [];
  let next = 1;
  const playAll = async (place: Place): Promise<void> => {
    while (next <= most && found.length === 0) {
      const number = next;
      next += 1;
      const { violation } = await play(place, `${playing}-${number}`, historyOf(seed, number), inject);
      if (violation !== null) found.push({ after: number, rule: violation.rule });
    }
  };
  await Promise.all(places.map(playAll));
  return found[0] ?? { after: null, rule: null };
}

/** Puts another text into a function of the database. Returns what it was. */
async function replaceIn(
  { url }: DatabaseUrls,
  { name, text, without }: NonNullable<Defect['inFunction']>,
): Promise<string> {
  const database = openAsOwner(url);
  const { rows } = await database.query<{ definition: string }>(
    'select pg_get_functiondef(oid) as definition from pg_proc where proname = $1',
    [name],
  );
  await database.end();
  const definition = rows[0]?.definition ?? '';
  if (!definition.includes(text)) throw new Error(`${name} does not have: ${text}`);
  await onServer(
    url,
    definition.replace(text, () => without),
  );
  return definition;
}
