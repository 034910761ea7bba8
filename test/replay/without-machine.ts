/** Fields that identify the machine, with the values that replace them. */
const MACHINE_FIELDS: Readonly<Record<string, string>> = { identity: 'recorded', stackTrace: '' };

/** The histories are published, so they must not identify the machine or process that recorded them. */
export function withoutMachine(history: string): string {
  return JSON.stringify(
    JSON.parse(history, (key, value: unknown) => (typeof value === 'string' ? (MACHINE_FIELDS[key] ?? value) : value)),
    null,
    1,
  );
}
