/** Whether an object says everything that these fields do. What else it says, such as defaults, does not matter. */
export function holdsFields(whole: unknown, part: unknown): boolean {
  if (whole === part || part === undefined) return true;
  if (Array.isArray(part)) {
    return (
      Array.isArray(whole) && whole.length === part.length && part.every((item, at) => holdsFields(whole[at], item))
    );
  }
  if (!isFields(part) || !isFields(whole)) return false;
  return Object.entries(part).every(([name, value]) => holdsFields(whole[name], value));
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
