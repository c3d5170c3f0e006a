import { expect, it } from 'vitest';

import { renderedChanges } from './rendered-changes.ts';
import type { RenderedObject } from './rendered-objects.ts';

it('names the deepest fields that differ, and the objects that have them', () => {
  const before = [anObject('a', { replicas: 1, args: ['x', 'y'] }), anObject('b', { replicas: 1, args: [] })];
  const after = [anObject('a', { replicas: 2, args: ['x', 'z'] }), anObject('b', { replicas: 2, args: ['new'] })];

  expect(renderedChanges(before, after)).toEqual([
    'spec.args: Deployment b',
    'spec.args[]: Deployment a',
    'spec.replicas: Deployment a, Deployment b',
  ]);
});

it('tells what came and what went', () => {
  const before = [anObject('a', { old: 1 }), anObject('gone', {})];
  const after = [anObject('a', { young: { deep: 1 } }), anObject('new', {})];

  expect(renderedChanges(before, after)).toEqual([
    '+ all: Deployment new',
    '+ spec.young: Deployment a',
    '- all: Deployment gone',
    '- spec.old: Deployment a',
  ]);
});

it('counts objects where they are many, and finds nothing between two that are the same', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const objects = names.map((name) => anObject(name, { x: 1 }));

  expect(renderedChanges(objects, objects)).toEqual([]);
  expect(renderedChanges([], objects)).toEqual([
    '+ all: Deployment a, Deployment b, Deployment c, Deployment d and 2 more',
  ]);
});

function anObject(name: string, spec: unknown): RenderedObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec };
}
