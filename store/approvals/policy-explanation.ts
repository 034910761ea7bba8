import type { Queryable } from '../database/database.ts';
import type { PolicyStep } from './approval-steps.ts';

/** What a policy asks of a run in one currency. Amounts are decimal strings. */
export interface RunFacts {
  account: string;
  currency: string;
  total: string;
  largest: string;
  hasNewBeneficiary: boolean;
  /** Of the banks that are paid; an empty one is not known. */
  countries: string[];
  /** When it is decided on, ISO 8601. Absent: now. */
  at?: string;
}

/** A run that is thought of. */
export interface ThoughtOfRun extends RunFacts {
  makerId: string | null;
}

export interface FoundRule {
  rule: string | null;
  skippedRules: { rule: string; unmetConditions: string[] }[];
}

export interface ExplainedSteps {
  steps: { step: number; given: PolicyStep; people: { userId: string; name: string }[] }[];
}

/** Asks the functions that decide on runs: by the policy in force, or by the given one. */
export async function explainRule(
  database: Queryable,
  { makerId, ...facts }: ThoughtOfRun,
  proposed: object | null = null,
): Promise<FoundRule & ExplainedSteps> {
  const { steps, ...found } = await findRule(database, facts, { makerId, proposed });
  return { ...found, steps: await explainSteps(database, [steps], { makerId, account: facts.account }) };
}

/** The rule of each currency of a run, and the steps that they need together. Null: there is no such run. */
export async function explainRun(
  database: Queryable,
  runId: string,
  proposed: object | null,
): Promise<({ currencies: ({ currency: string } & FoundRule)[] } & ExplainedSteps) | null> {
  const { rows } = await database.query<{ makerId: string; account: string; facts: RunFacts[] }>(
    `select submitted_by as "makerId", account,
       (select coalesce(jsonb_agg(facts), '[]') from facts_of_run(run_id) as facts) as facts from runs where run_id = $1`,
    [runId],
  );
  const [run] = rows;
  if (run === undefined) return null;
  const currencies: ({ currency: string } & FoundRule)[] = [];
  const lists: PolicyStep[][] = [];
  for (const facts of run.facts) {
    const { steps, ...found } = await findRule(database, facts, { makerId: run.makerId, proposed });
    currencies.push({ currency: facts.currency, ...found });
    lists.push(steps);
  }
  const isCovered = currencies.every(({ rule }) => rule !== null);
  return { currencies, steps: isCovered ? await explainSteps(database, lists, run) : [] };
}

/** Which conditions of a rule are not met is found by asking for a policy of a single rule with that condition alone. */
async function findRule(
  database: Queryable,
  facts: RunFacts,
  { makerId, proposed }: { makerId: string | null; proposed: object | null },
): Promise<FoundRule & { steps: PolicyStep[] }> {
  const { rows } = await database.query<FoundRule & { steps: PolicyStep[] | null }>(
    `with given as (select coalesce($2::jsonb, current_policy()) as policy, $1::jsonb as facts),
     chosen as (select fitting_rule(policy, facts) as rule from given),
     listed as (
       select value as listed, position from given, jsonb_array_elements(policy -> 'rules') with ordinality as rules (value, position)
     ),
     place as (select min(position) as position from listed, chosen where listed = rule)
     select rule ->> 'name' as rule, asked_steps(policy, rule -> 'steps', facts ->> 'account', $3) as steps,
       (select coalesce(jsonb_agg(jsonb_build_object('rule', listed ->> 'name', 'unmetConditions', (
           select coalesce(jsonb_agg(key), '[]') from given, jsonb_each(listed -> 'when') where fitting_rule(
             policy || jsonb_build_object('rules', jsonb_build_array(jsonb_build_object('when', jsonb_build_object(key, value)))),
             facts) is null
         )) order by position), '[]')
         from listed where position < coalesce((select position from place), 1000)) as "skippedRules"
     from chosen, given`,
    [JSON.stringify(facts), proposed === null ? null : JSON.stringify(proposed), makerId],
  );
  const { steps, ...found } = rows[0] ?? { rule: null, skippedRules: [], steps: null };
  return { ...found, steps: steps ?? [] };
}

async function explainSteps(
  database: Queryable,
  lists: PolicyStep[][],
  { makerId, account }: { makerId: string | null; account: string },
): Promise<ExplainedSteps['steps']> {
  const { rows } = await database.query<ExplainedSteps['steps'][number]>(
    `select n::integer as step, value as given, (
       select coalesce(jsonb_agg(jsonb_build_object('userId', user_id, 'name', users.name) order by users.name), '[]')
       from people_who_could($2, $3, value) as person join users on user_id = person) as people
     from jsonb_array_elements(merge_steps($1)) with ordinality as steps (value, n) order by n`,
    [JSON.stringify(lists), makerId, account],
  );
  return rows;
}

/** Null: nobody has this login. */
export async function findUserIdByLogin(database: Queryable, login: string): Promise<string | null> {
  const { rows } = await database.query<{ id: string }>('select user_id as id from users where login = $1', [login]);
  return rows[0]?.id ?? null;
}
