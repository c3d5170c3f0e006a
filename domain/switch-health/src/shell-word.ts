/**
 * A name as one word of a command that somebody may paste into a shell. Undefined where none is safe: a name that would
 * be taken for an option, or that does not fit on a line.
 */
export function shellWord(name: string): string | undefined {
  if (/^[\w.:/@%+=][\w.:/@%+=-]*$/.test(name)) return name;
  // eslint-disable-next-line no-control-regex -- those are what must not get into a command
  if (name === '' || name.startsWith('-') || /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name)) return undefined;
  return `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
