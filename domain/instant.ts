const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?([.,]\d+)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/**
 * Milliseconds since the epoch of an ISO 8601 date or time, with or without zone; none means UTC. Digits past the
 * millisecond are dropped. Null for any other text.
 */
export function readInstant(text: string): number | null {
  const match = INSTANT.exec(text.trim());
  if (match === null) return null;
  const [, day, minutes, seconds, fraction, zone] = match;
  const milliseconds = (fraction ?? '').slice(1, 4).padEnd(3, '0');
  const timeMs = Date.parse(`${day ?? ''}T${minutes ?? '00:00'}${seconds ?? ':00'}.${milliseconds}${zoneOf(zone)}`);
  return Number.isNaN(timeMs) ? null : timeMs;
}

function zoneOf(zone: string | undefined): string {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
