import type { ProviderClient } from '../../provider/client.ts';
import type { ContractContext } from './contract-context.ts';
import type { EndpointId } from './endpoints.ts';

type Group = {
  [Name in keyof ProviderClient]: ProviderClient[Name] extends (...given: never[]) => unknown
    ? never
    : ProviderClient[Name] extends object
      ? Name
      : never;
}[keyof ProviderClient];

/** A function of the client, as `users.signUp`. */
export type ClientFunction = { [Name in Group]: `${Name}.${keyof ProviderClient[Name] & string}` }[Group];

/** One rule of the contract, shown through the client and, where the shape matters, by requests of our own. */
export interface ContractCase {
  readonly name: string;
  /** The endpoints whose behaviour it shows, and the functions of the client that it shows it through. */
  readonly covers: readonly EndpointId[];
  readonly calls: readonly ClientFunction[];
  readonly run: (context: ContractContext) => Promise<void>;
  /** What the ledger tells of it, where that is not that all is well. */
  readonly ledger?: (context: ContractContext) => Record<string, unknown>;
}

/**
 * The cases of one subject and the settings that bear on it. They run under every combination of these settings'
 * words, and only of these: areas do not read each other's settings, which two runs of all areas, under all earlier and
 * all last words, put to the test.
 */
export interface Area {
  readonly name: string;
  readonly settings: readonly string[];
  readonly cases: readonly ContractCase[];
}
