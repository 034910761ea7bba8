/** Of commands that may take a second factor: the program's option of that name, which the client shows where the server asks. */
export const CODE_OPTION = [
  '--code <digits>',
  'a code of your authenticator app, where the policy asks for a second factor',
] as const;
