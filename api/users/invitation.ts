import { z } from 'zod';
import { changeStateSchema } from '../approvals/change.ts';
import { instant } from '../fields.ts';
import { tokenLabel, validDays } from './token.ts';

export const invitationSchema = z
  .object({ code: z.string().describe('Works once: hand it to the user.'), expiresAt: instant })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof invitationSchema>;

export const mailedCodeSchema = z
  .object({
    to: z.string(),
    expiresAt: instant,
    problem: z
      .string()
      .nullable()
      .describe('Why it was not sent: this code works no more, so make another one. Null: it was sent.'),
  })
  .meta({ id: 'MailedCode', description: 'A code that goes to its user by mail, and that nobody else sees.' });
export type MailedCode = z.infer<typeof mailedCodeSchema>;

export const invitedUserSchema = z
  .union([
    z.object({ invitation: invitationSchema }),
    z.object({ mailed: mailedCodeSchema }),
    z.object({ change: changeStateSchema }),
  ])
  .meta({
    id: 'InvitedUser',
    description: 'A code, where it was mailed, or the change that must be confirmed before there is one.',
  });
export type InvitedUser = z.infer<typeof invitedUserSchema>;

export const invitationAcceptanceSchema = z
  .strictObject({ code: z.string().min(1).max(200), label: tokenLabel.default('sign-in'), validDays })
  .meta({ id: 'InvitationAcceptance' });
export type InvitationAcceptance = z.input<typeof invitationAcceptanceSchema>;
