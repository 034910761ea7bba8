/** What a code means: why it appears, and what to do. Whole sentences, in Markdown, for people in accounts payable. */
export interface Explanation {
  cause: string;
  fix: string;
}
