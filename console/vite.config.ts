import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import type { Route } from '../api/endpoint.ts';
import { ENDPOINTS } from '../api/endpoints.ts';

/** What the server replaces by the nonce of each response. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/** The schemas of the endpoints would triple the scripts, and evaluate code, which the content security policy forbids. */
const routesWithoutSchemas: Plugin = {
  name: 'routes-without-schemas',
  load(id) {
    if (id !== join(import.meta.dirname, '..', 'api', 'endpoints.ts')) return null;
    const routes = Object.entries<Route>(ENDPOINTS).map(([name, { method, path, takes, alsoExpected }]) => [
      name,
      { method, path, takes, alsoExpected },
    ]);
    return `export const ENDPOINTS = ${JSON.stringify(Object.fromEntries(routes))};`;
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), routesWithoutSchemas],
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
