import { type PlaintextService, plaintextProblem } from '../plaintext.ts';
import { postgresAddress } from '../postgres-address.ts';

interface ServiceValues {
  PAYRUN_ALLOW_PLAINTEXT: readonly PlaintextService[];
  PAYRUN_API_URL?: string | undefined;
  DATABASE_URL?: string | undefined;
  PAYRUN_OWNER_DATABASE_URL?: string | undefined;
  DATABASE_CA_FILE?: string | undefined;
  TEMPORAL_ADDRESS?: string | undefined;
  TEMPORAL_API_KEY?: string | undefined;
  TEMPORAL_TLS?: 'true' | 'false' | undefined;
  TEMPORAL_TLS_CA?: string | undefined;
  TEMPORAL_TLS_CERT?: string | undefined;
}

/** Whether what is configured of Temporal means TLS: everything but silence does. */
export function usesTemporalTls(values: ServiceValues): boolean {
  const { TEMPORAL_TLS, TEMPORAL_API_KEY, TEMPORAL_TLS_CA, TEMPORAL_TLS_CERT } = values;
  return (
    TEMPORAL_TLS === 'true' ||
    TEMPORAL_API_KEY !== undefined ||
    TEMPORAL_TLS_CA !== undefined ||
    TEMPORAL_TLS_CERT !== undefined
  );
}

/**
 * The addresses of Postgres with their TLS settings written out, and a line for each service that would be reached
 * without encryption beyond this machine: passwords, keys and payments would travel in clear.
 */
export function encryptedServices(values: ServiceValues): {
  addresses: { DATABASE_URL?: string; PAYRUN_OWNER_DATABASE_URL?: string };
  problems: string[];
} {
  const allowed = values.PAYRUN_ALLOW_PLAINTEXT;
  const addresses: { DATABASE_URL?: string; PAYRUN_OWNER_DATABASE_URL?: string } = {};
  const problems: string[] = [];
  for (const variable of ['DATABASE_URL', 'PAYRUN_OWNER_DATABASE_URL'] as const) {
    const address = values[variable];
    if (address === undefined) continue;
    const checked = postgresAddress(variable, address, { caFile: values.DATABASE_CA_FILE, allowed });
    addresses[variable] = checked.address;
    problems.push(...checked.problems);
  }
  const { PAYRUN_API_URL, TEMPORAL_ADDRESS } = values;
  const plain = [
    PAYRUN_API_URL === undefined || new URL(PAYRUN_API_URL).protocol === 'https:'
      ? null
      : plaintextProblem(
          {
            variable: 'PAYRUN_API_URL',
            service: 'provider',
            host: new URL(PAYRUN_API_URL).hostname,
            fix: 'give an https address',
          },
          allowed,
        ),
    TEMPORAL_ADDRESS === undefined || usesTemporalTls(values)
      ? null
      : plaintextProblem(
          {
            variable: 'TEMPORAL_ADDRESS',
            service: 'temporal',
            host: TEMPORAL_ADDRESS.replace(/:\d+$/, ''),
            fix: 'set TEMPORAL_TLS=true, TEMPORAL_API_KEY or a client certificate',
          },
          allowed,
        ),
  ];
  return { addresses, problems: [...problems, ...plain.filter((problem) => problem !== null)] };
}
