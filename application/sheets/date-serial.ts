const SECONDS_PER_DAY = 86_400;
/** The days between the two beginnings of time. */
const FROM_1900_TO_1904 = 1_462;
/** Excel counts a 29 February 1900, which never was. */
const NEVER = 60;
/** The first day of the year 10000. */
const END = 2_958_466;

/**
 * The date that a number of a spreadsheet is: "2026-11-27", with its time if it has one, "2026-11-27T13:30:00". Null: it is none, such
 * as a time without a date.
 */
export function dateOfSerial(value: number, is1904: boolean): string | null {
  const seconds = Math.round((value + (is1904 ? FROM_1900_TO_1904 : 0)) * SECONDS_PER_DAY);
  const serial = Math.floor(seconds / SECONDS_PER_DAY);
  if (!(serial >= 1 && serial < END) || serial === NEVER) return null;
  const date = new Date(Date.UTC(1899, 11, serial < NEVER ? 31 : 30) + seconds * 1_000).toISOString();
  return seconds % SECONDS_PER_DAY === 0 ? date.slice(0, 10) : date.slice(0, 19);
}
