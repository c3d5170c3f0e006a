/** One request to a server that is known already. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  /** Gives up, also while the answer is read. */
  readonly signal?: AbortSignal | undefined;
  /** How long the server may take to begin its answer; any time if not given. */
  readonly headTimeoutMs?: number | undefined;
  /** How long it may be silent within its answer; any time if not given. */
  readonly bodyTimeoutMs?: number | undefined;
}

/** An answer whose head has come. Its body has to be read, or left, for the connection to be free again. */
export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: HttpBody;
}

/** To be read once, either way. */
export interface HttpBody extends AsyncIterable<Buffer> {
  text(): Promise<string>;
  /** What was told after the body; nothing before all of it was read. */
  readonly trailers?: Readonly<Record<string, string | undefined>>;
}

/** Something that takes requests to one server. Whatever keeps one from being answered is thrown. */
export interface HttpDispatcher {
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Takes no more requests, and resolves when those under way have ended. */
  close(): Promise<void>;
  /** Ends those under way as well. */
  destroy(): Promise<void>;
}
