/** Whether every word that was typed stands somewhere in the text, whatever the case. */
export function matchesText(typed: string, text: string): boolean {
  const given = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => given.includes(word));
}
