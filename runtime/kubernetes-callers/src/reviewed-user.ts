/** Who somebody is, as the cluster says. */
export interface ReviewedUser {
  readonly name: string;
  /** All that the cluster says of it: `username`, `groups`, `uid` and `extra`. */
  readonly user: unknown;
}
