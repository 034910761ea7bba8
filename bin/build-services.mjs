// Bundles the services and their threads into dist/services: loading TypeScript file by file takes tens of MiB of each process and each
// thread, beside the time. bin/payrun and bin/load-thread.mjs run the bundle unless a source is newer.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'dist', 'services');

/** What a source says is beside it is found from where the source is. */
const placesOfSources = {
  name: 'places-of-sources',
  setup(bundle) {
    bundle.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const place = JSON.stringify(relative(folder, path));
      return {
        contents: source.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`),
        loader: 'ts',
      };
    });
  },
};

rmSync(folder, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    services: 'operations/service-commands.ts',
    'command-line': 'client/cli/command-line.ts',
    'check-thread': 'application/payment-file/check-thread.ts',
    'review-thread': 'application/runs/review-thread.ts',
    'reconcile-thread': 'activities/reconciliation/reconcile-thread.ts',
  },
  outdir: 'dist/services',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  metafile: true,
  plugins: [placesOfSources],
});
const inputs = [...Object.keys(metafile.inputs), 'package-lock.json'];
writeFileSync(join(folder, 'inputs.json'), `${JSON.stringify(inputs, null, 2)}\n`);
