import type { InstanceAddresses } from '../../config/running-instance.ts';
import { usesTemporalTls } from '../../config/temporal/encrypted-services.ts';
import type { Environment } from '../../config/environment.ts';
import type { DataServices } from './data-services.ts';

/** The addresses for other processes on this machine. A Temporal with credentials is left out, as those are not written to files. */
export function publishedAddresses(
  environment: Environment,
  services: DataServices & { serverUrl: string; sandboxUrl: string | undefined },
): InstanceAddresses {
  const { serverDatabaseUrl, workerDatabaseUrl, temporalAddress, temporalUiUrl, serverUrl, sandboxUrl } = services;
  const isOpen = services.isTemporalEmbedded || !usesTemporalTls(environment);
  const temporal = { temporalAddress, temporalNamespace: environment.TEMPORAL_NAMESPACE, temporalUiUrl };
  return { serverDatabaseUrl, workerDatabaseUrl, serverUrl, sandboxUrl, ...(isOpen ? temporal : {}) };
}

/** The host under which a server that listens on an address is reached from this machine. */
export function reachableHost(listenAddress: string): string {
  if (listenAddress === '0.0.0.0') return '127.0.0.1';
  if (listenAddress === '::') return '[::1]';
  return listenAddress.includes(':') ? `[${listenAddress}]` : listenAddress;
}
