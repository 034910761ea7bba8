import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { StepUpSubject, SteppedUp } from '../../api/users/second-factor.ts';
import { api } from '../calls/api.ts';

/** Passkeys: the browser's part of the work is loaded when it is needed. Its options are what the server gave, unchanged. */

/** The browser signs what is decided. */
export async function showPasskey(subject: StepUpSubject): Promise<SteppedUp> {
  const { options } = await api.beginPasskeyStepUp({ subject });
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const response = await startAuthentication({ optionsJSON });
  return api.stepUpWithPasskey({ subject, response: { ...response } });
}

export async function registerPasskey(label: string): Promise<void> {
  const { options } = await api.beginPasskey();
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const response = await startRegistration({ optionsJSON });
  return api.addPasskey({ label, response: { ...response } });
}
