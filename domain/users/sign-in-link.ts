/** The address of a server for browsers: passkeys work under a name alone, and of this machine that is `localhost`. */
export function consoleAddress(serverUrl: string): string {
  return serverUrl.replace(/^http:\/\/(127\.0\.0\.1|\[::1\])(?=:|\/|$)/, 'http://localhost').replace(/\/+$/, '');
}

/** Where the console takes a one-time link: a page of its own. The code is behind the `#`, so that it gets into no log on its way. */
export function signInLink(serverUrl: string, code: string): string {
  return `${consoleAddress(serverUrl)}/sign-in#link=${encodeURIComponent(code)}`;
}
