/** The mail server that mails are sent by. */
export interface MailServer {
  /** `smtp://` or `smtps://`, with the login. A secret. */
  url: string;
  from: string;
  /** Without it, a mail server that offers no encryption gets the login and the mail in clear. */
  requireTls: boolean;
}
