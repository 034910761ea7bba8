import { type Session, sessionListSchema, sessionSchema, type SessionSummary } from '../../api/users/session.ts';
import { type SteppedUp, steppedUpSchema, type StepUpSubject } from '../../api/users/second-factor.ts';
import { type JsonCaller, NO_CONTENT } from './json-caller.ts';

/** Sessions of the console, and second factors for decisions. */
export interface SessionCalls {
  readonly sessions: {
    /** Who acts, what they may do, and which second factors they have. */
    current(): Promise<Session>;
    /** One's own of the last 30 days, or all for an administrator who does not ask for their own alone. */
    list(filter?: { own?: boolean }): Promise<SessionSummary[]>;
    end(sessionId: string): Promise<void>;
    /**
     * Shows a code of one's authenticator app for exactly one decision, which the policy may demand: send the decision within
     * five minutes. Throws `too_many` after failed tries.
     */
    stepUpWithTotp(subject: StepUpSubject, code: string): Promise<SteppedUp>;
  };
}

export function sessionCalls(call: JsonCaller): SessionCalls {
  return {
    sessions: {
      current: () => call(sessionSchema, { path: '/session' }),
      list: async ({ own = false } = {}) =>
        (await call(sessionListSchema, { path: '/sessions', query: { own: String(own) } })).sessions,
      end: async (sessionId) => {
        await call(NO_CONTENT, { method: 'DELETE', path: `/sessions/${encodeURIComponent(sessionId)}` });
      },
      stepUpWithTotp: (subject, code) =>
        call(steppedUpSchema, { method: 'POST', path: '/session/step-up/totp', body: { subject, code } }),
    },
  };
}
