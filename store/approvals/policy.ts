import type { Queryable } from '../database/database.ts';
import type { PolicyStep } from './approval-steps.ts';

export async function readPolicy(database: Queryable): Promise<unknown> {
  const { rows } = await database.query<{ policy: unknown }>('select current_policy() as policy');
  return rows[0]?.policy ?? null;
}

/** A run that is thought of: amounts as decimal strings. */
export interface ThoughtOfRun {
  account: string;
  currency: string;
  total: string;
  largest: string;
  hasNewBeneficiary: boolean;
  makerId: string | null;
}

export interface ExplainedRule {
  rule: string | null;
  skippedRules: { rule: string; unmetConditions: string[] }[];
  steps: { step: number; given: PolicyStep; people: { userId: string; name: string }[] }[];
}

/**
 * Asks the functions that decide on runs: by the policy in force, or by the given one. Which conditions of a rule are not met is found by asking for a policy of a single
 * rule with that condition alone.
 */
export async function explainRule(
  database: Queryable,
  run: ThoughtOfRun,
  proposed: object | null = null,
): Promise<ExplainedRule> {
  const { rows } = await database.query<ExplainedRule>(
    `with policy as (select coalesce($7::jsonb, current_policy()) as policy),
     chosen as (select fitting_rule(policy, $1, $2, $3, $4, $5) as rule from policy),
     listed as (
       select value as listed, position from policy, jsonb_array_elements(policy -> 'rules') with ordinality as rules (value, position)
     ),
     place as (select min(position) as position from listed, chosen where listed = rule),
     steps as (
       select n, value as given from chosen,
         jsonb_array_elements(merge_steps(jsonb_build_array(rule -> 'steps'))) with ordinality as steps (value, n)
       where rule is not null
     )
     select rule ->> 'name' as rule,
       (select coalesce(jsonb_agg(jsonb_build_object('rule', listed ->> 'name', 'unmetConditions', (
           select coalesce(jsonb_agg(key), '[]') from jsonb_each(listed -> 'when') where fitting_rule(
             jsonb_build_object('rules', jsonb_build_array(jsonb_build_object('when', jsonb_build_object(key, value)))),
             $1, $2, $3, $4, $5) is null
         )) order by position), '[]')
         from listed where position < coalesce((select position from place), 1000)) as "skippedRules",
       (select coalesce(jsonb_agg(jsonb_build_object('step', n, 'given', given, 'people', (
           select coalesce(jsonb_agg(jsonb_build_object('userId', user_id, 'name', users.name) order by users.name), '[]')
           from people_who_could($6, $2, given) as person join users on user_id = person
         )) order by n), '[]') from steps) as steps
     from chosen`,
    [
      ...[run.currency, run.account, run.total, run.largest, run.hasNewBeneficiary, run.makerId],
      proposed === null ? null : JSON.stringify(proposed),
    ],
  );
  return rows[0] ?? { rule: null, skippedRules: [], steps: [] };
}

/** Null: nobody has this login. */
export async function findUserIdByLogin(database: Queryable, login: string): Promise<string | null> {
  const { rows } = await database.query<{ id: string }>('select user_id as id from users where login = $1', [login]);
  return rows[0]?.id ?? null;
}
