/** One request that was let in. */
export interface Call {
  /** Whoever makes it, as the cluster calls them. */
  readonly caller: string;
  /** What stands in the path where the route has a `:name`. */
  readonly parameters: readonly string[];
  readonly query: URLSearchParams;
  /** From JSON; undefined where the request has none. */
  readonly body: unknown;
  /** Whether lines for people are wanted, not JSON. */
  readonly wantsText: boolean;
  /** Fires when the caller goes away, when it takes too long, or when the agent stops. */
  readonly signal: AbortSignal;
}

/** What is answered. What a stream gives at its end goes into trailers, and into the audit. */
export type Reply =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'stream';
      readonly type: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly chunks: AsyncGenerator<Buffer | string, Readonly<Record<string, string>>>;
      /** Fires when it has to be over; that of the call unless given. */
      readonly until?: AbortSignal;
    };

/** Ends what a call has begun, once the answer is sent or cannot be. */
export interface Answered {
  readonly reply: Reply;
  readonly resources?: AsyncDisposable;
}

type CallHandler = (call: Call) => Promise<Answered>;

/** What a caller needs the right to do, below `ovsnodes` of `ovs.c5c3.io`. */
interface RouteAccess {
  readonly subresource: 'trace' | 'capture' | 'flows' | 'diagnostics';
  readonly verb: 'get' | 'create';
}

export interface Route {
  readonly method: 'GET' | 'POST';
  /** `/v1/ports/:name`. */
  readonly path: string;
  /** Undefined: everybody whom the cluster knows. */
  readonly access: RouteAccess | undefined;
  /** Whether it has a time limit of its own. */
  readonly isLong: boolean;
  readonly handle: CallHandler;
}
