/** As the inside of a character class, for patterns of every language: the API's document has them. */
const UNSAFE_BEYOND_ASCII = String.raw`\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff`;

/**
 * Control characters, and those that hide or reorder the text that an approver reads: refused in every cell, in every text
 * of an applicant, and in what people write: names, labels, remarks, names of files. Names of beneficiaries have no further rule of
 * payrun's own: any script and punctuation is accepted that the provider's requirements for the corridor accept
 * (check-requirements.ts). The joiners U+200C and U+200D are letters' own in Persian and in scripts of India.
 */
export const UNSAFE_CHARACTER = new RegExp(String.raw`[\u0000-\u001f${UNSAFE_BEYOND_ASCII}\u{e0000}-\u{e007f}]`, 'u');

/** Scripts whose letters are joined or kept apart by U+200D and U+200C. */
const WITH_JOINERS = [
  'Arab',
  'Syrc',
  'Mong',
  'Deva',
  'Beng',
  'Gujr',
  'Guru',
  'Knda',
  'Mlym',
  'Orya',
  'Sinh',
  'Taml',
  'Telu',
  'Khmr',
  'Mymr',
]
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');

/**
 * What nobody sees in a cell that is paid by: by Unicode's properties whatever is not drawn (soft hyphens, fillers, variation selectors,
 * letters of private use), with the joiners where no letter before them needs them. `UNSAFE_CHARACTER` is part of it.
 */
export const UNSEEN_IN_CELL = new RegExp(
  String.raw`(?<![${WITH_JOINERS}])[\u200c\u200d]|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]|[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]` +
    String.raw`|(?![\u200c\u200d\u{e0100}-\u{e01ef}])[\p{Cf}\p{Default_Ignorable_Code_Point}]`,
  'u',
);

/** The same for one line of text, as a pattern of the API. Those beyond U+FFFF are refused by `UNSAFE_CHARACTER` alone. */
export const SAFE_LINE = new RegExp(String.raw`^[^\u0000-\u001f${UNSAFE_BEYOND_ASCII}]*$`);

/** For several lines: line ends and tabs are no harm there. */
export const SAFE_LINES = new RegExp(String.raw`^[^\u0000-\u0008\u000b\u000c\u000e-\u001f${UNSAFE_BEYOND_ASCII}]*$`);

/** Those of the unsafe characters that end a line: they have a message of their own. */
export const LINE_BREAK = /[\r\n\u2028\u2029]/;
