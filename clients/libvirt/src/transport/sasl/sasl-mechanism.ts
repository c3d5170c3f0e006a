/** What a client says next: `data` absent means nothing at all, which SASL tells apart from an empty message. */
export interface SaslResponse {
  readonly data: Buffer | undefined;
  /** Whether the client is satisfied: it has proved itself and, where the mechanism can, has checked the server. */
  readonly isDone: boolean;
}

/** The client's side of one SASL exchange. It knows no network: messages go in and come out. */
export interface SaslMechanism {
  readonly name: string;
  start(): SaslResponse;
  step(challenge: Uint8Array | undefined): Promise<SaslResponse>;
}

/** Who the client says it is. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}
