import type { Verb } from '@smalt/resource';

import { KubernetesApiError } from './kubernetes-api-error.ts';

const VERBS: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

export interface KindLine {
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  readonly verbs: readonly Verb[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly hasStatus: boolean;
  readonly subresources: readonly SubresourceLine[];
}

export interface SubresourceLine {
  readonly name: string;
  /** Empty for the version of the kind itself. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly verbs: readonly Verb[];
}

/** Reads what a `.kinds` file says about how a kind is served: `Pod pods namespaced short=po category=all status`. */
export function parseKindLine(line: string): KindLine {
  const [kind = '', plural = '', scope = '', ...flags] = line.split(' ');
  const valuesOf = (word: string): readonly string[] =>
    flags.filter((flag) => flag.startsWith(`${word}=`)).map((flag) => flag.slice(word.length + 1));
  return {
    kind,
    plural,
    isNamespaced: scope === 'namespaced',
    verbs: readVerbs(valuesOf('verbs')[0], VERBS),
    shortNames: valuesOf('short').flatMap((value) => value.split(',')),
    categories: valuesOf('category').flatMap((value) => value.split(',')),
    hasStatus: flags.includes('status'),
    subresources: valuesOf('sub').map(readSubresource),
  };
}

function readSubresource(text: string): SubresourceLine {
  const [name = '', kindText = '', verbs = ''] = text.split(':');
  const slash = kindText.lastIndexOf('/');
  return {
    name,
    apiVersion: kindText.slice(0, Math.max(slash, 0)),
    kind: kindText.slice(slash + 1),
    verbs: readVerbs(verbs, []),
  };
}

function readVerbs(text: string | undefined, otherwise: readonly Verb[]): readonly Verb[] {
  if (text === undefined || text === '') return otherwise;
  return text.split(',').map((word) => {
    const verb = VERBS.find((known) => known === word);
    if (verb === undefined) throw new KubernetesApiError('malformed', `"${word}" is not a verb`);
    return verb;
  });
}
