/** The mail by which a user gets a code to sign in. */
export interface CodeMail {
  address: string;
  subject: string;
  text: string;
}

/** `publicUrl`: the address of the server, without a slash at the end; null: no link to the console. `until` as people read it. */
export function codeMail(
  { address, code, until }: { address: string; code: string; until: string },
  publicUrl: string | null,
): CodeMail {
  return {
    address,
    subject: 'payrun: your code to sign in',
    text: [
      'An administrator of payrun has made a code by which you sign in once. Nobody else has seen it.',
      '',
      ...(publicUrl === null ? [] : ['At the console:', `  ${publicUrl}/sign-in#link=${encodeURIComponent(code)}`]),
      "At the command line, run 'payrun login' and enter:",
      `  ${code}`,
      '',
      `It works until ${until}. If you did not expect it, do not use it, and tell another administrator.`,
      '',
      'payrun',
      '',
    ].join('\n'),
  };
}
