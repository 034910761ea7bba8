import type { InstanceAddresses } from '../running-instance.ts';
import { usesTemporalTls } from './encrypted-services.ts';
import type { Environment } from '../environment.ts';
import { missingVariables, type ServiceSource, serviceSource } from '../service-source.ts';

/** How Temporal is reached. Paths are of files in PEM. */
export interface TemporalSettings {
  address: string;
  namespace: string;
  apiKey: string | undefined;
  tls: boolean;
  /** Authorities that the server's certificate is trusted by, in place of the usual ones. */
  authorityPath: string | undefined;
  certificatePath: string | undefined;
  keyPath: string | undefined;
  uiUrl: string | null;
}

/** Only where Temporal is: for verbs that need neither database nor provider. Throws ConfigurationError. */
export function readTemporalSettings(environment: Environment, workingDirectory: string): TemporalSettings {
  const source = serviceSource(environment, workingDirectory);
  const settings = temporalSettings(environment, source);
  if (settings === null) throw missingVariables(source, ['TEMPORAL_ADDRESS']);
  return settings;
}

/** Null when the source does not name it. */
export function temporalSettings(environment: Environment, source: ServiceSource): TemporalSettings | null {
  if (source.from === 'running payrun') return settingsOfRunning(source.addresses);
  const { TEMPORAL_ADDRESS: address } = environment;
  if (address === undefined) return null;
  return {
    address,
    namespace: environment.TEMPORAL_NAMESPACE,
    apiKey: environment.TEMPORAL_API_KEY,
    tls: usesTemporalTls(environment),
    authorityPath: environment.TEMPORAL_TLS_CA,
    certificatePath: environment.TEMPORAL_TLS_CERT,
    keyPath: environment.TEMPORAL_TLS_KEY,
    uiUrl: environment.TEMPORAL_UI_URL ?? null,
  };
}

/** A running payrun tells of no Temporal that takes credentials or TLS. */
function settingsOfRunning(addresses: InstanceAddresses): TemporalSettings | null {
  if (addresses.temporalAddress === undefined) return null;
  return {
    address: addresses.temporalAddress,
    namespace: addresses.temporalNamespace ?? 'default',
    apiKey: undefined,
    tls: false,
    authorityPath: undefined,
    certificatePath: undefined,
    keyPath: undefined,
    uiUrl: addresses.temporalUiUrl ?? null,
  };
}
