import type { Routes } from './router.ts';
import { refusal } from './simulator-error.ts';

const NETWORKS = [
  {
    id: '5a1f0000-0000-4000-8000-00000000006e',
    name: 'private',
    status: 'ACTIVE',
    shared: false,
    tenant_id: 'nobody',
    project_id: 'nobody',
    admin_state_up: true,
    mtu: 1450,
    'router:external': false,
    subnets: ['5a1f0000-0000-4000-8000-00000000005b'],
  },
];

/** What Neutron answers: there is one network, which is not shared. */
export function networkRoutes(): Routes {
  return {
    'GET /networks': ({ query }) => {
      const networks = NETWORKS.filter(
        (network) =>
          (query.get('name') ?? network.name) === network.name &&
          (query.get('shared') ?? 'false') === 'false' &&
          (query.get('router:external') ?? 'false') === 'false' &&
          (query.get('project_id') ?? network.project_id) === network.project_id,
      );
      return { status: 200, body: { networks } };
    },
    'GET /networks/{network}': ({ ids }) => {
      const network = NETWORKS.find(({ id }) => id === ids['network']);
      if (network === undefined) throw refusal(404, `Network ${ids['network']} could not be found.`);
      return { status: 200, body: { network } };
    },
  };
}
