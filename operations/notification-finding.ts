import type { EndpointHealth } from '../store/notifications/endpoints.ts';
import type { Finding } from './finding.ts';

/** Whether notifications arrive. `mailServer`: whether this environment has one; null: it is not that of a worker. */
export function notificationFinding(endpoints: readonly EndpointHealth[], mailServer: boolean | null): Finding | null {
  const used = endpoints.filter(({ state }) => state === 'enabled' || state === 'disabled');
  if (used.length === 0) return null;
  const subject = 'notifications';
  // What an administrator disabled is meant to be so.
  const lost = used.filter(({ state, stateReason }) => state === 'disabled' && stateReason !== 'by_administrator');
  const isMailMissing = mailServer === false && used.some(({ kind, state }) => kind === 'mail' && state === 'enabled');
  const problems = lost.map(
    ({ name, stateReason }) =>
      `${name} is disabled (${stateReason ?? ''}): correct its receiver, then 'payrun notifications endpoints enable ${name}'`,
  );
  if (problems.length > 0) return { subject, problem: problems.join('; '), detail: '' };
  const failing = used.filter(({ state, failingSince }) => state === 'enabled' && failingSince !== null);
  const warnings = [
    ...failing.map(({ name }) => `; WARNING: nothing can be delivered to ${name}`),
    ...(isMailMissing
      ? ['; WARNING: a worker with this environment has no mail server: set PAYRUN_SMTP_URL and PAYRUN_MAIL_FROM']
      : []),
  ].join('');
  const enabled = used.filter(({ state }) => state === 'enabled');
  return {
    subject,
    problem: null,
    detail: `go to ${enabled.map(({ name }) => name).join(', ') || 'nobody'}${warnings}`,
  };
}
