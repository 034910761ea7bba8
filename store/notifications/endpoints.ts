import { UNDELIVERED_STATES } from '../../domain/notifications/delivery-state.ts';
import { sqlList } from '../database/sql-list.ts';
import { callAsUser, type FunctionAnswer } from '../database/call-as-user.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { BegunChange, Proposed } from '../approvals/changes.ts';
import type { TokenHash } from '../users/token-hash.ts';
import type { NewSecret } from './endpoint-secrets.ts';

/** Where notifications go. Changes are made by administrators, by functions of the database that verify their token hash. */

export interface NewEndpoint {
  endpointId: string;
  name: string;
  /** Null: all types. */
  types: readonly string[] | null;
  to: { kind: 'webhook'; url: string; secret: NewSecret } | { kind: 'mail'; addresses: readonly string[] };
  /** What whoever confirms the change is shown: the address without what may be secret in it. */
  target: string;
}

export function addEndpointAs(
  database: Database,
  tokenHash: TokenHash,
  { endpointId, name, types, to, target }: NewEndpoint,
): Promise<{ change: BegunChange } & FunctionAnswer> {
  const [url, addresses, secret] = to.kind === 'webhook' ? [to.url, null, to.secret] : [null, to.addresses, null];
  return callAsUser(database, 'add_endpoint($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)', [
    ...[tokenHash.bytes, endpointId, name, to.kind, url, addresses, types, target],
    ...[secret?.secretId ?? null, secret?.encrypted.wrapped ?? null, secret?.encrypted.wrappedBy ?? null],
  ]);
}

export function disableEndpointAs(database: Database, tokenHash: TokenHash, endpointId: string): Promise<Proposed> {
  return callAsUser(database, 'propose_end_of_endpoint($1, $2, false)', [tokenHash.bytes, endpointId]);
}

export function enableEndpointAs(database: Database, tokenHash: TokenHash, endpointId: string): Promise<Proposed> {
  return callAsUser(database, 'enable_endpoint($1, $2)', [tokenHash.bytes, endpointId]);
}

export function removeEndpointAs(database: Database, tokenHash: TokenHash, endpointId: string): Promise<Proposed> {
  return callAsUser(database, 'propose_end_of_endpoint($1, $2, true)', [tokenHash.bytes, endpointId]);
}

export function rotateEndpointSecretAs(
  database: Database,
  tokenHash: TokenHash,
  endpointId: string,
  { secretId, encrypted }: NewSecret,
): Promise<{ formerValidUntil: string } & FunctionAnswer> {
  const { wrapped, wrappedBy } = encrypted;
  return callAsUser(database, 'rotate_endpoint_secret($1, $2, $3, $4, $5)', [
    ...[tokenHash.bytes, endpointId, secretId, wrapped, wrappedBy],
  ]);
}

export function testEndpointAs(
  database: Database,
  tokenHash: TokenHash,
  endpointId: string,
): Promise<{ notificationId: string } & FunctionAnswer> {
  return callAsUser(database, 'test_endpoint($1, $2)', [tokenHash.bytes, endpointId]);
}

export async function retryDeliveryAs(database: Database, tokenHash: TokenHash, deliveryId: string): Promise<void> {
  await callAsUser(database, 'retry_delivery($1, $2)', [tokenHash.bytes, deliveryId]);
}

export interface EndpointRecord {
  endpointId: string;
  name: string;
  kind: 'webhook' | 'mail';
  url: string | null;
  addresses: string[] | null;
  types: string[] | null;
  /** `rejected`: the change that would have added it. */
  state: 'pending' | 'rejected' | 'enabled' | 'disabled';
  stateReason: string | null;
  stateChangedAt: Date;
  changeId: string | null;
  failingSince: Date | null;
  /** Deliveries that are queued or failing, and those that wait until it is enabled again. */
  undelivered: number;
  addedAt: Date;
}

/** By name. `endpointId` null: all that were not removed. */
export async function listEndpoints(database: Queryable, endpointId: string | null = null): Promise<EndpointRecord[]> {
  const { rows } = await database.query<EndpointRecord>(
    `select endpoint_id as "endpointId", name, endpoints.kind, url, addresses, types,
       case when endpoints.state = 'pending' and changes.state = 'rejected' then 'rejected' else endpoints.state end as state,
       state_reason as "stateReason", state_changed_at as "stateChangedAt", change_id as "changeId",
       failing_since as "failingSince", added_at as "addedAt",
       (select count(*)::int from deliveries where deliveries.endpoint_id = endpoints.endpoint_id
         and deliveries.state in (${sqlList(UNDELIVERED_STATES)})) as undelivered
     from endpoints left join changes using (change_id)
     where removed_at is null and ($1::uuid is null or endpoint_id = $1) order by name`,
    [endpointId],
  );
  return rows;
}

export type EndpointHealth = Pick<EndpointRecord, 'name' | 'kind' | 'stateReason' | 'failingSince'> & {
  state: 'pending' | 'enabled' | 'disabled';
};

/** By name, for either process. */
export async function listEndpointHealth(database: Queryable): Promise<EndpointHealth[]> {
  const { rows } = await database.query<EndpointHealth>(
    `select name, kind, state, state_reason as "stateReason", failing_since as "failingSince"
     from endpoints where removed_at is null order by name`,
  );
  return rows;
}
