import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isPortFree, rememberedPort } from '../embedded/free-port.ts';
import { DEFAULT_HTTP_PORT } from '../../config/environment.ts';
import type { StackOptions } from './stack-options.ts';

/** The configured port, else the default one, else, if that is taken, a port that this folder keeps. */
export async function chooseHttpPort({ home, environment, anyHttpPort, report }: StackOptions): Promise<number> {
  const { PAYRUN_HTTP_PORT: wanted, PAYRUN_HTTP_HOST: host } = environment;
  if (wanted !== undefined) {
    if (await isPortFree(wanted, host)) return wanted;
    throw new Error(`PAYRUN_HTTP_PORT: port ${wanted} is taken; stop the program that uses it, or choose another`);
  }
  if (anyHttpPort !== true && (await isPortFree(DEFAULT_HTTP_PORT, host))) return DEFAULT_HTTP_PORT;
  mkdirSync(home, { recursive: true });
  const port = await rememberedPort(join(home, 'http-port'), [DEFAULT_HTTP_PORT]);
  if (anyHttpPort !== true) report(`Port ${DEFAULT_HTTP_PORT} is taken; the server listens on ${port}`);
  return port;
}
