/** Has the browser save a text as a file, as if it had been downloaded. */
export function saveText(text: string, name: string, mediaType: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun with the click, and keeps what it reads.
  URL.revokeObjectURL(address);
}
