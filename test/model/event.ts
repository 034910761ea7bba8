import type { World } from './world.ts';

/** What may happen next. False: it cannot, and nothing happened. */
export type Event = (world: World) => boolean | Promise<boolean>;
