// Bundles the command line into one file: loading its hundreds of files takes longer than most commands themselves, and
// `payrun stop` must not wait for that. The folder also gets a file for bin/payrun (the commands and source files of the
// bundle), and the bundle's code as compiled by V8, which other versions of Node ignore.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'dist');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['client/cli/command-line.ts'],
  outfile: 'dist/command-line.cjs',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  metafile: true,
});
const { load } = createRequire(import.meta.url)('./bundle.cjs');
const { exports, saveCompiled } = load(root);
const { buildProgram } = exports;
const description = {
  commands: buildProgram({}).commands.map((command) => command.name()),
  inputs: [...Object.keys(metafile.inputs).filter((path) => !path.startsWith('node_modules/')), 'package-lock.json'],
};
writeFileSync(join(folder, 'command-line.json'), `${JSON.stringify(description, null, 2)}\n`);
// Last, because V8 has compiled only the code that has run.
saveCompiled();
