import { ComputeError, type Compute } from '@smalt/compute';
import { OpenStackClient, type CloudConfig, type OpenStackClientOptions } from '@smalt/openstack';

import { createOpenStackCompute } from './create-openstack-compute.ts';
import type { OpenStackComputeSettings } from './openstack-compute-settings.ts';

/** `config` is that of a user with the role admin, who has a role in the project of the test instances too. */
export interface OpenOpenStackComputeOptions extends OpenStackClientOptions {
  readonly settings: OpenStackComputeSettings;
}

/** The compute system of a cloud, with connections of its own, which end with it. Logs in when it is first asked. */
export function openOpenStackCompute(options: OpenOpenStackComputeOptions): Compute & AsyncDisposable {
  const { settings, ...clientOptions } = options;
  const testConfig = testProjectConfig(options.config, settings);
  const owner = new AsyncDisposableStack();
  const client = owner.use(new OpenStackClient(clientOptions));
  const testClient =
    testConfig === undefined ? client : owner.use(new OpenStackClient({ ...clientOptions, config: testConfig }));
  const compute = owner.use(createOpenStackCompute({ client, testClient, settings, clock: options.clock }));
  return { ...compute, [Symbol.asyncDispose]: () => owner.disposeAsync() };
}

function testProjectConfig(config: CloudConfig, { smokeTest }: OpenStackComputeSettings): CloudConfig | undefined {
  const { project } = smokeTest;
  if (project === undefined) return undefined;
  if (config.identity.kind === 'application-credential') {
    throw new ComputeError(
      'refused',
      `smokeTest.project: an application credential cannot be used in ${project.name}@${project.domain}: leave the project out to keep test instances in that of the credential, or use a password`,
    );
  }
  const scope = { kind: 'project', project: { name: project.name, domain: { name: project.domain } } } as const;
  return { ...config, scope };
}
