import { canonicalJson } from '../canonical-json.ts';
import { CSV_COLUMNS } from '../payment-file/csv-columns.ts';
import type { ColumnSource, Profile } from './profile.ts';
import { confirmedPart } from './profile-hash.ts';
import { exampleAmount, exampleDate, sourceInWords } from './profile-in-words.ts';

/** What a profile says of a column, or of the file, in words. `before`: what the last one said. Null: nothing. */
export interface ProfileChange {
  column: string;
  from: string | null;
  before: string | null;
}

/** What is confirmed of a profile, and is otherwise than in the one before it. */
export function profileChanges(before: Profile, profile: Profile): ProfileChange[] {
  const [was, is] = [confirmedPart(before), confirmedPart(profile)];
  const columns = CSV_COLUMNS.flatMap(({ name }) => changeOf(name, was.columns[name], is.columns[name], sourceInWords));
  return [
    ...columns,
    ...changeOf('amounts', was.amountForm, is.amountForm, exampleAmount),
    ...changeOf('dates', was.dateForm, is.dateForm, exampleDate),
    ...changeOf('sheet', was.reading.sheetName, is.reading.sheetName, (name) => `"${name}"`),
    ...changeOf('line of the headers', was.reading.headerLine, is.reading.headerLine, String),
    ...changeOf('encoding', was.reading.encoding, is.reading.encoding, String),
    ...changeOf('delimiter', was.reading.delimiter, is.reading.delimiter, (text) => `"${text}"`),
    ...changeOf('order of the headers', was.headers, is.headers, () => 'another one'),
  ];
}

function changeOf<T extends ColumnSource | object | string | number>(
  column: string,
  was: T | null | undefined,
  is: T | null | undefined,
  inWords: (value: T) => string,
): ProfileChange[] {
  if (canonicalJson(was ?? null) === canonicalJson(is ?? null)) return [];
  const before = was === null || was === undefined ? null : inWords(was);
  const from = is === null || is === undefined ? null : inWords(is);
  return [{ column, from: from === before ? `${from ?? ''}, cleaned in another way` : from, before }];
}
