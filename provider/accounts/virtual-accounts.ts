import { type CallOptions, recordOf } from '../calls/api-call.ts';
import type { AuthorizedCaller } from '../calls/authorized-caller.ts';
import { checked, InvalidRequest } from '../calls/invalid-request.ts';
import { pathId } from '../calls/request-fields.ts';
import {
  type NewVirtualAccount,
  virtualAccountAnswer,
  type VirtualAccountRequest,
  virtualAccountRequest,
} from './virtual-account-fields.ts';

/** Contract: payments 2.8, 4.6. Both throw `ProviderFailure`, and `InvalidRequest` before anything is sent. */
export interface VirtualAccountCalls {
  /** Whether a path is configured to read requests by. */
  readonly canRead: boolean;
  /** Has no reference of ours to look it up by, so a person resolves an unknown outcome. */
  request(account: NewVirtualAccount, options?: CallOptions): Promise<VirtualAccountRequest>;
  /**
   * The contract mentions this call but gives no path: it works only with a configured `virtualAccountRequestPath`.
   * Without one, wait for the webhook.
   */
  item(requestId: string, options?: CallOptions): Promise<VirtualAccountRequest>;
}

const PARAMETER = ':requestId';

/** `requestPath` contains `:requestId` in place of the id. @throws RangeError when it does not */
export function createVirtualAccountCalls(api: AuthorizedCaller, requestPath: string | undefined): VirtualAccountCalls {
  if (requestPath !== undefined && !isRequestPath(requestPath)) {
    throw new RangeError(`virtualAccountRequestPath: give a path that begins with / and holds ${PARAMETER} once`);
  }
  return {
    canRead: requestPath !== undefined,
    request: async (account, options) =>
      api.call(
        {
          operation: 'virtual-account-request-create',
          method: 'POST',
          path: '/virtual-accounts/v1/requests/create',
          body: checked('virtual-account-request-create', virtualAccountRequest, account),
          answer: recordOf(virtualAccountAnswer),
        },
        options,
      ),
    item: async (id, options) => {
      const operation = 'virtual-account-request-retrieve';
      if (requestPath === undefined) {
        const fix = "the provider's path for this call is not documented; ask the operator and configure it";
        throw new InvalidRequest(operation, 'virtualAccountRequestPath', fix);
      }
      const [before = '', after = ''] = requestPath.split(PARAMETER);
      const path = before + encodeURIComponent(checked(operation, pathId, id)) + after;
      return api.call({ operation, method: 'GET', path, answer: recordOf(virtualAccountAnswer) }, options);
    },
  };
}

/** Whether it is a valid path of a virtual account request, with `:requestId` for the id. Contract: payments 4.6. */
export function isRequestPath(path: string): boolean {
  return /^\/(?!\/)[\w./:-]*$/.test(path) && path.split(PARAMETER).length === 2;
}
