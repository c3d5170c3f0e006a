/** How many there are, such as `1 host`, or how many of them are shown, such as `2 of 7 hosts`. */
export function countWords(shown: number, all: number, one: string): string {
  const what = all === 1 ? one : `${one}s`;
  return shown === all ? `${all} ${what}` : `${shown} of ${all} ${what}`;
}
