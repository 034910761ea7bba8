import type { ProxiedRequest } from '../provider-proxy.ts';
import { sha256Of } from './applicants.ts';

/** Statuses with which a provider says that it has not begun: only then may a sign-up be sent again. */
const WITHOUT_EFFECT = [401, 403, 429];

interface SignUps {
  /** All that were sent, and those of them that may have had an effect. */
  sent: number;
  effective: number;
  /** Without an answer yet: they may still take effect. */
  underWay: number;
}

/** Counts the sign-ups that the workers send, by applicant: independently of the sandbox and of payrun's record. */
export class SignUpRequests {
  readonly #byMail = new Map<string, SignUps>();

  /** Call it with every request that passes the proxy. */
  note({ operation, phase, sent, status }: ProxiedRequest): void {
    if (operation !== 'user-signup-v2') return;
    const mail = mailIn(sent);
    const counts = this.of(mail);
    if (phase === 'sent') {
      this.#byMail.set(mail, {
        sent: counts.sent + 1,
        effective: counts.effective + 1,
        underWay: counts.underWay + 1,
      });
      return;
    }
    const hadNone = status !== null && WITHOUT_EFFECT.includes(status);
    this.#byMail.set(mail, {
      ...counts,
      effective: counts.effective - (hadNone ? 1 : 0),
      underWay: counts.underWay - 1,
    });
  }

  of(emailSha256: string): SignUps {
    return this.#byMail.get(emailSha256) ?? { sent: 0, effective: 0, underWay: 0 };
  }

  total(): number {
    return [...this.#byMail.values()].reduce((sum, { sent }) => sum + sent, 0);
  }

  mails(): string[] {
    return [...this.#byMail.keys()];
  }
}

/** SHA-256 of the mail address in a sign-up. A body without one is counted as one more person. */
function mailIn(body: Buffer): string {
  const email = /"email":"([^"]+)"/.exec(body.toString('utf8'))?.[1] ?? '';
  return sha256Of(email.toLowerCase());
}
