import { plainUserStatus } from '../../domain/onboarding/user-status.ts';
import type { Queryable } from '../database/database.ts';
import type { CaseSeal } from './case-content.ts';

/** Keeps what the provider wrote about the applicant, sealed, and the same text once. `refused`: as the reason of a refusal. */
export async function keepProviderRemark(
  database: Queryable,
  seal: CaseSeal,
  remark: { caseId: string; providerStatus: string; text: string },
): Promise<void> {
  const status = remark.providerStatus === 'refused' ? 'refused' : plainUserStatus(remark.providerStatus);
  await database.query(
    `with kept as (
       insert into case_remarks (case_id, provider_status, text_hmac, sealed) values ($1, $2, $3, $4)
       on conflict do nothing returning case_id, remark_id
     )
     insert into audit_entries (actor, kind, detail)
     select 'worker', 'case_remark_recorded', jsonb_build_object('case', case_id, 'remark', remark_id, 'status', $2::text)
     from kept`,
    [remark.caseId, status, seal.hmac(remark.text), seal.sealRemark(remark.text)],
  );
}
