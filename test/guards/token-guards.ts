import type { Guard } from './guard.ts';

const TOKEN_SCOPES = 'test/store/token-scopes.services.ts';
const RECENT_COMPANY_SIGN_IN = 'test/server/recent-company-sign-in.services.ts';

/** Checks of what a token is for and how long it lives, and of how the company has asked. */
export const TOKEN_GUARDS: readonly Guard[] = [
  {
    id: 'scope-asked-by-database',
    against: 'a token that was made to read or to submit decides',
    without: 'if false then',
    test: { file: TOKEN_SCOPES, name: 'that was made to submit decides on no run' },
    behind: 'the server asks for the scope of what the endpoint declares',
  },
  {
    id: 'scope-of-second-permission',
    against: 'a token that was made to submit lifts a stop, or rejects what others have proposed',
    without: '',
    test: { file: TOKEN_SCOPES, name: 'does not lift a stop that another one has asked to lift' },
  },
  {
    id: 'scope-asked-by-server',
    against: 'a token that was made to read asks for dry runs, or starts what the database does not decide on',
    without: 'return;',
    test: { file: 'test/server/token-scopes.test.ts', name: 'is refused for what it was not made for' },
    behind: 'the database asks for the scope of the permission',
  },
  {
    id: 'deciding-token-short',
    against: 'whoever finds a token approves with it for months',
    without: "when false then interval '24 hours'",
    test: { file: TOKEN_SCOPES, name: 'that decides ends within 24 hours' },
  },
  {
    id: 'scopes-of-its-maker',
    against: 'whoever finds a token that reads makes one that decides',
    without: '',
    test: { file: TOKEN_SCOPES, name: 'makes no token with scopes that it does not have' },
  },
  {
    id: 'tokens-end-with-password',
    against: 'a token that somebody has taken outlives the new password of its user',
    without: '',
    test: { file: 'test/server/passwords.services.ts', name: 'that is set ends all tokens of the user' },
  },
  {
    id: 'tokens-end-with-identity',
    against: 'a token that was made by the sign-in of the company outlives its end',
    without: '',
    test: { file: 'test/server/company-sign-in.services.ts', name: 'that is disconnected ends the tokens' },
  },
  {
    id: 'company-asked-enough',
    against: 'somebody signs in by the company without the second factor there that the policy requires',
    without: '',
    test: { file: RECENT_COMPANY_SIGN_IN, name: 'is answered by another acr' },
  },
  {
    id: 'company-acr',
    against: 'the company has asked in another way than the policy requires',
    without: 'where false',
    test: { file: RECENT_COMPANY_SIGN_IN, name: 'is answered by another acr' },
  },
  {
    id: 'company-amr',
    against: 'the company has asked for less than the policy requires',
    without: '',
    test: { file: RECENT_COMPANY_SIGN_IN, name: 'is answered by one of its amr' },
  },
];
