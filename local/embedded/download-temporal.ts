import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { withProgress } from './report-progress.ts';
import type { TemporalRequest } from './temporal-cache.ts';
import { TEMPORAL_CLI_CHECKSUMS, TEMPORAL_CLI_VERSION } from './temporal-version.ts';

const run = promisify(execFile);
const RELEASES = 'https://github.com/temporalio/cli/releases/download';
const CONNECT_TIMEOUT_MS = 15_000;
/** A download without any data for this long is aborted. */
const STALL_TIMEOUT_MS = 30_000;
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Downloads the official Temporal CLI of the pinned version. It gets its name, and may run, only after its SHA-256 was
 * compared with the pinned one.
 * Errors: no release for this machine, the site cannot be reached within 15 s, a wrong or cut-short archive.
 */
export async function downloadTemporal(
  request: Pick<TemporalRequest, 'target' | 'cacheDir' | 'report'>,
  { releases = RELEASES, checksums = TEMPORAL_CLI_CHECKSUMS } = {},
): Promise<void> {
  const platform = platformName(checksums);
  const archive = `temporal_cli_${TEMPORAL_CLI_VERSION}_${platform}.tar.gz`;
  const base = `${releases}/v${TEMPORAL_CLI_VERSION}`;
  const draft = join(request.cacheDir, '.download');
  // A killed download may have left it. Only the holder of the cache's lock gets here.
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft);
  let receivedBytes = 0;
  const progress = (): string => {
    const received = receivedBytes === 0 ? '' : `: ${Math.round(receivedBytes / 1e6)} MB so far`;
    return `Downloading Temporal ${TEMPORAL_CLI_VERSION} from ${new URL(base).host}${received}`;
  };
  try {
    await withProgress(
      progress,
      async () => {
        const expected = checksums[platform];
        const file = join(draft, archive);
        const actual = await save(await get(`${base}/${archive}`), file, (bytes) => (receivedBytes += bytes));
        if (actual !== expected) throw new Error(`${archive} is damaged (SHA-256 ${actual}, expected ${expected})`);
        await run('tar', ['-xzf', file, '-C', draft, 'temporal']);
      },
      request.report,
    );
    const program = join(draft, 'temporal');
    if (!existsSync(program)) throw new Error(`${archive} contains no program named temporal`);
    chmodSync(program, 0o755);
    renameSync(program, request.target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** As releases are named. */
function platformName(checksums: Readonly<Record<string, string>>): string {
  const platform = `${process.platform}_${ARCHITECTURES[process.arch] ?? process.arch}`;
  if (checksums[platform] !== undefined) return platform;
  throw new Error(`there is no release for ${process.platform} on ${process.arch}`);
}

async function get(url: string): Promise<Response> {
  const timedOut = new AbortController();
  const timer = setTimeout(() => timedOut.abort(), CONNECT_TIMEOUT_MS);
  try {
    const response = await fetch(url, { signal: timedOut.signal });
    if (response.ok) return response;
    throw new Error(`${url} answered ${response.status}`);
  } catch (error) {
    if (timedOut.signal.aborted)
      throw new Error(`${url} did not answer within ${CONNECT_TIMEOUT_MS / 1000} s`, { cause: error });
    if (error instanceof TypeError) {
      const why = error.cause instanceof Error ? error.cause.message : error.message;
      throw new Error(`${new URL(url).host} cannot be reached (${why})`, { cause: error });
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Writes the body to `file`; its SHA-256 in hex. */
async function save(response: Response, file: string, onBytes: (count: number) => void): Promise<string> {
  if (response.body === null) throw new Error('the download is empty');
  const stalled = new AbortController();
  let timer = setTimeout(() => stalled.abort(), STALL_TIMEOUT_MS);
  const hash = createHash('sha256');
  const body: AsyncIterable<Uint8Array> = response.body;
  const measured = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      clearTimeout(timer);
      timer = setTimeout(() => stalled.abort(), STALL_TIMEOUT_MS);
      hash.update(chunk);
      onBytes(chunk.length);
      yield chunk;
    }
  };
  try {
    await pipeline(measured, createWriteStream(file), { signal: stalled.signal });
  } catch (error) {
    if (stalled.signal.aborted)
      throw new Error(`the download stalled for ${STALL_TIMEOUT_MS / 1000} s`, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return hash.digest('hex');
}
