import { loadThread } from '../../bin/load-thread.mjs';

await loadThread(new URL('./review-thread.ts', import.meta.url));
