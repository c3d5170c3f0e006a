import { isMapping } from './object-shape.ts';
import { complain, shown, type Read, type Reading, type Shape } from './shape.ts';

/** One of several shapes, told apart by the word in one of their fields. */
export function variant<T extends object>(
  description: string,
  tag: string,
  shapes: Readonly<Record<string, Shape<T>>>,
  fallback?: T,
): Shape<T> {
  const words = Object.keys(shapes).join(', ');
  const what = `a mapping whose ${tag} is one of ${words}`;
  const read = (value: unknown, { path, problems }: Reading): Read<T> => {
    if (!isMapping(value)) return complain({ path, problems }, `${shown(value)} must be ${what} (${description})`);
    const word = value[tag];
    const shape = typeof word === 'string' && Object.hasOwn(shapes, word) ? shapes[word] : undefined;
    if (shape !== undefined) return shape.read(value, { path, problems });
    return complain({ path: path === '' ? tag : `${path}.${tag}`, problems }, `${shown(word)} must be one of ${words}`);
  };
  const lines = (path: string): ReturnType<Shape<T>['lines']> =>
    Object.entries(shapes).flatMap(([word, shape]) =>
      shape
        .lines(path)
        .map((line) => (line.path === `${path}.${tag}` ? line : { ...line, what: `${line.what} [${word}]` })),
    );
  return { what, description, ...(fallback === undefined ? {} : { fallback: () => fallback }), read, lines };
}
