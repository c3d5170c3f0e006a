import { printJson } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import type { LocalApiDocuments } from '../aggregation/aggregated-apis.ts';
import type { ServedGroup } from '../discovery/served-groups.ts';
import type { Exchange } from '../http/exchange.ts';
import { JSON_TYPE, parseAccept } from '../http/negotiate.ts';
import { acceptsGzip } from '../http/send-body.ts';
import { hashOf, PackedDocuments, type PackedDocument } from './packed-documents.ts';

const V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const V2_PROTOBUF_ASKED: ReadonlySet<string> = new Set([
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
]);
const ONE_YEAR_MS = 365 * 24 * 3600 * 1000;

/** Answers `/openapi/v3`, its documents, and `/openapi/v2`. Nothing is made before somebody asks for it. */
export class OpenApi {
  readonly #groups: () => readonly ServedGroup[];
  readonly #version: string;
  readonly #foreign: () => ReadonlyMap<string, LocalApiDocuments>;
  readonly #documents = new PackedDocuments();
  readonly #hashes = new WeakMap<Resource, string>();
  #index: ReadonlyMap<string, string> | undefined;

  constructor(
    groups: () => readonly ServedGroup[],
    version: string,
    foreign: () => ReadonlyMap<string, LocalApiDocuments> = () => new Map(),
  ) {
    this.#groups = groups;
    this.#version = version;
    this.#foreign = foreign;
  }

  /** To be called when resources came, went or changed. */
  invalidate(): void {
    this.#index = undefined;
    this.#documents.clear();
  }

  /** Answers a request below `/openapi`; false when there is nothing at that path. */
  async serve(exchange: Exchange, path: string, query: URLSearchParams): Promise<boolean> {
    const document = path.replace(/\/$/, '');
    if (document === '/openapi/v2') {
      await this.#serveV2(exchange);
      return true;
    }
    if (document === '/openapi/v3') {
      await this.#serveIndex(exchange);
      return true;
    }
    const prefix = '/openapi/v3/';
    return (
      document.startsWith(prefix) && this.#serveGroupVersion(exchange, document.slice(prefix.length), query.get('hash'))
    );
  }

  async #serveIndex(exchange: Exchange): Promise<void> {
    const paths = [...this.#hashesByPath()].map(([path, hash]) => [path, { serverRelativeURL: urlOf(path, hash) }]);
    const body = Buffer.from(printJson({ paths: Object.fromEntries(paths) }));
    const etag = hashOf(body);
    if (isUnchanged(exchange, etag)) return;
    exchange.send(200, JSON_TYPE, body);
  }

  async #serveGroupVersion(exchange: Exchange, path: string, hash: string | null): Promise<boolean> {
    const current = this.#hashesByPath().get(path);
    if (current === undefined) return false;
    exchange.setHeader('Vary', 'Accept, Accept-Encoding');
    if (hash !== null && hash !== '' && hash !== current) {
      exchange.setHeader('Location', urlOf(path, current));
      exchange.sendEmpty(301);
      return true;
    }
    if (hash === current) {
      exchange.setHeader('Cache-Control', 'public, immutable');
      exchange.setHeader('Expires', new Date(Date.now() + ONE_YEAR_MS).toUTCString());
    }
    if (!isUnchanged(exchange, current)) await sendPacked(exchange, JSON_TYPE, await this.#documentV3(path));
    return true;
  }

  #documentV3(path: string): Promise<PackedDocument> {
    return this.#documents.get(path, async () => {
      const foreign = this.#foreign().get(path);
      if (foreign !== undefined) return Buffer.from(printJson(foreign.v3));
      const [{ documentV3 }, { componentsOf }] = await Promise.all([
        import('./document-v3.ts'),
        import('./component-sources.ts'),
      ]);
      const parts = path.split('/');
      const group = parts.length === 3 ? (parts[1] ?? '') : '';
      const version = parts.at(-1) ?? '';
      const resources = this.#resources(group, version);
      return Buffer.from(printJson(documentV3(resources, componentsOf(group, version, resources), this.#version)));
    });
  }

  #resources(group: string, version: string): readonly Resource[] {
    const served = this.#groups().find((candidate) => candidate.name === group);
    return served?.versions.find((candidate) => candidate.version === version)?.resources ?? [];
  }

  async #serveV2(exchange: Exchange): Promise<void> {
    const isProtobuf = parseAccept(exchange.header('accept') ?? '').some(({ type }) => V2_PROTOBUF_ASKED.has(type));
    const form = isProtobuf ? 'v2 protobuf' : 'v2 json';
    const document = await this.#documents.get(form, async () => {
      const [{ documentV2, mergeDocumentsV2 }, { encodeDocumentV2 }, { componentsOf }] = await Promise.all([
        import('./document-v2.ts'),
        import('./encode-document-v2.ts'),
        import('./component-sources.ts'),
      ]);
      const own = documentV2(this.#groups(), componentsOf, this.#version);
      const made = mergeDocumentsV2(
        own,
        [...this.#foreign().values()].map(({ v2 }) => v2),
      );
      return isProtobuf ? encodeDocumentV2(made) : Buffer.from(printJson(made));
    });
    exchange.setHeader('Vary', 'Accept, Accept-Encoding');
    if (!isUnchanged(exchange, document.etag))
      await sendPacked(exchange, isProtobuf ? V2_PROTOBUF : JSON_TYPE, document);
  }

  // The hash of a document comes from what it is made of, so that the index needs none of them.
  #hashesByPath(): ReadonlyMap<string, string> {
    this.#index ??= new Map(
      this.#groups().flatMap(({ name, versions }) =>
        versions.map(({ version, resources }) => {
          const path = name === '' ? `api/${version}` : `apis/${name}/${version}`;
          const foreign = this.#foreign().get(path);
          const parts =
            foreign === undefined ? resources.map((resource) => this.#hash(resource)) : [printJson(foreign.v3)];
          return [path, hashOf([this.#version, path, ...parts].join('\n'))];
        }),
      ),
    );
    return this.#index;
  }

  #hash(resource: Resource): string {
    const known = this.#hashes.get(resource);
    if (known !== undefined) return known;
    const { kind, plural, listKind, isNamespaced, verbs, hasStatus, scale } = resource;
    const facts = { kind, plural, listKind, isNamespaced, verbs, hasStatus, hasScale: scale !== undefined };
    // What a built-in kind is made of does not change while the server runs, nor between two of the same version.
    const text = JSON.stringify(resource.isBuiltIn ? facts : { ...facts, schema: resource.schema });
    const hash = hashOf(text);
    this.#hashes.set(resource, hash);
    return hash;
  }
}

function urlOf(path: string, hash: string): string {
  return `/openapi/v3/${path}?hash=${hash}`;
}

function isUnchanged(exchange: Exchange, hash: string): boolean {
  const etag = `"${hash}"`;
  exchange.setHeader('ETag', etag);
  if (exchange.header('if-none-match') !== etag) return false;
  exchange.sendEmpty(304);
  return true;
}

async function sendPacked(exchange: Exchange, contentType: string, document: PackedDocument): Promise<void> {
  if (acceptsGzip(exchange)) {
    exchange.setHeader('Content-Encoding', 'gzip');
    exchange.send(200, contentType, document.packed);
    return;
  }
  exchange.send(200, contentType, await document.unpacked());
}
