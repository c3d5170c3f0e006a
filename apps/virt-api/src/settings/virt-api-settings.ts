import { DEFAULT_CLUSTER_SETTINGS, type ClusterSettings } from '@smalt/vm-admission';

import { controlPlaneIn, type ControlPlane } from '../admission/requester-of.ts';
import type { VirtApiServiceOptions } from '../start-virt-api.ts';
import { VirtApiError } from '../virt-api-error.ts';
import type { VirtApiConfig } from './virt-api-config.ts';

/** What the settings say of how to start; the rest are resources of the process. */
export type VirtApiSettings = Omit<VirtApiServiceOptions, 'kubeConfig' | 'logger' | 'metrics' | 'health' | 'clock'>;

/** Makes options of what was read. Refuses, by the name of the setting, what does not go together. */
export function virtApiSettings(config: VirtApiConfig): VirtApiSettings {
  const { namespace, service, secret, serve, handlers } = config;
  if ((serve.certificate === '') !== (serve.key === '')) {
    const message = 'serve.certificate and serve.key go together: give both, or none of them';
    throw new VirtApiError('bad-setting', message);
  }
  const { hypervisor, allowedHypervisors } = config.machines;
  if (!allowedHypervisors.includes(hypervisor)) {
    const message = `machines.hypervisor: ${hypervisor} is not in machines.allowedHypervisors; name it there, or choose another`;
    throw new VirtApiError('bad-setting', message);
  }
  const { audience, account, tokenFile, mostStreams } = handlers;
  if (audience !== '' && tokenFile !== '') {
    const message = 'handlers.audience and handlers.tokenFile are two ways to be known to handlers: give one of them';
    throw new VirtApiError('bad-setting', message);
  }
  const { certificate, key, authority, names } = serve;
  return {
    settings: clusterSettings(config.machines),
    controlPlane: controlPlane(config),
    namespace,
    serviceName: service,
    secretName: secret,
    listen: serve.listen,
    certificateFiles: certificate === '' ? undefined : { certificate, key, authority },
    otherNames: names,
    handlerIdentity: tokenFile === '' ? undefined : { kind: 'token', token: { kind: 'file', path: tokenFile } },
    handlerTokens: audience === '' ? undefined : { namespace, account, audience },
    mostStreams,
  };
}

function controlPlane({ namespace, controlPlane: given }: VirtApiConfig): ControlPlane {
  const usual = controlPlaneIn(namespace);
  return {
    api: given.api.length === 0 ? usual.api : given.api,
    controller: given.controller.length === 0 ? usual.controller : given.controller,
    handler: given.handler.length === 0 ? usual.handler : given.handler,
  };
}

function clusterSettings(machines: VirtApiConfig['machines']): ClusterSettings {
  const { cpuModel, cpuRequest, evictionStrategy, featureGates, disabledFeatureGates, maxHotplugRatio } = machines;
  return {
    ...DEFAULT_CLUSTER_SETTINGS,
    defaultHypervisor: machines.hypervisor,
    allowedHypervisors: machines.allowedHypervisors,
    featureGates,
    disabledFeatureGates,
    evictionStrategy,
    defaultNetworkInterface: machines.networkInterface === 'masquerade' ? 'masquerade' : 'bridge',
    permitBridgeInterfaceOnPodNetwork: machines.permitsBridgeOnPodNetwork,
    rolloutStrategy: machines.rolloutStrategy === 'Stage' ? 'Stage' : 'LiveUpdate',
    ...(cpuModel === '' ? {} : { cpuModel }),
    cpuRequest,
    liveUpdate: { ...DEFAULT_CLUSTER_SETTINGS.liveUpdate, maxHotplugRatio },
  };
}
