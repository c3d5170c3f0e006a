type Fields = Readonly<Record<string, unknown>>;

/**
 * The newer of two plain values, made of the parts of the older one wherever these say the same. Of what changes little
 * nothing is kept twice then, and a comparison of the two is over at a glance. Neither value is changed.
 */
export function shareStructure<T>(older: unknown, newer: T): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it says the same as the newer one
  return share(older, newer) as T;
}

function share(older: unknown, newer: unknown): unknown {
  if (Array.isArray(newer)) return Array.isArray(older) ? shareItems(older, newer) : newer;
  return isFields(older) && isFields(newer) ? shareFields(older, newer) : newer;
}

// Plain loops: this runs over every object that a watch brings.
function shareItems(older: readonly unknown[], newer: readonly unknown[]): readonly unknown[] {
  // After an item that was added or taken away all others have moved.
  const shift = newer.length - older.length;
  const shared: unknown[] = [];
  let isSame = shift === 0;
  for (let index = 0; index < newer.length; index++) {
    let item = share(older[index], newer[index]);
    if (shift !== 0 && item !== older[index]) item = share(older[index - shift], newer[index]);
    isSame &&= item === older[index];
    shared.push(item);
  }
  return isSame ? older : shared;
}

function shareFields(older: Fields, newer: Fields): Fields {
  let copy: Record<string, unknown> | undefined;
  let isSame = true;
  let count = 0;
  for (const name in newer) {
    count++;
    const before = Object.hasOwn(older, name) ? older[name] : undefined;
    const value = share(before, newer[name]);
    isSame &&= value === before && Object.hasOwn(older, name);
    // A field of this name may be there, but to set it would mean something else.
    if (value !== newer[name] && name !== '__proto__') (copy ??= { ...newer })[name] = value;
  }
  for (const _name in older) count--;
  return isSame && count === 0 ? older : (copy ?? newer);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
