/** Something a connection survived but nobody should have to guess at. */
export interface LibvirtWarning {
  /**
   * `undecodable-event`: an event was lost, its bytes make no sense. `unknown-event`: the daemon sent a kind of event
   * that this client does not know. `late-reply`: the reply to a call that had been given up.
   * `failed-deregistration`: the daemon goes on sending events that nobody reads.
   */
  readonly kind: 'undecodable-event' | 'unknown-event' | 'late-reply' | 'failed-deregistration';
  readonly message: string;
  readonly cause?: unknown;
}
