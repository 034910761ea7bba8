import { loadThread } from '../../bin/load-thread.mjs';

await loadThread(new URL('./check-thread.ts', import.meta.url));
