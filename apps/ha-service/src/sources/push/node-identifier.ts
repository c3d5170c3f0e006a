import type { IncomingMessage } from 'node:http';

/** Which node a request comes from, as it has proved. */
export interface NodeIdentifier {
  /** All names by which the node is known; undefined for nobody we know. Rejects when that cannot be found out now. */
  identify(
    request: Pick<IncomingMessage, 'headers' | 'socket'>,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined>;
}
