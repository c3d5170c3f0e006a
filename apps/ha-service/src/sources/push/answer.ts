/** What an agent is answered. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfterSeconds?: number;
}

/** All up to this number are stored for good. */
export function acknowledge(epoch: string, acknowledged: number): Answer {
  return { status: 200, body: JSON.stringify({ epoch, acknowledged }) };
}

export interface Refusal {
  readonly status: number;
  readonly error: string;
  /** With it the agent knows that this is not the word of a proxy, and sets records aside. */
  readonly epoch?: string | undefined;
  readonly sequence?: number | undefined;
  readonly retryAfterSeconds?: number;
}

export function refuse({ status, retryAfterSeconds, ...body }: Refusal): Answer {
  return { status, body: JSON.stringify(body), ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}
