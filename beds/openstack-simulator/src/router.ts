import type { JsonObject } from '@smalt/json';

import type { Session } from './identity/identity-books.ts';

/** A request to one service, after its token and its version were looked at. */
export interface ServiceRequest {
  readonly method: string;
  /** The path below the version. */
  readonly path: string;
  /** What stands where a route has names. */
  readonly ids: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  /** The minor number of the microversion; 0 where there are none. */
  readonly version: number;
  readonly session: Session;
  /** The address of the service, for links. */
  readonly baseUrl: string;
  /** Whether no cell can be reached while it is answered. */
  readonly areCellsAway: boolean;
}

export interface Answer {
  readonly status: number;
  /** What is sent as JSON. */
  readonly body?: unknown;
  /** JSON that is written already. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler = (request: ServiceRequest) => Answer;

/** The handlers of a service, by `METHOD /path/{name}`. */
export type Routes = Readonly<Record<string, Handler>>;

interface Route {
  readonly parts: readonly string[];
  readonly handle: Handler;
}

/** Finds who answers a request. */
export class Router {
  readonly #routes = new Map<string, Route[]>();

  constructor(...all: readonly Routes[]) {
    for (const [name, handle] of all.flatMap((routes) => Object.entries(routes))) {
      const [method = '', path = ''] = name.split(' ');
      const parts = path.split('/');
      const key = `${method} ${parts.length}`;
      this.#routes.set(key, [...(this.#routes.get(key) ?? []), { parts, handle }]);
    }
  }

  find(method: string, path: string): { handle: Handler; ids: Record<string, string> } | undefined {
    const parts = path.split('/');
    const route = this.#routes
      .get(`${method} ${parts.length}`)
      ?.find((each) => each.parts.every((part, index) => part.startsWith('{') || part === parts[index]));
    if (route === undefined) return undefined;
    const ids: Record<string, string> = {};
    route.parts.forEach((part, index) => {
      if (part.startsWith('{')) ids[part.slice(1, -1)] = decodeURIComponent(parts[index] ?? '');
    });
    return { handle: route.handle, ids };
  }
}
