import type { Queryable } from '../database/database.ts';

/** A step of the policy: by a role, or by one of these users. */
export interface PolicyStep {
  role?: string;
  logins?: string[];
}

export interface PolicySteps {
  /** The rule of each currency. */
  rules: { currency: string; name: string }[];
  steps: PolicyStep[];
}

/** What the policy in force asks for; null: no rule covers the run. It takes longer the more rows there are. */
export async function readPolicySteps(database: Queryable, runId: string): Promise<PolicySteps | null> {
  const { rows } = await database.query<{ rules: PolicySteps['rules'] | null; steps: PolicyStep[] | null }>(
    `select rules, merge_steps((select coalesce(jsonb_agg(rule -> 'steps'), '[]') from jsonb_array_elements(rules) as rule)) as steps
     from (select rules_for($1, current_policy()) as rules) as found`,
    [runId],
  );
  const { rules, steps } = rows[0] ?? { rules: null, steps: null };
  return rules === null || steps === null ? null : { rules, steps };
}

/** What the steps of a run depend on, beside what was paid before; null: it is not waiting for a decision. */
export async function readStepsScope(database: Queryable, runId: string): Promise<string | null> {
  const { rows } = await database.query<{ scope: string }>(
    `select concat_ws(' ', proposal ->> 'contentHash', proposal_is_stale, md5(current_policy()::text)) as scope
     from runs where run_id = $1 and state = 'in_approval'`,
    [runId],
  );
  return rows[0]?.scope ?? null;
}

export interface StepState {
  step: number;
  takenBy: { userId: string; name: string } | null;
  /** Whose deputy took it; null: nobody's. */
  actsFor: { userId: string; name: string } | null;
  takenAt: Date | null;
  /** Who could still take it; empty once it is taken. */
  people: { userId: string; name: string }[];
}

/** How far the approval of a content is: for each step who took it, or who could. */
export async function readStepStates(
  database: Queryable,
  run: { runId: string; contentHash: string; steps: readonly PolicyStep[] },
): Promise<StepState[]> {
  const { rows } = await database.query<StepState>(
    `select taken.step::integer,
       case when by_user is not null then jsonb_build_object('userId', by_user, 'name', users.name) end as "takenBy",
       case when acts_for is not null then jsonb_build_object('userId', acts_for,
         'name', (select name from users where users.user_id = acts_for)) end as "actsFor",
       given.decided_at as "takenAt",
       case when by_user is null then (
         select coalesce(jsonb_agg(jsonb_build_object('userId', users.user_id, 'name', users.name) order by users.name), '[]')
         from people_for_step($1, $2, $3, by_users, taken.step::integer) as people join users using (user_id)) else '[]' end as people
     from taken_steps($1, $2, $3) as by_users, unnest(by_users) with ordinality as taken (by_user, step)
     left join users on users.user_id = by_user
     left join approvals given on given.run_id = $1 and given.content_hash = $2 and given.decision = 'approved' and given.user_id = by_user
     order by taken.step`,
    [run.runId, run.contentHash, JSON.stringify(run.steps)],
  );
  return rows;
}
