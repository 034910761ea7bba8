import type { InstanceAddresses } from '../../config/running-instance.ts';
import { usesTemporalTls } from '../../config/temporal/encrypted-services.ts';
import type { Environment } from '../../config/environment.ts';
import type { DataServices } from './data-services.ts';

/** What others on this machine may find: not a Temporal that takes credentials, which are not kept there. */
export function addressesToTell(
  environment: Environment,
  services: DataServices & { serverUrl: string; sandboxUrl: string | undefined },
): InstanceAddresses {
  const { serverDatabaseUrl, workerDatabaseUrl, temporalAddress, temporalUiUrl, serverUrl, sandboxUrl } = services;
  const isOpen = services.isTemporalEmbedded || !usesTemporalTls(environment);
  const temporal = { temporalAddress, temporalNamespace: environment.TEMPORAL_NAMESPACE, temporalUiUrl };
  return { serverDatabaseUrl, workerDatabaseUrl, serverUrl, sandboxUrl, ...(isOpen ? temporal : {}) };
}

/** Where a server that listens so is reached from this machine. */
export function reachableHost(listensOn: string): string {
  if (listensOn === '0.0.0.0') return '127.0.0.1';
  if (listensOn === '::') return '[::1]';
  return listensOn.includes(':') ? `[${listensOn}]` : listensOn;
}
