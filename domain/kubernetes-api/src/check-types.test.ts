import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { checkTypes } from './check-types.ts';

const DEPLOYMENT = { group: 'apps', version: 'v1', kind: 'Deployment' };
const PREFIX = 'Deployment in version "v1" cannot be handled as a Deployment: ';

describe('checkTypes', () => {
  it.each<{ object: JsonObject; text: string }>([
    {
      object: { spec: { replicas: 'three' } },
      text: 'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    },
    {
      object: { spec: { replicas: 1.5 } },
      text: 'json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
    },
    {
      object: { spec: { replicas: 3_000_000_000 } },
      text: 'json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32',
    },
    {
      object: { spec: [] },
      text: 'json: cannot unmarshal array into Go struct field Deployment.spec of type v1.DeploymentSpec',
    },
    {
      object: { metadata: { labels: { tier: 1 } } },
      text: 'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    },
    {
      object: { metadata: { labels: ['a'] } },
      text: 'json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string',
    },
    {
      object: { spec: { template: { spec: { containers: [{ ports: [{ containerPort: '80' }] }] } } } },
      text: 'json: cannot unmarshal string into Go struct field ContainerPort.spec.template.spec.containers.ports.containerPort of type int32',
    },
    {
      object: { spec: { template: { spec: { restartPolicy: true } } } },
      text: 'json: cannot unmarshal bool into Go struct field PodSpec.spec.template.spec.restartPolicy of type v1.RestartPolicy',
    },
    {
      object: { spec: { paused: 'no' } },
      text: 'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.paused of type bool',
    },
    {
      object: { spec: { template: { spec: { containers: [{ resources: { limits: { cpu: 'much' } } }] } } } },
      text: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    },
    {
      object: { metadata: { creationTimestamp: 'yesterday' } },
      text: 'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    },
  ])('says $text', ({ object, text }) => {
    expect(checkTypes(object, DEPLOYMENT)).toBe(PREFIX + text);
  });

  it.each(['YQ', 'YQ=', 'Y?==', '='])('refuses %s as the data of a Secret', (value) => {
    const text = checkTypes({ data: { key: value } }, { group: '', version: 'v1', kind: 'Secret' });

    expect(text).toMatch(
      /^Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte \d$/,
    );
  });

  it('takes null for a field that is not there', () => {
    expect(checkTypes({ metadata: null, spec: { replicas: null, template: null } }, DEPLOYMENT)).toBeUndefined();
  });

  it('has nothing to say about kinds that are not built in', () => {
    expect(checkTypes({ spec: 1 }, { group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachine' })).toBeUndefined();
  });
});
