/** SQL: a time as milliseconds since the epoch, null where the time is null. */
export function epochMs(time: string): string {
  return `(extract(epoch from ${time}) * 1000)::float8`;
}

/** SQL: milliseconds from a time until now, by the clock of the database. */
export function sinceMs(time: string): string {
  return epochMs(`clock_timestamp() - ${time}`);
}
