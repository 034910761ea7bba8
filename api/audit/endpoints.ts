import { json } from '../answers.ts';
import { doneOrChangeSchema } from '../approvals/change.ts';
import { endpoints } from '../endpoint.ts';
import { runParams } from '../runs/run.ts';
import {
  auditPageSchema,
  auditReportSchema,
  auditVerificationQuery,
  globalAuditQuery,
  remarkParams,
  runAuditQuery,
} from './audit.ts';

/** The audit trail: of a run, of everything else, and whether it is unbroken. */
export const auditEndpoints = endpoints({
  listAudit: {
    method: 'GET',
    path: '/runs/:runId/audit',
    access: 'read_runs',
    limitedBy: 'runId',
    tag: 'audit',
    summary: 'What happened to a run and its rows, in order',
    params: runParams,
    query: runAuditQuery,
    answers: { 200: json('A page of entries.', auditPageSchema) },
    errors: [400, 404],
  },
  listGlobalAudit: {
    method: 'GET',
    path: '/audit',
    access: 'read_audit',
    limitedBy: 'all_accounts',
    tag: 'audit',
    summary: 'Entries that belong to no run: users, tokens, policy, sign-ins, stops',
    query: globalAuditQuery,
    answers: { 200: json('A page of entries.', auditPageSchema) },
    errors: [400],
  },
  eraseRemark: {
    method: 'DELETE',
    path: '/remarks/:remarkId',
    access: 'erase_remark',
    limitedBy: 'user',
    tag: 'audit',
    summary: 'Propose to erase what a person wrote; its hash stays in the audit trail',
    params: remarkParams,
    answers: { 200: json('What became of it.', doneOrChangeSchema) },
    errors: [400, 404, 409],
  },
  verifyAudit: {
    method: 'GET',
    path: '/audit/verification',
    access: 'read_runs',
    limitedBy: 'nothing',
    tag: 'audit',
    summary: 'Whether the whole audit trail is as it was written',
    description: 'Recomputes the chain from the first entry on, one request at a time: this takes a while.',
    query: auditVerificationQuery,
    answers: { 200: json('What was found.', auditReportSchema) },
    errors: [400],
    timeoutMs: 3_600_000,
  },
});
