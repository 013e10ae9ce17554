/** Hands a file to the browser, as a download. */
export function saveAs(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download has begun by then; until it has, the address must hold.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
