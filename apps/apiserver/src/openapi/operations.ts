import type { GroupVersionKind, Resource } from '@smalt/resource';

import { subresourcesOf, type Subresource } from '../discovery/subresources.ts';
import type { OperationKind } from './operation-parameters.ts';

/** One operation on one path, before it is written in a version of OpenAPI. */
export interface Operation {
  readonly path: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly kind: OperationKind;
  readonly action: string;
  readonly operationId: string;
  readonly gvk: GroupVersionKind;
  /** The kind of the answer and of the body; a list answers with a kind of its own. */
  readonly answers: GroupVersionKind;
}

const METHODS = {
  get: 'get',
  list: 'get',
  create: 'post',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
} as const;
const ACTIONS = {
  get: 'get',
  list: 'list',
  create: 'post',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'deletecollection',
};
const WORDS = {
  get: 'read',
  list: 'list',
  create: 'create',
  update: 'replace',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'deleteCollection',
};

/** Every operation on a resource and its subresources. */
export function operationsOf(resource: Resource): readonly Operation[] {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const collection = `${root}${resource.isNamespaced ? '/namespaces/{namespace}' : ''}/${resource.plural}`;
  const base = new OperationWriter(resource, '');
  const found = [
    ...base.write(collection, intersect(resource.verbs, ['list', 'create', 'deletecollection'])),
    ...base.write(`${collection}/{name}`, intersect(resource.verbs, ['get', 'update', 'patch', 'delete'])),
  ];
  if (resource.isNamespaced && resource.verbs.includes('list')) {
    found.push(...new OperationWriter(resource, 'ForAllNamespaces').write(`${root}/${resource.plural}`, ['list']));
  }
  for (const subresource of subresourcesOf(resource)) {
    const verbs = intersect(subresource.verbs, ['get', 'create', 'update', 'patch']);
    found.push(
      ...new OperationWriter(resource, '', subresource).write(`${collection}/{name}/${subresource.name}`, verbs),
    );
  }
  return found;
}

function intersect<T extends string>(verbs: readonly string[], wanted: readonly T[]): readonly T[] {
  return wanted.filter((verb) => verbs.includes(verb));
}

class OperationWriter {
  readonly #resource: Resource;
  readonly #suffix: string;
  readonly #subresource: Subresource | undefined;

  constructor(resource: Resource, suffix: string, subresource?: Subresource) {
    this.#resource = resource;
    this.#suffix = suffix;
    this.#subresource = subresource;
  }

  write(path: string, kinds: readonly OperationKind[]): readonly Operation[] {
    return kinds.map((kind) => this.#operation(path, kind));
  }

  #operation(path: string, kind: OperationKind): Operation {
    const { group, version, listKind, isNamespaced } = this.#resource;
    const gvk = this.#kind();
    const scope = isNamespaced && this.#suffix === '' ? 'Namespaced' : '';
    const name = `${titleCase(group)}${titleCase(version)}${scope}${this.#resource.kind}`;
    return {
      path,
      method: METHODS[kind],
      kind,
      action: ACTIONS[kind],
      operationId: `${WORDS[kind]}${name}${titleCase(this.#subresource?.name ?? '')}${this.#suffix}`,
      gvk,
      answers: kind === 'list' ? { group, version, kind: listKind } : gvk,
    };
  }

  #kind(): GroupVersionKind {
    const { group, version, kind } = this.#subresource ?? this.#resource;
    return { group, version, kind };
  }
}

// `rbac.authorization.k8s.io` becomes `RbacAuthorization`, the core group `Core`.
function titleCase(text: string): string {
  if (text === '') return '';
  const words = text.replace(/\.k8s\.io$/, '').split(/[.-]/);
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}
