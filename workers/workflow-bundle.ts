import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { writeWhole } from '../config/whole-file.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * The path of the workflows' bundle. It is built once for each version of the code, so that a worker that restarts
 * after a crash does not build it again.
 */
export async function workflowBundle(cacheDir: string, report: (line: string) => void): Promise<string> {
  const path = join(cacheDir, 'workflows', `${versionOfWorkflows()}.js`);
  if (existsSync(path)) return path;
  report('Bundling the workflows (once for each version)');
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(ROOT, 'workflows', 'all-workflows.ts'),
    workflowInterceptorModules: [join(ROOT, 'workflows', 'trace-headers.ts')],
    logger: silentLogger,
  });
  mkdirSync(dirname(path), { recursive: true });
  writeWhole(path, code);
  return path;
}

/** A hash of everything in the bundle: the workflows, the domain, and the version of Temporal's packages. */
export function versionOfWorkflows(root: string = ROOT): string {
  const hash = createHash('sha256');
  for (const folder of ['workflows', 'domain']) {
    for (const name of sourcesIn(join(root, folder))) {
      hash.update(name).update(readFileSync(join(root, folder, name)));
    }
  }
  const packageFile = createRequire(import.meta.url).resolve('@temporalio/workflow/package.json');
  return hash.update(readFileSync(packageFile)).digest('hex').slice(0, 24);
}

/** All TypeScript files below the folder, in the same order on every machine. */
function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll(sep, '/'))
    .filter((name) => name.endsWith('.ts'))
    .sort();
}

const ignore = (): void => undefined;
const silentLogger = { log: ignore, trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };
