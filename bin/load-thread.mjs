// Loads what a thread runs: from the bundle of the services, or else its source. Plain JavaScript: a thread begins without what loads
// TypeScript.
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** `source`: the URL of a file of TypeScript that bin/build-services.mjs has among its entries. */
export async function loadThread(source) {
  const bundled = createRequire(import.meta.url)('./bundle.cjs').serviceFile(root, basename(source.pathname, '.ts'));
  if (bundled !== null) {
    await import(pathToFileURL(bundled).href);
    return;
  }
  const { register } = await import('tsx/esm/api');
  // Named, since otherwise a tsconfig.json in the working directory would be taken for ours.
  register({ tsconfig: `${root}/tsconfig.json` });
  await import(source.href);
}
