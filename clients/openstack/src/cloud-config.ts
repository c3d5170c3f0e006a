import type { Secret } from '@smalt/secret';

/** The services this client speaks to, besides Keystone. */
export type ServiceName = 'compute' | 'placement' | 'image' | 'network' | 'volume';

/** Which of a service's addresses to use. */
export type EndpointInterface = 'public' | 'internal' | 'admin';

export type DomainReference = { readonly id: string } | { readonly name: string };

/** A user or a project: by id, or by a name that is unique in its domain. */
export type OwnedReference = { readonly id: string } | { readonly name: string; readonly domain: DomainReference };

/** How to prove who this is. */
export type CloudIdentity =
  | { readonly kind: 'password'; readonly user: OwnedReference; readonly password: Secret }
  | {
      readonly kind: 'application-credential';
      readonly credential: { readonly id: string } | { readonly name: string; readonly user: OwnedReference };
      readonly secret: Secret;
    }
  | { readonly kind: 'token'; readonly token: Secret };

/** What the rights are for. An application credential has its project within, so it goes with `none`. */
export type CloudScope =
  | { readonly kind: 'none' }
  | { readonly kind: 'project'; readonly project: OwnedReference }
  | { readonly kind: 'domain'; readonly domain: DomainReference }
  | { readonly kind: 'system' };

export interface CloudTls {
  /** Certificates to trust instead of those of the system. */
  readonly authorityFile?: string | undefined;
  readonly certificateFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Whether to believe any certificate. */
  readonly isInsecure: boolean;
}

/** How to reach a cloud, and as whom. */
export interface CloudConfig {
  /** The address of Keystone, with its version: `https://…/v3`. */
  readonly authUrl: string;
  readonly identity: CloudIdentity;
  readonly scope: CloudScope;
  /** May be left out where the catalog has one region only. */
  readonly region?: string | undefined;
  readonly interface: EndpointInterface;
  readonly tls: CloudTls;
  /** Addresses to use instead of those of the catalog. */
  readonly endpoints?: Readonly<Partial<Record<ServiceName, string>>> | undefined;
}
