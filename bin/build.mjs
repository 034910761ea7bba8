// Bundles the command line into one file: loading its hundreds of files takes longer than what most commands do, and
// `payrun stop` must not wait for that. Beside it lies what bin/payrun needs to know before it loads it: its commands, and
// the sources that it was made of.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'dist');

mkdirSync(folder, { recursive: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['client/cli/command-line.ts'],
  outfile: 'dist/command-line.mjs',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  metafile: true,
  // Libraries that are written for `require` find it.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});
const { buildProgram } = await import(pathToFileURL(join(folder, 'command-line.mjs')).href);
const description = {
  commands: buildProgram({}).commands.map((command) => command.name()),
  inputs: [...Object.keys(metafile.inputs).filter((path) => !path.startsWith('node_modules/')), 'package-lock.json'],
};
writeFileSync(join(folder, 'command-line.json'), `${JSON.stringify(description, null, 2)}\n`);
