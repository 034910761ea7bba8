import type { Role } from '../../domain/users/role.ts';
import { limitUserAs } from '../../store/users/users.ts';
import type { BegunChange } from '../../store/approvals/changes.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, byTwo, type TestUser } from '../helpers/users.ts';
import { ACCOUNT, anApprovedRun } from './a-stored-run.ts';

/** The runs of these tests are paid from `ACCOUNT`; this is another account with the provider. */
export const OTHER = 'subsidiary';

/** A database with two accounts and two administrators, in which a run was approved: nobody sets up alone any more. */
export class LimitedUsers {
  readonly testDatabase: TestDatabase;
  readonly ada: TestUser;
  readonly ben: TestUser;

  private constructor(testDatabase: TestDatabase, ada: TestUser, ben: TestUser) {
    this.testDatabase = testDatabase;
    this.ada = ada;
    this.ben = ben;
  }

  static async create(): Promise<LimitedUsers> {
    const testDatabase = await createTestDatabase({ provider: 'none' });
    await testDatabase.database.query(
      `insert into provider_accounts (account, api_address, access_key, is_sandbox)
       values ('${ACCOUNT}', 'x', 'x', true), ('${OTHER}', 'x', 'y', true)`,
    );
    await anApprovedRun(testDatabase.database);
    const ada = await aUser(testDatabase, 'Ada', 'administrator');
    return new LimitedUsers(testDatabase, ada, await aUser(testDatabase, 'Ben', 'administrator'));
  }

  async limit(user: TestUser, accounts: readonly string[] | null, by = this.ada): Promise<BegunChange | null> {
    return (await limitUserAs(this.testDatabase.asServer, by.tokenHash, user.userId, accounts)).change;
  }

  /** As `limit`, and confirmed by another administrator where it waits for one. */
  async limited(user: TestUser, accounts: readonly string[] | null): Promise<void> {
    const { asServer } = this.testDatabase;
    await byTwo(this.testDatabase, limitUserAs(asServer, this.ada.tokenHash, user.userId, accounts));
  }

  /** A user who is limited to these accounts from the start. */
  async aLimitedUser(name: string, accounts: readonly string[], ...roles: Role[]): Promise<TestUser> {
    const user = await aUser(this.testDatabase, name, ...roles);
    await this.limited(user, accounts);
    return user;
  }

  async accountsOf({ userId }: TestUser): Promise<string[] | null> {
    const { rows } = await this.testDatabase.database.query<{ accounts: string[] | null }>(
      'select array_agg(account order by account) as accounts from user_accounts where user_id = $1',
      [userId],
    );
    return rows[0]?.accounts ?? null;
  }

  /** The entries of the audit trail that `work` adds. */
  async auditOf(
    work: () => Promise<unknown>,
  ): Promise<{ actor: string; kind: string; detail: Record<string, unknown> }[]> {
    const { database } = this.testDatabase;
    const { rows: before } = await database.query<{ last: number }>('select max(entry_id) as last from audit_entries');
    await work();
    const { rows } = await database.query<{ actor: string; kind: string; detail: Record<string, unknown> }>(
      'select actor, kind, detail from audit_entries where entry_id > $1 order by entry_id',
      [before[0]?.last ?? 0],
    );
    return rows;
  }
}
