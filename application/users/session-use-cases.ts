import type { ApplicationDependencies } from '../application-dependencies.ts';
import { bindUseCases } from '../bind-use-cases.ts';
import { beginCompanySignIn, finishCompanySignIn, removeIdentity } from './company-sign-in.ts';
import {
  describeSession,
  endSession,
  listSessions,
  resumeSession,
  setPassword,
  signInMethods,
  signInWithLink,
  signInWithPassword,
} from './console-sessions.ts';
import { addPasskey, beginPasskey, beginPasskeyStepUp, removePasskey, stepUpWithPasskey } from './passkeys.ts';
import { beginTotp, confirmTotp, removeTotp, stepUpWithTotp } from './totp.ts';

export type SessionsApplication = ReturnType<typeof sessionUseCases>;

export function sessionUseCases(dependencies: ApplicationDependencies) {
  return bindUseCases(dependencies, {
    resumeSession,
    signInMethods,
    signInWithPassword,
    signInWithLink,
    describeSession,
    listSessions,
    endSession,
    setPassword,
    beginTotp,
    confirmTotp,
    removeTotp,
    stepUpWithTotp,
    beginPasskey,
    addPasskey,
    removePasskey,
    beginPasskeyStepUp,
    stepUpWithPasskey,
    beginCompanySignIn,
    finishCompanySignIn,
    removeIdentity,
  });
}
