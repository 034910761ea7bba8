/** Under which answers to warnings are kept: what was answered to another content, or by somebody else, is no answer to this one. */
export function answersKey(of: { userId: string; runId: string; contentHash: string | null }): readonly unknown[] {
  return ['answers', of.userId, of.runId, of.contentHash];
}
