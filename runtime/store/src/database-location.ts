/** Where a database is. A password may be in the URL; it is never told to anybody. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | {
      readonly kind: 'postgres';
      /** `postgres://user@host:port/database`; `?sslmode=disable` or `verify-full`, `?host=/run/postgresql` for a socket. */
      readonly url: string;
      readonly tls?: PostgresTls | undefined;
      /** Asked for at every new connection, so that a password may change. */
      readonly readPassword?: (() => Promise<string>) | undefined;
    };

/** PEM texts. Without `ca` the authorities of the system are trusted. */
export interface PostgresTls {
  readonly ca?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}
