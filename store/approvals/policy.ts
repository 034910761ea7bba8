import type { Queryable } from '../database/database.ts';

/** The policy in force, with its version. */
export async function readPolicy(database: Queryable): Promise<unknown> {
  const { rows } = await database.query<{ policy: unknown }>(
    `select policy || jsonb_build_object('version', policy_id) as policy from policies order by policy_id desc limit 1`,
  );
  return rows[0]?.policy ?? null;
}

/** The values of `acr` that the policy in force requires of the sign-in of the company, the one that is liked best first. */
export async function readCompanyAcr(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ acr: string[] | null }>(
    `select current_policy() #> '{companySignIn,acr}' as acr`,
  );
  return rows[0]?.acr ?? [];
}

/** Whether a policy asks for a second factor; null: the one in force. Where it does not say, it does with a real provider. */
export async function readSecondFactorNeed(
  database: Queryable,
  policy: object | null = null,
): Promise<{ approvals: boolean; changes: boolean }> {
  const { rows } = await database.query<{ approvals: boolean; changes: boolean }>(
    `select needs_second_factor(policy, 'approvals') as approvals, needs_second_factor(policy, 'changes') as changes
     from (select coalesce($1::jsonb, current_policy()) as policy) as asked`,
    [policy === null ? null : JSON.stringify(policy)],
  );
  return { approvals: rows[0]?.approvals !== false, changes: rows[0]?.changes !== false };
}
