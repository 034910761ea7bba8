import type { ApplicationDependencies } from '../application-dependencies.ts';
import { bindUseCases } from '../bind-use-cases.ts';
import { addUser, inviteUser } from './invite-users.ts';
import { createUploadAdmission, useReport } from './daily-quotas.ts';
import {
  acceptInvitation,
  decideChange,
  disableUser,
  enableUser,
  eraseRemark,
  grantRoles,
  issueToken,
  limitUser,
  listChanges,
  listTokens,
  listUsers,
  removeRole,
  revokeToken,
  setMail,
} from './manage-users.ts';
import { isSignedIn, noteRead, noteRefusedAccess, signIn } from './sign-in.ts';

export function userUseCases(dependencies: ApplicationDependencies) {
  const admitUpload = createUploadAdmission(dependencies);
  return {
    admitUpload,
    ...bindUseCases(dependencies, {
      listUsers,
      addUser,
      inviteUser,
      acceptInvitation,
      grantRoles,
      removeRole,
      disableUser,
      enableUser,
      limitUser,
      setMail,
      listChanges,
      decideChange,
      listTokens,
      issueToken,
      revokeToken,
      eraseRemark,
      signIn,
      isSignedIn,
      noteRead,
      noteRefusedAccess,
      useReport,
    }),
  };
}
