import { type InputOf, type JsonCalls, requestOf } from '../../api/endpoint-call.ts';
import type { Route } from '../../api/endpoint.ts';
import { ENDPOINTS } from '../../api/endpoints.ts';
import { PayrunApiError } from '../../client/sdk/errors.ts';
import { addressOf, call, type ConsoleCall } from './call.ts';
import { askForFactor } from './second-factor-asked.ts';

/** Of the endpoints, the console's scripts have this alone: vite.config.ts leaves everything else out. */
const ROUTES: Readonly<Record<keyof typeof ENDPOINTS, Route>> = ENDPOINTS;

type Options = Pick<ConsoleCall, 'signal' | 'headers'>;

/** A function for each endpoint, by its operation id: what goes into path, query or body is given together. */
export const api = Object.fromEntries(
  Object.entries(ROUTES).map(([id, route]) => [
    id,
    (input: object = {}, options: Options = {}) => callWithFactor({ ...requestOf(route, input), ...options }),
  ]),
) as JsonCalls<typeof ENDPOINTS, Options>;

/** Where a change takes a second factor, it is made again once one was shown. */
async function callWithFactor(request: ConsoleCall): Promise<unknown> {
  try {
    return await call(request);
  } catch (error) {
    if (!(error instanceof PayrunApiError) || !(await askForFactor(error))) throw error;
    return call(request);
  }
}

/** The address of an endpoint that is opened or downloaded. */
export function linkTo<Id extends keyof typeof ENDPOINTS>(id: Id, input: InputOf<(typeof ENDPOINTS)[Id]>): string {
  return addressOf(requestOf(ROUTES[id], input));
}
