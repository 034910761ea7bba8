import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ANSWER_TIMEOUT_MS = 30_000;

/** The CLI to download or build if the machine has none; `temporal-cli/go.mod` pins the same version. */
export const TEMPORAL_CLI_VERSION = '1.8.2';

/**
 * SHA-256 of its release for each machine, here and not from where the program comes from: whoever exchanges it there would exchange a
 * list beside it as well.
 */
export const TEMPORAL_CLI_CHECKSUMS: Readonly<Record<string, string>> = {
  linux_amd64: 'd8421bda989e6514b4bdb4d63a9012a8a05a806892e881a5aad8510496349a94',
  linux_arm64: '83600a8fac6e3da54093e5da6918d399f501532b9f1172235603f9606f4ac6e4',
  darwin_amd64: '489d7f5420cae02b559774ac23df035141954c33a51dba96f5759a0ddccdf1b6',
  darwin_arm64: 'dacdc3587682c04cf27e67c8878ca2d755230b6ad63c0c6ebddd7348ae90ed94',
};

/** The server inside a `temporal` program. */
export interface TemporalVersion {
  major: number;
  minor: number;
  patch: number;
}

/** The server's version from 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)'; undefined for other texts. */
export function parseTemporalVersion(answer: string): TemporalVersion | undefined {
  const match = /\bServer (\d+)\.(\d+)\.(\d+)/.exec(answer);
  if (match === null) return undefined;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) };
}

/** Whether the server has task queue priority and fairness: from 1.29 on. */
export function isNewEnough(version: TemporalVersion): boolean {
  return version.major > 1 || (version.major === 1 && version.minor >= 29);
}

/** The server version of a `temporal` program; undefined if it does not run or answers otherwise. */
export async function readTemporalVersion(binary: string): Promise<TemporalVersion | undefined> {
  try {
    const env = { PATH: '/usr/bin:/bin', HOME: '/nonexistent' };
    const { stdout } = await run(binary, ['--version'], { timeout: ANSWER_TIMEOUT_MS, env });
    return parseTemporalVersion(stdout);
  } catch {
    return undefined;
  }
}
