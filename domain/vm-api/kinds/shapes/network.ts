import { flag, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

const multusNetwork: TSchema = shape({
  name: 'MultusNetwork',
  description: 'A network by its attachment definition.',
  required: ['networkName'],
  fields: {
    default: flag("Take the place of the cluster's network."),
    networkName: text('The definition, as `NAME` or `NAMESPACE/NAME`.'),
  },
});

const podNetwork: TSchema = shape({
  name: 'PodNetwork',
  description: 'The network of the cluster.',
  fields: {
    vmIPv6NetworkCIDR: text('The private IPv6 network of the guest; `fd10:0:2::/120` when not set.'),
    vmNetworkCIDR: text('The private network of the guest; `10.0.2.0/24` when not set.'),
  },
});

const claimRequest: TSchema = shape({
  name: 'ClaimRequest',
  description: 'A request in a resource claim.',
  fields: {
    claimName: text('The name of the claim in the list of claims.'),
    requestName: text('The name of the request in the claim.'),
  },
});

export const network: TSchema = shape({
  name: 'Network',
  description: 'A network that an interface of the same name is connected to.',
  required: ['name'],
  fields: {
    multus: of(multusNetwork, 'A network by its attachment definition.'),
    name: text('The name of the network in this list.'),
    pod: of(podNetwork, 'The network of the cluster.'),
    resourceClaim: of(claimRequest, 'A network by a resource claim.'),
  },
});
