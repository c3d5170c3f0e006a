/** Something a connection survived but nobody should have to guess at. */
export interface OvsWarning {
  /**
   * `missing-column`: the server's schema lacks a table or column, or has it with another type; it is left at its
   * default. `late-reply`: the reply to a request that had been given up. `lost-connection`: the connection ended or
   * could not be made; it is made again. `unknown-notification`: a message that nobody asked for. `failed-listener`:
   * a listener threw. `failed-cancel`: a monitor that nobody reads any more could not be ended. `unfiltered`: the
   * server is too old to filter rows, so all of them come.
   */
  readonly kind:
    | 'missing-column'
    | 'late-reply'
    | 'lost-connection'
    | 'unknown-notification'
    | 'failed-listener'
    | 'failed-cancel'
    | 'unfiltered';
  readonly message: string;
  readonly cause?: unknown;
}
