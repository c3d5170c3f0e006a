import type { JsonObject } from '@smalt/json';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { objectAt, objectsAt, textAt, textMapAt, textsAt } from '../identity/object-fields.ts';
import { planAggregation } from './aggregate-roles.ts';

describe('planAggregation', () => {
  it('gathers rules by selector, then by name, each once, as the real controller does', () => {
    const roles = [
      role('z', { rules: ['1', '2'], labels: ['x'] }),
      role('m', { rules: ['3', '1'], labels: ['x', 'y'] }),
      role('b', { rules: ['4'], labels: ['y'] }),
      role('all', { selects: ['x', 'y'] }),
    ];

    expect(rulesAfter(roles)).toMatchObject({ all: ['3', '1', '2', '4'] });
  });

  it('takes rules over several levels at once, and an aggregated role never from itself', () => {
    const roles = [
      role('a', { selects: ['to-a'], rules: ['old'], labels: ['to-a'] }),
      role('b', { selects: ['to-b'], labels: ['to-a'] }),
      role('c', { selects: ['to-c'], labels: ['to-b'] }),
      role('d', { rules: ['1'], labels: ['to-c'] }),
    ];

    expect(rulesAfter(roles)).toMatchObject({ a: ['1'], b: ['1'], c: ['1'] });
  });

  it('takes rules for the same whose fields are in another order or empty', () => {
    const first = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
    const second = { resources: ['pods'], resourceNames: [], apiGroups: [''], verbs: ['get'] };
    const source = { ...role('source', { labels: ['x'] }), rules: [first, second] };

    expect(planAggregation([source, role('all', { selects: ['x'] })]).changed).toMatchObject([{ rules: [first] }]);
  });

  it('gives roles that aggregate each other what all of them gather, and then leaves them', () => {
    const roles = [
      role('a', { selects: ['to-a'], labels: ['to-b'], rules: ['c', 'd'] }),
      role('b', { selects: ['to-b'], labels: ['to-a'], rules: ['d', 'c'] }),
      role('c', { rules: ['c'], labels: ['to-a'] }),
      role('d', { rules: ['d'], labels: ['to-b'] }),
    ];

    const { a, b } = rulesAfter(roles);

    expect([a?.toSorted(), b?.toSorted()]).toEqual([
      ['c', 'd'],
      ['c', 'd'],
    ]);
    expect(planAggregation(carriedOut(roles)).changed).toEqual([]);
  });

  it('takes from roles that aggregate each other what none of their sources grants any more', () => {
    const roles = [
      role('a', { selects: ['to-a'], labels: ['to-b'], rules: ['c', 'gone'] }),
      role('b', { selects: ['to-b'], labels: ['to-a'], rules: ['c', 'gone'] }),
      role('c', { rules: ['c'], labels: ['to-a'] }),
    ];

    expect(rulesAfter(roles)).toMatchObject({ a: ['c'], b: ['c'] });
  });

  it('keeps the rules of a role whose selector makes no sense, for others too', () => {
    const broken = {
      ...role('broken', { rules: ['1'], labels: ['x'] }),
      aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Near' }] }] },
    };

    const plan = planAggregation([broken, role('all', { selects: ['x'] })]);

    expect(plan.failed).toMatchObject([{ name: 'broken' }]);
    expect(plan.changed.map(namesOfRules)).toEqual([['1']]);
  });

  it('has nothing left to change after one plan, whichever roles aggregate whichever', () => {
    fc.assert(
      fc.property(someRoles(), (roles) => {
        expect(planAggregation(carriedOut(roles)).changed).toEqual([]);
      }),
    );
  });

  it('comes to what the real controller comes to where no role aggregates itself in the end', () => {
    fc.assert(
      fc.property(someRoles(), (roles) => {
        const acyclic = roles.map((each, index) => withLaterOnly(each, index));

        expect(rulesAfter(acyclic)).toEqual(Object.fromEntries(oneAfterTheOther(acyclic).map(entryOf)));
      }),
    );
  });
});

// What the real controller does: it goes from role to role, on what is stored by then, until nothing changes.
function oneAfterTheOther(roles: readonly JsonObject[]): readonly JsonObject[] {
  const current = roles.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
  for (const _pass of roles) {
    for (const [index, each] of current.entries()) {
      if (each['aggregationRule'] === undefined) continue;
      const selected = labelsSelectedBy(each).flatMap((label) =>
        current.filter((other) => other !== each && labelsOf(other).includes(label)),
      );
      const names = [...new Set(selected.flatMap(namesOfRules))];
      current[index] = { ...each, rules: names.map(rule) };
    }
  }
  return current;
}

function someRoles(): fc.Arbitrary<readonly JsonObject[]> {
  const labels = fc.uniqueArray(fc.constantFrom('l0', 'l1', 'l2', 'l3', 'l4'), { maxLength: 3 });
  const rules = fc.uniqueArray(fc.constantFrom('1', '2', '3', '4'), { maxLength: 3 });
  const made = fc.record({ labels, rules, selects: fc.option(labels, { nil: [] }) });
  return fc.array(made, { maxLength: 6 }).map((parts) => parts.map((part, index) => role(`r${index}`, part)));
}

// The label of a role has its own number, and it selects only larger ones.
function withLaterOnly(given: JsonObject, index: number): JsonObject {
  const selects = labelsSelectedBy(given).filter((label) => Number(label.slice(1)) > index);
  return role(nameOf(given), { rules: namesOfRules(given), labels: [`l${index}`], selects });
}

function carriedOut(roles: readonly JsonObject[]): readonly JsonObject[] {
  const { changed } = planAggregation(roles);
  return roles.map((each) => changed.find((other) => nameOf(other) === nameOf(each)) ?? each);
}

function rulesAfter(roles: readonly JsonObject[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(carriedOut(roles).map(entryOf));
}

function entryOf(each: JsonObject): readonly [string, readonly string[]] {
  return [nameOf(each), namesOfRules(each)];
}

interface RoleParts {
  readonly rules?: readonly string[];
  readonly labels?: readonly string[];
  /** Labels of which each has a selector. */
  readonly selects?: readonly string[];
}

function role(name: string, { rules = [], labels = [], selects = [] }: RoleParts): JsonObject {
  const clusterRoleSelectors = selects.map((label) => ({ matchLabels: { [label]: 'true' } }));
  return {
    metadata: { name, labels: Object.fromEntries(labels.map((label) => [label, 'true'])) },
    ...(selects.length === 0 ? {} : { aggregationRule: { clusterRoleSelectors } }),
    rules: rules.map(rule),
  };
}

function rule(name: string): JsonObject {
  return { verbs: ['get'], apiGroups: [''], resources: [name] };
}

function namesOfRules(each: JsonObject): readonly string[] {
  return objectsAt(each, 'rules').map((one) => textsAt(one, 'resources')[0] ?? '');
}

function labelsOf(each: JsonObject): readonly string[] {
  return Object.keys(textMapAt(objectAt(each, 'metadata'), 'labels'));
}

function labelsSelectedBy(each: JsonObject): readonly string[] {
  const selectors = objectsAt(objectAt(each, 'aggregationRule'), 'clusterRoleSelectors');
  return selectors.flatMap((selector) => Object.keys(textMapAt(selector, 'matchLabels')));
}

function nameOf(each: JsonObject): string {
  return textAt(objectAt(each, 'metadata'), 'name');
}
