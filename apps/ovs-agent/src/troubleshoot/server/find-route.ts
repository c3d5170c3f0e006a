import type { Route } from './call.ts';

/** A route for a request; `undefined` methods: there is something, but not by this method. */
export type FoundRoute =
  | { readonly kind: 'found'; readonly route: Route; readonly parameters: readonly string[] }
  | { readonly kind: 'wrong-method'; readonly methods: readonly string[] }
  | { readonly kind: 'nothing' };

/** Finds the route of a path. A part that is no valid escape fits nothing. */
export function findRoute(routes: readonly Route[], method: string, path: string): FoundRoute {
  const fitting = routes.flatMap((route) => {
    const parameters = parametersOf(route.path, path);
    return parameters === undefined ? [] : [{ route, parameters }];
  });
  const found = fitting.find(({ route }) => route.method === method);
  if (found !== undefined) return { kind: 'found', ...found };
  if (fitting.length === 0) return { kind: 'nothing' };
  return { kind: 'wrong-method', methods: fitting.map(({ route }) => route.method) };
}

function parametersOf(pattern: string, path: string): readonly string[] | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const parameters: string[] = [];
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== text) return undefined;
      continue;
    }
    const decoded = decode(text);
    if (decoded === undefined || decoded === '') return undefined;
    parameters.push(decoded);
  }
  return parameters;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
