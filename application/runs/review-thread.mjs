// Plain JavaScript: a thread begins without what loads TypeScript.
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

// Named, since otherwise a tsconfig.json in the working directory would be taken for ours.
register({ tsconfig: fileURLToPath(new URL('../../tsconfig.json', import.meta.url)) });
await import('./review-thread.ts');
