import { defaultAccount } from '../../../sandbox/config/accounts.ts';
import type { UserLine } from '../../../sandbox/control/user-controls.ts';
import type { RunningSandbox } from '../../../sandbox/server.ts';
import { webhooksOf } from '../../helpers/sandbox-control.ts';
import type { ScenarioApplicant } from './applicants.ts';
import { firstGiven } from './applicants.ts';

/** All users that the sandbox has, oldest first. */
export async function usersAt({ url }: RunningSandbox): Promise<UserLine[]> {
  const answer = await fetch(`${url}/__sandbox/users`);
  if (!answer.ok) throw new Error(`the sandbox's list of users: ${await answer.text()}`);
  return (await answer.json()) as UserLine[];
}

/** Signs somebody up, as another program of the account holder would; answers the id. */
export async function signUpElsewhere(
  sandbox: RunningSandbox,
  applicant: ScenarioApplicant,
  differences: Readonly<Record<string, string>>,
): Promise<string> {
  const { values } = firstGiven(applicant);
  const answer = await fetch(`${sandbox.url}/v2/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': defaultAccount.apiKey },
    body: JSON.stringify({
      firstName: values['first_name'],
      lastName: values['last_name'],
      email: applicant.email,
      countryCode: 'SG',
      accountType: applicant.plan.accountType,
      ...(applicant.plan.accountType === 'company' ? { companyName: values['company_name'] } : {}),
      ...differences,
    }),
  });
  if (!answer.ok) throw new Error(`the sandbox: a sign-up: ${await answer.text()}`);
  // The answer may lack the id.
  const user = (await usersAt(sandbox)).find(({ emailSha256 }) => emailSha256 === applicant.emailSha256);
  if (user === undefined) throw new Error('the sandbox does not have a user who was signed up');
  return user.userId;
}

/** The events of a user that payrun's server has received, and those that are still to be sent. */
export async function eventsOf(
  sandbox: RunningSandbox,
  userId: string,
): Promise<{ received: number; waiting: number }> {
  const { deliveries } = await webhooksOf(sandbox);
  const ofUser = deliveries.filter(({ body }) => body.includes(userId));
  return {
    received: ofUser.filter(({ outcome }) => outcome === 'delivered').length,
    waiting: ofUser.filter(({ outcome }) => outcome === 'waiting').length,
  };
}
