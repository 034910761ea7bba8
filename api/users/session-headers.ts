/** Headers of requests in a session, which no other site can send. They are read in the browser too, without schemas. */

/** What every request must carry that changes something in a session. */
export const CONSOLE_HEADER = 'x-payrun-console';

/** Its value in a request that a page makes by itself: it does not keep a session from ending for idleness. */
export const BACKGROUND = 'background';
