import { describe, expect, it } from 'vitest';

import { grantedRights, rightText, type RightsObject } from './granted-rights.ts';

const ACCOUNT = { kind: 'ServiceAccount', name: 'agent', namespace: 'smalt-system' };

describe('grantedRights', () => {
  it('has each verb, resource and name of what an account is bound to, once', () => {
    const rules = [
      { apiGroups: ['', 'apps'], resources: ['pods', 'pods/status'], verbs: ['get', 'list'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['get'] },
    ];

    expect(textsOf([role('ClusterRole', rules), binding('ClusterRole')])).toEqual([
      'agent: get pods',
      'agent: list pods',
      'agent: get pods/status',
      'agent: list pods/status',
      'agent: get pods of apps',
      'agent: list pods of apps',
      'agent: get pods/status of apps',
      'agent: list pods/status of apps',
      'agent: get secrets named a',
      'agent: get secrets named b',
    ]);
  });

  it('knows the namespace of a role', () => {
    const objects = [
      role('Role', [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }], 'n'),
      binding('Role', 'n'),
    ];

    expect(textsOf(objects)).toEqual(['agent: get pods in n']);
  });

  it('leaves out what is bound to people and groups, and to nobody', () => {
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
    const group = { ...binding('ClusterRole'), subjects: [{ kind: 'Group', name: 'system:authenticated' }] };

    expect(textsOf([role('ClusterRole', rules), group])).toEqual([]);
  });

  it('refuses a binding of a role that is nowhere', () => {
    expect(() => textsOf([binding('ClusterRole')])).toThrow('binds the ClusterRole r, which is nowhere');
  });
});

function textsOf(objects: readonly RightsObject[]): readonly string[] {
  return grantedRights(objects).map(rightText);
}

function role(kind: string, rules: NonNullable<RightsObject['rules']>, namespace?: string): RightsObject {
  return { kind, metadata: { name: 'r', ...(namespace !== undefined && { namespace }) }, rules };
}

function binding(kind: 'Role' | 'ClusterRole', namespace?: string): RightsObject {
  return {
    kind: `${kind}Binding`,
    metadata: { name: 'b', ...(namespace !== undefined && { namespace }) },
    roleRef: { kind, name: 'r' },
    subjects: [ACCOUNT],
  };
}
