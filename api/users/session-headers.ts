/** Headers of requests in a session, which no other site can send. They are read in the browser too, without schemas. */

/** What every request must carry that changes something in a session. */
export const CONSOLE_HEADER = 'x-payrun-console';

/** Its value in a request that a page makes by itself: it does not keep a session from ending for idleness. */
export const BACKGROUND = 'background';

/** The id of the user whose page sends the request: in another tab, somebody else may have signed in since. */
export const USER_HEADER = 'x-payrun-user';
