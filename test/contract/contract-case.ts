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

/** One rule of the contract, tested through the client and, where the format matters, with raw requests. */
export interface ContractCase {
  readonly name: string;
  /** The endpoints and the functions of the client that it tests. */
  readonly covers: readonly EndpointId[];
  readonly calls: readonly ClientFunction[];
  readonly run: (context: ContractContext) => Promise<void>;
  /** The expected ledger fields that are not as usual. */
  readonly ledger?: (context: ContractContext) => Record<string, unknown>;
}

/**
 * The cases of one subject and the settings that affect it. They run under every combination of the values of these
 * settings only, since areas do not read each other's settings. Two runs of all areas, with all earlier and all last
 * values, check that.
 */
export interface Area {
  readonly name: string;
  readonly settings: readonly string[];
  readonly cases: readonly ContractCase[];
}
