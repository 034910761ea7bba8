import { type CallOptions, recordOf } from '../calls/api-call.ts';
import type { AuthorisedCaller } from '../calls/authorised-caller.ts';
import { checked, InvalidRequest } from '../calls/invalid-request.ts';
import { pathId } from '../calls/sent-fields.ts';
import {
  type NewVirtualAccount,
  virtualAccountAnswer,
  type VirtualAccountRequest,
  virtualAccountSent,
} from './virtual-account-fields.ts';

/** Contract: payments 2.8, 4.6. Both throw `ProviderFailure`, and `InvalidRequest` before anything is sent. */
export interface VirtualAccountCalls {
  /** Cannot be looked up afterwards by anything of ours, so its unknown outcome is for a person to settle. */
  request(account: NewVirtualAccount, options?: CallOptions): Promise<VirtualAccountRequest>;
  /**
   * The contract mentions this call and gives no path for it: it works only with the `virtualAccountRequestPath` that
   * the operator names. Without, wait for the notification.
   */
  item(requestId: string, options?: CallOptions): Promise<VirtualAccountRequest>;
}

const PARAMETER = ':requestId';

/** `requestPath` has `:requestId` in place of the id. Throws RangeError when it has not. */
export function createVirtualAccountCalls(api: AuthorisedCaller, requestPath: string | undefined): VirtualAccountCalls {
  if (requestPath !== undefined && !isRequestPath(requestPath)) {
    throw new RangeError(`virtualAccountRequestPath: give a path that begins with / and holds ${PARAMETER} once`);
  }
  return {
    request: async (account, options) =>
      api.call(
        {
          operation: 'virtual-account-request-create',
          method: 'POST',
          path: '/virtual-accounts/v1/requests/create',
          body: checked('virtual-account-request-create', virtualAccountSent, account),
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

/** Whether it can be the path of a virtual account request, `:requestId` in place of the id. Contract: payments 4.6. */
export function isRequestPath(path: string): boolean {
  return /^\/(?!\/)[\w./:-]*$/.test(path) && path.split(PARAMETER).length === 2;
}
