export type { SessionsApplication } from './session-use-cases.ts';
export type { BegunSession, SessionCookie } from './console-sessions.ts';
export type { PasskeySite } from './passkeys.ts';
export type { CompanySignInAnswer, CompanySignInRequest } from './company-sign-in.ts';
