/** Shortens a text to what a width has room for, in the middle: names of ports differ at their ends. */
export function fitText(text: string, width: number, charWidth: number): string {
  const most = Math.max(3, Math.floor(width / charWidth));
  if (text.length <= most) return text;
  const tail = Math.floor((most - 1) / 2);
  return `${text.slice(0, most - 1 - tail)}…${text.slice(text.length - tail)}`;
}
