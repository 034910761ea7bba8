import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A certificate authority for one test, and a server certificate that it issued, for `localhost` and 127.0.0.1 unless told otherwise. */
export interface TestAuthority {
  /** The file with the authority's certificate in PEM. */
  path: string;
  /** The authority's certificate in PEM. */
  pem: string;
  /** Options for Node's servers. */
  server: { key: string; cert: string };
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];

/** Created with openssl, in a folder that is deleted after the test. `names`: what the server certificate is for. */
export function aTestAuthority(names = 'DNS:localhost,IP:127.0.0.1'): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-certificates-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string): string => join(folder, name);
  const certify = (name: string, subject: string, ...more: string[]): void => {
    const output = ['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)];
    execFileSync('openssl', ['req', '-x509', ...CURVE, ...output, '-subj', `/CN=${subject}`, ...more], {
      stdio: 'ignore',
    });
  };
  certify('authority', 'Authority of a test', '-addext', 'basicConstraints=critical,CA:TRUE');
  certify(
    'server',
    'localhost',
    ...['-CA', file('authority.pem'), '-CAkey', file('authority.key')],
    ...['-addext', 'basicConstraints=critical,CA:FALSE'],
    ...['-addext', `subjectAltName=${names}`],
  );
  return {
    path: file('authority.pem'),
    pem: readFileSync(file('authority.pem'), 'utf8'),
    server: { key: readFileSync(file('server.key'), 'utf8'), cert: readFileSync(file('server.pem'), 'utf8') },
  };
}
