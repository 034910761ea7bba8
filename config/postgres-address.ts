import { resolve } from 'node:path';
import { type PlaintextService, plaintextProblem } from './plaintext.ts';

/** Each of them is TLS with a checked certificate, by the name of the host. */
const ENCRYPTED = ['require', 'verify-ca', 'verify-full'];

/**
 * The address as the driver gets it, or what is wrong with it, as lines. Its TLS settings are written out, since the
 * driver reads an `sslmode` otherwise than Postgres's own programs do, and in another way from version to version:
 * whoever asks for TLS has the certificate checked, against the authorities of `caFile` where that is given.
 */
export function postgresAddress(
  variable: string,
  address: string,
  { caFile, allowed }: { caFile: string | undefined; allowed: readonly PlaintextService[] },
): { address: string; problems: string[] } {
  const url = new URL(address);
  const mode = lastOf(url, 'sslmode');
  if (ENCRYPTED.includes(mode) || (mode === '' && caFile !== undefined)) {
    url.searchParams.set('sslmode', 'verify-full');
    url.searchParams.delete('uselibpqcompat');
    if (caFile !== undefined) url.searchParams.set('sslrootcert', resolve(caFile));
    return { address: url.href, problems: [] };
  }
  if (caFile !== undefined) {
    const contradiction = `${variable}: its sslmode contradicts DATABASE_CA_FILE: give sslmode=verify-full`;
    return { address, problems: [contradiction] };
  }
  const host = hostOf(url);
  if (host === '') return { address, problems: [`${variable}: name the host`] };
  const fix = 'add ?sslmode=verify-full to the address';
  // A host that begins with a slash is the folder of a socket on this machine.
  const problem = host.startsWith('/') ? null : plaintextProblem({ variable, service: 'postgres', host, fix }, allowed);
  return { address, problems: problem === null ? [] : [problem] };
}

/** As the driver reads it: a parameter goes before the address itself. */
function hostOf(url: URL): string {
  const named = lastOf(url, 'host');
  return named === '' ? decodeURIComponent(url.hostname) : named;
}

/** The driver takes the last of several. */
function lastOf(url: URL, parameter: string): string {
  return url.searchParams.getAll(parameter).at(-1) ?? '';
}
