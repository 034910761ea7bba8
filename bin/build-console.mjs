// Builds the console into dist/console, with compressed copies of what browsers load: the server sends them as they are.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'dist', 'console');

if (existsSync(join(root, 'node_modules', 'vite'))) {
  const { build } = await import('vite');
  await build({ configFile: join(root, 'console', 'vite.config.ts'), logLevel: 'warn' });
  compressFiles(join(folder, 'assets'));
} else {
  console.error('payrun: the console was not built: it needs the development dependencies (npm ci without --omit=dev)');
}

function compressFiles(assets) {
  for (const name of readdirSync(assets)) {
    const content = readFileSync(join(assets, name));
    if (!/\.(js|css|svg)$/.test(name)) continue;
    writeFileSync(
      join(assets, `${name}.br`),
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
    );
    writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }));
  }
}
