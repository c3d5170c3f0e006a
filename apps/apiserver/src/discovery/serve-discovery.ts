import { createHash } from 'node:crypto';

import { printJson, type JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { notAcceptableError } from '../errors/make-status-error.ts';
import { JSON_TYPE, parseAccept, type AcceptClause } from '../http/negotiate.ts';
import { aggregatedDiscovery, coreVersions, groupDocument, groupList, resourceList } from './group-documents.ts';
import { servedGroups, type ServedGroup } from './served-groups.ts';

/** A discovery document as it goes out. */
export interface DiscoveryAnswer {
  readonly body: Buffer;
  readonly contentType: string;
  /** Only the aggregated form has one. */
  readonly etag?: string;
}

/** Answers discovery requests from the resources that are served right now; what it made is kept until they change. */
export class Discovery {
  readonly #resources: () => Iterable<Resource>;
  readonly #address: () => string;
  readonly #answers = new Map<string, DiscoveryAnswer | undefined>();
  #groups: readonly ServedGroup[] | undefined;

  constructor(resources: () => Iterable<Resource>, address: () => string) {
    this.#resources = resources;
    this.#address = address;
  }

  /** To be called when resources came, went or changed. */
  invalidate(): void {
    this.#groups = undefined;
    this.#answers.clear();
  }

  groups(): readonly ServedGroup[] {
    this.#groups ??= servedGroups(this.#resources());
    return this.#groups;
  }

  /** Whether a group has kinds that are built in. */
  isBuiltIn(name: string): boolean {
    const versions = this.#group(name)?.versions ?? [];
    return versions.some(({ resources }) => resources.some((resource) => resource.isBuiltIn));
  }

  /** The document at `/api`, `/apis` or below; undefined where there is none. */
  answer(path: string, accept: string | undefined): DiscoveryAnswer | undefined {
    const parts = path.split('/').filter((part) => part !== '');
    const isRoot = parts.length === 1;
    const form = chooseForm(accept, isRoot);
    const key = `${form} ${parts.join('/')}`;
    if (this.#answers.has(key)) return this.#answers.get(key);
    const answer = form === 'plain' ? this.#plain(parts) : this.#aggregated(parts[0] === 'api', form);
    // Only what exists is kept, or a client could fill the memory with paths.
    if (answer !== undefined) this.#answers.set(key, answer);
    return answer;
  }

  #plain(parts: readonly string[]): DiscoveryAnswer | undefined {
    const document = this.#document(parts);
    if (document === undefined) return undefined;
    return { body: Buffer.from(`${printJson(document)}\n`), contentType: JSON_TYPE };
  }

  #document([root, first, second, ...more]: readonly string[]): JsonObject | undefined {
    if (more.length > 0) return undefined;
    if (first === undefined)
      return root === 'api' ? coreVersions(this.groups(), this.#address()) : groupList(this.groups());
    if (root === 'api') return second === undefined ? this.#resourceList('', first) : undefined;
    if (second !== undefined) return this.#resourceList(first, second);
    const group = this.#group(first);
    return group === undefined ? undefined : groupDocument(group);
  }

  #group(name: string): ServedGroup | undefined {
    return this.groups().find((group) => group.name === name);
  }

  #resourceList(group: string, version: string): JsonObject | undefined {
    const served = this.#group(group)?.versions.find((candidate) => candidate.version === version);
    return served === undefined ? undefined : resourceList(group, served);
  }

  #aggregated(isCore: boolean, version: 'v2' | 'v2beta1'): DiscoveryAnswer {
    const groups = this.groups().filter(({ name }) => (name === '') === isCore);
    const body = Buffer.from(`${printJson(aggregatedDiscovery(groups, version))}\n`);
    const etag = `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`;
    return { body, etag, contentType: `${JSON_TYPE};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList` };
  }
}

type Form = 'plain' | 'v2' | 'v2beta1';

function chooseForm(accept: string | undefined, isRoot: boolean): Form {
  if (accept === undefined || accept === '') return 'plain';
  for (const clause of parseAccept(accept)) {
    const form = formOf(clause, isRoot);
    if (form !== undefined) return form;
  }
  throw notAcceptableError([JSON_TYPE]);
}

function formOf({ type, parameters }: AcceptClause, isRoot: boolean): Form | undefined {
  if (type !== JSON_TYPE && type !== '*/*' && type !== 'application/*') return undefined;
  if (!parameters.has('as')) return 'plain';
  const version = parameters.get('v');
  const isKnown = parameters.get('g') === 'apidiscovery.k8s.io' && parameters.get('as') === 'APIGroupDiscoveryList';
  return isRoot && isKnown && (version === 'v2' || version === 'v2beta1') ? version : undefined;
}
