/** How to reach an API server and who to be there. */
export interface KubeConfig {
  readonly server: string;
  readonly tls: TlsConfig;
  readonly identity: Identity;
  /** Where objects go that name no namespace. */
  readonly namespace: string;
  readonly proxyUrl?: string | undefined;
}

export interface TlsConfig {
  /** The authority that vouches for the server, PEM; those of the operating system without one. */
  readonly authority?: FileOrText | undefined;
  /** The name to look for in the server's certificate, if not the one in its address. */
  readonly serverName?: string | undefined;
  /** Whether to believe any server. Only where somebody asked for it. */
  readonly isInsecure: boolean;
}

/** Something that stands in a file, which may change, or in the configuration itself. */
export type FileOrText =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'text'; readonly text: string };

export type Identity =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'token'; readonly token: FileOrText }
  | { readonly kind: 'certificate'; readonly certificate: FileOrText; readonly key: FileOrText }
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  | { readonly kind: 'exec'; readonly plugin: ExecPlugin };

/** A program that prints credentials. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly installHint?: string | undefined;
  readonly isClusterInfoProvided: boolean;
}
