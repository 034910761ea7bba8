import { linkTo } from '../calls/api.ts';

/**
 * Where one signs in with the sign-in of the company, and is led back to this page. `isAgain`: the company asks who it is, even if one is
 * signed in there.
 */
export function companySignInAddress({ isAgain }: { isAgain: boolean }): string {
  const { pathname, search } = window.location;
  const to = pathname === '/sign-in' ? '/inbox' : `${pathname}${search}`;
  return linkTo('beginCompanySignIn', { to, ...(isAgain ? { again: true } : {}) });
}
