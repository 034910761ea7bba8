/** Equal for texts that a translation takes for the same: capitals and blanks do not count. */
export function translationKey(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase();
}
