import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** What the server replaces by the nonce of each response. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react()],
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    outDir: join(import.meta.dirname, '..', 'dist', 'console'),
    emptyOutDir: true,
    target: 'es2023',
    // Inlined files would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
});
