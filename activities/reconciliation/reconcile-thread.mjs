import { loadThread } from '../../bin/load-thread.mjs';

await loadThread(new URL('./reconcile-thread.ts', import.meta.url));
