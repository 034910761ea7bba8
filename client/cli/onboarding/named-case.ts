import type { CasePage, CaseSummary, PayrunClient } from '../../sdk/index.ts';
import { WrongInput } from '../exit-code.ts';
import { printable } from '../printable.ts';

/** For arguments that name a case. */
export const CASE_ARGUMENT = ['<case>', "the case's id, or the applicant_ref"] as const;

const PAGE = 200;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of a case that is named by its id or by the team's reference. Throws WrongInput unless it is exactly one. */
export async function caseNamed(client: Pick<PayrunClient, 'listCases'>, given: string): Promise<string> {
  if (ID.test(given)) return given;
  const { cases } = await client.listCases({ ref: given });
  const [found, other] = cases;
  if (found === undefined) {
    throw new WrongInput(
      `there is no case ${printable(given)}: name its id or its applicant_ref, as payrun onboard list shows them`,
    );
  }
  if (other === undefined) return found.caseId;
  const ids = cases.map(({ account, caseId }) => `${caseId} on ${account}`).join(', ');
  throw new WrongInput(printable(`several accounts have a case ${given}: name the id, ${ids}`));
}

interface Wanted {
  state?: CaseSummary['state'] | null;
  account?: string | null;
  ref?: string | null;
  /** At most so many cases. */
  limit: number;
}

/** As many cases as are wanted, the newest first, however many pages that takes. */
export async function listCases(
  client: Pick<PayrunClient, 'listCases'>,
  { limit, ...filter }: Wanted,
): Promise<CasePage> {
  const first = await client.listCases({ ...filter, limit: Math.min(limit, PAGE) });
  const cases = [...first.cases];
  let { nextAfter } = first;
  while (nextAfter !== null && cases.length < limit) {
    const page = await client.listCases({ ...filter, limit: Math.min(limit - cases.length, PAGE), after: nextAfter });
    cases.push(...page.cases);
    nextAfter = page.nextAfter;
  }
  return { ...first, cases, nextAfter };
}
